"""Our folders must not hide a library. This file imports no strawberry, so that it can tell of the fault."""

from __future__ import annotations

import ast
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from graph_memory.base.files import folder

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("library", ["graphql", "neo4j", "celery", "strawberry", "starlette"])
def test_our_folders_hide_no_library(library: str) -> None:
    spec = find_spec(library)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).is_relative_to(sys.prefix)


@pytest.mark.parametrize("name", ["cypher", "graphql"])
def test_the_folder_holds_no_python(name: str) -> None:
    assert not list(Path(str(folder(name))).rglob("*.py"))


def test_no_test_asserts_seconds_of_a_clock() -> None:
    """On a busy machine it would fail: count, compare growth, or measure CPU beside a reference."""
    tests = sorted((ROOT / "tests").rglob("*.py"))
    assert [found for path in tests for found in _timed(path)] == []


def _timed(path: Path) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for asserted in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(asserted, ast.Assert)
        for node in ast.walk(asserted)
        if isinstance(node, ast.Compare)
        if any(isinstance(each, ast.Constant) for each in (node.left, *node.comparators))
        if any(ast.unparse(each).startswith("time.") for each in ast.walk(node) if isinstance(each, ast.Call))
    ]


def test_no_folder_below_tests_is_a_package() -> None:
    assert not list(Path(__file__).parents[1].rglob("__init__.py"))

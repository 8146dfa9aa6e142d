"""Our own source as syntax trees, for tests that look for what must not be there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@cache
def trees() -> dict[str, ast.Module]:
    """Each module of the service and of the tasks, by its path from the root."""
    files = sorted(file for package in ("graph_memory", "tasks") for file in (ROOT / package).rglob("*.py"))
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text("utf-8")) for file in files}


@cache
def names_in(path: str) -> frozenset[str]:
    """The names that a module imports or reads: what is not among them needs no second look."""
    found = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add(node.name)
    return frozenset(found)


def every(kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[tuple[str, ast.AST]]:
    """Each part of that kind, with the module that holds it."""
    return ((path, node) for path in trees() for node in nodes_of(path) if isinstance(node, kind))


def place(path: str, node: ast.AST) -> str:
    """Where that is, for people."""
    return f"{path}:{getattr(node, 'lineno', 0)}"


@cache
def queries_named() -> dict[tuple[str, str], str]:
    """The query behind each constant: `(module, NAME)` leads to the name in `NAME = query("memory/get")`."""
    return {
        (path, target.id): str(node.value.args[0].value)
        for path, node in every(ast.Assign)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if isinstance(node.value.func, ast.Name) and node.value.func.id == "query"
        if isinstance(node.value.args[0], ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def queries_sent_by(method: str) -> set[str]:
    """The queries whose constant stands in a call of `<something>.<method>(...)`, in the same module."""
    return {
        queries_named()[path, argument.id]
        for path, node in every(ast.Call)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method
        for argument in node.args
        if isinstance(argument, ast.Name) and (path, argument.id) in queries_named()
    }


@cache
def nodes_of(path: str) -> tuple[ast.AST, ...]:
    """All parts of a module."""
    return tuple(ast.walk(trees()[path]))

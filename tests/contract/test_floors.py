"""The floors of the house: nothing imports upwards, nothing hides an import, every module has a name of its own."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

from tests.contract.source_files import ROOT, every, place, trees

# A command imports what it uses and no more; the layers are checked inside its functions as well.
SLOW_TO_IMPORT = ("graph_memory/cli/", "graph_memory/local/")
ABOVE_ALL = ("graph_memory/api/", "graph_memory/cli/", "tasks/")
# What each package needs to name for itself.
IN_EACH = {"__init__.py", "__main__.py", "settings.py"}


def test_nothing_imports_upwards() -> None:
    # A process of its own: within this one it would switch off every logger that there is.
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_package_stands_on_a_floor() -> None:
    [contract] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    floors = {name for layer in contract["layers"] for name in re.split(r"\s*\|\s*", layer)}
    packages = {
        "graph_memory." + path.stem
        for path in (ROOT / "graph_memory").iterdir()
        if (path / "__init__.py").is_file() or (path.suffix == ".py" and path.stem != "__init__")
    }
    assert packages <= floors


def test_the_page_on_the_house_draws_the_same_floors() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    drawn = [
        re.split(r"\s{2,}", line.strip())
        for line in page.partition("```")[2].partition("```")[0].splitlines()
    ]
    [contract] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    floors = [
        name.rpartition(".")[2] for layer in contract["layers"][1:] for name in re.split(r"\s*\|\s*", layer)
    ]
    named = [word for words in drawn if words != [""] for word in words if word in floors]
    assert named == floors


def test_what_the_page_walks_through_is_there() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    named = set(re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", page))
    assert len(named) > 15
    assert [
        path for path in sorted(named) if not any((ROOT / at / path).exists() for at in (".", "graph_memory"))
    ] == []


def test_no_import_of_our_own_hides_in_a_function() -> None:
    hidden = {
        place(path, node)
        for path, function in every((ast.FunctionDef, ast.AsyncFunctionDef))
        if not path.startswith(SLOW_TO_IMPORT)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom) and _is_ours(node)
    }
    assert hidden == set()


def test_no_function_is_named_by_a_string() -> None:
    named = {
        node.value: place(path, node)
        for path, node in every(ast.Constant)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"(graph_memory|tasks)[.\w]*:\w+", node.value)
    }
    assert named.keys() == {"tasks.beat:SteadyScheduler"}, (
        f"Celery alone wants its scheduler by name: {named}"
    )


def test_every_module_has_a_name_of_its_own() -> None:
    below = [Path(path).name for path in trees() if not path.startswith(ABOVE_ALL)]
    names = Counter(name for name in below if name not in IN_EACH)
    assert [name for name, count in names.items() if count > 1] == []


def _is_ours(node: ast.Import | ast.ImportFrom) -> bool:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    return any(name.split(".")[0] in ("graph_memory", "tasks") for name in names)

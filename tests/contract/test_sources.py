"""What our source must not hold: Cypher in Python, neomodel on statements, other clocks."""

from __future__ import annotations

import ast
import re

import pytest

from tests.contract.source_files import every, place

CLAUSE = re.compile(
    r"^\s*(?:CYPHER 25\s+)?(?:OPTIONAL )?(?:MATCH|MERGE|CREATE|UNWIND|CALL|DETACH DELETE)\s+(?:[a-z]+\s*=\s*)?[({$[a-z](?!\?)"
)

# Whose output is Cypher, for others to run.
WRITES_CYPHER = {"graph_memory/transfer/script.py"}
OF_NEOMODEL = {"nodes", "save", "delete", "refresh", "cypher", "create_or_update", "get_or_create", "connect"}

# Who may ask the machine for the time, and why.
OTHER_CLOCKS = {
    "graph_memory/base/clock.py": "the clock",
    "graph_memory/local/report.py": "the age of a process, whose start the machine tells",
    "graph_memory/local/check_store.py": "compares this machine's clock with the server's",
    "tasks/beat.py": "notices that the machine's clock was set",
}
ASKING_THE_TIME = {
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
    ("time", "time"),
}


def test_no_cypher_stands_in_python() -> None:
    found = [
        place(path, node)
        for path, node in every(ast.Constant)
        if _is_cypher(node) and path not in WRITES_CYPHER
    ]
    assert found == [], "a query is a file below cypher/queries"


@pytest.mark.parametrize(
    "text", ["MATCH (m:Memory) RETURN m", "UNWIND $rows AS row", "CALL db.labels()", "CREATE (n)"]
)
def test_the_lint_knows_cypher(text: str) -> None:
    assert _is_cypher(ast.Constant(text))


@pytest.mark.parametrize("text", ["Create a key.", "CREATE", "Call it."])
def test_the_lint_knows_prose(text: str) -> None:
    assert not _is_cypher(ast.Constant(text))


def test_nothing_is_read_or_saved_through_the_declared_schema() -> None:
    modules = ("neomodel", "graph_memory.model.graph_schema")
    users = {path for path, module in _imports() if module.startswith(modules)}
    found = [
        place(path, node)
        for path, node in every(ast.Attribute)
        if isinstance(node, ast.Attribute) and path in users and node.attr in OF_NEOMODEL
    ]
    assert found == []
    assert not {module for _, module in _imports()} & {"neomodel.db", "neomodel.adb"}


def test_one_place_makes_the_merged_text_of_two() -> None:
    """People, judges and reviews share it. What joins whole groups has rules of its own."""
    makers = {
        path
        for path, node in every(ast.ImportFrom)
        if isinstance(node, ast.ImportFrom)
        and node.module == "graph_memory.language.subsumption"
        and not path.startswith("graph_memory/bench/")
    }
    assert makers == {"graph_memory/memory/merged_text.py", "graph_memory/ingest/same_said.py"}


def test_one_place_asks_what_time_it_is() -> None:
    found = {path: place(path, node) for path, node in every(ast.Attribute) if _asks_the_time(node)}
    assert sorted(found.keys() - OTHER_CLOCKS.keys()) == []


def _is_cypher(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(CLAUSE.match(node.value))


def _imports() -> list[tuple[str, str]]:
    plain = [
        (path, name.name)
        for path, node in every(ast.Import)
        if isinstance(node, ast.Import)
        for name in node.names
    ]
    nested = [
        (path, module)
        for path, node in every(ast.ImportFrom)
        if isinstance(node, ast.ImportFrom) and node.module
        for module in (node.module, *(f"{node.module}.{name.name}" for name in node.names))
    ]
    return plain + nested


def _asks_the_time(node: ast.AST) -> bool:
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    return (node.value.id, node.attr) in ASKING_THE_TIME

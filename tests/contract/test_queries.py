"""Every query file says what it answers, is used, and is understood by the real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from graph_memory.model.memory import Memory
from graph_memory.settings import Settings
from graph_memory.store import queries
from graph_memory.store.queries import Query, query
from graph_memory.store.service import open_driver
from graph_memory.upkeep.migrations import migrate
from tests.contract.source_files import ROOT, queries_named, queries_sent_by

FOLDER = ROOT / "cypher" / "queries"
FILES = sorted(file.relative_to(FOLDER).with_suffix("").as_posix() for file in FOLDER.rglob("*.cypher"))
PARTS = [name for name in FILES if "/parts/" in name]
NAMES = [name for name in FILES if name not in PARTS]


def test_there_are_queries() -> None:
    assert len(NAMES) > 50


def test_every_file_opens_with_what_it_answers() -> None:
    purposes = {name: query(name).purpose for name in NAMES}
    assert {name: told for name, told in purposes.items() if not re.fullmatch(r"[A-Z].*\.", told)} == {}


def test_every_file_is_reached_from_code_and_every_constant_names_a_file() -> None:
    assert set(queries_named().values()) ^ set(NAMES) == set()


STATES = re.compile(r"\{([\s.\w,]+)\}(?: END)? AS state\b")


def test_a_projection_without_the_vector_holds_all_that_a_memory_is_made_of() -> None:
    spelled = {
        (name, place): {each.strip().removeprefix(".") for each in found.split(",")}
        for name in NAMES
        for place, found in enumerate(STATES.findall(query(name).text))
    }
    assert ("recall/search_live", 0) in spelled
    wanted = _properties_of_a_memory()
    assert {where: names ^ wanted for where, names in spelled.items() if names != wanted} == {}


def _properties_of_a_memory() -> set[str]:
    return _asked_for(is_revision=True) | _asked_for(is_revision=False)


def _asked_for(is_revision: bool) -> set[str]:
    row = _Asked(metadata="{}", status="ACTIVE", source_kind="user", tags=[])
    row["memory_id"] = "m" if is_revision else None
    Memory.from_row(row)
    return row.asked


class _Asked(dict[str, object]):
    """A row that has everything and notes what is asked of it."""

    def __init__(self, **values: object) -> None:
        super().__init__(values)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> object:
        self.asked.add(name)
        return super().get(name)

    def get(self, name: str, default: object = None) -> object:
        return self[name]


def test_a_query_outside_system_must_be_walled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _put(tmp_path, "memory/open", "// Every memory of everybody.\nMATCH (m:Memory)\nRETURN m")
    _put(tmp_path, "system/open", "// Every tenant.\nMATCH (t:Tenant)\nRETURN t")
    monkeypatch.setattr(queries, "folder", lambda _: tmp_path)
    with pytest.raises(LookupError, match=r"\$tenant"):
        query.__wrapped__("memory/open")
    assert not query.__wrapped__("system/open").is_walled


def test_a_wall_in_a_comment_is_no_wall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _put(
        tmp_path,
        "memory/open",
        "// Memories of $tenant.\nMATCH (m:Memory)\n// WHERE m.tenant = $tenant\nRETURN m",
    )
    monkeypatch.setattr(queries, "folder", lambda _: tmp_path)
    with pytest.raises(LookupError, match=r"\$tenant"):
        query.__wrapped__("memory/open")


def test_a_part_is_for_several_queries() -> None:
    """What one query alone needs stands in that query."""
    sources = "".join((FOLDER / f"{each}.cypher").read_text("utf-8") for each in FILES)
    assert [name for name in PARTS if sources.count(f"// include: {name}\n") < 2] == []


def test_a_part_stands_where_it_is_included(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _put(tmp_path, "memory/parts/mine", "// Of one tenant.\nWHERE m.tenant = $tenant")
    _put(tmp_path, "memory/all", "// All.\nMATCH (m)\n  // include: memory/parts/mine\nRETURN m")
    monkeypatch.setattr(queries, "folder", lambda _: tmp_path)
    found = query.__wrapped__("memory/all")
    assert "".join(found.text.split()) == "CYPHER25MATCH(m)WHEREm.tenant=$tenantRETURNm"
    assert (found.purpose, found.parameters) == ("All.", {"tenant"})


@pytest.mark.parametrize(
    ("included", "told"),
    [
        ("memory/parts/missing", "there is no"),
        ("memory/whole", "only what lies in a folder"),
        ("memory/parts/nested", "includes itself"),
        ("memory/parts/bare", "must open with"),
    ],
)
def test_only_a_part_can_be_included(
    included: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _put(tmp_path, "memory/whole", "// Whole.\nMATCH (m {tenant: $tenant})\nRETURN m")
    _put(tmp_path, "memory/parts/nested", "// More.\nWITH m\n// include: memory/parts/nested")
    _put(tmp_path, "memory/parts/bare", "// Nothing.\n")
    _put(tmp_path, "memory/all", f"// All.\nMATCH (m {{tenant: $tenant}})\n// include: {included}\nRETURN m")
    monkeypatch.setattr(queries, "folder", lambda _: tmp_path)
    with pytest.raises(LookupError, match=told):
        query.__wrapped__("memory/all")


def test_a_part_is_never_sent_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _put(tmp_path, "memory/parts/mine", "// Of one tenant.\nWHERE m.tenant = $tenant")
    monkeypatch.setattr(queries, "folder", lambda _: tmp_path)
    with pytest.raises(LookupError, match="never sent"):
        query.__wrapped__("memory/parts/mine")


@pytest.mark.parametrize("source", ["MATCH (m {tenant: $tenant})\nRETURN m", "// Only a purpose.\n"])
def test_a_file_without_purpose_or_body_is_refused(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _put(tmp_path, "memory/bare", source)
    monkeypatch.setattr(queries, "folder", lambda _: tmp_path)
    with pytest.raises(LookupError, match="must open with"):
        query.__wrapped__("memory/bare")


@pytest.fixture(scope="module")
def driver(stack: Settings) -> Iterator[neo4j.Driver]:
    with open_driver(stack) as driver:
        migrate(driver, stack)
        yield driver


@pytest.mark.long
@pytest.mark.stack
def test_the_server_understands_every_file_and_what_is_sent_as_a_read_only_reads(
    driver: neo4j.Driver, stack: Settings
) -> None:
    read, faults = queries_sent_by("read"), {}
    with driver.session(database=stack.neo4j.database, notifications_min_severity="INFORMATION") as session:
        for name in NAMES:
            if told := _fault(session, query(name), reads=name in read):
                faults[name] = told
    assert faults == {}


@pytest.mark.stack
@pytest.mark.parametrize(
    "name",
    ["memory/browse", "memory/count", "memory/subjects_page", "memory/names_of_subjects", "reviews/count"],
)
def test_what_lists_or_counts_looks_through_no_other_tenant(
    driver: neo4j.Driver, stack: Settings, name: str
) -> None:
    text = query(name).text.replace("CYPHER 25\n", "CYPHER 25 EXPLAIN\n", 1)
    # The planner looks at what a list holds.
    given = dict.fromkeys(query(name).parameters) | {"ids": ["x", "y"], "statuses": ["PENDING"], "first": 1}
    with driver.session(database=stack.neo4j.database) as session:
        plan = session.run(text, given).consume().plan  # type: ignore[arg-type]
    assert {
        each for each in _operators(plan) if each.startswith(("NodeByLabelScan", "AllNodesScan"))
    } == set()


def _operators(plan: Any) -> Iterator[str]:
    yield plan["operatorType"]
    for child in plan.get("children", ()):
        yield from _operators(child)


def _fault(session: neo4j.Session, statement: Query, *, reads: bool) -> str | None:
    """What the server holds against it; None if nothing."""
    text = statement.text.replace("CYPHER 25\n", "CYPHER 25 EXPLAIN\n", 1)
    try:
        found = session.run(text, dict.fromkeys(statement.parameters)).consume()  # type: ignore[arg-type]
    except neo4j.exceptions.Neo4jError as error:
        return str(error)
    for each in found.gql_status_objects:
        if each.raw_classification == "DEPRECATION":
            return each.status_description
    allowed = ("r",) if reads else ("r", "rw", "w", "s")
    return None if found.query_type in allowed else f"of type {found.query_type}"


def _put(root: Path, name: str, source: str) -> None:
    file = root / "queries" / f"{name}.cypher"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source, "utf-8")

"""What Neo4j Browser is given: a style, a guide, and saved queries that answer on a real store."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from graph_memory import cli
from graph_memory.api.app import create
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.links import link
from graph_memory.memory.merge import merge
from graph_memory.memory.supersession import supersede
from graph_memory.model.graph_schema import NODES, relationships
from graph_memory.model.memory import EntityName, Fact, Source, SourceKind
from graph_memory.settings import Settings
from graph_memory.store.browser_files import SavedQuery, saved, style
from graph_memory.store.service import Service
from tests.integration.jobs_world import cypher, statement

# What no caller writes: a job or a person's conversation does.
MADE_BY_JOBS = """
MATCH (s:Subject {tenant: $t})<-[:BELONGS_TO]-(m:Memory:Live)
WITH s, head(collect(m)) AS memory
CREATE (c:Community {tenant: $t, subject_id: s.id, id: randomUUID(), label: 'Homes', caption: 'Homes', size: 1})
CREATE (:Segment {tenant: $t, subject_id: s.id, id: randomUUID(), started_at: datetime()})
       <-[:PART_OF]-(said:Message {tenant: $t, subject_id: s.id, id: randomUUID(), position: 0, text: 'Hello'})
CREATE (r:Review {tenant: $t, subject_id: s.id, id: randomUUID(), status: 'PENDING', created_at: datetime('2000-01-01T00:00:00Z')})
CREATE (r)-[:BELONGS_TO]->(s), (r)-[:ABOUT]->(memory), (memory)-[:EXTRACTED_FROM]->(said)
CREATE (memory)-[:MEMBER_OF {tenant: $t, recorded_to: datetime('9999-12-31T00:00:00Z')}]->(c)
WITH s
MATCH (a:Entity {tenant: $t, name: 'Mara'}), (b:Entity {tenant: $t, name: 'Porto'})
CREATE (a)-[:RELATES_TO {tenant: $t, type: 'LIVES_IN', strength: 0.9}]->(b)
RETURN count(*) AS made
"""

pytestmark = pytest.mark.stack


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
    return {each.name: each.text for each in saved()}


@pytest.fixture
def world(service: Service, scope: Scope, clock: Any) -> Scope:
    """One of everything that a saved query looks for."""
    call, mara, porto = (
        Call(scope, "test"),
        *(EntityName(each, each.lower(), "PLACE") for each in ("Mara", "Porto")),
    )
    facts = [
        Fact("Mara lives in Ghent.", entities=(mara,)),
        Fact("Mara rents a flat.", entities=(mara, porto)),
        Fact("Mara owns a house.", entities=(mara,), source=Source(SourceKind.TOOL, ref="registry")),
        Fact("Mara has got a flat on rent."),
    ]
    ghent, flat, house, again = (each.id for each in add(service, call, facts)[0])
    clock.forward(days=60)
    new, _ = supersede(service, call, ghent, Fact("Mara lives in Porto.", entities=(mara, porto)))
    link(service, call, new.new, flat, "causes")
    link(service, call, flat, house, "conflicts")
    merge(service, call, again, flat)
    assert cypher(service, MADE_BY_JOBS, t=scope.tenant) == [1]
    return scope


def _rows(service: Service, query: SavedQuery, **given: str) -> list[Any]:
    return cypher(service, query.text, **{**query.parameters, **given})


def test_there_are_enough_saved_queries_and_each_has_a_number() -> None:
    assert len(saved()) >= 12
    assert [int(each.name[:2]) for each in saved()] == list(range(1, len(saved()) + 1))


def test_a_parameter_means_the_same_wherever_it_stands() -> None:
    values = {(name, value) for each in saved() for name, value in each.parameters.items()}
    assert len(values) == len(dict(values))


@pytest.mark.parametrize("query", saved(), ids=lambda each: each.name)
def test_a_saved_query_has_a_title_and_parameters_and_an_end(query: SavedQuery) -> None:
    assert query.text.startswith("// ")
    assert query.parameters
    assert set(query.parameters) == set(re.findall(r"\$(\w+)", query.text))
    assert re.search(r"^LIMIT \d+$", query.text.rstrip().splitlines()[-1])
    assert "embedding" not in query.text


def test_each_saved_query_finds_something(service: Service, world: Scope) -> None:
    empty = []
    [homes] = cypher(service, "MATCH (c:Community {tenant: $t}) RETURN c.id", t=world.tenant)
    for query in saved():
        given = {
            "tenant": world.tenant_name,
            "owner": world.tenant_name,
            "day": "2026-01-15",
            "community": homes,
        }
        if not _rows(service, query, **given):
            empty.append(query.name)
    assert empty == []


def test_from_a_name_one_comes_to_what_it_owns(service: Service, world: Scope) -> None:
    owned = "MATCH (:Tenant {id: $t})<-[:BELONGS_TO]-(:Subject {name: 'ann'})<-[:BELONGS_TO]-(n) RETURN head(labels(n))"
    found = cypher(service, owned, t=world.tenant)
    assert sorted(set(found)) == ["Memory", "Review"]
    assert found.count("Memory") == 5


def test_the_style_names_only_what_the_graph_has() -> None:
    kinds = {each.__label__: each for each in NODES}
    labels = {*kinds, *(label for each in NODES for label in getattr(each, "__optional_labels__", ()))}
    for selector, body in re.findall(r"^(\S+) \{(.*?)^\}$", style(), re.MULTILINE | re.DOTALL):
        what, _, name = selector.partition(".")
        assert not name or name in (labels if what == "node" else relationships()), selector
        for shown in re.findall(r"\{(\w+)\}", body):
            if name in kinds:
                assert shown in kinds[name].defined_properties(aliases=False, rels=False), selector


def test_what_is_denied_is_not_drawn_as_if_it_were_so(service: Service, scope: Scope) -> None:
    add(service, Call(scope, "test"), [Fact("Mara eats fish."), Fact("Theo does not eat meat.")])
    rows = service.read(
        scope,
        statement("MATCH ()-[r:STATES {tenant: $tenant}]->() RETURN r.value AS value, r.caption AS caption"),
    )
    assert {row["value"]: row["caption"] for row in rows} == {"fish": "fish", "meat": "not meat"}
    [(_, drawn)] = re.findall(r"^(relationship.STATES) \{(.*?)^\}$", style(), re.MULTILINE | re.DOTALL)
    assert 'caption: "{caption}"' in drawn


def test_any_page_may_read_the_browsers_files_and_no_more(stack: Settings, service: Service) -> None:
    asked = {"Origin": "http://127.0.0.1:7474", "Access-Control-Request-Method": "GET"}
    with TestClient(create(stack), base_url="http://127.0.0.1:8420") as client:
        for path in ("guide.html", "graph_memory.grass", "graph_memory-saved.zip", "saved"):
            answer = client.get(f"/browser/{path}", headers=asked)
            assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "*"), path
        asked["Access-Control-Request-Headers"] = "cache-control,pragma"
        assert client.options("/browser/guide.html", headers=asked).status_code == 200
        asked["Access-Control-Request-Method"] = "POST"
        assert "access-control-allow-origin" not in client.options("/graphql", headers=asked).headers
        guide = client.get("/browser/guide.html").text
        listed = client.get("/browser/saved").json()["queries"]
    assert ":style http://127.0.0.1:8420/browser/graph_memory.grass" in guide
    assert guide.count("<slide") == len(saved()) + 1
    assert [each["name"] for each in listed] == [each.name for each in saved()]


def test_a_command_writes_the_file_that_the_browser_imports(tmp_path: Path, told: dict[str, str]) -> None:
    file = tmp_path / "saved.zip"
    done = CliRunner().invoke(cli.app, ["browser", "--save", str(file)])
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(io.BytesIO(file.read_bytes())) as archive:
        held = {name: archive.read(name).decode() for name in archive.namelist()}
    first = held.pop("graph_memory/00-parameters.cypher")
    assert json.loads(first.partition(":params ")[2])["name"] == "Mara"
    assert held == {f"graph_memory/{name}.cypher": text for name, text in told.items()}
    assert ":style" in CliRunner().invoke(cli.app, ["browser"]).output


COOKBOOK = Path(__file__).parents[2] / "docs" / "how-to" / "cypher-cookbook.md"
RECIPE = re.compile(r"^## (.+?)$.*?^```cypher\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_each_query_of_the_cookbook_finds_something(service: Service, world: Scope) -> None:
    recipes = RECIPE.findall(COOKBOOK.read_text("utf-8"))
    given = {"tenant": world.tenant_name, "name": "Mara", "day": "2026-01-15", "words": "lives in"}
    assert len(recipes) > 10
    assert [title for title, text in recipes if not cypher(service, text, **given)] == []

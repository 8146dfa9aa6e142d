"""Communities over GraphQL, on the command line and in Neo4j Browser."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from graph_memory import cli
from graph_memory.base.files import folder
from graph_memory.base.scope import Scope
from tests.integration.api_world import Api, api, key
from tests.integration.jobs_world import cypher
from tests.integration.test_community_life import detect, say, vector

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

PAGE = """query($f: CommunityFilter, $n: Int, $a: String) { communities(filter: $f, first: $n, after: $a) {
  nodes { id name size endedAt members(first: 2) { nodes { text community { id } } pageInfo { hasNextPage } }
    summary { isExtractive isStale keyFacts memory { text kind community { name } } }
    lineage { kind at joined from { id } to { id } } }
  pageInfo { hasNextPage endCursor } } }"""


@pytest.fixture
def scope(api: Api, key: str) -> Scope:
    """Two communities of five."""
    scope = Scope(api.data(key, "{viewer{tenant}}")["tenant"])
    say(api.service, scope, "food", range(5))
    say(api.service, scope, "work", range(5))
    detect(api.service, scope)
    return scope


def test_communities_are_read_over_graphql_in_pages(api: Api, key: str, scope: Scope) -> None:
    first = api.data(key, PAGE, n=1)
    assert first["pageInfo"]["hasNextPage"]
    second = api.data(key, PAGE, n=1, a=first["pageInfo"]["endCursor"])
    both = first["nodes"] + second["nodes"]
    assert len({each["id"] for each in both}) == 2
    for each in both:
        assert (each["size"], each["endedAt"]) == (5, None)
        assert each["members"]["pageInfo"]["hasNextPage"]
        assert {node["community"]["id"] for node in each["members"]["nodes"]} == {each["id"]}
        summary = each["summary"]
        assert (summary["isExtractive"], summary["isStale"], summary["memory"]["kind"]) == (
            True,
            False,
            "summary",
        )
        assert summary["memory"]["community"]["name"] == each["name"]
        assert [(event["kind"], event["joined"]) for event in each["lineage"]] == [("BORN", 5)]
        assert api.data(key, "query($id:ID!){community(id:$id){name}}", id=each["id"]) == {
            "name": each["name"]
        }
        assert api.data(key, "query($id:ID!){node(id:$id){id}}", id=each["id"]) == {"id": each["id"]}
    assert api.data(key, PAGE, f={"name": both[0]["name"][:5].upper()})["nodes"]
    assert api.data(key, PAGE, f={"minSize": 6})["nodes"] == []
    other = api.key()
    assert api.data(other, PAGE)["nodes"] == []
    assert api.data(other, "query($id:ID!){community(id:$id){name}}", id=both[0]["id"]) is None


def test_what_changed_since_is_told_and_a_summary_says_when_it_is_stale(
    api: Api, key: str, scope: Scope
) -> None:
    since = api.data(key, "{communities{nodes{changedAt}}}")["nodes"][0]["changedAt"]
    assert api.data(key, PAGE, f={"changedSince": since})["nodes"] == []
    [gone, *_] = say(api.service, scope, "food", [5])
    changed = api.data(key, PAGE)["nodes"]
    assert [each["summary"]["isStale"] for each in changed] == [False, False], "what is new is in none yet"
    detect(api.service, scope)
    [grown] = api.data(key, PAGE, f={"changedSince": since})["nodes"]
    assert grown["lineage"][0]["kind"] == "GROWN"
    api.done(key, "archiveMemories", ids=[gone])
    stale = {each["size"]: each["summary"]["isStale"] for each in api.data(key, PAGE)["nodes"]}
    assert stale == {6: True, 5: False}


def test_a_search_finds_summaries_beside_its_hits_where_they_are_asked_for(
    api: Api, key: str, scope: Scope
) -> None:
    document = (
        "query($v:[Float!]){search(vector:$v, arms:VECTOR, first:20)"
        "{hits{memory{kind}} summaries(first:2){score community{name}}}}"
    )
    summaries = "MATCH (s:Summary {tenant: $t}) SET s.embedding = $v"
    cypher(api.service, summaries, t=scope.tenant, v=list(vector(1, 9)))
    found = api.data(key, document, v=list(vector(1, 0)))
    assert len(found["summaries"]) == 2
    assert {hit["memory"]["kind"] for hit in found["hits"]} == {"fact"}


def test_the_command_lists_and_draws_them(api: Api, scope: Scope) -> None:
    place = ["--tenant", scope.tenant_name]
    listed = json.loads(CliRunner().invoke(cli.app, ["communities", *place, "--json"]).stdout)["items"]
    assert [each["size"] for each in listed] == [5, 5]
    told = CliRunner().invoke(cli.app, ["communities", *place])
    assert "born +5" in told.stdout, told.output
    told = CliRunner().invoke(cli.app, ["communities", "show", listed[0]["id"], *place])
    assert "summary, an extract" in told.stdout, told.output
    assert listed[0]["name"] in told.stdout


def test_the_saved_query_of_the_browser_draws_one_community(api: Api, scope: Scope) -> None:
    text = folder("cypher").joinpath("browser", "saved", "10-community.cypher").read_text("utf-8")
    assert text.startswith("// ")
    body = re.sub(r"^(//|:param).*$", "", text, flags=re.MULTILINE)
    id = cypher(api.service, "MATCH (c:Community {tenant: $t}) RETURN c.id LIMIT 1", t=scope.tenant)[0]
    rows = cypher(api.service, body, community=id)
    assert len(rows) == 5
    assert all(row["summary"] is not None and row["lineage"] is not None for row in rows)

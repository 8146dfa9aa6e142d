"""Links over HTTP: made, ended, counted, followed, at any moment."""

from __future__ import annotations

from typing import Any

import pytest

from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.memory.sharing import reweigh
from graph_memory.store.service import Service
from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

JANUARY, FEBRUARY, MARCH = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"

Chain = dict[str, str]


@pytest.fixture
def chain(api: Api, key: str) -> Chain:
    """Rain, which causes floods, which cause repairs; a map that speaks for the floods."""
    ids = {
        name: api.add(key, f"{name} is here", validFrom=JANUARY)["id"]
        for name in ("rain", "flood", "repair", "map")
    }
    api.link(key, ids["rain"], ids["flood"], "CAUSES", strength=0.9, reason="the gauge says so")
    api.link(key, ids["flood"], ids["repair"], "CAUSES", strength=0.4)
    api.link(key, ids["map"], ids["flood"], "SUPPORTS")
    return ids


def test_a_link_is_made_once_and_read_from_both_ends(api: Api, key: str) -> None:
    one, two = api.add(key, "It rains")["id"], api.add(key, "The street is wet")["id"]
    given = {"fromId": one, "toId": two, "kind": "CAUSES", "confidence": 0.8, "reason": "seen"}
    asked = "outcome link{uuid kind confidence strength reason createdBy from{id} to{id}}"
    made = api.done(key, "linkMemories", asked, **given)
    again = api.done(key, "linkMemories", asked, **given)
    assert (made["outcome"], again["outcome"]) == ("LINKED", "EXISTS")
    assert made["link"] == again["link"]
    assert made["link"] | {"uuid": "", "createdBy": ""} == {
        "uuid": "",
        "kind": "CAUSES",
        "confidence": 0.8,
        "strength": 1.0,
        "reason": "seen",
        "createdBy": "",
        "from": {"id": one},
        "to": {"id": two},
    }
    document = (
        "query($id:ID!){memory(id:$id){outboundLinks{to{id}} inboundLinks{from{id}}"
        " links(kinds:[RELATED]){uuid} both:links(direction:BOTH){kind}}}"
    )
    assert api.data(key, document, id=one) == {
        "outboundLinks": [{"to": {"id": two}}],
        "inboundLinks": [],
        "links": [],
        "both": [{"kind": "CAUSES"}],
    }
    assert api.data(key, document, id=two)["inboundLinks"] == [{"from": {"id": one}}]


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"kind": "SUPERSEDES"}, ("INVALID", "input.kind")),
        ({"kind": "SHARES_ENTITY"}, ("INVALID", "input.kind")),
        ({"confidence": 1.5}, ("INVALID", "input.confidence")),
        ({"strength": -1}, ("INVALID", "input.strength")),
        ({"reason": "a\0b"}, ("INVALID", "input.reason")),
        ({"toId": "self"}, ("INVALID", "input.toId")),
        ({"toId": new_id()}, ("NOT_FOUND", None)),
        ({"toId": "nonsense"}, ("BAD_ID", "input.toId")),
    ],
)
def test_a_link_that_breaks_a_rule_is_refused(
    api: Api, key: str, given: dict[str, Any], refusal: tuple[str, str | None]
) -> None:
    one, two = api.add(key, "It rains")["id"], api.add(key, "The street is wet")["id"]
    given = {**given, "toId": one} if given.get("toId") == "self" else given
    wanted = {"fromId": one, "toId": two, "kind": "CAUSES", **given}
    assert api.refused(key, "linkMemories", **wanted) == refusal
    assert api.data(key, "{linkStatistics{total}}") == {"total": 0}


def test_many_links_are_made_all_or_none(api: Api, key: str) -> None:
    ids = [api.add(key, f"Statement {number}")["id"] for number in range(3)]
    good = {"fromId": ids[0], "toId": ids[1], "kind": "RELATED"}
    bad = {"fromId": ids[0], "toId": ids[2], "kind": "RELATED", "strength": 2}
    assert api.refused(key, "linkMany", links=[good, bad]) == ("INVALID", "input.links[1].strength")
    assert api.refused(key, "linkMany", links=[]) == ("INVALID", "input.links")
    done = api.done(
        key, "linkMany", "results{outcome link{to{id}}}", links=[good, {**bad, "strength": 1}, good]
    )
    assert [made["outcome"] for made in done["results"]] == ["LINKED", "LINKED", "EXISTS"]
    assert [made["link"]["to"]["id"] for made in done["results"]] == [ids[1], ids[2], ids[1]]


def test_a_link_is_ended_by_its_ends_or_by_its_uuid_and_stays_in_the_past(api: Api, key: str) -> None:
    one, two = api.add(key, "It rains")["id"], api.add(key, "The street is wet")["id"]
    ends = {"fromId": one, "toId": two, "kind": "CAUSES"}
    uuid = api.link(key, one, two, "CAUSES")
    then = api.data(key, "query($id:ID!){memory(id:$id){links{createdAt}}}", id=one)["links"][0]["createdAt"]
    at = api.data(key, "{changes(first:100){nodes{at}}}")["nodes"][-1]["at"]
    assert (
        api.done(key, "unlinkMemories", "link", reason="it dried", idempotencyKey="k", **ends)["link"] == uuid
    )
    assert api.done(key, "unlinkMemories", idempotencyKey="k", reason="it dried", **ends)["replayed"]
    assert api.refused(key, "unlinkMemories", **ends) == ("NOT_FOUND", None)
    second = api.link(key, one, two, "CAUSES")
    assert api.done(key, "unlinkMemories", "link", link=second, idempotencyKey="l")["link"] == second
    assert api.done(key, "unlinkMemories", "link", link=second, idempotencyKey="l")["replayed"]
    document = "query($id:ID!,$k:DateTime){memory(id:$id,knownAt:$k){links{uuid}}}"
    assert api.data(key, document, id=one) == {"links": []}
    assert api.data(key, document, id=one, k=at) == {"links": [{"uuid": uuid}]}
    assert then


@pytest.mark.parametrize("given", [{}, {"link": "nonsense"}, {"fromId": new_id(), "toId": new_id()}])
def test_a_link_to_end_must_be_named(api: Api, key: str, given: dict[str, Any]) -> None:
    assert api.refused(key, "unlinkMemories", **given) == ("INVALID", "input.link")


def test_links_are_counted_by_kind_and_direction(api: Api, key: str, chain: Chain) -> None:
    document = (
        "query($id:ID){linkStatistics(id:$id){total totalInbound totalOutbound"
        " byType{kind count} inboundByType{kind count} outboundByType{kind count}}}"
    )
    assert api.data(key, document, id=chain["flood"]) == {
        "total": 3,
        "totalInbound": 2,
        "totalOutbound": 1,
        "byType": [{"kind": "CAUSES", "count": 2}, {"kind": "SUPPORTS", "count": 1}],
        "inboundByType": [{"kind": "CAUSES", "count": 1}, {"kind": "SUPPORTS", "count": 1}],
        "outboundByType": [{"kind": "CAUSES", "count": 1}],
    }
    assert api.data(key, document)["total"] == 3


NEIGHBOURS = (
    "query($id:ID!,$d:Int,$k:[LinkKind!],$w:LinkDirection!,$s:Float!,$t:DateTime,$n:DateTime)"
    "{neighbours(id:$id,depth:$d,kinds:$k,direction:$w,minStrength:$s,asOf:$t,knownAt:$n)"
    "{items{depth memory{text} links{kind}} truncated}}"
)


def _around(api: Api, key: str, id: str, **given: Any) -> dict[str, int]:
    variables = {"w": "BOTH", "s": 0.0, **given}
    found = api.data(key, NEIGHBOURS, id=id, **variables)
    return {item["memory"]["text"].split()[0]: item["depth"] for item in found["items"]}


def test_neighbours_are_met_at_their_shortest_depth(api: Api, key: str, chain: Chain) -> None:
    rain = chain["rain"]
    assert _around(api, key, rain, d=1) == {"flood": 1}
    assert _around(api, key, rain, d=2) == {"flood": 1, "repair": 2, "map": 2}
    assert _around(api, key, rain, d=2, w="OUT") == {"flood": 1, "repair": 2}
    assert _around(api, key, rain, d=2, k=["CAUSES"]) == {"flood": 1, "repair": 2}
    assert _around(api, key, rain, d=2, s=0.5) == {"flood": 1, "map": 2}
    assert _around(api, key, rain, d=2, w="IN") == {}
    assert api.code(key, "{neighbours(id:%s,depth:-1){truncated}}" % f'"{rain}"') == "INVALID"  # noqa: UP031


def test_nothing_of_another_moment_is_met(api: Api, key: str, chain: Chain) -> None:
    assert _around(api, key, chain["rain"], d=2, t="2025-01-01T00:00:00Z") == {}
    assert api.data(key, NEIGHBOURS, id=chain["rain"], d=2, w="BOTH", s=0.0, n="2020-01-01T00:00:00Z") is None


def test_the_way_between_two_memories(api: Api, key: str, chain: Chain) -> None:
    document = (
        "query($f:ID!,$t:ID!,$h:Int!){path(from:$f,to:$t,maxHops:$h)"
        "{nodes{text} edges{kind reason} truncated}}"
    )
    found = api.data(key, document, f=chain["rain"], t=chain["repair"], h=6)
    assert [node["text"].split()[0] for node in found["nodes"]] == ["rain", "flood", "repair"]
    assert found["edges"] == [
        {"kind": "CAUSES", "reason": "the gauge says so"},
        {"kind": "CAUSES", "reason": ""},
    ]
    assert api.data(key, document, f=chain["rain"], t=chain["repair"], h=1)["nodes"] == []


def test_a_subgraph_is_flat_and_has_every_link_between_its_nodes(api: Api, key: str, chain: Chain) -> None:
    document = (
        "query($i:[ID!]!,$d:Int!,$n:Int!){subgraph(ids:$i,depth:$d,first:$n)"
        "{nodes{id} edges{kind from{id} to{id}} truncated}}"
    )
    found = api.data(key, document, i=[chain["rain"]], d=2, n=100)
    assert {node["id"] for node in found["nodes"]} == set(chain.values())
    assert len(found["edges"]) == 3
    assert not found["truncated"]
    assert api.data(key, document, i=[chain["rain"]], d=2, n=2)["truncated"]
    assert api.code(key, document, i=[chain["rain"]], d=1, n=301) == "INVALID"


def test_causes_consequences_and_what_rests_on_a_memory(api: Api, key: str, chain: Chain) -> None:
    asked = "{items{depth isLast memory{text}} truncated}"
    led = api.data(key, f"query($id:ID!){{causes(id:$id){asked}}}", id=chain["repair"])
    assert [(item["memory"]["text"].split()[0], item["isLast"]) for item in led["items"]] == [
        ("flood", False),
        ("rain", True),
    ]
    came = api.data(key, f"query($id:ID!){{consequences(id:$id,first:1){asked}}}", id=chain["rain"])
    assert [item["memory"]["text"].split()[0] for item in came["items"]] == ["flood"]
    assert came["truncated"]
    falls = api.data(key, "query($id:ID!){impact(id:$id){items{memory{text}}}}", id=chain["rain"])
    assert [item["memory"]["text"].split()[0] for item in falls["items"]] == ["flood", "repair"]


def test_a_memory_in_doubt_is_taken_out_with_all_that_rests_on_it(api: Api, key: str, chain: Chain) -> None:
    assert api.refused(key, "quarantineMemory", id=chain["rain"])[0] == "INVALID"
    done = api.done(
        key,
        "quarantineMemory",
        "memories{text status} archived truncated",
        id=chain["rain"],
        reason="the gauge broke",
    )
    assert done["archived"] == 3
    assert {memory["status"] for memory in done["memories"]} == {"ARCHIVED"}
    assert [node["text"] for node in api.data(key, "{memories{nodes{text}}}")["nodes"]] == ["map is here"]
    api.done(key, "undo", changes=[api.last(key)])
    assert len(api.data(key, "{memories{nodes{text}}}")["nodes"]) == 4


def test_memories_that_mention_the_same_tell_so(api: Api, key: str) -> None:
    one = api.add(key, "Ada met Grace in Paris.")["id"]
    api.add(key, "Grace lives in Oslo.")
    reweigh(api.service, Scope(api.data(key, "{viewer{tenant}}")["tenant"]))
    found = api.data(key, "query($id:ID!){memory(id:$id){sharing{weight names memory{text}}}}", id=one)[
        "sharing"
    ]
    assert [(each["names"], each["memory"]["text"]) for each in found] == [
        (["Grace"], "Grace lives in Oslo.")
    ]


def test_what_changed_between_two_moments(api: Api, key: str) -> None:
    old = api.add(key, "Ada works at Google", validFrom=JANUARY)["id"]
    stays = api.add(key, "Ada plays the cello", validFrom=JANUARY)["id"]
    api.supersede(key, old, "Ada works at Anthropic", validFrom=FEBRUARY)
    document = (
        "query($f:MomentInput!,$t:MomentInput,$n:Int!){diff(from:$f,to:$t,first:$n)"
        "{added{text} ended{text} changed{before{text} after{text}} isComplete}}"
    )
    one, other = {"asOf": "2026-01-15T00:00:00Z"}, {"asOf": MARCH}
    assert api.data(key, document, f=one, t=other, n=100) == {
        "added": [{"text": "Ada works at Anthropic"}],
        "ended": [{"text": "Ada works at Google"}],
        "changed": [],
        "isComplete": True,
    }
    assert not api.data(key, document, f=one, t=other, n=1)["isComplete"]
    at = api.data(key, "{changes(first:100){nodes{at}}}")["nodes"][-1]["at"]
    api.done(key, "reviseMemory", id=stays, text="Ada plays the viola")
    assert api.data(key, document, f={"knownAt": at}, n=100)["changed"] == [
        {"before": {"text": "Ada plays the cello"}, "after": {"text": "Ada plays the viola"}}
    ]
    assert api.code(key, document, f=one, t=other, n=0) == "INVALID"


def test_a_timeline_counts_what_began_and_ended(api: Api, key: str) -> None:
    old = api.add(key, "Ada works at Google", validFrom=JANUARY)["id"]
    api.supersede(key, old, "Ada works at Anthropic", validFrom=FEBRUARY)
    document = "query($f:DateTime!,$t:DateTime!,$b:Bucket!){timeline(from:$f,to:$t,bucket:$b){nodes{start begun ended}}}"
    steps = [
        {"start": "2026-01-01T00:00:00.000Z", "begun": 1, "ended": 0},
        {"start": "2026-02-01T00:00:00.000Z", "begun": 1, "ended": 1},
    ]
    assert api.data(key, document, f=JANUARY, t=MARCH, b="MONTH") == {"nodes": steps}
    paged = (
        "query($f:DateTime!,$t:DateTime!,$a:String){timeline(from:$f,to:$t,first:1,after:$a)"
        "{nodes{start begun ended} pageInfo{hasNextPage endCursor}}}"
    )
    page = api.data(key, paged, f=JANUARY, t=MARCH)
    assert page["nodes"] == steps[:1] and page["pageInfo"]["hasNextPage"]
    page = api.data(key, paged, f=JANUARY, t=MARCH, a=page["pageInfo"]["endCursor"])
    assert page["nodes"] == steps[1:] and not page["pageInfo"]["hasNextPage"]
    assert api.code(key, paged, f=JANUARY, t=MARCH, a="nonsense") == "INVALID"
    assert api.code(key, document, f=MARCH, t=JANUARY, b="MONTH") == "INVALID"
    assert api.code(key, document, f="1900-01-01T00:00:00Z", t=MARCH, b="DAY") == "INVALID"


def test_memories_are_browsed_by_any_field(api: Api, key: str) -> None:
    for number in range(3):
        api.add(
            key,
            f"Statement {number}",
            importance=number / 5 + 0.4,
            metadata={"page": number},
            tags=["Odd"][: number % 2],
        )
    document = (
        "query($w:[ConditionInput!],$a:String){browse(where:$w,sort:IMPORTANCE,descending:false,first:2,after:$a)"
        "{nodes{text} pageInfo{hasNextPage endCursor}}}"
    )

    def texts(**condition: Any) -> list[str]:
        return [node["text"] for node in api.data(key, document, w=[condition])["nodes"]]

    page = api.data(key, document)
    rest = api.data(key, document, a=page["pageInfo"]["endCursor"])
    assert [node["text"] for node in page["nodes"] + rest["nodes"]] == [f"Statement {n}" for n in range(3)]
    assert (page["pageInfo"]["hasNextPage"], rest["pageInfo"]["hasNextPage"]) == (True, False)
    assert texts(field="metadata.page", value=1) == ["Statement 1"]
    assert texts(field="tags", operator="CONTAINS", value="odd") == ["Statement 1"]
    assert texts(field="baseImportance", operator="GTE", value=0.8) == ["Statement 2"]
    assert texts(field="createdAt", operator="LT", value=JANUARY) == []
    assert api.code(key, document, w=[{"field": "createdAt", "value": "yesterday"}]) == "INVALID"
    assert api.code(key, document, w=[{"field": "embedding", "value": 1}]) == "INVALID"
    assert api.code(key, document, w=[{"field": "kind", "value": {"a": 1}}]) == "INVALID"


def test_statements_do_not_grow_with_the_rows(api: Api, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    read = Service.read

    def counted(self: Service, scope: Any, statement: Any, **values: Any) -> Any:
        sent.append(statement.name)
        return read(self, scope, statement, **values)

    ids = [api.add(key, f"Ada met Grace {number} times", validFrom=JANUARY)["id"] for number in range(6)]
    hub = ids[0]
    for number, id in enumerate(ids[1:]):
        api.link(key, hub, id, "RELATED")
        api.supersede(key, id, f"Ada met Joan {number} times", validFrom=FEBRUARY)
    monkeypatch.setattr(Service, "read", counted)
    document = (
        "query($id:ID!,$n:Int!){neighbours(id:$id,first:$n,depth:1,includePast:true){items{memory{"
        "history{nodes{memory{text entities{name}}}} sharing{memory{text}} outboundLinks{to{text}}"
        " inboundLinks(kinds:[RELATED]){from{text}}}}}}"
    )
    # Fields of one kind are read together; two that ask for memories may arrive together or one after the other.
    fields = ("neighbours", "history", "entities", "sharing", "its memory", "links", "to", "from")
    for first in (2, 5):
        sent.clear()
        found = api.data(key, document, id=hub, n=first)
        assert len(found["items"]) == first
        assert len(sent) <= len(fields), sent

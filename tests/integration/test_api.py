"""What clients do: keep, change, ask, page, look back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from graph_memory.api.global_ids import to_global
from graph_memory.base.ids import new_id
from tests.integration.api_world import Api, api, key, statements

__all__ = ["api", "key", "statements"]

pytestmark = pytest.mark.stack

JANUARY, FEBRUARY, MARCH = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"


def test_a_statement_is_kept_and_read_back(api: Api, key: str) -> None:
    added = api.add(key, "Ada plays the cello", tags=["Music"], metadata={"turn": 7}, validFrom=JANUARY)
    found = api.data(
        key, "query($id:ID!){memory(id:$id){text tags metadata validFrom validTo status}}", id=added["id"]
    )
    assert found == {
        "text": "Ada plays the cello",
        "tags": ["music"],
        "metadata": {"turn": 7},
        "validFrom": "2026-01-01T00:00:00.000Z",
        "validTo": None,
        "status": "ACTIVE",
    }


def test_a_uuid_does_where_an_id_is_asked_for(api: Api, key: str) -> None:
    added = api.add(key, "Ada plays the cello")
    assert api.data(key, "query($id:ID!){memory(id:$id){id}}", id=added["uuid"]) == {"id": added["id"]}


def test_the_same_key_and_body_is_carried_out_once(api: Api, key: str) -> None:
    document = "mutation($i:AddMemoryInput!){addMemory(input:$i){memory{id} replayed errors{code}}}"
    first = api.data(key, document, i={"text": "Once", "idempotencyKey": "k"})
    again = api.data(key, document, i={"text": "Once", "idempotencyKey": "k"})
    other = api.data(key, document, i={"text": "Twice", "idempotencyKey": "k"})
    assert (first["replayed"], again["replayed"]) == (False, True)
    assert first["memory"] == again["memory"]
    assert other["errors"] == [{"code": "IDEMPOTENCY_MISMATCH"}]


def test_what_is_said_already_is_not_stored_twice(api: Api, key: str) -> None:
    document = (
        "mutation($i:AddMemoriesInput!){addMemories(input:$i){results{outcome memory{id}} errors{code}}}"
    )
    payload = api.data(key, document, i={"memories": [{"text": "Tea is ready"}, {"text": "tea is ready."}]})
    one, other = payload["results"]
    assert (one["outcome"], other["outcome"]) == ("ADDED", "DUPLICATE")
    assert one["memory"] == other["memory"]


def test_many_statements_are_all_kept_or_none(api: Api, key: str) -> None:
    document = "mutation($i:AddMemoriesInput!){addMemories(input:$i){results{outcome} errors{code path}}}"
    payload = api.data(key, document, i={"memories": [{"text": "Good"}, {"text": " "}]})
    assert payload == {"results": [], "errors": [{"code": "INVALID", "path": "input.memories[1].text"}]}
    assert api.data(key, "{memories{nodes{id}}}") == {"nodes": []}


def test_a_truth_changes_and_every_moment_keeps_its_answer(api: Api, key: str) -> None:
    old = api.add(key, "Ada works at Google", validFrom=JANUARY)
    new = api.supersede(key, old["id"], "Ada works at Anthropic", validFrom=FEBRUARY, reason="changed jobs")
    document = "query($id:ID!,$t:DateTime!){memoryVersion(id:$id,asOf:$t){text}}"
    for id in (old["id"], new["id"]):
        assert api.data(key, document, id=id, t="2026-01-15T00:00:00Z")["text"] == "Ada works at Google"
        assert api.data(key, document, id=id, t=MARCH)["text"] == "Ada works at Anthropic"
    why = api.data(
        key, "query($id:ID!){whyRetired(id:$id){isRetired reason by{id} actor changeSequence}}", id=old["id"]
    )
    assert why["isRetired"]
    assert why["by"] == {"id": new["id"]}
    assert why["actor"] == f"key:{key[3:11]}"
    assert why["changeSequence"] > 0


def test_an_existing_memory_can_be_the_new_version(api: Api, key: str) -> None:
    old, new = api.add(key, "It rains", validFrom=JANUARY), api.add(key, "The sun shines", validFrom=FEBRUARY)
    document = "mutation($i:SupersedeMemoryInput!){supersedeMemory(input:$i){memory{id} errors{code}}}"
    payload = api.data(key, document, i={"id": old["id"], "byId": new["id"]})
    assert payload == {"memory": {"id": new["id"]}, "errors": []}


@pytest.mark.parametrize("given", [{}, {"byId": to_global("Memory", new_id()), "fact": {"text": "x"}}])
def test_exactly_one_new_version_is_wanted(api: Api, key: str, given: dict[str, Any]) -> None:
    old = api.add(key, "It rains")
    document = "mutation($i:SupersedeMemoryInput!){supersedeMemory(input:$i){errors{code}}}"
    assert api.data(key, document, i={"id": old["id"], **given}) == {"errors": [{"code": "INVALID"}]}


def test_superseding_what_is_not_there_is_not_found(api: Api, key: str) -> None:
    document = "mutation($i:SupersedeMemoryInput!){supersedeMemory(input:$i){errors{code}}}"
    payload = api.data(key, document, i={"id": to_global("Memory", new_id()), "fact": {"text": "x"}})
    assert payload == {"errors": [{"code": "NOT_FOUND"}]}


def test_a_history_is_paged_oldest_first(api: Api, key: str) -> None:
    id = api.add(key, "Version 1", validFrom=JANUARY)["id"]
    api.supersede(key, id, "Version 2", validFrom=FEBRUARY)
    document = (
        "query($id:ID!,$a:String){history(id:$id,first:2,after:$a)"
        "{nodes{memory{text recordedTo}} pageInfo{hasNextPage endCursor}}}"
    )
    first = api.data(key, document, id=id)
    rest = api.data(key, document, id=id, a=first["pageInfo"]["endCursor"])
    assert first["pageInfo"]["hasNextPage"]
    assert not rest["pageInfo"]["hasNextPage"]
    assert [node["memory"]["text"] for node in first["nodes"] + rest["nodes"]] == [
        "Version 1",
        "Version 1",
        "Version 2",
    ]
    nested = api.data(key, "query($id:ID!){memory(id:$id){history{nodes{memory{text}}}}}", id=id)
    assert len(nested["history"]["nodes"]) == 3


def test_pages_neither_skip_nor_repeat_while_memories_are_written(api: Api, key: str) -> None:
    texts = [f"Statement number {number}" for number in range(7)]
    for text in texts:
        api.add(key, text)
    document = (
        "query($a:String){memories(first:3,after:$a)"
        "{edges{cursor node{text}} pageInfo{hasNextPage endCursor}}}"
    )
    seen: list[str] = []
    after, more = None, True
    while more:
        page = api.data(key, document, a=after)
        seen += [edge["node"]["text"] for edge in page["edges"]]
        assert page["edges"][-1]["cursor"] == page["pageInfo"]["endCursor"]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
        api.add(key, f"Written meanwhile {len(seen)}")
    assert seen == texts[::-1]


def test_search_tells_why(api: Api, key: str) -> None:
    old = api.add(key, "The vector database is Pinecone", validFrom=JANUARY)
    api.supersede(key, old["id"], "The vector database is Neo4j", validFrom=FEBRUARY, reason="one store less")
    api.add(key, "Lunch is at noon")
    found = api.data(
        key,
        '{search(query:"which vector database"){hits{memory{text} score why{vectorRank textRank}'
        " predecessors{id text until reason}} isComplete note}}",
    )
    best = found["hits"][0]
    assert best["memory"]["text"] == "The vector database is Neo4j"
    assert best["why"]["vectorRank"] == 1
    assert [former["text"] for former in best["predecessors"]] == ["The vector database is Pinecone"]
    assert found["isComplete"]


def test_search_answers_for_another_moment(api: Api, key: str) -> None:
    old = api.add(key, "The vector database is Pinecone", validFrom=JANUARY)
    api.supersede(key, old["id"], "The vector database is Neo4j", validFrom=FEBRUARY)
    found = api.data(
        key, '{search(query:"vector database",asOf:"2026-01-10T00:00:00Z",arms:VECTOR){hits{memory{text}}}}'
    )
    assert found["hits"][0]["memory"]["text"] == "The vector database is Pinecone"


def test_nested_fields_keep_to_the_moment_of_their_root(api: Api, key: str) -> None:
    old = api.add(key, "Ada works at Google", validFrom=JANUARY)
    api.supersede(key, old["id"], "Ada works at Anthropic", validFrom=FEBRUARY)
    document = "query($id:ID!,$k:DateTime){memory(id:$id,knownAt:$k){successors{from{text}}}}"
    now = api.data(key, document, id=old["id"])
    before = api.data(key, document, id=old["id"], k=_recorded(api, key, old["id"]))
    assert now["successors"] == [{"from": {"text": "Ada works at Anthropic"}}]
    assert before["successors"] == []


def test_nodes_keep_their_order_and_answer_null_for_what_is_not_there(api: Api, key: str) -> None:
    one, two = api.add(key, "One"), api.add(key, "Two")
    foreign = api.add(api.key(), "Someone else's")
    ids = [two["id"], to_global("Memory", new_id()), foreign["id"], one["id"], to_global("Job", new_id())]
    found = api.data(key, "query($ids:[ID!]!){nodes(ids:$ids){id ... on Memory{text}}}", ids=ids)
    assert found == [{"id": two["id"], "text": "Two"}, None, None, {"id": one["id"], "text": "One"}, None]


def test_the_ledger_is_read_from_a_place_onwards(api: Api, key: str) -> None:
    old = api.add(key, "It rains", validFrom=JANUARY)
    page = api.data(key, "{changes(first:1){nodes{sequence operation actor} pageInfo{endCursor}}}")
    assert page["nodes"] == [{"sequence": 1, "operation": "ADD", "actor": f"key:{key[3:11]}"}]
    api.supersede(key, old["id"], "The sun shines", validFrom=FEBRUARY, reason="weather")
    rest = api.data(
        key,
        "query($a:String){changes(after:$a){nodes{operation reason targets after}}}",
        a=page["pageInfo"]["endCursor"],
    )
    assert [change["operation"] for change in rest["nodes"]] == ["ADD", "SUPERSEDE"]
    assert "9999-" not in re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "", str(rest))


def test_the_last_changes_come_newest_first_and_reading_goes_on_behind_them(api: Api, key: str) -> None:
    document = (
        "query($l:Int,$a:String){changes(last:$l,after:$a){nodes{sequence} pageInfo{endCursor hasNextPage}}}"
    )
    for number in range(4):
        api.add(key, f"Ada sails boat {number}.")
    page = api.data(key, document, l=2)
    assert page["nodes"] == [{"sequence": 4}, {"sequence": 3}]
    assert page["pageInfo"] == {"endCursor": "4", "hasNextPage": False}
    api.add(key, "Ada rows.")
    assert api.data(key, document, a=page["pageInfo"]["endCursor"])["nodes"] == [{"sequence": 5}]
    for wrong in ({"l": 0}, {"l": 101}, {"l": 2, "a": "3"}):
        [fault] = api.ask(key, document, **wrong)["errors"]
        assert (fault["extensions"]["code"], fault["extensions"]["argument"]) == ("INVALID", "last")


def test_a_job_is_asked_for_and_looked_up(api: Api, key: str) -> None:
    document = 'mutation{runJob(input:{name:"rescore"}){job{id state name} replayed errors{code}}}'
    asked = api.data(key, document)
    assert asked["job"]["name"] == "graph_memory.scoring.rescore"
    assert not asked["replayed"]
    assert api.data(key, document)["job"]["id"] == asked["job"]["id"]
    id = asked["job"]["id"]
    assert api.data(key, "query($id:ID!){job(id:$id){id progress{done total phase}}}", id=id)["id"] == id
    assert api.data(key, "query($id:ID!){node(id:$id){id ... on Job{state}}}", id=id)["id"] == id
    assert [job["id"] for job in api.data(key, "{jobs{id}}")] == [id]
    assert api.data(api.key(), "query($id:ID!){job(id:$id){id}}", id=id) is None


def test_a_job_that_does_not_exist_is_data(api: Api, key: str) -> None:
    document = 'mutation{runJob(input:{name:"nothing"}){errors{code}}}'
    assert api.data(key, document) == {"errors": [{"code": "NOT_FOUND"}]}


def test_statements_do_not_grow_with_the_rows(api: Api, key: str, statements: list[str]) -> None:
    document = (
        "query($n:Int!){memories(first:$n){nodes{text entities{name} links{kind to{text entities{name}}}}}}"
    )
    for number in range(8):
        old = api.add(key, f"Ada met Grace {number} times in Paris", validFrom=JANUARY)
        api.supersede(key, old["id"], f"Ada met Grace {number} times in Rome", validFrom=FEBRUARY)
    statements.clear()
    api.data(key, document, n=2)
    for_two = list(statements)
    statements.clear()
    api.data(key, document, n=8)
    assert len(statements) == len(for_two) == 5


def test_the_subjects_of_an_account_come_by_name_with_what_holds_of_each(
    api: Api, statements: list[str]
) -> None:
    tenant, long = f"subjects-{new_id()}", "я" * 200
    key = api.key(tenant)
    old = api.add(key, "Ada lives in Bern.", subject="ada", validFrom=JANUARY)
    api.supersede(key, old["id"], "Ada lives in Rome.", validFrom=FEBRUARY)
    for subject, text in (("ada", "Ada skis."), ("bob", "Bob sails."), (long, "Ya sings.")):
        api.add(key, text, subject=subject)
    document = "query($n:Int!,$a:String){subjects(first:$n,after:$a){nodes{name memories lastActiveOn} pageInfo{hasNextPage endCursor}}}"
    statements.clear()
    page = api.data(key, document, n=2)
    assert len(statements) == 1
    assert [(each["name"], each["memories"]) for each in page["nodes"]] == [("ada", 2), ("bob", 1)]
    assert page["nodes"][0]["lastActiveOn"]
    rest = api.data(key, document, n=1, a=page["pageInfo"]["endCursor"])
    assert ([each["name"] for each in rest["nodes"]], rest["pageInfo"]["hasNextPage"]) == ([long], False)
    assert api.data(key, document, n=1, a=rest["pageInfo"]["endCursor"])["nodes"] == []

    bound = api.data(api.key(tenant, "bob"), document, n=5)
    assert [each["name"] for each in bound["nodes"]] == ["bob"]
    assert api.data(api.key(), document, n=5)["nodes"] == []


def test_a_memory_says_whose_it_is_in_one_statement_for_all(api: Api, statements: list[str]) -> None:
    tenant = f"owners-{new_id()}"
    key = api.key(tenant)
    for subject in ("ada", "bob", "ada"):
        api.add(key, f"Number {len(statements)} of {subject}", subject=subject)
    statements.clear()
    listed = api.data(key, "{memories{nodes{subject}}}")
    assert [each["subject"] for each in listed["nodes"]] == ["ada", "bob", "ada"]
    assert len(statements) == 2
    statements.clear()
    assert api.data(api.key(tenant, "bob"), "{memories{nodes{subject}}}") == {"nodes": [{"subject": "bob"}]}
    assert len(statements) == 1


def test_what_is_on_all_pages_is_counted_in_one_more_statement_when_it_is_asked_for(
    api: Api, key: str, statements: list[str]
) -> None:
    for number in range(3):
        old = api.add(key, f"Ada met Grace {number} times in Paris", kind="visit", validFrom=JANUARY)
        api.supersede(key, old["id"], f"Ada met Grace {number} times in Rome", validFrom=FEBRUARY)
    api.review(key)
    answers = {
        document: api.data(key, document)["totalCount"]
        for document in (
            '{memories(first:1,kind:"visit"){totalCount}}',
            '{memories(first:1,kind:"visit",includePast:true){totalCount}}',
            '{memories(first:1,kind:"visit",asOf:"2026-01-15T00:00:00Z"){totalCount}}',
            '{memories(first:1,kind:"nothing"){totalCount}}',
            '{entities(first:1,filter:{name:"gra"}){totalCount}}',
            "{reviews(first:1){totalCount}}",
            "{reviews(first:1,status:APPROVED){totalCount}}",
        )
    }
    assert list(answers.values()) == [0, 3, 3, 0, 1, 1, 0]
    everything = api.data(key, "{memories(first:100){nodes{id} totalCount}}")
    assert everything["totalCount"] == len(everything["nodes"])
    after = api.data(key, "{entities(first:1){pageInfo{endCursor}}}")["pageInfo"]["endCursor"]
    listed = api.data(key, "{entities{nodes{id}}}")["nodes"]
    document = "query($a:String){entities(first:1,after:$a){totalCount nodes{memories{totalCount}}}}"
    page = api.data(key, document, a=after)
    assert (page["totalCount"], page["nodes"]) == (len(listed), [{"memories": {"totalCount": None}}])

    counts = []
    for asked in ("{reviews{nodes{id}}}", "{reviews{nodes{id} totalCount}}"):
        statements.clear()
        api.data(key, asked)
        counts.append(len(statements))
    assert counts == [1, 2]


def test_what_is_stated_is_read_by_entity_and_by_memory_in_as_many_statements(
    api: Api, key: str, statements: list[str]
) -> None:
    document = """query($n:Int!){
      entities(first:$n){nodes{name attributes{name current{value memory{text}} history{value validTo memory{text}}}}}
      memories(first:$n){nodes{claim{attribute value polarity entity{name}}}}
    }"""
    for name in ("Sarah", "Bea", "Tom", "Maria"):
        old = api.add(key, f"{name} lives in Bern.", validFrom=JANUARY)
        api.supersede(key, old["id"], f"{name} moved to Porto.", validFrom=FEBRUARY)
    counts = []
    for n in (1, 8):
        statements.clear()
        answer = api.ask(key, document, n=n)["data"]
        counts.append(len(statements))
    assert counts[0] == counts[1]
    told = {each["name"]: each["attributes"] for each in answer["entities"]["nodes"]}
    [attribute] = told["Sarah"]
    assert attribute["name"] == "live in"
    assert [each["value"] for each in attribute["current"]] == ["Porto"]
    assert [(each["value"], each["memory"]["text"]) for each in attribute["history"]] == [
        ("Porto", "Sarah moved to Porto."),
        ("Bern", "Sarah lives in Bern."),
    ]
    claims = [each["claim"] for each in answer["memories"]["nodes"]]
    assert {
        "attribute": "live in",
        "value": "Porto",
        "polarity": "AFFIRMED",
        "entity": {"name": "Tom"},
    } in claims


def _recorded(api: Api, key: str, id: str) -> str:
    states = api.data(key, "query($id:ID!){history(id:$id,first:1){nodes{memory{recordedFrom}}}}", id=id)
    return str(states["nodes"][0]["memory"]["recordedFrom"])

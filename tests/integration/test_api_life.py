"""What clients do to memories that are there: change, put away, bring back, take back, erase."""

from __future__ import annotations

from typing import Any

import pytest

from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.store.queries import query
from tests.integration.api_world import Api, api, eraser, key

__all__ = ["api", "eraser", "key"]

pytestmark = pytest.mark.stack

JANUARY, FEBRUARY, MARCH = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"


def test_a_memory_is_revised_in_place_and_its_former_text_stays_readable(api: Api, key: str) -> None:
    id = api.add(key, "Ada has a dog.", validFrom=JANUARY, tags=["pets"])["id"]
    payload = api.done(
        key,
        "reviseMemory",
        "memory{id text tags metadata pinned validFrom recordedFrom}",
        id=id,
        text="Ada has a dog named Max.",
        tags=[],
        metadata={"page": 3},
        pinned=True,
        reason="more is known",
    )
    memory = payload["memory"]
    assert (memory["id"], memory["text"], memory["tags"]) == (id, "Ada has a dog named Max.", [])
    assert (memory["metadata"], memory["pinned"]) == ({"page": 3}, True)
    states = api.data(key, "query($id:ID!){history(id:$id){nodes{memory{text isRevision}}}}", id=id)["nodes"]
    assert [state["memory"]["text"] for state in states] == ["Ada has a dog.", "Ada has a dog named Max."]
    why = api.data(key, "{changes(first:100){nodes{operation reason}}}")["nodes"][-1]
    assert why == {"operation": "UPDATE", "reason": "more is known"}


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({}, "input"),
        ({"text": " "}, "input.text"),
        ({"kind": "two words"}, "input.kind"),
        ({"confidence": 2}, "input.confidence"),
        ({"metadata": [1]}, "input.metadata"),
        ({"text": "x", "reason": "a\0b"}, "input.reason"),
    ],
)
def test_a_revision_that_breaks_a_rule_names_the_value(
    api: Api, key: str, given: dict[str, Any], path: str
) -> None:
    id = api.add(key, "Ada has a dog.")["id"]
    assert api.refused(key, "reviseMemory", id=id, **given) == ("INVALID", path)
    assert api.data(key, "query($id:ID!){memory(id:$id){text}}", id=id) == {"text": "Ada has a dog."}


def test_archived_memories_leave_every_answer_and_come_back(api: Api, key: str) -> None:
    ids = [api.add(key, text)["id"] for text in ("Ada sails.", "Ada skis.")]
    away = api.done(key, "archiveMemories", "memories{id status}", ids=ids, reason="long unused")
    assert away["memories"] == [{"id": id, "status": "ARCHIVED"} for id in ids]
    assert api.data(key, "{memories{nodes{id}}}") == {"nodes": []}
    assert api.refused(key, "archiveMemories", ids=ids) == ("ILLEGAL_MOVE", None)
    back = api.done(key, "restoreMemories", "memories{text status}", ids=ids[:1])
    assert back["memories"] == [{"text": "Ada sails.", "status": "ACTIVE"}]
    assert api.refused(key, "restoreMemories", ids=ids) == ("ILLEGAL_MOVE", None)


def test_a_restored_memory_must_not_be_live_twice(api: Api, key: str) -> None:
    id = api.add(key, "Ada sails.")["id"]
    api.done(key, "archiveMemories", ids=[id])
    api.add(key, "Ada sails.")
    assert api.refused(key, "restoreMemories", ids=[id]) == ("LIVE_TWIN", None)
    back = api.done(key, "restoreMemories", "memories{id status}", ids=[id], cascade=True)
    assert back["memories"] == [{"id": id, "status": "ACTIVE"}]
    assert api.data(key, "{memories{nodes{id}}}") == {"nodes": [{"id": id}]}


def test_retracted_memories_stay_in_history_only(api: Api, key: str) -> None:
    id = api.add(key, "Ada sails.")["id"]
    done = api.done(key, "retractMemories", "memories{status}", ids=[id], reason="a mix-up")
    assert done["memories"] == [{"status": "RETRACTED"}]
    assert api.data(key, "{memories(includePast:false){nodes{id}}}") == {"nodes": []}
    why = api.data(key, "query($id:ID!){whyRetired(id:$id){isRetired explanation}}", id=id)
    assert why["isRetired"]


def test_a_memory_ends_to_hold(api: Api, key: str) -> None:
    id = api.add(key, "Ada rents a room.", validFrom=JANUARY)["id"]
    assert api.refused(key, "expireMemory", id=id, at="2025-01-01T00:00:00Z") == ("INVALID", "input.at")
    done = api.done(key, "expireMemory", "memory{validTo}", id=id, at=MARCH)
    assert done["memory"] == {"validTo": "2026-03-01T00:00:00.000Z"}
    document = "query($t:DateTime!){memories(asOf:$t){nodes{text}}}"
    assert len(api.data(key, document, t=FEBRUARY)["nodes"]) == 1
    assert api.data(key, document, t=MARCH) == {"nodes": []}


def test_two_memories_become_one(api: Api, key: str) -> None:
    keep = api.add(key, "Ada has a dog.", tags=["pets"])["id"]
    other = api.add(key, "The dog of Ada is called Max.", tags=["names"])["id"]
    lossy = api.refused(key, "mergeMemories", keepId=keep, otherId=other, text="Ada has a dog.")
    assert lossy == ("INVALID", "input.text")
    assert api.refused(key, "mergeMemories", keepId=keep, otherId=keep)[0] == "CONFLICT"
    done = api.done(
        key,
        "mergeMemories",
        "memory{id text tags links(kinds:[MERGED_INTO]){from{id}}} merged{id status} droppedLinks",
        keepId=keep,
        otherId=other,
        text="Ada has a dog, and The dog is called Max.",
    )
    assert done["memory"] == {
        "id": keep,
        "text": "Ada has a dog, and The dog is called Max.",
        "tags": ["names", "pets"],
        "links": [{"from": {"id": other}}],
    }
    assert (done["merged"], done["droppedLinks"]) == ({"id": other, "status": "MERGED"}, [])


def test_changes_are_taken_back_and_what_stands_on_them_is_named(api: Api, key: str) -> None:
    id = api.add(key, "Ada has a dog.")["id"]
    api.done(key, "reviseMemory", id=id, text="Ada has a dog named Max.")
    first = api.last(key)
    api.done(key, "archiveMemories", ids=[id])
    assert api.refused(key, "undo", changes=[first])[0] == "HAS_DEPENDANTS"
    done = api.done(
        key, "undo", "undone memories{id text status}", changes=[first], cascade=True, reason="a mistake"
    )
    assert done["undone"] == [first + 1, first]
    assert done["memories"] == [{"id": id, "text": "Ada has a dog.", "status": "ACTIVE"}]
    assert api.refused(key, "undo", changes=[first])[0] == "ILLEGAL_MOVE"
    again = api.done(key, "undo", "memories{text status}", changes=[first + 2])
    assert again["memories"] == [{"text": "Ada has a dog named Max.", "status": "ARCHIVED"}]


@pytest.mark.parametrize("changes", [[], [0], [2**31], list(range(1, 102))])
def test_what_cannot_be_changes_is_refused(api: Api, key: str, changes: list[int]) -> None:
    document = "mutation($c:[Int!]!){undo(input:{changes:$c}){errors{code path}}}"
    answer = api.ask(key, document, c=changes)
    if "errors" in answer:
        assert answer["errors"][0]["extensions"]["code"] == "INVALID_DOCUMENT"
    else:
        assert answer["data"]["undo"]["errors"] == [{"code": "INVALID", "path": "input.changes"}]


def test_a_run_is_taken_back_as_a_whole(api: Api, key: str) -> None:
    run = api.run_that_added(key, "A run said so.")
    done = api.done(key, "revertRun", "undone memories{text status}", id=run)
    assert done["memories"] == [{"text": "A run said so.", "status": "RETRACTED"}]
    assert api.data(key, "{memories{nodes{id}}}") == {"nodes": []}
    assert api.refused(key, "revertRun", id=run)[0] == "NOT_FOUND"


def test_what_is_forgotten_is_nowhere_and_certified(api: Api, eraser: str) -> None:
    key = eraser
    id = api.add(key, "Ada's secret is a canary.", source={"ref": "turn-1"})["id"]
    api.add(key, "Ada plays the cello.")
    done = api.done(
        key, "forget", "certificate{requestId memories tombstones beyond}", ids=[id], reason="she asked"
    )
    assert done["certificate"]["memories"] == 1
    assert done["certificate"]["beyond"]
    assert api.data(key, "query($id:ID!){memory(id:$id){text}}", id=id) is None
    everything = api.ask(
        key, "{changes(first:100){nodes{reason before after}} memories(includePast:true){nodes{text}}}"
    )
    assert "canary" not in str(everything)
    assert api.refused(key, "forget", sourceRef="turn-1")[0] == "NOT_FOUND"


@pytest.mark.parametrize("given", [{}, {"ids": []}, {"sourceRef": "x", "wholeSubject": True}])
def test_exactly_one_thing_is_forgotten(api: Api, eraser: str, given: dict[str, Any]) -> None:
    assert api.refused(eraser, "forget", **given) == ("INVALID", "input.ids")


def test_the_subject_is_found_by_what_is_named(api: Api, key: str) -> None:
    """A key of the whole tenant need not say whose the memory is."""
    id = api.add(key, "Bob sails.", subject="bob")["id"]
    api.done(key, "reviseMemory", id=id, text="Bob sails often.")
    api.done(key, "undo", changes=[api.last(key)])
    assert api.data(key, "query($id:ID!){memory(id:$id){text}}", id=id) == {"text": "Bob sails."}
    api.supersede(key, id, "Bob rows.", validFrom="2199-01-01T00:00:00Z")


def test_one_call_changes_memories_of_one_subject(api: Api, key: str) -> None:
    ids = [api.add(key, f"{name} sails.", subject=name)["id"] for name in ("ada", "bob")]
    assert api.refused(key, "archiveMemories", ids=ids) == ("NOT_FOUND", None)
    assert len(api.data(key, "{memories{nodes{id}}}")["nodes"]) == 2


REPEATED = {
    "reviseMemory": lambda id, other: {"id": id, "text": "Said otherwise."},
    "archiveMemories": lambda id, other: {"ids": [id]},
    "retractMemories": lambda id, other: {"ids": [id]},
    "expireMemory": lambda id, other: {"id": id},
    "mergeMemories": lambda id, other: {"keepId": id, "otherId": other},
    "linkMemories": lambda id, other: {"fromId": id, "toId": other, "kind": "CAUSES"},
    "linkMany": lambda id, other: {"links": [{"fromId": id, "toId": other, "kind": "CAUSES"}]},
    "quarantineMemory": lambda id, other: {"id": id, "reason": "doubt"},
    "undo": lambda id, other: {"changes": [1]},
    "forget": lambda id, other: {"ids": [id]},
    "runJob": lambda id, other: {"name": "rescore", "again": True},
}


@pytest.mark.parametrize("field", REPEATED)
def test_the_same_key_is_carried_out_once(api: Api, eraser: str, field: str) -> None:
    key = eraser
    id, other = api.add(key, "Ada has a dog.")["id"], api.add(key, "Ada has a cat.")["id"]
    given = REPEATED[field](id, other)
    first = api.done(key, field, idempotencyKey="k", **given)
    last = api.last(key)
    again = api.done(key, field, idempotencyKey="k", **given)
    assert (first["replayed"], again["replayed"]) == (False, True)
    assert api.last(key) == last


def test_a_job_under_one_key_is_one_run(api: Api, key: str) -> None:
    first = api.done(key, "runJob", "job{id}", name="rescore", again=True, idempotencyKey="k")
    again = api.done(key, "runJob", "job{id}", name="rescore", again=True, idempotencyKey="k")
    other = api.done(key, "runJob", "job{id}", name="rescore", again=True, idempotencyKey="l")
    assert first["job"] == again["job"] != other["job"]
    assert api.refused(key, "runJob", name="tidy", idempotencyKey="k")[0] == "IDEMPOTENCY_MISMATCH"
    assert api.refused(key, "runJob", name="nothing")[1] == "input.name"


TALK = [
    {"speaker": "Ada", "at": JANUARY, "text": "I play the cello.", "ref": "m1"},
    {"speaker": "Bob", "at": "2026-01-01T00:01:00Z", "text": "Since when?", "ref": "m2"},
]


def test_a_conversation_that_is_sent_along_is_stored_and_waits_for_a_worker(api: Api, key: str) -> None:
    asked = "job{id name state} messages segments"
    first = api.done(key, "importConversation", asked, ref="talk", messages=TALK, subject="ada")
    again = api.done(key, "importConversation", asked, ref="talk", messages=TALK, subject="ada")
    assert (first["messages"], first["segments"], first["replayed"]) == (2, 1, False)
    assert first["job"]["name"] == "graph_memory.understanding.extract"
    assert again["replayed"]
    assert again["job"]["id"] == first["job"]["id"]
    assert api.data(key, "query($id:ID!){job(id:$id){id}}", id=first["job"]["id"]) == {
        "id": first["job"]["id"]
    }


def test_a_bound_key_sees_the_job_of_its_own_conversation_only(api: Api) -> None:
    tenant = f"talk-{new_id()}"
    ada, bob = api.key(tenant, "ada"), api.key(tenant, "bob")
    id = api.done(ada, "importConversation", "job{id}", ref="talk", messages=TALK)["job"]["id"]
    document = "query($id:ID!){job(id:$id){id}}"
    assert api.data(ada, document, id=id) == {"id": id}
    assert api.data(bob, document, id=id) is None


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"messages": []}, "input.messages"),
        ({"messages": [TALK[0], {**TALK[1], "text": " "}]}, "input.messages[1].text"),
        ({"messages": [TALK[0], TALK[0]]}, "input.messages[1].ref"),
        ({"messages": TALK, "ref": ""}, "input.ref"),
    ],
)
def test_a_broken_conversation_is_refused_and_nothing_of_it_is_stored(
    api: Api, key: str, given: dict[str, Any], path: str
) -> None:
    assert api.refused(key, "importConversation", **{"ref": "talk", **given}) == ("INVALID", path)
    assert api.data(key, "{changes{nodes{sequence}} }") == {"nodes": []}


def test_changes_and_entities_are_nodes(api: Api, key: str) -> None:
    memory = api.add(key, "Ada met Grace in Paris.")["id"]
    change = api.data(key, "{changes{nodes{id uuid}}}")["nodes"][0]
    entity = api.data(key, "query($id:ID!){memory(id:$id){entities{id uuid name}}}", id=memory)["entities"][0]
    document = "query($id:ID!){node(id:$id){id ... on Change{operation} ... on Entity{name}}}"
    assert api.data(key, document, id=change["id"]) == {"id": change["id"], "operation": "ADD"}
    assert api.data(key, document, id=entity["id"]) == {"id": entity["id"], "name": entity["name"]}
    other = api.key()
    assert api.data(other, document, id=change["id"]) is None
    assert api.data(other, document, id=entity["id"]) is None


CHANGES = (
    "query($a:String,$n:Int,$o:[ChangeOperation!],$t:ID,$s:String)"
    "{changes(after:$a,first:$n,operations:$o,target:$t,subject:$s)"
    "{nodes{uuid sequence operation targets} pageInfo{hasNextPage endCursor}}}"
)


def test_changes_are_asked_for_by_what_they_did_and_to_which_memory(api: Api, key: str) -> None:
    tea, rent = api.add(key, "Ann likes tea."), api.add(key, "The rent is due on Monday.")
    api.done(key, "archiveMemories", ids=[tea["id"]])
    api.done(key, "restoreMemories", ids=[tea["id"]])

    def asked(**given: object) -> list[str]:
        return [each["operation"] for each in api.data(key, CHANGES, **given)["nodes"]]

    assert asked() == ["ADD", "ADD", "ARCHIVE", "RESTORE"]
    assert asked(o=["ARCHIVE", "RESTORE"]) == ["ARCHIVE", "RESTORE"]
    assert asked(t=tea["id"]) == ["ADD", "ARCHIVE", "RESTORE"]
    assert asked(t=rent["uuid"]) == ["ADD"]
    assert asked(t=tea["id"], o=["RESTORE"]) == ["RESTORE"]
    assert asked(o=["ADD"], n=1) == ["ADD"]
    assert asked(o=["ADD", "RESTORE"], a="2") == ["RESTORE"]
    assert asked(o=["MERGE"]) == []


def test_filtered_changes_come_from_an_index(api: Api) -> None:
    scope, values = Scope(f"api-{new_id()}"), {"after": 0, "first": 10, "operations": ["ADD"]}
    plans = {
        query("ledger/of_operation"): values,
        query("ledger/of_target"): {**values, "target": new_id()},
        query("ledger/sequences"): {"places": [1], "subject": "s"},
    }
    with api.service.driver.session() as session:
        for asked, given in plans.items():
            walls = {"tenant": scope.tenant, "lo": scope.lo, "hi": scope.hi, **given}
            plan = str(session.run(f"EXPLAIN {asked.text}", walls).consume().plan)
            assert "Index" in plan
            assert "LabelScan" not in plan


def test_a_bound_key_numbers_the_changes_of_its_own_subject(api: Api) -> None:
    tenant = f"api-{new_id()}"
    whole, bound = api.key(tenant), api.key(tenant, "ann")
    told = []
    for number in range(3):
        for other in range(number + 1):
            api.add(whole, f"Bob has {number * 10 + other} pens.", subject="bob")
        memory = api.add(bound, f"Ann has {number} cups.")
        told.append(memory)
    seen = api.data(bound, CHANGES)
    assert [each["sequence"] for each in seen["nodes"]] == [1, 2, 3]
    assert seen["pageInfo"]["endCursor"] == "3"
    assert [each["sequence"] for each in api.data(whole, CHANGES, s="ann")["nodes"]] == [2, 5, 9]

    page = api.data(bound, CHANGES, n=2)["pageInfo"]
    assert page == {"hasNextPage": True, "endCursor": "2"}
    [last] = api.data(bound, CHANGES, a="2")["nodes"]
    assert last["uuid"] == seen["nodes"][2]["uuid"]
    assert api.data(bound, CHANGES, a="3")["nodes"] == api.data(bound, CHANGES, a="7")["nodes"] == []

    assert api.done(bound, "undo", "undone", changes=[3])["undone"] == [3]
    assert api.data(bound, "query($i:ID!){memory(id:$i){status}}", i=told[2]["id"]) == {"status": "RETRACTED"}
    error = api.write(bound, "undo", changes=[9])["errors"][0]
    assert (error["code"], "9" in error["message"]) == ("NOT_FOUND", True)
    assert api.write(bound, "undo", changes=[3])["errors"][0]["message"].startswith("Change 3 ")
    api.add(bound, "Ann has a kettle.")
    assert [each["sequence"] for each in api.data(bound, CHANGES, a="3")["nodes"]] == [4, 5]


def test_a_bound_key_is_told_nothing_of_foreign_runs(api: Api) -> None:
    tenant = f"api-{new_id()}"
    whole, bound = api.key(tenant), api.key(tenant, "ann")
    foreign, other = api.quarantined(whole), api.run_that_added(whole, "Bob likes tea.")

    def told(id: str) -> dict[str, object]:
        payload = api.write(bound, "settleQuarantine", id=id, verdict="RELEASE")
        [error] = payload["errors"]
        return {**error, "message": error["message"].replace(id, "it")}

    assert told(foreign) == told(other) == told(new_id())

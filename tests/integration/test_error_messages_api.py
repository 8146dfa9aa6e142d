"""What is asked over GraphQL, and the sentence that tells what is wrong with it."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from starlette.testclient import TestClient

from graph_memory.api.app import create
from graph_memory.settings import Settings
from graph_memory.store.api_keys import Right
from graph_memory.store.service import Service
from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

NOBODY = "00000000-0000-4000-8000-000000000000"


def asked(field: str, **arguments: Any) -> str:
    """A field of the query with its arguments; what `@name` stands for is written as it is."""
    written = ",".join(f"{name.strip('_')}:{_written(value)}" for name, value in arguments.items())
    return f"{{{field}({written}){{__typename}}}}"


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}:{_written(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_written, value)) + "]"
    return value[1:] if isinstance(value, str) and value.startswith("@") else json.dumps(value)


def where(field: str, value: Any, operator: str = "EQ", times: int = 1) -> str:
    """A search by one condition."""
    condition = {"field": field, "operator": f"@{operator}", "value": value}
    return asked("browse", where=[condition] * times)


YEARS = {"from_": "0002-01-01T00:00:00Z", "to": "2026-01-01T00:00:00Z", "bucket": "@DAY"}

QUERIES = {
    asked("timeline", **YEARS): "From 2-01-01 to 2026-01-01 there are more than 1000 such steps; choose a longer bucket.",
    asked("erasureCheck", texts=[]): "Give 1 to 100 texts, not 0.",
    asked("hubs", sample=0): "sample is 0; it must lie between 1 and 1000.",
    asked("hubs", share=1): "share is 1.0; it must be 0 or more and less than 1.",
    asked("hubs", queries=["sailing"] * 1001): "1001 queries were given; at most 1000 are taken.",
    asked("pack", input={"budget": 0}): "input.budget is 0; it must lie between 1 and 100000.",
    asked("pack", input={"summaries": -1}): "input.summaries is -1; it must lie between 0 and 10.",
    asked("pack", input={"files": ["a.py"] * 101}): "101 files were given; at most 100 are taken.",
    asked("pack", input={"keywords": ["a"] * 101}): "101 keywords were given; at most 100 are taken.",
    asked("surface", message="What now?", automatic=False, keep=[f"{n:08}" for n in range(101)]): "101 memories were named to keep; at most 100 are taken.",
    asked("causes", id=NOBODY, depth=0): "depth is 0; it must be at least 1.",
    asked("subgraph", ids=[NOBODY], first=0): "first is 0; it must lie between 1 and 300.",
    asked("entity", id="nobody"): "'nobody' is not an id of ours.",
    asked("simulateDecay", days=0): "0 days were asked for; 1 to 3650 can be foreseen.",
    asked("simulateDecay", activity=2): "activity is 2; it must lie between 0 and 1.",
    asked("search", query="sailing", minScore=2): "minScore is 2.0; it must lie between 0 and 1.",
    where("mood", "glad"): "There is no field mood; there are id, text, ",
    where("importance", "high"): "importance cannot be compared with 'high'; give a number.",
    where("access_count", "often"): "accessCount cannot be compared with 'often'; give a whole number.",
    where("pinned", 1): "pinned cannot be compared with '1'; give true or false.",
    where("source_kind", "INTERNET"): "sourceKind cannot be compared with 'INTERNET'; give one of USER, AGENT, IMPORT, TOOL, WEB.",
    where("base_importance", 0.5, "CONTAINS"): "baseImportance is not a text, so it cannot be asked for by CONTAINS; take one of EQ, NE, IN, LT, LTE, GT, GTE, EXISTS.",
    where("created_at", "2026", "CONTAINS"): "createdAt is not a text, so it cannot be asked for by CONTAINS; ",
    where("text", "a", times=21): "21 conditions were given; at most 20 are taken.",
    where("tags", ["a"] * 1001, "IN"): "tags can be one of at most 1000 values.",
    where("metadata.page", 3, "LT"): "metadata.page can be compared by EQ and NE only.",
    where("tags", 3): "tags can be asked for by CONTAINS and one text, or by IN and a list of them.",
}  # fmt: skip


def told(answer: dict[str, Any]) -> str:
    """The message of the one error of an answer, wherever it stands."""
    faults = answer.get("errors") or [
        error for value in (answer["data"] or {}).values() for error in value["errors"]
    ]
    [fault] = faults
    return str(fault["message"])


@pytest.mark.parametrize(("document", "says"), QUERIES.items(), ids=QUERIES.values())
def test_a_question_that_cannot_be_answered_is_told_why(api: Api, key: str, document: str, says: str) -> None:
    assert told(api.ask(key, document)).startswith(says)


def mutation(field: str, **input: Any) -> tuple[str, str, dict[str, Any]]:
    kind = {"archiveMemories": "MoveMemoriesInput"}.get(field, f"{field[0].upper()}{field[1:]}Input")
    return field, kind, input


FACT = {"text": "Ann sails."}
SAID = {"speaker": "Ann", "at": "2026-03-01T18:00:00Z", "text": "I sail."}

MUTATIONS = {
    "101 ids were given; 1 to 100 are taken at once.": mutation("archiveMemories", ids=[NOBODY] * 101),
    "0 links were given; 1 to 500 are made at once.": mutation("linkMany", links=[]),
    "'abc' is not the uuid of a link; each link has one": mutation("unlinkMemories", link="abc"),
    "0 statements were given; 1 to ": mutation("addMemories", memories=[]),
    "Give 1 to 100 sequence numbers of changes.": mutation("undo", changes=[0]),
    f"There is no memory {NOBODY}, or it belongs to someone else.": mutation("archiveMemories", ids=[NOBODY]),
    "input.tags has 101 tags, at most ": mutation("addMemory", **FACT, tags=[f"tag{n}" for n in range(101)]),
    "input.kind must be one word of at most 40 letters": mutation("addMemory", **FACT, kind="two words"),
    "input.importanceOfTen is 11; it must be a whole number from 1 to 10": mutation(
        "addMemory", **FACT, importanceOfTen=11
    ),
    "input.entities[0].type must be one word of at most 40 letters": mutation(
        "addMemory", **FACT, entities=[{"name": "Ann", "type": "two words"}]
    ),
    "input.confidence": mutation("addMemory", **FACT, confidence=2),
    "input.validTo is validFrom, so that it would hold at no moment": mutation(
        "addMemory", **FACT, validFrom="2020-01-01T00:00:00Z", validTo="2020-01-01T00:00:00Z"
    ),
    "input.expiresAt has passed when it begins to hold; give a later one, or a validFrom that": mutation(
        "addMemory", **FACT, expiresAt="2020-01-01T00:00:00Z"
    ),
    "input.validTo has passed already; give a": mutation("addMemory", **FACT, validTo="2020-01-01T00:00:00Z"),
    "An idempotency key has 1 to 255 characters.": mutation("addMemory", **FACT, idempotencyKey="x" * 256),
    "1001 memories were given as context; at most ": mutation(
        "submitMessages", session="s", messages=[SAID], contextIds=[NOBODY] * 1001
    ),
    "input.messages[0].speaker must stand on one line.": mutation(
        "importConversation", ref="talk", messages=[{**SAID, "speaker": "Ann\nBea"}]
    ),
    "The cap is 1; give 2 or more": mutation("consolidate", cap=1),
}


@pytest.mark.parametrize(("says", "asks"), MUTATIONS.items(), ids=MUTATIONS)
def test_a_change_that_cannot_be_made_is_told_why(
    api: Api, key: str, says: str, asks: tuple[str, str, dict[str, Any]]
) -> None:
    field, kind, input = asks
    document = f"mutation($i:{kind}!){{{field}(input:$i){{errors{{message}}}}}}"
    assert told(api.ask(key, document, i=input)).startswith(says)


def test_a_key_that_may_not_is_told_how_to_get_one_that_may(api: Api) -> None:
    reader = api.key(right=Right.READ)
    document = 'mutation{addMemory(input:{text:"Ann sails."}){errors{message}}}'
    assert "`graph-memory keys create` with `--scope write`" in told(api.ask(reader, document))


def test_what_stands_in_the_way_of_a_change_is_told(api: Api, key: str) -> None:
    """States of memories, links and entities that do not allow what is asked."""
    old, other = (api.add(key, text)["uuid"] for text in ("Bea lives in Berlin.", "Cleo sings."))
    new = api.supersede(key, old, "Bea lives in Bonn.")["uuid"]
    gone = api.add(key, "Dan runs.")["uuid"]
    api.done(key, "retractMemories", ids=[gone])
    last = api.last(key)
    api.done(key, "undo", changes=[last])
    api.done(key, "retractMemories", ids=[gone])
    link = _link_between(api, key, new, old)
    asks = {
        "only one without any can become a version of another": mutation(
            "supersedeMemory", id=other, byId=new
        ),
        "only active memories supersede or are superseded": mutation("supersedeMemory", id=other, byId=gone),
        "was undone already; undo that undo": mutation("undo", changes=[last]),
        "SUPERSEDES link was made by another change": mutation("unlinkMemories", link=link),
        "it must lie between -1 and 1": mutation("reviseMemory", id=other, feedback=2),
    }
    found = {
        says: told(api.ask(key, f"mutation($i:{kind}!){{{field}(input:$i){{errors{{message}}}}}}", i=input))
        for says, (field, kind, input) in asks.items()
    }
    assert [message for says, message in found.items() if says not in message] == []


def _link_between(api: Api, key: str, start: str, end: str) -> str:
    found = api.data(key, "query($id:ID!){memory(id:$id){links{uuid kind to{uuid} from{uuid}}}}", id=start)
    [link] = [each["uuid"] for each in found["links"] if each["kind"] == "SUPERSEDES"]
    return str(link)


def test_what_is_wrong_with_an_entity_is_told(api: Api, key: str) -> None:
    memory = api.add(key, "Bob lives in Rome.", entities=[{"name": "Bob", "type": "PERSON"}])["uuid"]
    [bob] = api.entities(key, memory)
    other = api.add(key, "Cleo sings.")["uuid"]
    asks = {
        "Name 1 to 1000 memories that mean": mutation("splitEntity", id=bob, memoryIds=[], discriminator="x"),
        f"Memory {other} does not mention": mutation(
            "splitEntity", id=bob, memoryIds=[other], discriminator="the roman"
        ),
        "type must be one word of at most": mutation(
            "splitEntity", id=bob, memoryIds=[memory], type="two words"
        ),
        "An entity has at most": mutation("renameEntity", id=bob, aliases=[f"b{n}" for n in range(101)]),
    }
    found = {
        says: told(api.ask(key, f"mutation($i:{kind}!){{{field}(input:$i){{errors{{message}}}}}}", i=input))
        for says, (field, kind, input) in asks.items()
    }
    assert [message for says, message in found.items() if says not in message] == []


def test_a_plan_that_is_not_ready_is_told(api: Api, key: str) -> None:
    api.add(key, "Ann sails.")
    merged = api.consolidated(key, rehearses=False)
    waiting = api.done(key, "consolidate", "job{uuid}", dryRun=True)["job"]["uuid"]
    plan = "query($id:ID!){consolidationPlan(id:$id){__typename}}"
    assert api.data(key, plan, id=merged) is None
    assert told(api.ask(key, plan, id=waiting)).endswith("is still under way; ask again when it is done.")


def test_a_change_that_takes_too_long_is_told(stack: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows then whether it was carried out."""
    release = threading.Event()

    def slow(*_: Any, **__: Any) -> Any:
        release.wait(10)

    given = stack.model_copy(update={"api": stack.api.model_copy(update={"timeout": 0.3})})
    with TestClient(create(given)) as client:
        service = client.app.state.open.service  # type: ignore[attr-defined]
        patient = Api(client, service)
        key = patient.key()
        assert patient.data(key, "{viewer{tenant}}")
        monkeypatch.setattr(Service, "write", slow)
        answer = patient.ask(key, 'mutation{addMemory(input:{text:"Ann sails."}){errors{message}}}')
        release.set()
    assert told(answer) == "This took longer than 0.3 s; repeat it with the same idempotency key."

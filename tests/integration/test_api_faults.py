"""All that is wrong with one request is told at once, each by its place."""

from __future__ import annotations

from typing import Any

import pytest

from graph_memory import Client
from graph_memory.api.global_ids import to_global
from graph_memory.base.errors import Invalid
from graph_memory.base.ids import new_id
from tests.integration.api_world import Api, api, key
from tests.integration.served import Served, served

__all__ = ["api", "key", "served"]

pytestmark = pytest.mark.stack

GOOD = {"text": "Ada sails."}
BROKEN = {"text": " ", "kind": "two words", "confidence": 2, "importanceOfTen": 11}
BREAKS = ("confidence", "importanceOfTen", "kind", "text")
SAID = {"speaker": "Ada", "at": "2026-03-01T18:00:00Z", "text": "I sail."}


def _places(api: Api, key: str, field: str, **input: Any) -> list[str]:
    faults = api.write(key, field, **input)["errors"]
    assert all(each["message"].startswith(each["path"]) for each in faults if "Id" not in each["path"])
    return sorted(each["path"] for each in faults)


@pytest.mark.parametrize("field", ["addMemory", "remember"])
def test_all_that_is_wrong_with_a_statement_is_told(api: Api, key: str, field: str) -> None:
    assert _places(api, key, field, **BROKEN) == [f"input.{each}" for each in BREAKS]
    times = {"validFrom": "2026-03-01T00:00:00Z", "validTo": "2026-02-01T00:00:00Z"}
    entities = [{"name": "Ann", "type": "two words"}, {"name": " "}]
    assert _places(api, key, field, **GOOD, **times, entities=entities, tags=["t" * 201]) == [
        "input.entities[0].type",
        "input.entities[1].name",
        "input.tags",
        "input.validTo",
    ]
    assert api.data(key, "{memories{nodes{id}}}") == {"nodes": []}


@pytest.mark.parametrize("field", ["addMemories", "rememberMany"])
def test_all_that_is_wrong_with_each_of_many_statements_is_told(api: Api, key: str, field: str) -> None:
    many = [GOOD, BROKEN, {"text": "Ada sails.", "confidence": -1}, GOOD, {"text": ""}]
    assert _places(api, key, field, memories=many) == [
        *(f"input.memories[1].{each}" for each in BREAKS),
        "input.memories[2].confidence",
        "input.memories[4].text",
    ]
    assert api.data(key, "{memories{nodes{id}}}") == {"nodes": []}


def test_a_thousand_faults_are_told_as_a_hundred(api: Api, key: str) -> None:
    assert len(api.write(key, "addMemories", memories=[BROKEN] * 400)["errors"]) == 100


def test_all_that_is_wrong_with_messages_is_told(api: Api, key: str) -> None:
    messages = [
        SAID,
        {**SAID, "text": " ", "speaker": "Ada\nBob"},
        {**SAID, "at": "1700-01-01T00:00:00Z", "role": "judge"},
    ]
    found = _places(
        api, key, "submitMessages", session=" ", messages=messages, contextIds=[new_id(), "nope", "no"]
    )
    assert found == [
        "input.contextIds[1]",
        "input.contextIds[2]",
        "input.messages[1].speaker",
        "input.messages[1].text",
        "input.messages[2].at",
        "input.messages[2].role",
        "input.session",
    ]


def test_every_id_that_is_none_is_told(api: Api, key: str) -> None:
    ids = [new_id(), "nope", to_global("Review", new_id())]
    faults = api.write(key, "archiveMemories", ids=ids)["errors"]
    assert [(each["code"], each["path"]) for each in faults] == [
        ("BAD_ID", "input.ids[1]"),
        ("BAD_ID", "input.ids[2]"),
    ]


def test_a_new_version_and_what_it_changes_are_looked_at_together(api: Api, key: str) -> None:
    faults = api.write(key, "supersedeMemory", id="nope", fact=BROKEN)["errors"]
    assert sorted(each["path"] for each in faults) == [*(f"input.fact.{each}" for each in BREAKS), "input.id"]


def test_a_revision_tells_all_that_is_wrong_with_it(api: Api, key: str) -> None:
    id = api.add(key, "Ada sails.")["id"]
    found = _places(api, key, "reviseMemory", id=id, text=" ", confidence=2, importance=-1)
    assert found == ["input.confidence", "input.importance", "input.text"]


def test_the_client_raises_one_error_that_tells_of_all(served: Served) -> None:
    with Client(served.url, served.key()) as client, pytest.raises(Invalid) as raised:
        client.remember(" ", kind="two words", confidence=2.0)
    paths = [each.path for each in raised.value.each]
    assert sorted(filter(None, paths)) == ["input.confidence", "input.kind", "input.text"]
    assert all(str(each.path) in str(raised.value) for each in raised.value.each)

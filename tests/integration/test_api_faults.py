"""All that is wrong with one request is told at once, each by its place."""

from __future__ import annotations

from typing import Any

import pytest

from graph_memory import Client
from graph_memory.api.global_ids import to_global
from graph_memory.base.errors import Invalid, Unauthenticated
from graph_memory.base.ids import new_id
from graph_memory.store.api_keys import Right
from tests.integration.api_world import Api, api, key
from tests.integration.served import Served, served

__all__ = ["api", "key", "served"]

pytestmark = pytest.mark.stack

GOOD = {"text": "Ada sails."}
BROKEN = {"text": " ", "kind": "two words", "confidence": 2, "importanceOfTen": 11}
LONG = "r" * 1001
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


@pytest.mark.parametrize("bad", ["", "k" * 256])
def test_a_key_that_is_none_is_told_beside_the_rest(api: Api, key: str, bad: str) -> None:
    given = {"idempotencyKey": bad}
    here = "input.idempotencyKey"
    for field in ("addMemory", "remember"):
        found = _paths(api, key, field, **BROKEN, **given)
        assert found == sorted([*(f"input.{each}" for each in BREAKS), here])
        assert _paths(api, key, field, text=" ", **given) == [here, "input.text"]
    for field in ("addMemories", "rememberMany"):
        assert _paths(api, key, field, memories=[GOOD, {"text": ""}], **given) == [
            here,
            "input.memories[1].text",
        ]
    assert _paths(api, key, "submitMessages", session=" ", messages=[SAID], **given) == [
        here,
        "input.session",
    ]
    assert _paths(api, key, "supersedeMemory", id="nope", fact=GOOD, **given) == ["input.id", here]
    assert _paths(api, key, "archiveMemories", ids=["nope"], **given) == [here, "input.ids[0]"]
    assert _paths(api, key, "renameEntity", id="nope", name="Ada", **given) == ["input.id", here]


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
    assert _paths(
        api,
        key,
        "reviseMemory",
        id="nope",
        text=" ",
        importance=-1,
        feedback=2,
        metadata=[],
        idempotencyKey="",
    ) == [
        "input.feedback",
        "input.id",
        "input.idempotencyKey",
        "input.importance",
        "input.metadata",
        "input.text",
    ]


def test_the_client_raises_one_error_that_tells_of_all(served: Served) -> None:
    with Client(served.url, served.key()) as client, pytest.raises(Invalid) as raised:
        client.remember(" ", kind="two words", confidence=2.0)
    paths = [each.path for each in raised.value.each]
    assert sorted(filter(None, paths)) == ["confidence", "kind", "text"]
    assert all(str(each.path) in str(raised.value) for each in raised.value.each)


def test_all_that_is_wrong_with_a_link_is_told(api: Api, key: str) -> None:
    here = new_id()
    assert _paths(api, key, "linkMemories", fromId=here, toId="y", kind="CAUSES") == ["input.toId"]
    assert _paths(api, key, "linkMemories", fromId="x", toId="y", kind="MERGED_INTO", confidence=2) == [
        "input.confidence",
        "input.fromId",
        "input.kind",
        "input.toId",
    ]
    many = [
        {"fromId": here, "toId": "y", "kind": "CAUSES"},
        {"fromId": here, "toId": new_id(), "kind": "CAUSES", "strength": 7},
    ]
    assert _paths(api, key, "linkMany", links=many) == ["input.links[0].toId", "input.links[1].strength"]
    assert _paths(api, key, "unlinkMemories", fromId="x", toId="y", kind="CAUSES") == [
        "input.fromId",
        "input.toId",
    ]


@pytest.mark.parametrize(
    ("field", "given", "wrong"),
    [
        ("linkMemories", {"fromId": "x", "toId": "y", "kind": "CAUSES"}, ("fromId", "toId")),
        (
            "linkMany",
            {"links": [{"fromId": "x", "toId": "y", "kind": "CAUSES"}]},
            ("links[0].fromId", "links[0].toId"),
        ),
        ("linkMany", {"links": []}, ("links",)),
        (
            "unlinkMemories",
            {"fromId": "x", "toId": "y", "kind": "CAUSES", "reason": LONG},
            ("fromId", "reason", "toId"),
        ),
        ("deleteEntity", {"id": "x", "reason": LONG}, ("id", "reason")),
        ("closeSegment", {"session": " "}, ("session",)),
        ("retryMessages", {"session": " "}, ("session",)),
        (
            "approveReview",
            {"id": "x", "action": "COEXIST", "text": "No.", "reason": LONG},
            ("id", "reason", "text"),
        ),
        ("rejectReview", {"id": "x", "reason": LONG}, ("id", "reason")),
        ("undo", {"changes": [0], "reason": LONG}, ("changes", "reason")),
        ("revertRun", {"id": "x", "reason": LONG}, ("id", "reason")),
        (
            "forget",
            {"ids": ["x", "y"], "wholeSubject": True, "reason": LONG},
            ("ids", "ids[0]", "ids[1]", "reason"),
        ),
        ("confirmMemories", {"ids": ["x"], "reason": LONG}, ("ids[0]", "reason")),
        ("archiveMemories", {"ids": ["x"], "reason": LONG}, ("ids[0]", "reason")),
        ("expireMemory", {"id": "x", "reason": LONG}, ("id", "reason")),
        ("mergeMemories", {"keepId": "x", "otherId": "y", "reason": LONG}, ("keepId", "otherId", "reason")),
    ],
)
def test_a_bad_key_is_told_beside_what_else_is_wrong_with_a_change(
    api: Api, field: str, given: dict[str, Any], wrong: tuple[str, ...]
) -> None:
    key = api.key(right=Right.ADMIN)
    told = ["input.idempotencyKey", *(f"input.{each}" for each in wrong)]
    assert _paths(api, key, field, **given, idempotencyKey="") == sorted(told)


def test_a_memory_that_is_linked_to_itself_is_told_beside_the_rest(api: Api, key: str) -> None:
    here = new_id()
    assert _paths(api, key, "linkMemories", fromId=here, toId=here, kind="CAUSES", strength=7) == [
        "input.strength",
        "input.toId",
    ]


def test_all_that_is_wrong_with_an_entity_is_told(api: Api, key: str) -> None:
    long = "r" * 1001
    assert _paths(
        api, key, "renameEntity", id="x", name=" ", type="two words", aliases=[" "], reason=long
    ) == [
        "input.aliases[0]",
        "input.id",
        "input.name",
        "input.reason",
        "input.type",
    ]
    assert _paths(api, key, "mergeEntities", keepId="x", otherId="y", reason=long) == [
        "input.keepId",
        "input.otherId",
        "input.reason",
    ]
    assert _paths(api, key, "splitEntity", id="x", memoryIds=[new_id(), "y"], type="two words") == [
        "input.id",
        "input.memoryIds[1]",
        "input.type",
    ]
    assert _paths(api, key, "mergeMemories", keepId="x", otherId="y") == ["input.keepId", "input.otherId"]


def test_all_that_is_wrong_with_a_key_or_a_webhook_is_told(api: Api) -> None:
    admin = api.key(f"t-{new_id()}", right=Right.ADMIN)
    assert _paths(api, admin, "createApiKey", name="a\nb", subject=" ", minutes=0) == [
        "input.minutes",
        "input.name",
        "input.subject",
    ]
    for after in ("x", "99999"):
        assert _paths(api, admin, "addWebhook", url="ftp://x", subject=" ", after=after) == [
            "input.after",
            "input.subject",
            "input.url",
        ]


def test_all_that_is_wrong_with_a_new_version_is_told_beside_its_id(api: Api, key: str) -> None:
    wrong = {"text": " ", "kind": "two words"}
    assert _paths(api, key, "supersedeMemory", id="x", fact=wrong, reason="r" * 1001) == [
        "input.fact.kind",
        "input.fact.text",
        "input.id",
        "input.reason",
    ]


def test_all_that_is_wrong_with_a_search_is_told(api: Api, key: str) -> None:
    document = 'query($w: [ConditionInput!]) {search(query: "a", first: 0, minScore: 9, where: $w) {note}}'
    where = [
        {"field": "bogus", "value": 1},
        {"field": "validFrom", "operator": "GT", "value": "nope"},
        {"field": "tags", "operator": "GT", "value": "x"},
        {"field": "sessionId", "value": "s"},
    ]
    faults = api.ask(key, document, w=where)["errors"]
    assert [each["extensions"]["argument"] for each in faults] == [
        "where[1].value",
        "where[0].field",
        "where[2]",
        "first",
        "minScore",
    ]
    assert "sessionId, " in faults[1]["message"]
    assert "session_id" not in faults[1]["message"]
    assert faults[4]["message"].startswith("minScore is 9")


def test_a_name_in_a_message_is_spelled_as_graphql_does(api: Api, key: str) -> None:
    [fault] = api.write(
        key, "addMemory", text="Ada sails.", validFrom="2026-03-01T00:00:00Z", validTo="2026-02-01T00:00:00Z"
    )["errors"]
    assert fault["message"] == "input.validTo lies before validFrom."


def test_what_an_enum_takes_is_listed(api: Api, key: str) -> None:
    document = "mutation($i: LinkMemoriesInput!) {linkMemories(input: $i) {outcome}}"
    [fault] = api.ask(key, document, i={"fromId": "x", "toId": "y", "kind": "LIKES"})["errors"]
    assert "a LinkKind is one of CAUSES, CONFLICTS, " in fault["message"]
    assert fault["message"].count("Variable '$i'") == 1


def test_the_python_client_tells_all_in_its_own_words(served: Served) -> None:
    with Client(served.url, served.key("ann")) as client:
        with pytest.raises(Invalid) as raised:
            client.link("x", "y", "LIKES")  # type: ignore[arg-type]
        assert raised.value.message.startswith("kind is 'LIKES'; it must be one of CAUSES, CONFLICTS, ")
        with pytest.raises(Invalid) as raised:
            client.search("a", first=-1, min_score=9)
        assert [each.path for each in raised.value.each] == ["first", "min_score"]
        with pytest.raises(Invalid, match=r"^text is missing\.$"):
            client.remember(None)  # type: ignore[arg-type]
        with pytest.raises(Invalid, match=r"^changes\[0\] is 'x'; give a whole number"):
            client.undo(["x"])  # type: ignore[list-item]
        with pytest.raises(Invalid, match=r"^valid_to lies before valid_from\.$"):
            client.remember("Ann sails.", valid_from="2026-03-01", valid_to="2026-02-01")
        conditions: Any = [
            {"field": "bogus", "value": 1},
            {"field": "valid_from", "operator": "WAT", "value": 1},
        ]
        with pytest.raises(Invalid, match=r"where\[1\].operator is 'WAT'; it must be one of CONTAINS, EQ"):
            client.search("a", where=conditions)
    with Client(served.url, "gm_wrong") as client, pytest.raises(Unauthenticated, match="No API key of this"):
        client.viewer()


def _paths(api: Api, key: str, field: str, **input: Any) -> list[str]:
    return sorted(each["path"] for each in api.write(key, field, **input)["errors"])

"""The client without a service: what it sends, when it sends it again, and what it raises."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest

from graph_memory import AsyncClient, Client, connect
from graph_memory.base import errors
from graph_memory.client import answers, exchange

MEMORY = {
    "id": "TTox", "uuid": "1", "text": "Ann lives in Lyon.", "kind": "fact", "tags": [], "labels": [], "metadata": {},
    "status": "ACTIVE", "trust": "PERSON", "confidence": 1.0, "importance": 0.5, "validFrom": "2026-01-01T00:00:00Z",
    "validTo": None, "recordedFrom": "2026-01-01T00:00:00Z", "recordedTo": None, "isRevision": False,
    "createdAt": "2026-01-01T00:00:00Z", "source": {"kind": "USER", "ref": None, "author": None}, "entities": [],
}  # fmt: skip
CERTIFICATE = {
    "requestId": "1", "at": "2026-01-01T00:00:00Z", "memories": 1, "revisions": 0, "entities": 0, "messages": 0,
    "changes": 1, "requests": 1, "tombstones": 1, "beyond": [],
}  # fmt: skip
FORGOTTEN = {"forget": {"certificate": CERTIFICATE, "replayed": False, "errors": []}}

Answer = Any


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "FIRST_WAIT", 0.0)


class Service:
    """Answers one after the other: data, an error's code, a status, or a fault of the connection."""

    def __init__(self, *told: Answer) -> None:
        self._told: Iterator[Answer] = iter(told)
        self.asked: list[dict[str, Any]] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(json.loads(request.content)["variables"])
        told = next(self._told)
        if isinstance(told, type):
            raise told("no luck")
        if isinstance(told, int):
            return httpx2.Response(told, text="<html>", headers={"Retry-After": "0"} if told == 503 else {})
        if isinstance(told, str):
            return httpx2.Response(
                200, json={"data": None, "errors": [{"message": "So.", "extensions": {"code": told}}]}
            )
        return httpx2.Response(200, json={"data": told})

    def client(self) -> Client:
        return Client("http://service", "gm_key", subject="ann", transport=httpx2.MockTransport(self))


def test_a_write_is_sent_again_under_the_same_key_until_it_is_answered() -> None:
    service = Service(503, "OVERLOADED", httpx2.ReadTimeout, 502, FORGOTTEN)
    assert service.client().forget(["TTox"]).replayed is False
    keys = {asked["input"]["idempotencyKey"] for asked in service.asked}
    assert (len(service.asked), len(keys)) == (5, 1)


def test_two_writes_have_two_keys_and_a_given_one_is_kept() -> None:
    service = Service(FORGOTTEN, FORGOTTEN, FORGOTTEN)
    for key in (None, None, "mine"):
        service.client().forget(["TTox"], key=key)
    first, second, third = (asked["input"]["idempotencyKey"] for asked in service.asked)
    assert first != second
    assert third == "mine"


@pytest.mark.parametrize(
    ("told", "error"),
    [
        ("UNAUTHENTICATED", errors.Unauthenticated),
        ("FORBIDDEN", errors.Forbidden),
        ("TOO_COSTLY", errors.Invalid),
        ("NO_ANSWER", errors.NoAnswer),
        ("TOOK_TOO_LONG", errors.TookTooLong),
        ("INTERNAL", errors.SystemFault),
        ("OF_TOMORROW", errors.SystemFault),
        (413, errors.Invalid),
        (404, errors.Invalid),
    ],
)
def test_what_repeating_would_not_mend_is_asked_once(told: Answer, error: type[Exception]) -> None:
    service = Service(told)
    with pytest.raises(error) as raised:
        service.client().search("where")
    assert len(service.asked) == 1
    assert not isinstance(told, str) or raised.value.code == told  # type: ignore[attr-defined]


def test_who_follows_cannot_ask_for_less_and_so_asks_again() -> None:
    service = Service("TOOK_TOO_LONG", "FORBIDDEN")
    with pytest.raises(errors.Forbidden):
        next(service.client().changes(follow=True))
    assert len(service.asked) == 2


def test_what_a_user_can_mend_is_raised_with_its_place() -> None:
    faults = [{"code": "HAS_DEPENDANTS", "message": "Change 7 stands on it.", "path": "input.changes[0]"}]
    service = Service({"undo": {"undone": [], "memories": [], "replayed": False, "errors": faults}})
    with pytest.raises(errors.HasDependants, match="Change 7") as raised:
        service.client().undo([3])
    assert raised.value.path == "changes[0]"


def test_what_cannot_be_sent_hides_nothing_else_that_is_wrong() -> None:
    with pytest.raises(errors.Invalid) as raised:
        Service({}).client().remember("", kind="a b", valid_from="yesterday")
    assert sorted(each.path or "" for each in raised.value.each) == ["kind", "text", "valid_from"]


def test_what_the_service_says_is_told_in_the_words_of_python() -> None:
    faults = [
        {"code": "INVALID", "message": "input.validTo lies before validFrom.", "path": "input.validTo"},
        {"code": "INVALID", "message": "input.text is empty; 'validTo' is no text.", "path": "input.text"},
    ]
    service = Service({"remember": {"errors": faults}})
    with pytest.raises(errors.Invalid) as raised:
        service.client().remember("Ann.")
    assert [(each.path, each.message) for each in raised.value.each] == [
        ("valid_to", "valid_to lies before valid_from."),
        ("text", "text is empty; 'validTo' is no text."),
    ]


@pytest.mark.parametrize(
    ("fault", "argument", "meant"),
    [
        ({"kind": "MISSING"}, "input.text", "text is missing."),
        ({"kind": "MISSING", "field": "text"}, "input", "text is missing."),
        (
            {"kind": "NOT_TAKEN", "value": "'x'", "taken": "a whole number, as in 10"},
            "input.changes[0]",
            "changes[0] is 'x'; give a whole number, as in 10.",
        ),
        (
            {"kind": "NOT_ONE_OF", "value": "'WAT'", "taken": "one of EQ, GT"},
            "where[0].operator",
            "where[0].operator is 'WAT'; it must be one of EQ, GT.",
        ),
        (
            {"kind": "UNKNOWN", "field": "knd", "hint": "Did you mean 'kind'?"},
            "input.source",
            "There is no field source.knd. Did you mean 'kind'?",
        ),
        ({"kind": "UNKNOWN", "field": "zzz", "hint": ""}, "input", "There is no field zzz."),
        ({"kind": "REFUSED"}, "input.validTo", "valid_to: It is so."),
        ({"kind": "OF_TOMORROW"}, "input.validTo", "valid_to: It is so."),
    ],
)
def test_a_value_that_does_not_fit_is_told_without_graphql(
    fault: dict[str, str], argument: str, meant: str
) -> None:
    extensions = {"code": "INVALID_DOCUMENT", "argument": argument, "fault": fault | {"said": "It is so."}}
    told = {"message": "Variable '$input' has invalid value at .x: It is so.", "extensions": extensions}
    assert exchange.told_fault(told).message == meant


def test_faults_at_the_top_are_told_together() -> None:
    told = [
        {"message": "first is 0.", "extensions": {"code": "INVALID", "argument": "first"}},
        {"message": "minScore is 9.", "extensions": {"code": "INVALID", "argument": "minScore"}},
    ]
    reply = exchange.Reply(200, json.dumps({"data": None, "errors": told}).encode())
    fault = exchange.answered(reply, exchange.Asker("http://service/graphql"))
    assert [each.path for each in fault.each] == ["first", "min_score"]


def test_another_server_is_told_from_a_service_of_ours() -> None:
    reply = exchange.Reply(404, b'{"errors": [{"code": "Neo.NotFound", "message": "Not Found"}]}')
    fault = exchange.answered(reply, exchange.Asker("http://service/graphql"))
    assert isinstance(fault, errors.Invalid)
    assert fault.message.startswith(
        "http://service/graphql answers 404, but it is not a graph-memory service"
    )


def test_a_service_that_stays_away_is_named() -> None:
    service = Service(*[httpx2.ConnectError] * 5)
    with pytest.raises(errors.Unavailable, match="http://service/graphql cannot be reached"):
        service.client().search("where")


def test_an_answer_that_stays_away_leaves_a_write_unknown_and_names_its_key() -> None:
    service = Service(*[httpx2.ReadTimeout] * 5)
    with pytest.raises(errors.OutcomeUnknown, match="key='mine'"):
        service.client().forget(["TTox"], key="mine")


def test_a_time_without_its_offset_is_refused_before_it_is_sent() -> None:
    service = Service()
    with pytest.raises(errors.Invalid, match="as_of"):
        service.client().search("where", as_of=datetime(2026, 3, 1))  # noqa: DTZ001
    assert service.asked == []


FOUND_NOTHING = {
    "search": {
        "hits": [], "isComplete": True, "note": None, "totalCount": 0, "interpreted": None,
        "pageInfo": {"hasNextPage": False, "endCursor": None},
    }
}  # fmt: skip


@pytest.mark.parametrize("day", [date(2026, 3, 1), "2026-03-01"])
def test_a_date_is_its_midnight_here_as_on_the_command_line(day: date | str) -> None:
    service = Service(FOUND_NOTHING)
    service.client().search("where", as_of=day)
    sent = datetime.fromisoformat(service.asked[0]["asOf"])
    assert sent == datetime(2026, 3, 1).astimezone()


def test_what_cannot_be_sent_is_named_before_it_is_sent() -> None:
    service = Service()
    client = service.client()
    refused: list[tuple[str, Callable[[], object]]] = [
        ("as_of is 'last March'; a time is written as", lambda: client.search("where", as_of="last March")),
        ("as_of is 2026-03-01T09:00:00; it needs its offset", lambda: client.search("where", as_of="2026-03-01T09:00:00")),
        ("id is of the type object", lambda: client.history(object())),  # type: ignore[arg-type]
        ("messages must be a list", lambda: client.add_messages({"role": "user", "content": "I moved."})),  # type: ignore[arg-type]
        ("messages must be a list", lambda: client.add_messages("I moved.")),  # type: ignore[arg-type]
        (r"messages\[0\] is no", lambda: client.add_messages(["I moved."])),  # type: ignore[list-item]
        (r"messages\[0\].at is 'yesterday'", lambda: client.add_messages([{"role": "user", "content": "Hi.", "at": "yesterday"}])),
        ("url is '127.0.0.1:8420'", lambda: Client("127.0.0.1:8420", "gm_key")),
        ("key is empty", lambda: Client("http://service", " \n")),
    ]  # fmt: skip
    for message, call in refused:
        with pytest.raises(errors.Invalid, match=message):
            call()
    assert service.asked == []


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_named_before_it_is_sent(number: float) -> None:
    service = Service()
    with pytest.raises(errors.Invalid) as refused:
        service.client().remember("", importance=number, metadata={"pages": [1, number]}, confidence=2)
    assert {each.path for each in refused.value.each} == {
        "importance",
        "metadata.pages[1]",
        "confidence",
        "text",
    }
    assert f"importance is {number}; only numbers that are finite can be sent." in refused.value.message
    assert service.asked == []


def test_the_client_that_awaits_waits_as_long() -> None:
    client = Client("http://service", "gm_key", retries=2, timeout=120).as_async()
    assert (client._http.timeout.read, client._asker.retries) == (120, 2)


def test_one_id_or_number_needs_no_list() -> None:
    service = Service(FORGOTTEN, {"undo": {"undone": [3], "memories": [], "replayed": False, "errors": []}})
    service.client().forget("TTox")
    service.client().undo(3)
    assert [each["input"].get("ids") or each["input"]["changes"] for each in service.asked] == [["TTox"], [3]]


def test_a_key_that_was_read_from_a_file_may_end_its_line() -> None:
    seen: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.headers["Authorization"])
        return httpx2.Response(200, json={"data": FOUND_NOTHING})

    Client("http://service", "gm_key\n", transport=httpx2.MockTransport(answer)).search("where")
    assert seen == ["Bearer gm_key"]


def test_a_client_without_a_key_takes_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPH_MEMORY_API_KEY", raising=False)
    for kind in (Client, AsyncClient):
        with pytest.raises(
            errors.Invalid, match=r"key is missing: .*Client\(url, key\), or set GRAPH_MEMORY_API_KEY"
        ):
            kind("http://service")
    monkeypatch.setenv("GRAPH_MEMORY_API_KEY", "gm_of_the_environment")
    assert Client("http://service")._http.headers["Authorization"] == "Bearer gm_of_the_environment"


def test_results_are_printed_as_what_they_say() -> None:
    found = {**FOUND_NOTHING["search"], "note": "Nothing was stored then."}
    client = Service(
        {"search": {**found, "hits": [HIT, HIT]}},
        {"search": found},
        {"memories": {"nodes": [MEMORY], "pageInfo": WHOLE_PAGE}},
        {"undo": {"undone": [3, 4], "memories": [MEMORY], "replayed": False, "errors": []}},
        {"retractMemories": {"memories": [MEMORY], "replayed": False, "errors": []}},
        {"entities": {"nodes": [ANN], "pageInfo": WHOLE_PAGE}},
    ).client()
    assert str(client.search("where")) == "Ann lives in Lyon.\nAnn lives in Lyon."
    assert str(client.search("where")) == "Nothing was stored then."
    assert str(client.memories()) == "Ann lives in Lyon."
    assert str(client.undo([3, 4])) == "Undone: 3, 4\n  Ann lives in Lyon."
    assert str(client.retract("a")) == "Ann lives in Lyon."
    [ann] = client.attributes("Ann")
    assert str(ann) == "Ann\n  eat: not meat\n  run: 5 km"


def _stated(value: str, unit: str | None = None, polarity: str = "AFFIRMED") -> dict[str, Any]:
    times = {"validFrom": "2026-01-01T00:00:00Z", "validTo": None}
    return {"value": value, "valueKind": "TEXT", "unit": unit, "polarity": polarity, "memory": None, **times}


ANN = {
    "id": "1", "uuid": "1", "name": "Ann", "type": "PERSON",
    "attributes": [
        {"name": "eat", "current": [_stated("meat", polarity="DENIED")], "history": []},
        {"name": "run", "current": [_stated("5", "km")], "history": []},
    ],
}  # fmt: skip


def test_a_text_is_revised_by_its_position() -> None:
    service = Service({"reviseMemory": {"memory": MEMORY, "replayed": False, "errors": []}})
    assert str(service.client().revise("TTox", "Ann lives in Lyon.")) == "Ann lives in Lyon."
    assert service.asked[0]["input"]["text"] == "Ann lives in Lyon."


def test_an_answer_is_printed_as_what_it_says() -> None:
    memory = answers.read(answers.Memory, MEMORY)
    why = answers.Why(1, None)
    assert [str(memory), str(answers.Hit(memory, 1.0, 0, why, (), ()))] == ["Ann lives in Lyon."] * 2


def test_times_are_read_and_what_is_not_given_is_not_sent() -> None:
    hit = {
        "memory": MEMORY,
        "score": 1.0,
        "ageDays": 3,
        "why": {"vectorRank": 1, "textRank": None},
        "predecessors": [],
        "contestedBy": [],
    }
    service = Service(
        {
            "search": {
                "hits": [hit],
                "isComplete": True,
                "note": None,
                "totalCount": 1,
                "pageInfo": {"hasNextPage": False, "endCursor": None},
                "interpreted": None,
            }
        }
    )
    [found] = service.client().search("where")
    assert found.memory.valid_from.isoformat() == "2026-01-01T00:00:00+00:00"
    assert service.asked == [{"query": "where", "first": 10, "mode": "STANDARD", "subject": "ann"}]


HIT = {
    "memory": MEMORY,
    "score": 0.5,
    "ageDays": 3,
    "why": {"vectorRank": 1, "textRank": None},
    "predecessors": [],
    "contestedBy": [],
}
WHOLE_PAGE = {"hasNextPage": False, "endCursor": None}


def test_what_was_found_and_a_page_are_a_table() -> None:
    found = {
        "hits": [HIT],
        "isComplete": True,
        "note": None,
        "totalCount": 1,
        "interpreted": None,
        "pageInfo": WHOLE_PAGE,
    }
    client = Service({"search": found}, {"memories": {"nodes": [MEMORY], "pageInfo": WHOLE_PAGE}}).client()
    table = client.search("where").to_pandas()
    [row] = table.to_dict("records")
    assert (row["text"], row["score"], row["why.vector_rank"]) == ("Ann lives in Lyon.", 0.5, 1)
    assert row["source.kind"] == MEMORY["source"]["kind"]
    assert str(table["valid_from"].dt.tz) == "UTC"
    assert list(client.memories().to_pandas()["text"]) == ["Ann lives in Lyon."]


GRAPH = {
    "nodes": [
        {"id": each, "uuid": each, "caption": f"Memory {each}", "kind": "fact", "importance": 0.5}
        for each in ("a", "b")
    ],
    "edges": [{"uuid": "l", "kind": "CAUSES", "strength": 0.9, "from": {"uuid": "a"}, "to": {"uuid": "b"}}],
    "truncated": False,
}


def test_a_library_that_is_not_there_is_named_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("networkx", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    found = Service({"subgraph": GRAPH}, {"memories": {"nodes": [], "pageInfo": WHOLE_PAGE}}).client()
    for wanted, call in (
        ("networkx", found.subgraph("a").to_networkx),
        ("pandas", found.memories().to_pandas),
    ):
        with pytest.raises(errors.MissingExtra, match=rf"pip install -e '\.\[{wanted}\]'"):
            call()


def test_a_missing_thing_is_not_found() -> None:
    with pytest.raises(errors.NotFound):
        Service({"memory": None}).client().memory("TTox")


def test_messages_are_said_by_their_name_else_by_the_user_else_by_their_role() -> None:
    taken = {"segmentUuid": "1", "stored": 3, "length": 3, "masked": [], "replayed": False, "errors": []}
    service = Service({"submitMessages": taken})
    service.client().add_messages(
        [
            {"role": "user", "content": "I live in Lyon.", "at": "2026-01-05T09:00:00Z"},
            {"role": "user", "content": "And I in Ghent.", "name": "Theo"},
            {"role": "assistant", "content": "Noted."},
        ],
        user="Ann",
        session="s",
    )
    [asked] = service.asked
    said = asked["input"]["messages"]
    assert [each["speaker"] for each in said] == ["Ann", "Theo", "assistant"]
    assert datetime.fromisoformat(said[0]["at"]) == datetime(2026, 1, 5, 9, tzinfo=UTC)
    assert datetime.fromisoformat(said[1]["at"]).tzinfo is not None
    assert asked["input"]["subject"] == "ann"


def test_all_that_is_wrong_before_it_is_sent_is_told_at_once() -> None:
    client = Service().client()
    refused: list[tuple[list[str], Callable[[], object]]] = [
        (["text", "importance", "valid_from"], lambda: client.remember("", valid_from="nope", importance=7)),
        (
            ["first", "min_score", "as_of"],
            lambda: client.search("where", first=0, min_score=9, as_of="yesterday"),
        ),
        (
            ["messages[0].role", "messages[1].content", "messages[2].role", "messages[2].at"],
            lambda: client.add_messages(
                [{"content": "Hi."}, {"role": "user"}, {"content": "hi", "at": "noon"}]
            ),
        ),
    ]
    for paths, call in refused:
        with pytest.raises(errors.Invalid) as raised:
            call()
        assert sorted(each.path or "" for each in raised.value.each) == sorted(paths)


TAKEN = {"segmentUuid": "1", "stored": 1, "length": 1, "masked": [], "replayed": False, "errors": []}


def test_a_content_of_parts_is_their_text_and_what_says_nothing_is_left_out() -> None:
    service = Service({"submitMessages": TAKEN})
    service.client().add_messages(
        [
            {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}], "refusal": None, "annotations": []},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "2"}]},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]},
            {
                "role": "user",
                "content": [{"type": "text", "text": "I moved to Oslo."}, {"type": "image"}, {"type": "input_text", "text": "In May."}],
            },
        ],
        session="s",
    )  # fmt: skip
    [asked] = service.asked
    assert [each["text"] for each in asked["input"]["messages"]] == ["I moved to Oslo.\nIn May."]


def test_a_fault_of_a_message_names_its_place_among_those_that_were_given() -> None:
    faults = [
        {"code": "INVALID", "message": "input.messages[0].text is empty.", "path": "input.messages[0].text"}
    ]
    service = Service({"submitMessages": TAKEN | {"errors": faults}})
    with pytest.raises(errors.Invalid, match=r"^messages\[1\].content is empty") as raised:
        service.client().add_messages(
            [{"role": "assistant", "content": None, "tool_calls": [{}]}, {"role": "user", "content": " "}]
        )
    assert raised.value.path == "messages[1].content"


@pytest.mark.parametrize("content", [None, [], [{"text": "I moved."}], [{"type": "text"}], [7]])
def test_a_content_that_cannot_be_read_is_named(content: object) -> None:
    with pytest.raises(errors.Invalid, match=r"messages\[0\]"):
        Service().client().add_messages([{"role": "user", "content": content}])


@pytest.mark.parametrize("name", ["timestamp", "created_at", "metadata"])
def test_a_field_that_a_message_does_not_have_is_refused_and_not_passed_over(name: str) -> None:
    with pytest.raises(errors.Invalid, match=r"at \(when it was said\)") as raised:
        Service().client().add_messages(
            [{"role": "user", "content": "I moved.", name: "2026-01-05T09:00:00Z"}]
        )
    assert raised.value.path == f"messages[0].{name}"


def test_a_time_of_a_message_that_is_a_number_is_named() -> None:
    with pytest.raises(errors.Invalid, match=r"messages\[0\].at is 1767600000; a time is written as"):
        Service().client().add_messages([{"role": "user", "content": "I moved.", "at": 1767600000}])


def test_messages_in_which_nothing_is_said_are_not_sent() -> None:
    for messages in ([], [{"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}]):
        with pytest.raises(errors.Invalid, match="none in which something is said"):
            Service().client().add_messages(messages)


def test_a_session_that_is_closed_already_may_be_closed_again() -> None:
    gone = {"code": "NOT_FOUND", "message": "No session is open.", "path": "input.session"}
    segment = {
        "uuid": "1", "session": "s", "status": "PENDING", "startedAt": "2026-01-01T00:00:00Z", "endedAt": None,
        "messageCount": 1, "extractedCount": 0, "leftOutCount": 0, "setAsideCount": 0,
    }  # fmt: skip
    page = {"hasNextPage": False, "endCursor": None}
    refused = {"closeSegment": {"errors": [gone]}}
    service = Service(refused, {"segments": {"nodes": [segment], "pageInfo": page}})
    closed = service.client().close_session("s")
    assert (closed.segment_uuid, closed.messages, closed.job) == ("1", 0, None)
    service = Service(refused, {"segments": {"nodes": [], "pageInfo": page}})
    with pytest.raises(errors.NotFound):
        service.client().close_session("t")


def test_a_message_without_content_is_named() -> None:
    with pytest.raises(errors.Invalid, match=r"messages\[1\] has no content"):
        Service().client().add_messages([{"role": "user", "content": "Hi."}, {"role": "user"}])


def _changes(*sequences: int, more: bool = False) -> dict[str, Any]:
    rows = [
        {
            "sequence": each,
            "operation": "ADD",
            "targets": [],
            "reason": "",
            "actor": "a",
            "at": "2026-01-01T00:00:00Z",
            "before": None,
            "after": None,
        }
        for each in sequences
    ]
    end = str(sequences[-1]) if sequences else None
    return {"changes": {"nodes": rows, "pageInfo": {"hasNextPage": more, "endCursor": end}}}


def test_changes_go_on_over_pages() -> None:
    service = Service(_changes(3, 4, more=True), _changes(5))
    assert [each.sequence for each in service.client().changes(after=2)] == [3, 4, 5]
    assert [asked["after"] for asked in service.asked] == ["2", "4"]


def test_the_last_changes_are_asked_for_by_their_number() -> None:
    service = Service(_changes(5, 4))
    assert [each.sequence for each in service.client().change_page(last=2)] == [5, 4]
    assert service.asked[0]["last"] == 2


def test_following_goes_on_after_the_last_change_when_a_stream_breaks_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    answers, asked = [_stream(3, 4), httpx2.Response(503), httpx2.ConnectError("gone"), _stream(5)], []

    def service(request: httpx2.Request) -> httpx2.Response:
        asked.append(json.loads(request.content)["variables"]["after"])
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with Client("http://service", "gm_key", transport=httpx2.MockTransport(service)) as client:
        following = client.changes(after=2, follow=True)
        assert [next(following).sequence for _ in range(3)] == [3, 4, 5]
    assert asked == ["2", "4", "4", "4"]


def test_following_ends_with_what_cannot_be_mended_by_trying_again() -> None:
    told = {"errors": [{"message": "No.", "extensions": {"code": "UNAUTHENTICATED"}}]}
    for answer in (httpx2.Response(401, json=told), _stream(told=told)):
        transport = httpx2.MockTransport(lambda _, answer=answer: answer)
        with (
            Client("http://service", "gm_key", transport=transport) as client,
            pytest.raises(errors.Unauthenticated),
        ):
            next(client.changes(follow=True))


def _stream(*sequences: int, told: Any = None) -> httpx2.Response:
    rows = [{"data": {"changes": row}} for row in _changes(*sequences)["changes"]["nodes"]]
    events = [
        f"event: next\r\ndata: {json.dumps(each)}\r\n\r\n" for each in [*rows, *([told] if told else [])]
    ]
    return httpx2.Response(
        200, text=": ping\r\n\r\n" + "".join(events), headers={"Content-Type": "text/event-stream"}
    )


def test_the_async_client_does_the_same() -> None:
    service = Service(503, {"memory": None}, _changes(1, 2))

    async def asking() -> list[int]:
        transport = httpx2.MockTransport(service)
        async with AsyncClient("http://service", "gm_key", transport=transport) as client:
            with pytest.raises(errors.NotFound):
                await client.memory("TTox")
            return [each.sequence async for each in client.changes()]

    assert asyncio.run(asking()) == [1, 2]


def test_a_client_does_not_show_its_key() -> None:
    assert "gm_key" not in repr(Service().client())


def test_the_signature_is_that_of_the_method(capsys: pytest.CaptureFixture[str]) -> None:
    help(Client.search)
    assert "as_of" in capsys.readouterr().out


def test_connect_says_what_to_do_where_nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPH_MEMORY_API_URL", raising=False)
    monkeypatch.setenv("GRAPH_MEMORY_STACK_DATA", str(tmp_path))
    with pytest.raises(errors.StackFault, match="graph-memory up"):
        connect("home", "ann")


def test_following_what_gives_no_stream_is_told() -> None:
    with (
        Client(
            "http://service",
            "gm_key",
            retries=0,
            transport=httpx2.MockTransport(lambda _: httpx2.Response(200, json={"data": {"changes": None}})),
        ) as client,
        pytest.raises(errors.Unavailable, match="it is not a graph-memory service"),
    ):
        next(client.changes(follow=True))

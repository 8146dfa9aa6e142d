"""Input made to break things: refused with a code, soon, and nothing is stored."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest

from graph_memory.api.global_ids import to_global
from graph_memory.base.cursors import cursor
from graph_memory.base.ids import new_id
from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

BOMB = "{...f0} " + " ".join(f"fragment f{i} on Query{{...f{i + 1} ...f{i + 1}}}" for i in range(300))

DOCUMENTS = {
    "deep": ("{memory(id:1){" + "links{to{" * 20 + "id" + "}}" * 20 + "}}", "TOO_COMPLEX"),
    "deeper than the stack": ("{" + "a{" * 1900 + "b" + "}" * 1900 + "}", "TOO_COMPLEX"),
    "deep list": ("{nodes(ids:" + "[" * 1900 + "]" * 1900 + "){id}}", "TOO_COMPLEX"),
    "aliases": ("{" + " ".join(f"a{i}:version" for i in range(10_000)) + "}", "TOO_COMPLEX"),
    "few aliases too many": ("{" + " ".join(f"a{i}:version" for i in range(31)) + "}", "TOO_COMPLEX"),
    "a megabyte": ("{" + "version " * 130_000 + "}", "TOO_COMPLEX"),
    "the same field": ("{" + "version " * 3900 + "}", "TOO_COMPLEX"),
    "the same page": ("{" + "memories{nodes{text}} " * 550 + "}", "TOO_COMPLEX"),
    "fragments that double": (BOMB + " fragment f300 on Query{version}", "TOO_COMPLEX"),
    "fragments in a circle": (
        "{...a} fragment a on Query{...b} fragment b on Query{...a}",
        "INVALID_DOCUMENT",
    ),
    "directives": ("{version " + "@include(if:true) " * 10_000 + "}", "TOO_COMPLEX"),
    "nested pages": ("{memories(first:100){nodes{links{to{links{to{id}}}}}}}", "TOO_COSTLY"),
    "a huge page": ("{memories(first:2147483647){nodes{id}}}", "INVALID"),
    "many whole pages": ("{memories(first:100){nodes{links(first:100){to{id}}}}}", "TOO_COSTLY"),
    "introspection in circles": (
        "{__schema{types{" + "fields{type{" * 7 + "name" + "}}" * 7 + "}}}",
        "INVALID_DOCUMENT",
    ),
    "defer": ("{... @defer{version}}", "INVALID_DOCUMENT"),
    "subscription": ("subscription{memoryEvents{id}}", "INVALID_DOCUMENT"),
    "several operations": ("query a{version} query b{version}", "INVALID_DOCUMENT"),
    "unknown field": ("{secrets}", "INVALID_DOCUMENT"),
    "cut off": ("{memory(id:", "SYNTAX"),
    "first 0": ("{memories(first:0){nodes{id}}}", "INVALID"),
    "first negative": ("{memories(first:-1){nodes{id}}}", "INVALID"),
    "first 101": ("{memories(first:101){nodes{id}}}", "INVALID"),
    "first and last": ("{memories(first:1,last:1){nodes{id}}}", "INVALID"),
    "101 ids": ("{nodes(ids:[" + '"x",' * 101 + "]){id}}", "INVALID"),
}


@pytest.mark.parametrize(("document", "code"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_document_made_to_hurt_is_refused(api: Api, key: str, document: str, code: str) -> None:
    assert api.code(key, document) == code


@pytest.mark.parametrize("first", [101, 1000, 100_000])
def test_a_page_that_is_too_large_is_told_its_limit_whatever_it_would_cost(
    api: Api, key: str, first: int
) -> None:
    """From some size on it was told what the query may cost, which helps nobody to find the right size."""
    document = "query($n:Int!){memories(first:$n){nodes{links{to{id}}}}}"
    [error] = api.ask(key, document, n=first)["errors"]
    assert error["message"] == f"first is {first}; it must lie between 1 and 100."
    assert error["extensions"] == {"code": "INVALID", "argument": "first"}


def test_a_refusal_for_its_cost_names_cost_and_limit_and_the_page_that_makes_most_of_it(
    api: Api, key: str
) -> None:
    answer = api.ask(key, "{memories(first:100){nodes{links{to{links{to{id}}}}}}}")
    assert "Most of them come of `memories`, whose `first` is 100: " in answer["errors"][0]["message"]
    told = answer["errors"][0]["extensions"]
    assert told["requested"] > told["limit"] == 10_000
    assert answer["extensions"]["cost"] == {"requested": told["requested"], "limit": 10_000}


def test_every_answer_tells_its_cost_and_id(api: Api, key: str) -> None:
    response = api.client.post(
        "/graphql",
        json={"query": "{memories(first:3){nodes{id}}}"},
        headers={"Authorization": f"Bearer {key}"},
    )
    told = response.json()["extensions"]
    assert told["cost"] == {"requested": 3, "limit": 10_000}
    assert response.headers["x-request-id"] == told["requestId"]


PAYLOADS = [
    "' OR 1=1 //",
    "`}) DETACH DELETE n //",
    "*) RETURN 1 UNION CALL dbms.components() YIELD name //",
    "\\",
    "$x",
]
BAD_IDS = [
    "",
    "abc",
    "x" * 1_000_000,
    str(new_id()).upper(),
    "{" + new_id() + "}",
    "../../etc/passwd",
    to_global("Memory", "not-a-uuid"),
    to_global("Job", new_id()),
    to_global("Query", new_id()),
    to_global("", new_id()),
    base64.b64encode(b"\xff\xfe:" + new_id().encode()).decode(),
    *[to_global("Memory", payload) for payload in PAYLOADS],
    *PAYLOADS,
]


@pytest.mark.parametrize("id", BAD_IDS, ids=range(len(BAD_IDS)))
@pytest.mark.parametrize(
    "field", ["memory(id:$id){id}", "memoryVersion(id:$id){id}", "history(id:$id){nodes{reason}}"]
)
def test_what_is_no_id_is_called_so(api: Api, key: str, field: str, id: str) -> None:
    assert api.code(key, f"query($id:ID!){{{field}}}", id=id) == "BAD_ID"


@pytest.mark.parametrize(
    "id",
    [to_global("Query", new_id()), to_global("Segment", new_id()), new_id()],
    ids=["query", "segment", "plain"],
)
def test_a_node_of_no_known_type_is_called_so(api: Api, key: str, id: str) -> None:
    assert api.code(key, "query($id:ID!){node(id:$id){id}}", id=id) == "BAD_ID"


TIMES = {
    "2026-01-01T00:00:00": "INVALID",
    "2026-01-01": "INVALID",
    "2026-01-01 00:00:00Z": "INVALID",
    "2026-02-30T00:00:00Z": "INVALID",
    "2026-12-31T23:59:60Z": "INVALID",
    "2026-01-01T24:00:00Z": "INVALID",
    "0000-01-01T00:00:00Z": "INVALID",
    "0001-01-01T00:00:00+14:00": "INVALID",
    "9999-12-31T23:59:59Z": "INVALID",
    "-9999-01-01T00:00:00Z": "INVALID",
    "now": "INVALID",
    "2026-01-01T00:00:00+14:00": "None",
    "2026-01-01T00:00:00.123456789Z": "None",
    "1900-01-01T00:00:00Z": "None",
}


@pytest.mark.parametrize(("time", "code"), TIMES.items())
def test_a_time_is_exact_or_refused(api: Api, key: str, time: str, code: str) -> None:
    assert api.code(key, "query($t:DateTime){memories(asOf:$t){nodes{id}}}", t=time) == code


TEXTS = ["", " \n ", "a\0b", "x" * 100_000, "\u200b"]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_text_that_cannot_be_kept_is_refused_and_nothing_is_stored(api: Api, key: str, text: str) -> None:
    payload = api.data(
        key, "mutation($t:String!){addMemory(input:{text:$t}){memory{id} errors{code path}}}", t=text
    )
    assert payload == {"memory": None, "errors": [{"code": "INVALID", "path": "input.text"}]}
    assert api.data(key, "{memories{nodes{id}}}") == {"nodes": []}


@pytest.mark.parametrize("argument", ["text", "kind", "heading", "sessionId", "idempotencyKey"])
def test_half_a_surrogate_pair_is_refused_wherever_it_stands(api: Api, key: str, argument: str) -> None:
    given = {"text": "x", argument: "\ud800"}
    assert api.code(key, "mutation($i:AddMemoryInput!){addMemory(input:$i){replayed}}", i=given) == "INVALID"


def test_texts_of_all_kinds_come_back_as_they_were_given(api: Api, key: str) -> None:
    for text in (
        "<script>alert(1)</script>",
        "{{7*7}} ${x} %s",
        "שלום \u202e עולם",
        "👩‍👩‍👧‍👦 é",
        'a\n{"level":"error"}',
    ):
        assert api.add(key, text)["text"] == text


LUCENE = [
    '+ - && || ! ( ) { } [ ] ^ " ~ * ? : \\ /',
    "AND OR NOT TO",
    "text:secret",
    '"unclosed',
    "a~0.1^9",
    "/.*/",
    "*:*",
]


@pytest.mark.parametrize("query", LUCENE)
@pytest.mark.parametrize("mode", ["TEXT", "HYBRID"])
def test_a_search_takes_every_sign_as_text(api: Api, key: str, query: str, mode: str) -> None:
    answer = api.ask(
        key, "query($q:String,$m:SearchArms!){search(query:$q,arms:$m){hits{score}}}", q=query, m=mode
    )
    assert "errors" not in answer


@pytest.mark.parametrize(
    "vector",
    [[], [1.0], [0.0] * 384, [1.0] * 385, [1e308] * 384],
    ids=["none", "one", "zeros", "long", "huge"],
)
def test_a_vector_that_does_not_fit_is_refused(api: Api, key: str, vector: list[float]) -> None:
    payload = api.data(
        key, 'mutation($v:[Float!]){addMemory(input:{text:"x",vector:$v}){errors{code}}}', v=vector
    )
    assert payload == {"errors": [{"code": "INVALID"}]}
    assert api.code(key, "query($v:[Float!]){search(vector:$v){note}}", v=vector) == "INVALID"


@pytest.mark.parametrize(
    "metadata", [[1], "x", 7, {"a": {"b": 1}}, {"a": None}, {str(i): i for i in range(65)}]
)
def test_metadata_is_a_small_flat_map(api: Api, key: str, metadata: Any) -> None:
    payload = api.data(
        key, 'mutation($m:JSON){addMemory(input:{text:"x",metadata:$m}){errors{code}}}', m=metadata
    )
    assert payload == {"errors": [{"code": "INVALID"}]}


@pytest.mark.parametrize(
    "after", ["", "x", "x" * 1000, "bnVsbA==", base64.b64encode(b"[" * 200).decode(), "-1", "9" * 40]
)
@pytest.mark.parametrize("field", ["memories", "changes"])
def test_a_cursor_that_is_not_ours_is_called_so(api: Api, key: str, field: str, after: str) -> None:
    assert (
        api.code(key, f"query($a:String){{{field}(after:$a){{nodes{{__typename}}}}}}", a=after) == "INVALID"
    )


def _post(api: Api, key: str, content: bytes | str, kind: str = "application/json") -> int:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": kind}
    return api.client.post("/graphql", content=content, headers=headers).status_code


BODIES: dict[str, bytes | str] = {
    "empty": "",
    "null": "null",
    "text": '"{version}"',
    "array": '[{"query":"{version}"}]',
    "not a number": '{"query":"{version}","variables":{"a":NaN}}',
    "broken utf-8": b'{"query":"\xff"}',
    "utf-16": '{"query":"{version}"}'.encode("utf-16"),
    "deep": '{"query":"{version}","variables":' + '{"a":' * 10_000 + "1" + "}" * 10_000 + "}",
    "long number": '{"query":"{version}","variables":{"a":' + "9" * 5000 + "}}",
    "query of another type": '{"query":7}',
    "variables of another type": '{"query":"{version}","variables":[]}',
    "no query": "{}",
    "unknown operation": '{"query":"query a{version}","operationName":"b"}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_request_is_refused(api: Api, key: str, body: bytes | str) -> None:
    assert _post(api, key, body) == 400


def test_forms_and_plain_text_are_refused(api: Api, key: str) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""):
        assert _post(api, key, json.dumps({"query": "{version}"}), kind) == 400


def test_a_body_that_is_too_large_is_refused(api: Api, key: str) -> None:
    assert _post(api, key, b" " * 10_000_001) == 413


def test_queries_come_by_post_alone(api: Api, key: str) -> None:
    headers = {"Authorization": f"Bearer {key}", "Accept": "text/html"}
    assert api.client.get("/graphql", params={"query": "{version}"}, headers=headers).status_code == 405
    assert api.client.put("/graphql", json={"query": "{version}"}, headers=headers).status_code == 405


VARIABLES: dict[str, tuple[str, Any, str, str]] = {
    "number": (
        "mutation($i:AddMemoryInput!){addMemory(input:$i){replayed}}",
        {"text": "x", "importance": "high"},
        "i.importance",
        "a Float is a number, as in 0.5",
    ),
    "time in a list": (
        'mutation($i:[MessageInput!]!){submitMessages(input:{session:"s",messages:$i}){stored}}',
        [
            {"speaker": "a", "at": "2026-01-01T00:00:00Z", "text": "b"},
            {"speaker": "a", "at": "soon", "text": "b"},
        ],
        "i[1].at",
        "A DateTime is written as RFC 3339",
    ),
    "the whole variable": ("query($i:Int){memories(first:$i){nodes{id}}}", "ten", "i", "as in 10"),
}


@pytest.mark.parametrize(("document", "value", "argument", "taken"), VARIABLES.values(), ids=VARIABLES)
def test_a_wrong_variable_is_named_with_what_is_taken_instead(
    api: Api, key: str, document: str, value: Any, argument: str, taken: str
) -> None:
    [error] = api.ask(key, document, i=value)["errors"]
    assert error["extensions"]["argument"] == argument
    assert error["message"].startswith("Variable '$i' has invalid value")
    assert taken in error["message"]


def test_a_number_written_in_the_document_is_told_what_is_taken_instead(api: Api, key: str) -> None:
    [error] = api.ask(key, '{memories(first:"ten"){nodes{id}}}')["errors"]
    assert error["message"].endswith("; an Int is a whole number, as in 10")


def test_a_message_names_the_value_as_the_client_wrote_it(api: Api, key: str) -> None:
    given = {"text": "x", "validFrom": "2026-02-01T00:00:00Z", "validTo": "2026-01-01T00:00:00Z"}
    document = "mutation($i:AddMemoryInput!){addMemory(input:$i){errors{path message}}}"
    [error] = api.data(key, document, i=given)["errors"]
    assert error == {"path": "input.validTo", "message": "input.validTo lies before validFrom."}


SUBMITTED = {
    "none": ({"messages": []}, "input.messages", "1 to 500"),
    "501": ({"messages": 501}, "input.messages", "1 to 500"),
    "no session": ({"session": " "}, "input.session", "session must have"),
    "a context that is no id": ({"contextIds": [new_id(), "nope"]}, "input.contextIds[1]", "no id|not an id"),
    "another session": ({"messages": {"session": "t"}}, "input.messages[0].session", "belongs to session"),
    "the year 1": ({"messages": {"at": "0001-06-01T00:00:00Z"}}, "input.messages[0].at", "between 1900"),
    "the year 2999": ({"messages": {"at": "2999-01-01T00:00:00Z"}}, "input.messages[0].at", "between 1900"),
    "a speaker on two lines": (
        {"messages": {"speaker": "a\nSystem"}},
        "input.messages[0].speaker",
        "on one line",
    ),
}


@pytest.mark.parametrize(("given", "path", "told"), SUBMITTED.values(), ids=SUBMITTED)
def test_messages_that_cannot_be_taken_in_are_refused_by_their_place(
    api: Api, key: str, given: dict[str, Any], path: str, told: str
) -> None:
    message = {"speaker": "a", "at": "2026-01-01T00:00:00Z", "text": "b"}
    messages = given.get("messages", {})
    if isinstance(messages, dict):
        messages = [{**message, **messages}]
    elif isinstance(messages, int):
        messages = [message] * messages
    document = "mutation($i:SubmitMessagesInput!){submitMessages(input:$i){errors{code path message}}}"
    [error] = api.data(key, document, i={"session": "s", **given, "messages": messages})["errors"]
    assert error["path"] == path
    assert re.search(told, error["message"])


def test_spending_that_ends_before_it_begins_is_refused(api: Api, key: str) -> None:
    document = '{spend(from:"2026-02-01T00:00:00Z",to:"2026-01-01T00:00:00Z"){today}}'
    assert api.code(key, document) == "INVALID"


def test_only_json_by_its_exact_name_is_read(api: Api, key: str) -> None:
    for kind, status in (("application/jsonp", 400), ("application/json; charset=utf-8", 200)):
        headers = {"Content-Type": kind, "Authorization": f"Bearer {key}"}
        answer = api.client.post("/graphql", content=b'{"query":"{version}"}', headers=headers)
        assert answer.status_code == status


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**400])
@pytest.mark.parametrize("field", ["accessCount", "importance"])
def test_a_number_that_the_store_cannot_hold_is_called_so(api: Api, key: str, field: str, value: int) -> None:
    document = "query($v:JSON!,$f:String!){browse(where:[{field:$f,operator:GT,value:$v}]){nodes{id}}}"
    answer = api.ask(key, document, f=field, v=value)
    [error] = answer["errors"]
    assert error["extensions"]["code"] == "INVALID"
    assert "64 bits" in error["message"]


def test_a_cursor_with_a_number_that_the_store_cannot_hold_is_none_of_ours(api: Api, key: str) -> None:
    document = "query($c:String){browse(sort:ACCESS_COUNT,after:$c){nodes{id}}}"
    for value in (2**63, 10**400, [1], "x"):
        assert api.code(key, document, c=cursor("access_count", True, value, False, new_id())) == "INVALID"


@pytest.mark.parametrize("metadata", [{"a": "x" * 1001}, {"k" * 1001: 1}, {"a": 2**63}])
def test_metadata_has_a_length(api: Api, key: str, metadata: dict[str, Any]) -> None:
    assert api.refused(key, "addMemory", text="Ann likes tea.", metadata=metadata) == (
        "INVALID",
        "input.metadata",
    )
    memory = api.add(key, "Ann likes tea.", metadata={"a": "x" * 1000, "b": 2**63 - 1})
    assert api.refused(key, "reviseMemory", id=memory["id"], metadata=metadata)[0] == "INVALID"

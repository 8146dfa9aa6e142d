"""Following changes and runs over a real server: nothing is lost, nothing comes twice, nobody sees what is not his."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from itertools import islice
from threading import Thread
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from graph_memory import Client
from graph_memory.api.app import create
from graph_memory.api.serving import server
from graph_memory.base import errors
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.ledger import changes
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.settings import Settings
from graph_memory.store.api_keys import Keyring, Right
from tests.integration.cut_wire import cut_wire
from tests.integration.served import Served, served

__all__ = ["served"]

pytestmark = pytest.mark.stack

FOLLOW = "subscription($after:String){changes(after:$after){sequence operation}}"


def test_a_hundred_changes_come_once_each_though_the_connection_is_cut(served: Served) -> None:
    tenant = new_id()

    def write(first: int, last: int) -> None:
        keep(served, tenant, "ann", *(f"Fact {each}" for each in range(first, last + 1)))

    # After each cut there is more than may have come before it, so that the client has to connect anew.
    cuts = {15: (21, 50), 40: (51, 80), 77: (81, 100)}
    write(1, 20)
    with cut_wire(served.url) as wire, Client(wire.url, served.key(tenant=tenant)) as client:
        seen = []
        for change in islice(client.changes(follow=True), 100):
            seen.append(change.sequence)
            if len(seen) in cuts:
                wire.cut()
                write(*cuts[len(seen)])
    assert seen == list(range(1, 101))
    assert wire.connections == 4


def test_the_async_client_follows_too(served: Served) -> None:
    tenant = new_id()
    keep(served, tenant, "ann", "One.", "Two.")

    async def follow() -> list[int]:
        seen = []
        with cut_wire(served.url) as wire:
            async with Client(wire.url, served.key(tenant=tenant)).as_async() as client:
                async for change in client.changes(follow=True):
                    seen.append(change.sequence)
                    if len(seen) == 1:
                        wire.cut()
                    if len(seen) == 2:
                        keep(served, tenant, "ann", "Three.")
                    if len(seen) == 3:
                        break
        return seen

    assert asyncio.run(follow()) == [1, 2, 3]


def test_after_an_erasure_nobody_who_comes_later_is_given_its_words(served: Served) -> None:
    tenant = new_id()
    keep(served, tenant, "ann", "Ann is here.")
    with (
        Client(served.url, served.key(right=Right.ADMIN, tenant=tenant), subject="ann") as client,
        closing(client.changes(follow=True)) as first,
    ):
        next(first)
        keep(served, tenant, "ann", "Ann's code is 4711.")
        kept = next(first)
        assert "4711" in str(kept.after)
        client.forget([kept.targets[0]])
        assert next(first).operation == "ERASE"
        with closing(client.changes(1, follow=True)) as later:
            told = list(islice(later, 2))
        assert [each.operation for each in told] == ["ADD", "ERASE"]
        assert "4711" not in str(told)


def test_one_goes_on_after_a_change_that_was_only_just_made(served: Served) -> None:
    tenant = new_id()
    keep(served, tenant, "ann", "One.")
    with socket_of(served, served.key(tenant=tenant)) as ws:
        subscribe(ws, "all", FOLLOW, after="0")
        receive(ws)
        keep(served, tenant, "ann", "Two.")
        subscribe(ws, "last", FOLLOW, after="2")
        keep(served, tenant, "ann", "Three.")
        told = [receive(ws) for _ in range(3)]
    assert [faults for _, _, faults in told if faults] == []
    assert sorted((id, data["changes"]["sequence"]) for id, data, _ in told) == [
        ("all", 2),
        ("all", 3),
        ("last", 3),
    ]


def test_who_reads_slowly_loses_nothing(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph_memory.api.feeds.KEPT", 5)
    tenant = new_id()
    with (
        Client(served.url, served.key(tenant=tenant)) as client,
        closing(client.changes(follow=True)) as following,
    ):
        keep(served, tenant, "ann", "First.")
        assert next(following).sequence == 1
        for turn in range(4):
            keep(served, tenant, "ann", *(f"Fact {turn} {each}" for each in range(3 + 3 * turn)))
        assert [change.sequence for change in islice(following, 30)] == list(range(2, 32))


def test_a_bound_key_sees_its_own_changes_by_their_own_numbers(served: Served) -> None:
    tenant = new_id()
    keep(served, tenant, "bea", "Bea is away.")
    keep(served, tenant, "ann", "Ann is here.", "Ann is glad.")
    with socket_of(served, served.key("ann", tenant=tenant)) as ws:
        subscribe(ws, "all", FOLLOW, after="0")
        subscribe(ws, "new", FOLLOW, after="1")
        subscribe(ws, "bea", 'subscription{changes(subject:"bea"){sequence}}')
        told = [receive(ws) for _ in range(4)]
        assert sorted((id, each["changes"]["sequence"]) for id, each, _ in told if each) == [
            ("all", 1),
            ("all", 2),
            ("new", 2),
        ]
        assert [(id, found[0]["extensions"]["code"]) for id, _, found in told if found] == [
            ("bea", "FORBIDDEN")
        ]
        keep(served, tenant, "bea", "Bea is back.")
        keep(served, tenant, "ann", "Ann is gone.")
        assert [receive(ws)[1]["changes"]["sequence"] for _ in range(2)] == [3, 3]


def test_only_what_is_new_comes_without_a_place_and_only_what_was_asked_for(served: Served) -> None:
    tenant = new_id()
    keep(served, tenant, "ann", "Old.")
    with socket_of(served, served.key(tenant=tenant)) as ws:
        subscribe(ws, "new", "subscription{changes(operations:[ADD]){sequence operation}}")
        subscribe(ws, "ahead", FOLLOW, after="7")
        assert receive(ws)[2][0]["extensions"] == {"code": "INVALID", "argument": "after"}
        keep(served, tenant, "ann", "New.")
        assert receive(ws)[1]["changes"] == {"sequence": 2, "operation": "ADD"}


def test_a_run_is_followed_to_its_end_by_who_may_see_it(served: Served) -> None:
    tenant = new_id()
    with Client(served.url, served.key(tenant=tenant), subject="ann") as client:
        job = client.add_messages([{"role": "user", "content": "I live in Lyon."}], user="Ann").job
        assert job is not None
    follow = "subscription($id:ID!){run(id:$id){state}}"
    with socket_of(served, served.key("bea", tenant=tenant)) as ws:
        subscribe(ws, "other", follow, id=job.id)
        assert receive(ws)[2][0]["extensions"]["code"] == "NOT_FOUND"
    with socket_of(served, served.key("ann", tenant=tenant)) as ws:
        subscribe(ws, "mine", follow, id=job.id)
        states = []
        while (message := json.loads(ws.recv(10)))["type"] == "next":
            states.append(message["payload"]["data"]["run"]["state"])
    assert message["type"] == "complete"
    assert states[-1] == "DONE"


def test_all_who_follow_a_tenant_are_served_by_one_reader(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant, looks, head = new_id(), [], changes.head
    monkeypatch.setattr(changes, "head", lambda *given: looks.append(1) or head(*given))
    with socket_of(served, served.key(tenant=tenant)) as ws:
        for each in range(10):
            subscribe(ws, str(each), FOLLOW)
        began = time.monotonic()
        time.sleep(1.2)
        keep(served, tenant, "ann", "Seen by all.")
        assert sorted(receive(ws)[0] for _ in range(10)) == [str(each) for each in range(10)]
        # One each for who begins, which those share who begin together.
        assert len(looks) <= (time.monotonic() - began) / 0.5 + 13


def test_a_key_holds_so_many_subscriptions_and_gets_its_places_back(served: Served) -> None:
    key = served.key()
    with socket_of(served, key) as ws:
        for each in range(20):
            subscribe(ws, str(each), FOLLOW)
        time.sleep(0.5)
        with (
            pytest.raises(errors.Overloaded, match="20 subscriptions"),
            Client(served.url, key, retries=0) as full,
        ):
            next(full.changes(follow=True))
    with socket_of(served, key) as ws:
        subscribe(ws, "again", FOLLOW, after="x")
        assert receive(ws)[2][0]["extensions"]["code"] == "INVALID"


def test_a_key_is_needed_to_connect_and_all_along(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConnectionClosed) as refused, socket_of(served, "gm_wrong"):
        pass
    assert refused.value.rcvd is not None
    assert refused.value.rcvd.code == 4403
    tenant = new_id()
    with Client(served.url, served.key(tenant=tenant)) as client:
        following = client.changes(follow=True)
        keep(served, tenant, "ann", "Before.")
        assert next(following).sequence == 1

        def revoked(*_: Any) -> None:
            raise errors.Unauthenticated

        monkeypatch.setattr(Keyring, "resolve", revoked)
        keep(served, tenant, "ann", "After.")
        with pytest.raises(errors.Unauthenticated):
            next(following)


def test_each_kind_of_operation_is_told_where_it_belongs(served: Served) -> None:
    key = served.key()
    headers = {"Authorization": f"Bearer {key}"}
    with httpx2.Client(base_url=served.url, headers=headers) as http:
        plain = http.post("/graphql", json={"query": FOLLOW}).json()
        streamed = http.post(
            "/graphql", json={"query": "{version}"}, headers={"Accept": "text/event-stream"}
        ).text
    assert "text/event-stream" in plain["errors"][0]["message"]
    assert "for subscriptions" in streamed
    assert '"version"' not in streamed
    with socket_of(served, key) as ws:
        subscribe(ws, "query", "{version}")
        assert "for subscriptions" in receive(ws)[2][0]["message"]


def test_who_accepts_both_is_answered_in_json_but_for_subscriptions(served: Served) -> None:
    tenant = new_id()
    keep(served, tenant, "ann", "One.")
    both = "application/graphql-response+json, application/json, text/event-stream, multipart/mixed"
    headers = {"Authorization": f"Bearer {served.key(tenant=tenant)}", "Accept": both}
    with httpx2.Client(base_url=served.url, headers=headers) as http:
        assert "version" in http.post("/graphql", json={"query": "{version}"}).json()["data"]
        assert (
            http.post("/graphql", json={"query": "{"}).json()["errors"][0]["extensions"]["code"] == "SYNTAX"
        )
        asked = {"query": f"query q {{version}} {FOLLOW.replace('(', ' s(', 1)}", "variables": {"after": "0"}}
        assert "version" in http.post("/graphql", json={**asked, "operationName": "q"}).json()["data"]
        with http.stream("POST", "/graphql", json={**asked, "operationName": "s"}) as stream:
            assert any('"sequence":1' in line for line in stream.iter_lines())


def test_a_document_may_be_named_by_its_hash_on_every_way(served: Served) -> None:
    tenant = new_id()
    keep(served, tenant, "ann", "One.")
    key = served.key(tenant=tenant)
    query = f'subscription {{ changes(after: "0") {{ sequence }} }} # {tenant}'
    named = {"persistedQuery": {"version": 1, "sha256Hash": sha256(query.encode()).hexdigest()}}
    with httpx2.Client(base_url=served.url, headers={"Authorization": f"Bearer {key}"}) as http:
        for accepted in ("application/json", "text/event-stream"):
            answer = http.post("/graphql", json={"extensions": named}, headers={"Accept": accepted})
            assert answer.status_code == 200
            [error] = answer.json()["errors"]
            assert (error["message"], error["extensions"]["code"]) == (
                "PersistedQueryNotFound",
                "PERSISTED_QUERY_NOT_FOUND",
            )
        with socket_of(served, key) as ws:
            payloads = [{"extensions": named}, {"query": query, "extensions": named}, {"extensions": named}]
            for place, payload in enumerate(payloads):
                ws.send(json.dumps({"type": "subscribe", "id": str(place), "payload": payload}))
            assert receive(ws)[2][0]["extensions"]["code"] == "PERSISTED_QUERY_NOT_FOUND"
            assert {receive(ws)[0] for _ in range(2)} == {"1", "2"}
        headers = {"Accept": "text/event-stream"}
        with http.stream("POST", "/graphql", json={"extensions": named}, headers=headers) as stream:
            assert any('"sequence":1' in line for line in stream.iter_lines())


def test_the_protocol_that_was_before_is_not_spoken(served: Served) -> None:
    legacy: Any = "graphql-ws"
    with connect(address(served), subprotocols=[legacy]) as ws, pytest.raises(ConnectionClosed) as closed:
        ws.recv(10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4406


def test_a_page_of_another_origin_may_not_connect(served: Served) -> None:
    with pytest.raises(Exception, match="403"):
        connect(address(served), subprotocols=["graphql-transport-ws"], origin="https://evil.example")  # type: ignore[arg-type,list-item]


def test_a_server_that_stops_waits_for_nobody_who_follows(stack: Settings, served: Served) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    host, port = listener.getsockname()
    app = create(stack)
    stopping = server(app, stack.api, host, port)
    thread = Thread(target=stopping.run, args=([listener],), daemon=True)
    thread.start()
    while not stopping.started:
        time.sleep(0.05)
    there = Served(f"http://{host}:{port}", served.service)
    tenant = new_id()
    keep(served, tenant, "ann", "One.")
    key = served.key(tenant=tenant)
    with Client(there.url, key, retries=0) as client, socket_of(there, key) as ws:
        following = client.changes(follow=True)
        assert next(following).sequence == 1
        subscribe(ws, "all", FOLLOW)
        time.sleep(0.2)
        stopping.should_exit = True
        with pytest.raises(ConnectionClosed) as closed:
            ws.recv(10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        thread.join(10)
        assert not thread.is_alive()
    listener.close()


def test_a_document_that_is_not_trusted_is_refused_with_its_reason(stack: Settings, served: Served) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    host, port = listener.getsockname()
    enforcing = stack.model_copy(update={"api": stack.api.model_copy(update={"trusted": "enforce"})})
    serving = server(create(enforcing), enforcing.api, host, port)
    thread = Thread(target=serving.run, args=([listener],), daemon=True)
    thread.start()
    while not serving.started:
        time.sleep(0.05)
    assert refusals(Served(f"http://{host}:{port}", served.service), FOLLOW) == ["UNTRUSTED_DOCUMENT"] * 2
    serving.should_exit = True
    thread.join(10)
    listener.close()


@pytest.mark.parametrize(
    "document",
    [
        f"subscription {{ changes {{ {' '.join(f'a{each}: sequence' for each in range(40))} }} }}",
        f"{FOLLOW} # {'x' * 65_536}",
    ],
    ids=["aliases", "length"],
)
def test_a_document_beyond_a_limit_is_refused_with_its_reason(served: Served, document: str) -> None:
    assert refusals(served, document) == ["TOO_COMPLEX"] * 2


def refusals(served: Served, document: str) -> list[str]:
    """With which code a subscription is refused over a websocket and over server-sent events."""
    with socket_of(served, served.key()) as ws:
        subscribe(ws, "mine", document)
        told = json.loads(ws.recv(10))
    assert (told["type"], told["id"]) == ("error", "mine")
    headers = {"Authorization": f"Bearer {served.key()}", "Accept": "text/event-stream"}
    streamed = httpx2.post(f"{served.url}/graphql", json={"query": document}, headers=headers).text
    data = [line for line in streamed.splitlines() if line.startswith("data: {")]
    assert "event: complete" in streamed
    answers = [told["payload"], *(json.loads(line.removeprefix("data: "))["errors"] for line in data)]
    return [error["extensions"]["code"] for errors in answers for error in errors]


def keep(served: Served, tenant: str, subject: str, *texts: str) -> None:
    add(served.service, Call(Scope(tenant, subject), "test"), [Fact(text) for text in texts])


def address(served: Served) -> str:
    return f"{served.url.replace('http', 'ws')}/graphql"


@contextmanager
def socket_of(served: Served, key: str) -> Iterator[ClientConnection]:
    """A websocket that has been let in."""
    with connect(address(served), subprotocols=["graphql-transport-ws"]) as ws:  # type: ignore[list-item]
        ws.send(json.dumps({"type": "connection_init", "payload": {"Authorization": f"Bearer {key}"}}))
        assert json.loads(ws.recv(10))["type"] == "connection_ack"
        yield ws


def subscribe(ws: ClientConnection, id: str, query: str, /, **variables: Any) -> None:
    ws.send(json.dumps({"type": "subscribe", "id": id, "payload": {"query": query, "variables": variables}}))


def receive(ws: ClientConnection) -> tuple[str, Any, Any]:
    """Whose next message it is, its data and its errors; completions are passed over."""
    while (message := json.loads(ws.recv(10)))["type"] == "complete":
        pass
    payload = message["payload"]
    if message["type"] == "error":
        return message["id"], None, payload
    return message["id"], payload["data"], payload.get("errors")

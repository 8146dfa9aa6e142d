"""The real service over raw sockets: who asks is looked at before what is asked."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from threading import Thread

import neo4j
import pytest

from graph_memory.api.app import create
from graph_memory.api.serving import server
from graph_memory.base.ids import new_id
from graph_memory.settings import Settings
from graph_memory.store import api_keys

pytestmark = pytest.mark.stack

Address = tuple[str, int]


@pytest.fixture(scope="module")
def served(stack: Settings, driver: neo4j.Driver) -> Iterator[tuple[Address, str]]:
    """Where the service answers, and a key; `driver` has brought the store to this version."""
    app = create(stack)
    limits = stack.api.model_copy(update={"header_timeout": 2, "body_timeout": 2})
    listener = socket.create_server(("127.0.0.1", 0))
    running = server(app, limits, *listener.getsockname())
    thread = Thread(target=running.run, args=([listener],), daemon=True)
    thread.start()
    while not running.started:
        assert thread.is_alive()
        time.sleep(0.05)
    yield listener.getsockname(), api_keys.create(app.state.open.service, f"api-{new_id()}")[1]
    running.should_exit = True
    thread.join(20)
    listener.close()


@pytest.mark.parametrize("presented", ["", "Authorization: Bearer gm_aaaaaaaa_" + "A" * 43 + "\r\n"])
def test_without_a_right_key_the_body_is_not_waited_for(served: tuple[Address, str], presented: str) -> None:
    told = _answer(served[0], _head(presented, 9_000_000).encode())
    assert told.startswith(b"HTTP/1.1 401")
    assert b'"UNAUTHENTICATED"' in told


def test_a_client_that_asks_first_is_told_to_send_its_body_only_with_a_key(
    served: tuple[Address, str],
) -> None:
    address, key = served
    ask = "Expect: 100-continue\r\n"
    assert _answer(address, _head(ask, 20).encode(), 100).startswith(b"HTTP/1.1 401")
    presented = f"Authorization: Bearer {key}\r\n{ask}"
    assert _answer(address, _head(presented, 20).encode(), 100).startswith(b"HTTP/1.1 100")


def test_a_body_that_is_too_large_is_refused_by_what_it_announces(served: tuple[Address, str]) -> None:
    presented = f"Authorization: Bearer {served[1]}\r\n"
    assert _answer(served[0], _head(presented, 10_000_001).encode()).startswith(b"HTTP/1.1 413")


def test_a_body_that_does_not_end_is_told_so(served: tuple[Address, str]) -> None:
    presented = f"Authorization: Bearer {served[1]}\r\n"
    assert _answer(served[0], _head(presented, 100).encode() + b"{").startswith(b"HTTP/1.1 408")


def test_a_right_key_and_a_whole_body_are_answered(served: tuple[Address, str]) -> None:
    body = json.dumps({"query": "{version}"}).encode()
    head = _head(f"Authorization: Bearer {served[1]}\r\nConnection: close\r\n", len(body))
    assert b'"version"' in _answer(served[0], head.encode() + body)


def _head(more: str, length: int) -> str:
    fixed = "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    return f"{fixed}{more}Content-Length: {length}\r\n\r\n"


def _answer(address: Address, sent: bytes, most: int = 1_000_000) -> bytes:
    told = b""
    with socket.create_connection(address, timeout=20) as client:
        client.sendall(sent)
        while len(told) < most and (part := client.recv(most)):
            told += part
    return told

"""Connections of clients that are slow, silent or sly, over raw sockets to a real server."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from threading import Thread

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from graph_memory.api.requests import RequestLog
from graph_memory.api.serving import AT_ONCE, server
from graph_memory.base.settings import ApiSettings

GET = b"GET /ok HTTP/1.1\r\nHost: x\r\n\r\n"
HALF_OPEN = {
    "nothing": b"",
    "half a line": b"POST /echo HT",
    "half of the headers": b"POST /echo HTTP/1.1\r\nHost: x\r\nX-A: b\r\n",
    "a body that is announced": b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
    "half of a body": b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
    "chunks without end": b"POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    "a body that nobody reads": b"POST /ok HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
    "an answered request": GET,
    "an answered request and half of one": GET + b"GET /ok",
    "a websocket that says nothing": b"GET /ok HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
}
LARGE = 50_000_000


def limited(max_connections: int, **seconds: float) -> ApiSettings:
    return ApiSettings(max_connections=max_connections).model_copy(update=seconds)


SHORT = limited(max_connections=50, header_timeout=0.3, body_timeout=0.3, idle_timeout=0.3)


@pytest.mark.parametrize("sent", HALF_OPEN.values(), ids=HALF_OPEN)
def test_whoever_owes_something_is_waited_for_so_long_and_no_longer(sent: bytes) -> None:
    with serving(SHORT) as (connect, live):
        client = connect()
        client.sendall(sent)
        answered(client)
        assert eventually(lambda: live() == 0)


def test_an_answer_that_nobody_reads_is_thrown_away() -> None:
    with serving(SHORT) as (connect, live):
        client = connect()
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.1)
        assert eventually(lambda: live() == 0)
        assert len(answered(client)) < LARGE


@pytest.mark.parametrize(
    "rest", [b"x", b"GET /ok HTTP/1.1\r\n", b"POST /echo HTTP/1.1\r\nContent-Length: 9999\r\n\r\n"]
)
def test_a_drop_now_and_then_does_not_put_the_end_off(rest: bytes) -> None:
    with serving(SHORT) as (connect, live):
        drip = connect()
        drip.sendall(rest)
        dropping = Thread(target=_drop, args=(drip,), daemon=True)
        dropping.start()
        dropping.join(20)
        assert not dropping.is_alive()
        assert eventually(lambda: live() == 0)


def test_a_late_request_is_told_that_it_is_late() -> None:
    with serving(SHORT) as (connect, _):
        late = connect()
        late.sendall(HALF_OPEN["half of a body"])
        assert answered(late).startswith(b"HTTP/1.1 408")


def test_900_half_open_connections_leave_room_for_a_good_client_and_are_closed_in_time() -> None:
    limits = limited(max_connections=100, header_timeout=1, body_timeout=1, idle_timeout=1)
    with serving(limits) as (connect, live):
        shapes = [HALF_OPEN["nothing"], HALF_OPEN["half a line"], HALF_OPEN["a body that nobody reads"]]
        for number in range(900):
            connect().sendall(shapes[number % 3])
            assert live() <= limits.max_connections + AT_ONCE
            if number % 100 == 99:
                good = connect()
                good.sendall(GET)
                assert reply(good).endswith(b"ok")
        assert eventually(lambda: live() == 0)


def test_when_all_are_busy_the_next_is_told_to_come_later() -> None:
    limits = limited(max_connections=3, header_timeout=5, body_timeout=5)
    with serving(limits) as (connect, live):
        for _ in range(3):
            connect().sendall(HALF_OPEN["half of a body"])
        assert eventually(lambda: live() == 3)
        late = connect()
        late.sendall(GET)
        assert reply(late).startswith(b"HTTP/1.1 503")


def test_a_connection_serves_one_request_after_another() -> None:
    with serving(SHORT) as (connect, _):
        kept = connect()
        for _ in range(3):
            kept.sendall(GET)
            assert reply(kept).endswith(b"ok")
            time.sleep(0.1)
        kept.sendall(GET + GET)
        assert answered(kept).count(b"200 OK") == 2


def test_a_slow_answer_is_waited_for_by_the_client_as_long_as_it_takes() -> None:
    with serving(SHORT) as (connect, _):
        client = connect()
        client.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        assert reply(client).endswith(b"late")


TWO_ENDS = (
    b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
)


def test_two_ways_to_tell_where_a_body_ends_are_refused() -> None:
    with serving(SHORT) as (connect, _):
        sly = connect()
        sly.sendall(TWO_ENDS + GET)
        told = answered(sly)
    assert told.startswith(b"HTTP/1.1 400")
    assert b"200 OK" not in told


@contextmanager
def serving(limits: ApiSettings) -> Iterator[tuple[Callable[[], socket.socket], Callable[[], int]]]:
    """How to connect to a server with these limits, and how many connections it has."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=2000)
    address = listener.getsockname()
    served = server(app(), limits, *address)
    thread = Thread(target=served.run, args=([listener],), daemon=True)
    thread.start()
    assert eventually(lambda: served.started)
    with ExitStack() as stack:

        def connect() -> socket.socket:
            return stack.enter_context(closing(socket.create_connection(address, timeout=10)))

        yield connect, lambda: len(served.server_state.connections)
        served.should_exit = True
        served.force_exit = True
    thread.join(10)
    listener.close()


def app() -> RequestLog:
    """Reads what it is sent, or does not, or answers a lot, or late."""

    async def ok(_: Request) -> Response:
        return PlainTextResponse("ok")

    async def echo(request: Request) -> Response:
        return PlainTextResponse(await request.body())

    async def large(_: Request) -> Response:
        return PlainTextResponse(b"x" * LARGE)

    async def slow(_: Request) -> Response:
        await asyncio.sleep(0.8)
        return PlainTextResponse("late")

    paths = {"/ok": ok, "/echo": echo, "/large": large, "/slow": slow}
    routes = [Route(path, endpoint, methods=["GET", "POST"]) for path, endpoint in paths.items()]
    return RequestLog(Starlette(routes=routes), frozenset(paths))


def eventually(is_so: Callable[[], bool]) -> bool:
    """Whether it is so within a time that is far more than enough."""
    end = time.monotonic() + 20
    while not is_so() and time.monotonic() < end:
        time.sleep(0.01)
    return is_so()


def reply(client: socket.socket) -> bytes:
    """One answer with a short body."""
    told = client.recv(1000)
    return told if told.endswith((b"ok", b"late")) else told + client.recv(1000)


def answered(client: socket.socket) -> bytes:
    """All that comes until the server closes."""
    told = b""
    try:
        while part := client.recv(100_000):
            told += part
    except ConnectionResetError:
        pass
    return told


def _drop(client: socket.socket) -> None:
    try:
        while True:
            client.sendall(b"a")
            time.sleep(0.05)
    except OSError:
        pass

"""One client's connection: how long it may take to say what it wants, and which connection gives way when too many wait.

uvicorn bounds none of this: a connection that sends nothing, or a head or body without end, stays open for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from enum import Enum
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from graph_memory.base.settings import ApiSettings

# Bytes of a request's first line and headers at most.
MOST_HEAD = 16_384
_TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


def bounded(limits: ApiSettings) -> type[Connection]:
    """The protocol of one server, with its limits."""
    return type("Connection", (Connection,), {"limits": limits, "waiting": {}})


class Owed(Enum):
    """What the server waits for from a client."""

    ANOTHER = "another request, if it wants one"
    HEAD = "the first line and headers of a request"
    BODY = "the body of a request"
    REST = "the body of a request that is answered already"
    READING = "that it reads its answer"


class Connection(H11Protocol):
    """HTTP/1.1 with a time limit for whatever the client owes. What becomes a websocket is another's from then on."""

    limits: ApiSettings
    # Those that nobody here works for, the one that has waited longest first.
    waiting: dict[Connection, None]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.conn = _Framing(h11.SERVER, MOST_HEAD)
        self._owed: tuple[Owed | None, object] = (None, None)
        self._deadline: asyncio.TimerHandle | None = None
        self._is_write_paused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._follow()
        longest = next(iter(self.waiting))
        if len(self.connections) > self.limits.max_connections and longest is not self:
            longest.end()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._follow()

    def timeout_keep_alive_handler(self) -> None:
        self.end()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._is_write_paused = True
        self._follow()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._is_write_paused = False
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_write_paused = False
        self._cancel()
        self.waiting.pop(self, None)
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def end(self) -> None:
        """Closes the connection, whatever its client still owes or has not read."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self._has_begun_and_has_no_answer():
            self.transport.write(_TOO_LATE)
        self._cancel()
        self.waiting.pop(self, None)
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def shutdown(self) -> None:
        """A stream never ends by itself; its client goes on elsewhere from the last that it saw."""
        super().shutdown()
        if self.cycle is not None and self.cycle.scope["state"].get("is_stream"):
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self.transport.close()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._cancel()
        self.waiting.pop(self, None)
        super().handle_websocket_upgrade(event)

    def _should_upgrade(self) -> bool:
        return len(self.connections) <= self.limits.max_connections and super()._should_upgrade()

    def _follow(self) -> None:
        """Keeps one deadline: for what the client owes now, from the moment at which it began to owe it."""
        if self.transport.get_protocol() not in (None, self):
            return
        owed = (self._what_is_owed(), self.cycle)
        if owed == self._owed:
            return
        self._owed = owed
        self._cancel()
        self.waiting.pop(self, None)
        if owed[0] in (Owed.ANOTHER, Owed.HEAD, Owed.REST):
            self.waiting[self] = None
        if owed[0] is not None:
            self._deadline = self.loop.call_later(_seconds(self.limits, owed[0]), self.end)

    def _what_is_owed(self) -> Owed | None:
        if self._is_write_paused or (self.transport.is_closing() and self.transport.get_write_buffer_size()):
            return Owed.READING
        if self.transport.is_closing():
            return None
        if self.conn.their_state is h11.SEND_BODY:
            return Owed.REST if self.cycle.response_complete else Owed.BODY
        if self.conn.their_state is h11.IDLE:
            return Owed.HEAD if self.timeout_keep_alive_task is None else Owed.ANOTHER
        return None

    def _has_begun_and_has_no_answer(self) -> bool:
        match self._owed[0]:
            case Owed.HEAD:
                return bool(self.conn.trailing_data[0])
            case Owed.BODY:
                return not self.cycle.response_started
        return False

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _seconds(limits: ApiSettings, owed: Owed) -> float:
    match owed:
        case Owed.ANOTHER:
            return limits.idle_timeout
        case Owed.HEAD | Owed.REST:
            return limits.header_timeout
    return limits.body_timeout


class _Framing(h11.Connection):
    """Refuses a request whose end two readers would see in two places."""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request) and {b"content-length", b"transfer-encoding"} <= _names(
            event.headers
        ):
            raise h11.RemoteProtocolError("Content-Length together with Transfer-Encoding", 400)
        return event


def _names(headers: Iterable[tuple[bytes, bytes]]) -> set[bytes]:
    return {name.lower() for name, _ in headers}

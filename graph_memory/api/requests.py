"""One line in the log for each request, and an id that its answer carries: never a variable, never a text."""

from __future__ import annotations

import logging
import time
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graph_memory.base.ids import new_id

log = logging.getLogger(__name__)

_HEADER = b"x-request-id"
# What the log says of a client that was gone, or too slow, before its body was here.
_GONE = 499
_LONGEST_NAME = 100


class RequestLog:
    """Middleware: gives every request its id, and logs it when it ends."""

    def __init__(self, app: ASGIApp, paths: frozenset[str]) -> None:
        self._app = app
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        state: dict[str, Any] = scope.setdefault("state", {})
        state["request_id"] = new_id()
        status, started = 500, time.monotonic()

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (_HEADER, state["request_id"].encode())]
            elif message["type"] == "websocket.accept":
                status = 101
                message["headers"] = [*message.get("headers", ()), (_HEADER, state["request_id"].encode())]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except ClientDisconnect:
            status = _GONE
        finally:
            self._tell(scope, state, status, time.monotonic() - started)

    def _tell(self, scope: Scope, state: dict[str, Any], status: int, seconds: float) -> None:
        context = state.get("context")
        path = scope["path"] if scope["path"] in self._paths else "other"
        told = {
            "request_id": state["request_id"],
            "path": path,
            "status": status,
            "ms": round(seconds * 1000, 1),
        }
        if context is not None:
            name = context.operation and context.operation[:_LONGEST_NAME]
            told |= {"operation": name, "cost": context.cost, "codes": context.codes or None}
            told |= {"actor": context.identity.actor if context.identity else None}
        log.info("request", extra=told)

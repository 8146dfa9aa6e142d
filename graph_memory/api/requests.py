"""One line in the log for each request, and an id that its answer carries: never a variable, never a text."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from graph_memory.api.context import Context
from graph_memory.base import tracing
from graph_memory.base.ids import new_id

log = logging.getLogger(__name__)

_HEADER = b"x-request-id"
_TRACE = tracing.PARENT.encode()
_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
# What the log says of a client that was gone, or too slow, before its body was here.
_GONE = 499
_FAULTY, _REFUSED, _FAILED = 400, 403, 500
_LONGEST_NAME = 100


class RequestLog:
    """Middleware: gives every request its id, and logs it when it ends."""

    def __init__(
        self,
        app: ASGIApp,
        paths: frozenset[str],
        observe: Callable[[str, str, float], None] = lambda *_: None,
    ) -> None:
        self._app = app
        self._paths = paths
        self._observe = observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        state: dict[str, Any] = scope.setdefault("state", {})
        state["request_id"] = request_id = _given(scope) or new_id()
        status, started = _FAILED, time.monotonic()

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (_HEADER, request_id.encode())]
            elif message["type"] == "websocket.close" and status == _FAILED:
                status = _REFUSED
            elif message["type"] == "websocket.accept":
                status = 101
                message["headers"] = [*message.get("headers", ()), (_HEADER, request_id.encode())]
            await send(message)

        try:
            # Whatever is logged on the way tells whose request it was for.
            with (
                bound_contextvars(request_id=request_id),
                tracing.span(
                    "request",
                    "SERVER",
                    _header(scope, _TRACE) or None,
                    http__request__method=scope.get("method"),
                ) as made,
            ):
                await self._app(scope, receive, sending)
                self._trace(made, scope, state, status)
        except ClientDisconnect:
            status = _GONE
        finally:
            self._tell(scope, state, status, time.monotonic() - started)

    def _trace(self, made: Any, scope: Scope, state: dict[str, Any], status: int) -> None:
        """Names the span of a request by what was asked for."""
        context: Context | None = state.get("context")
        path = scope["path"] if scope["path"] in self._paths else "other"
        asked = (context and context.root_field) or path
        told = {
            "http.route": path,
            "http.response.status_code": status,
            "graph_memory.request_id": state["request_id"],
            "graph_memory.code": context.codes[0] if context is not None and context.codes else None,
            "graph_memory.cost": context.cost if context is not None else None,
        }
        tracing.tell(made, told, f"{scope.get('method', scope['type'])} {asked}")

    def _tell(self, scope: Scope, state: dict[str, Any], status: int, seconds: float) -> None:
        context: Context | None = state.get("context")
        path = scope["path"] if scope["path"] in self._paths else "other"
        if context is None or not context.is_stream:
            asked = (context and context.root_field) or path
            told_as = context.codes[0] if context is not None and context.codes else None
            self._observe(asked, told_as or ("ok" if status < _FAULTY else str(status)), seconds)
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


def _given(scope: Scope) -> str | None:
    """The id that a proxy or a client has given to the request, where it is one that a log can hold."""
    found = _header(scope, _HEADER)
    return found if _ID.fullmatch(found) else None


def _header(scope: Scope, wanted: bytes) -> str:
    return next((value for name, value in scope["headers"] if name == wanted), b"").decode("latin-1")

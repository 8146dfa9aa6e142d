"""/mcp: the tools for agents over HTTP. Whose memories they reach and what they may do follows from the key.

A tool asks this very application, by its client and with the caller's key: what holds for GraphQL holds for it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx2
from mcp.server.mcpserver import Context
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from graph_memory.agent_tools.agent_profile import Profile
from graph_memory.agent_tools.server import make_server
from graph_memory.api.context import Open
from graph_memory.base.errors import GraphMemoryError, Unauthenticated
from graph_memory.base.settings import ApiSettings
from graph_memory.client import AsyncClient
from graph_memory.settings import Settings
from graph_memory.store.api_keys import Right

PATH = "/mcp"

_UNAUTHENTICATED, _FORBIDDEN, _UNAVAILABLE = 401, 403, 503
# The client asks in this process: no name is looked up.
_HERE = "http://localhost"
# A page that was rebound to our address has no key, and without one nothing is answered; so any host name will do.
_SECURITY = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class AgentTools:
    """An endpoint that keeps nothing between two requests, so that any process may answer the next one."""

    def __init__(self, settings: Settings) -> None:
        self._origins = settings[ApiSettings].origins
        self._transport: httpx2.ASGITransport | None = None
        self._apps: dict[Profile, Starlette] = {}
        self._max_body = settings[ApiSettings].max_body

    @asynccontextmanager
    async def running(self, app: Starlette) -> AsyncIterator[None]:
        """Ready while this is open; its tools ask this application."""
        self._transport = httpx2.ASGITransport(app)
        async with AsyncExitStack() as stack:
            for profile in Profile:
                server = make_server(self._client, profile)
                self._apps[profile] = server.streamable_http_app(
                    streamable_http_path=PATH,
                    json_response=True,
                    stateless_http=True,
                    max_request_body_size=self._max_body,
                    transport_security=_SECURITY,
                )
                await stack.enter_async_context(server.session_manager.run())
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        if request.method != "POST":
            # There is no stream to read and no session to end.
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        origin = request.headers.get("origin")
        if origin is not None and origin not in self._origins:
            await _refusal(_FORBIDDEN, "FORBIDDEN", "This origin may not call.")(scope, receive, send)
            return
        opened: Open = request.app.state.open
        try:
            identity = await opened.crossing.call(opened.keyring.resolve, _key(request))
        except GraphMemoryError as error:
            status = _UNAUTHENTICATED if isinstance(error, Unauthenticated) else _UNAVAILABLE
            await _refusal(status, error.code, error.message)(scope, receive, send)
            return
        profile = Profile.FULL if Right.WRITE in identity.rights else Profile.READ_ONLY
        await self._apps[profile](scope, receive, send)

    def _client(self, context: Context[Any, Any]) -> AsyncClient:
        request: Request = context.request_context.request  # type: ignore[assignment]
        return AsyncClient(_HERE, _key(request) or "", retries=1, transport=self._transport)


def _key(request: Request) -> str | None:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else None


def _refusal(status: int, code: str, message: str) -> JSONResponse:
    headers = {"WWW-Authenticate": "Bearer"} if status == _UNAUTHENTICATED else {}
    return JSONResponse({"error": {"code": code, "message": message}}, status, headers)

"""What Neo4j Browser loads from here: the style, the guide and the saved queries. They are the same for everybody."""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from graph_memory.api.query_page import refused_as_json
from graph_memory.store.browser_files import GUIDE, SAVED, STYLE, guide, packed, saved, style

BELOW = "/browser/"
# So much of an origin's name is repeated to whoever sent it.
_SHOWN = 100


async def _guide(request: Request) -> HTMLResponse:
    return HTMLResponse(guide(str(request.base_url.replace(path=BELOW))))


async def _style(_: Request) -> PlainTextResponse:
    return PlainTextResponse(style())


async def _packed(_: Request) -> Response:
    named = {"Content-Disposition": f'attachment; filename="{SAVED}"'}
    return Response(packed(), media_type="application/zip", headers=named)


async def _saved(_: Request) -> JSONResponse:
    rows = [{"name": each.name, "title": each.title, "cypher": each.text} for each in saved()]
    return JSONResponse({"queries": rows})


ROUTES = (
    Route(f"{BELOW}{GUIDE}", _guide, methods=["GET"]),
    Route(f"{BELOW}{STYLE}", _style, methods=["GET"]),
    Route(f"{BELOW}{SAVED}", _packed, methods=["GET"]),
    Route(f"{BELOW}saved", _saved, methods=["GET"]),
)


class CrossOrigin:
    """Which pages of other origins may call: any may read what is below /browser/, those of the settings the rest."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...]) -> None:
        self._open = CORSMiddleware(
            app, allow_origins=["*"], allow_methods=["GET"], allow_headers=["Cache-Control", "Pragma"]
        )
        self._rest = _named(app, origins) if origins else app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_open = scope["type"] == "http" and scope["path"].startswith(BELOW)
        answers = self._open if is_open else self._refusal(scope) or self._rest
        await answers(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """What a browser is told, and shows among its requests, when it asks whether a page may call that may not."""
        if scope["type"] != "http" or scope["method"] != "OPTIONS":
            return None
        origin = Headers(scope=scope).get("origin")
        if origin is None or {origin, "*"} & set(self._origins):
            return None
        told = f"Pages of {origin[:_SHOWN]!r} are not let in; GRAPH_MEMORY_API_ORIGINS names those that are."
        return refused_as_json(HTTPStatus.FORBIDDEN, told)


def _named(app: ASGIApp, origins: tuple[str, ...]) -> CORSMiddleware:
    return CORSMiddleware(
        app,
        allow_origins=list(origins),
        allow_methods=["POST"],
        allow_headers=["Authorization", "Content-Type"],
        expose_headers=["X-Request-Id"],
    )

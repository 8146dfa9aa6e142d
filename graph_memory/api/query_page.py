"""GET /graphql: GraphiQL where a setting allows it, the schema as text, and what to do instead where it does not.

Its files are in this package, packed as they travel, so that the page works without a network.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from graph_memory.api.schema import sdl
from graph_memory.base.settings import ApiSettings

_FILES = files("graph_memory.api") / "graphiql"
_KINDS = {
    "graphiql.min.css": "text/css",
    "graphiql.min.js": "text/javascript",
    "page.css": "text/css",
    "page.js": "text/javascript",
    "react-dom.production.min.js": "text/javascript",
    "react.production.min.js": "text/javascript",
}
# GraphiQL writes styles into the page, and its fonts stand in its style sheet.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src data:; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_NOT_FOUND, _NOT_ALLOWED = 404, 405
_BY_POST = 'Operations are sent by POST, as JSON: {"query": "{ viewer { tenant } }"}, with the key as `Authorization: Bearer`.'
_DAY = "public, max-age=86400"


class QueryPage:
    """What GET answers at and below /graphql."""

    def __init__(self, settings: ApiSettings) -> None:
        self._is_shown = bool(settings.graphiql) and settings.introspection
        self._tells_schema = settings.introspection

    async def page(self, request: Request) -> Response:
        """GraphiQL for a browser; whoever else asks learns how operations are sent."""
        if self._is_shown and "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(_file("page.html"), headers={"Content-Security-Policy": _POLICY})
        shown = " GRAPH_MEMORY_API_GRAPHIQL=true shows a page here to ask from." if not self._is_shown else ""
        return refused_as_json(_NOT_ALLOWED, _BY_POST + shown, {"Allow": "POST"})

    async def asset(self, request: Request) -> Response:
        """A file of the page."""
        name = request.path_params["name"]
        if not self._is_shown or name not in _KINDS:
            raise HTTPException(_NOT_FOUND)
        headers = {"Content-Type": _KINDS[name], "Cache-Control": _DAY, "X-Content-Type-Options": "nosniff"}
        packed = _packed(name)
        if packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(
                packed, headers={**headers, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            )
        return Response(_file(name) if packed is None else gzip.decompress(packed), headers=headers)

    async def schema(self, _: Request) -> Response:
        """The schema as SDL."""
        if not self._tells_schema:
            raise HTTPException(_NOT_FOUND)
        return PlainTextResponse(_sdl())


async def told_as_json(_: Request, refusal: Exception) -> Response:
    """Answers a request for a path or a method that is not served with an error in the usual JSON."""
    assert isinstance(refusal, HTTPException)
    told = {
        _NOT_FOUND: "Nothing is served at this path; / lists what is.",
        _NOT_ALLOWED: "This path is not served for this method; / lists what is.",
    }
    return refused_as_json(
        refusal.status_code, told.get(refusal.status_code, refusal.detail), refusal.headers
    )


def refused_as_json(status: int, told: str, headers: Mapping[str, str] | None = None) -> Response:
    """A refusal that no operation was carried out for, in the form that every error has."""
    return JSONResponse({"errors": [{"message": told, "extensions": {"code": "INVALID"}}]}, status, headers)


@cache
def _sdl() -> str:
    return sdl()


@cache
def _file(name: str) -> bytes:
    return (_FILES / name).read_bytes()


@cache
def _packed(name: str) -> bytes | None:
    path = _FILES / f"{name}.gz"
    return path.read_bytes() if path.is_file() else None

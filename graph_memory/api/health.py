"""Whether the process lives, and whether it can serve: each part by name."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from kombu.connection import Connection
from starlette.requests import Request
from starlette.responses import JSONResponse

from graph_memory import __version__
from graph_memory.api.context import Open
from graph_memory.base.errors import GraphMemoryError, MigrationFault, Unavailable
from graph_memory.models.registry import providers_of, standings
from graph_memory.store.addresses import addresses
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.upkeep import migrations

CANARY = query("system/canary")

_SECONDS = 5.0
# Asked by anybody, so the answer is kept for a moment.
_KEPT_SECONDS = 1.0

Parts = dict[str, str]


class Readiness:
    """The state of each part: `ok`, or the code of what is wrong."""

    def __init__(self, open: Open) -> None:
        self._open = open
        self._asked_at = float("-inf")
        self._parts: Parts = {}
        self._lock = asyncio.Lock()

    async def parts(self) -> Parts:
        """Each part's state, at most a second old."""
        async with self._lock:
            if time.monotonic() - self._asked_at > _KEPT_SECONDS:
                states = await asyncio.gather(*(self._state(check) for check in _CHECKS.values()))
                self._parts, self._asked_at = dict(zip(_CHECKS, states, strict=True)), time.monotonic()
            return self._parts

    async def _state(self, check: Callable[[Service], None]) -> str:
        try:
            async with asyncio.timeout(_SECONDS):
                await self._open.crossing.call(check, self._open.service)
        except TimeoutError:
            return Unavailable.code
        except GraphMemoryError as error:
            return error.code
        return "ok"


async def livez(_: Request) -> JSONResponse:
    """The process answers."""
    return JSONResponse({"status": "ok"})


async def readyz(request: Request) -> JSONResponse:
    """Whether requests can be served: 503 when a part cannot do its work."""
    parts = await request.app.state.readiness.parts()
    is_ready = all(state == "ok" for state in parts.values())
    service = request.app.state.open.service
    # A language model that is down keeps nobody from being served: the embedded judge answers.
    models = {each.name: each.state for each in standings(service.settings, providers_of(service))}
    return JSONResponse(
        {"status": "ok" if is_ready else "not ready", "parts": parts, "providers": models},
        200 if is_ready else 503,
    )


async def version(_: Request) -> JSONResponse:
    """What runs here."""
    return JSONResponse({"name": "graph-memory", "version": __version__})


def _database(service: Service) -> None:
    if not service.system(CANARY, now=service.clock()):
        raise MigrationFault


def _migrations(service: Service) -> None:
    migrations.require(service.driver, service.settings)


def _broker(service: Service) -> None:
    url = addresses(service.settings).broker_url
    try:
        with Connection(url, connect_timeout=_SECONDS) as connection:  # type: ignore[no-untyped-call]
            connection.ensure_connection(max_retries=1, timeout=_SECONDS)
    except Exception as error:  # each transport has errors of its own
        raise Unavailable("The broker cannot be reached.") from error


_CHECKS = {"database": _database, "migrations": _migrations, "broker": _broker}

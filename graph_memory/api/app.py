"""The web application: `uvicorn graph_memory.api.app:app`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route, WebSocketRoute

from graph_memory.api import agents, browser
from graph_memory.api.context import Open
from graph_memory.api.crossing import Crossing
from graph_memory.api.feeds import Feeds
from graph_memory.api.health import Readiness, livez, readyz, version
from graph_memory.api.index import index
from graph_memory.api.metrics import Metrics
from graph_memory.api.query_page import QueryPage, told_as_json
from graph_memory.api.requests import RequestLog
from graph_memory.api.view import GraphQLView
from graph_memory.base import logs
from graph_memory.base.clock import Clock, system_clock
from graph_memory.base.settings import ApiSettings
from graph_memory.bootstrap import open_service
from graph_memory.jobs.broker import celery, publisher
from graph_memory.language.parse import begin_loading
from graph_memory.recall.access import counting
from graph_memory.settings import Settings, load
from graph_memory.store.api_keys import Keyring
from graph_memory.upkeep import migrations
from graph_memory.upkeep.passage_vectors import embedding

if TYPE_CHECKING:
    app: Starlette


def create(settings: Settings, clock: Clock = system_clock) -> Starlette:
    """The application. It opens the service when it starts; MigrationFault on a store of another version."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        with (
            open_service(settings, clock) as service,
            counting(service) as accesses,
            embedding(service) as arrivals,
        ):
            migrations.require(service.driver, settings)
            begin_loading()
            publish = publisher(celery(lambda: settings), settings)
            crossing = Crossing(settings[ApiSettings].threads)
            feeds = Feeds(service, crossing)
            app.state.open = Open(service, Keyring(service), crossing, publish, accesses, feeds, arrivals)
            metrics.attach(app.state.open)
            app.state.readiness = Readiness(app.state.open)
            async with tools.running(app):
                yield

    view, metrics = GraphQLView(settings), Metrics(settings[ApiSettings])
    tools, page = agents.AgentTools(settings), QueryPage(settings[ApiSettings])
    routes: list[Route | WebSocketRoute] = [
        Route("/", index, methods=["GET"]),
        Route("/graphql", view, methods=["POST"]),
        WebSocketRoute("/graphql", view),
        Route("/graphql", page.page, methods=["GET"]),
        Route("/graphql/schema", page.schema, methods=["GET"]),
        Route("/graphql/assets/{name}", page.asset, methods=["GET"]),
        Route(agents.PATH, tools),
        Route("/livez", livez, methods=["GET"]),
        Route("/readyz", readyz, methods=["GET"]),
        Route("/version", version, methods=["GET"]),
        Route("/metrics", metrics.page, methods=["GET"]),
        *browser.ROUTES,
    ]
    return Starlette(
        routes=routes,
        middleware=_middleware(settings, metrics, frozenset(route.path for route in routes)),
        exception_handlers={404: told_as_json, 405: told_as_json},
        lifespan=lifespan,
        max_body_size=settings[ApiSettings].max_body,
    )


def _middleware(settings: Settings, metrics: Metrics, paths: frozenset[str]) -> list[Middleware]:
    return [
        Middleware(RequestLog, paths=paths, observe=metrics.observe),
        Middleware(browser.CrossOrigin, origins=settings[ApiSettings].origins),
    ]


def __getattr__(name: str) -> Any:
    """`app` is made when a server asks for it, so that importing this module needs no settings."""
    if name != "app":
        raise AttributeError(name)
    settings = load()
    logs.configure(settings)
    globals()["app"] = create(settings)
    return globals()["app"]

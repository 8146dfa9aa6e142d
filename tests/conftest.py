"""The real servers for tests: started once, on free ports, in a throw-away folder, and always stopped.

With TEST_STACK=named they are the ones that GRAPH_MEMORY_NEO4J_URI and GRAPH_MEMORY_BROKER_URL name.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import hypothesis
import neo4j
import pytest

from graph_memory import error_forms, local
from graph_memory.base.errors import GraphMemoryError
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import compose
from graph_memory.local import database
from graph_memory.local.ports import free_ports
from graph_memory.models.embedders import open_embedder
from graph_memory.settings import PREFIX, Settings, load
from graph_memory.store.protocols import Embedder
from graph_memory.store.service import Service, open_driver
from graph_memory.store.stack_folder import claim
from graph_memory.upkeep.migrations import migrate

# How long one example takes, and making it, depends on who else uses the machine.
hypothesis.settings.register_profile(
    "tests", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("tests")

USE_NAMED = os.environ.get("TEST_STACK") == "named"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--long` also runs the long forms: more rounds of chaos, longer texts, larger stores."""
    parser.addoption("--record-errors", action="store_true", help="keep messages of errors as examples")
    parser.addoption("--long", action="store_true", help="also run the long forms of the tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long forms are left out unless they are asked for."""
    if config.getoption("--long"):
        return
    long = [item for item in items if item.get_closest_marker("long_form")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("long_form")]


@pytest.fixture(scope="session", autouse=True)
def own_environment() -> None:
    """What the developer's shell says about a store must not reach the tests, nor keys of language models."""
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        os.environ.pop(name, None)
    if not USE_NAMED:
        for name in [name for name in os.environ if name.startswith(PREFIX)]:
            del os.environ[name]


@pytest.fixture(scope="session", autouse=True)
def recorded_errors(request: pytest.FixtureRequest) -> Iterator[None]:
    """With --record-errors, what errors said is kept as examples for the reference, where a form has none yet."""
    if not request.config.getoption("--record-errors"):
        yield
        return
    said: set[tuple[str, str]] = set()
    made = GraphMemoryError.__init__

    def noting(error: GraphMemoryError, message: str | None = None, *, path: str | None = None) -> None:
        made(error, message, path=path)
        said.add((error.code, error.message))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GraphMemoryError, "__init__", noting)
        yield
    error_forms.keep(said)


@pytest.fixture(scope="session")
def settings() -> Settings:
    """The defaults."""
    return load()


@pytest.fixture(scope="session")
def stack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a running Neo4j and broker; child processes find the same ones."""
    with running(request, tmp_path_factory) as named:
        yield named


@pytest.fixture(scope="module")
def own_stack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Servers of one module alone, for what works on all tenants of a store."""
    with running(request, tmp_path_factory) as named:
        yield named


@contextmanager
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Starts Neo4j and a broker on free ports in a throw-away folder, and always stops them."""
    if USE_NAMED:
        yield load()
        return
    bolt, http, broker, api = free_ports(4)
    values = {
        "DATA": str(tmp_path_factory.mktemp("stack")),
        "BOLT_PORT": str(bolt),
        "HTTP_PORT": str(http),
        "BROKER_PORT": str(broker),
        "API_PORT": str(api),
        "HEAP_MB": "768",
        "PAGECACHE_MB": "128",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setenv(f"{PREFIX}STACK_{name}", value)
        named = load()
        if not request.config.getoption("--long"):
            plan_once(named)
        try:
            local.start(named, ["neo4j", "broker"])
            with open_driver(named) as driver:
                migrate(driver, named)
            yield named
        finally:
            local.stop(named)


def plan_once(settings: Settings) -> None:
    """Has a server that is not started yet keep each plan.

    Planning is most of what a server does for short tests: a store that grows from nothing makes it plan anew, and so
    does each new size of a parameter. With --long it plans as it does for users.
    """
    claim(settings.stack.data)
    own = settings.stack.data / "neo4j" / database.OWN
    own.write_text("dbms.cypher.min_replan_interval=10h\ninternal.cypher.use_parameter_size=false\n")


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The real model, loaded once."""
    return open_embedder(load().embedder)


@pytest.fixture(scope="session")
def driver(stack: Settings) -> Iterator[neo4j.Driver]:
    """One driver for all tests."""
    with open_driver(stack) as opened:
        migrate(opened, stack)
        yield opened


class Clock:
    """Stands still until it is set or moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def set(self, *date: int) -> None:
        self.now = datetime(*date, tzinfo=UTC)  # type: ignore[misc, arg-type]

    def forward(self, **length: float) -> None:
        self.now += timedelta(**length)


@pytest.fixture
def clock() -> Clock:
    """A clock of this test alone; it begins on 1 January 2026."""
    return Clock()


@pytest.fixture
def service(stack: Settings, driver: neo4j.Driver, embedder: Embedder, clock: Clock) -> Service:
    """The service on the real database, with a clock that obeys."""
    return compose(stack, driver, embedder, clock)


@pytest.fixture
def scope() -> Scope:
    """A tenant and a subject that only this test knows."""
    return Scope(f"test-{uuid.uuid4().hex}", "ann")

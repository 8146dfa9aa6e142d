"""The real servers for tests: started once for all processes, on free ports, in a throw-away folder, and always stopped.

With TEST_STACK=named they are the ones that GRAPH_MEMORY_NEO4J_URI and GRAPH_MEMORY_BROKER_URL name.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import neo4j
import pytest
import redis

from graph_memory import error_forms, local
from graph_memory.base.errors import GraphMemoryError, StackFault
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import compose
from graph_memory.local import database
from graph_memory.local.ports import free_ports
from graph_memory.models import minilm
from graph_memory.models.embedders import open_embedder
from graph_memory.settings import PREFIX, Settings, load
from graph_memory.store.addresses import addresses
from graph_memory.store.protocols import Embedder
from graph_memory.store.service import Service, open_driver
from graph_memory.store.stack_folder import claim
from graph_memory.upkeep.migrations import migrate
from tests.answers import watched

# How long one example takes, and making it, depends on who else uses the machine.
hypothesis.settings.register_profile(
    "tests", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("tests")

ROOT = Path(__file__).parents[1]
USE_NAMED = os.environ.get("TEST_STACK") == "named"

# Each commit waits for the disk, and what tests write need not outlive them.
IN_MEMORY, ROOM = Path("/dev/shm"), 4 << 30


def has_room(folder: Path) -> bool:
    """Whether a file system in memory is there and takes the files of a run, programs among them."""
    return (
        os.access(folder, os.W_OK)
        and shutil.disk_usage(folder).free > ROOM
        and not os.statvfs(folder).f_flag & os.ST_NOEXEC
    )


if has_room(IN_MEMORY):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--long` also runs the long forms: more rounds of chaos, longer texts, larger stores."""
    parser.addoption("--record-errors", action="store_true", help="keep messages of errors as examples")
    parser.addoption("--long", action="store_true", help="also run the long forms of the tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long forms are left out unless they are asked for. What takes longest comes first, unit tests last."""
    long_files = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(
        key=lambda item: (
            not needs_own(item.nodeid.partition("::")[0]),
            item.path not in long_files,
            item.path.parent.name == "unit",
        )
    )
    if config.getoption("--long"):
        return
    long = [item for item in items if item.get_closest_marker("long_form")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("long_form")]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Files go whole to one process, and all that need the store of their own to the same one, one after the other."""
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return "own" if needs_own(file) else file

    config.option.loadscopereorder = False
    return ByFile(config, log)


@cache
def needs_own(file: str) -> bool:
    """Whether the tests of a file have the fixture `own_stack`."""
    source = (ROOT / file).read_text("utf-8")
    return "own_stack" in source or "tests.apart" in source


@pytest.fixture(scope="session", autouse=True)
def own_environment() -> None:
    """What the developer's shell says about a store must not reach the tests, nor keys of language models."""
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        os.environ.pop(name, None)
    if not USE_NAMED:
        for name in [name for name in os.environ if name.startswith(PREFIX)]:
            del os.environ[name]


@pytest.fixture(scope="session", autouse=True)
def quick_servers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each Neo4j that the tests start compiles its code once and quickly, as it does not live long enough to win by more.

    Half of what a new server takes is Java's second compiler. With --long it works as it does for users.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not request.config.getoption("--long"):
            patch.setenv("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")
        yield


@pytest.fixture(scope="session", autouse=True)
def one_session_for_each_model() -> Iterator[None]:
    """The weights of a model are made ready once in a process, however many services its tests open."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(minilm, "_session", cache(minilm._session))
        yield


@pytest.fixture(scope="session", autouse=True)
def answer_faults() -> Iterator[list[str]]:
    """What commands answered with --json otherwise than their schema says."""
    faults: list[str] = []
    with watched(faults):
        yield faults


@pytest.fixture(autouse=True)
def answers_are_as_described(answer_faults: list[str]) -> Iterator[None]:
    """Fails a test in which a command answered otherwise than its schema says."""
    yield
    found, answer_faults[:] = list(answer_faults), []
    assert not found


@pytest.fixture(scope="session", autouse=True)
def recorded_errors(request: pytest.FixtureRequest) -> Iterator[None]:
    """With --record-errors, what errors said is kept as examples for the reference, where a form has none yet."""
    if not request.config.getoption("--record-errors"):
        yield
        return
    # Read before the tests change anything, and before their threads run: Python 3.11 parses in one thread only.
    error_forms.forms()
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
    """Settings of a running Neo4j and broker, which all processes of this run share; child processes find them too."""
    with named(servers(request, tmp_path_factory, "shared")) as settings:
        yield settings


@pytest.fixture(scope="module")
def own_stack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """An empty store for what works on all tenants or spoils its server. One module after the other has it."""
    with named(servers(request, tmp_path_factory, "own")) as settings:
        if not USE_NAMED:
            empty(settings)
        yield settings


def servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, name: str
) -> dict[str, str]:
    """The settings that lead to a Neo4j and a broker on free ports in a throw-away folder; they end with this run.

    The first process that asks starts them.
    """
    if USE_NAMED:
        return {}
    is_worker, folder = "PYTEST_XDIST_WORKER" in os.environ, tmp_path_factory.getbasetemp()
    folder, owner = (folder.parent, os.getppid()) if is_worker else (folder, os.getpid())
    told = folder / f"{name}.json"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            # Not inside, for pytest removes that folder before the servers have ended.
            data = folder.with_name(f"{name}-of-{folder.name}")
            told.write_text(json.dumps(started(request, data, owner)))
        return dict(json.loads(told.read_text()))


def started(request: pytest.FixtureRequest, data: Path, owner: int) -> dict[str, str]:
    """Starts them, migrated."""
    ports = zip(("BOLT_PORT", "HTTP_PORT", "BROKER_PORT", "API_PORT"), map(str, free_ports(4)), strict=True)
    values = {"DATA": str(data), **dict(ports), "HEAP_MB": "768", "PAGECACHE_MB": "128"}
    with named(values) as settings:
        if not request.config.getoption("--long"):
            plan_once(settings)
        try:
            local.start(settings, ["neo4j", "broker"], owner=owner)
        except StackFault:
            shutil.rmtree(data, ignore_errors=True)
            raise
        with open_driver(settings) as driver:
            migrate(driver, settings)
    return values


@contextmanager
def named(values: dict[str, str]) -> Iterator[Settings]:
    """The settings of a stack, in the environment too."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setenv(f"{PREFIX}STACK_{name}", value)
        yield load()


def empty(settings: Settings) -> None:
    """Leaves nothing but the schema."""
    with open_driver(settings) as driver, driver.session(database=settings.neo4j.database) as session:
        session.run(
            "MATCH (n) WHERE NOT n:Migration CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"
        ).consume()
    redis.Redis.from_url(addresses(settings).broker_url).flushall()


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

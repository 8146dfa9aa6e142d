"""The real servers for tests: started once, on free ports, in a throw-away folder, and always stopped.

With TEST_STACK=named they are the ones that GRAPH_MEMORY_NEO4J_URI and GRAPH_MEMORY_BROKER_URL name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from graph_memory import local
from graph_memory.local.ports import free_ports
from graph_memory.settings import PREFIX, Settings, load

USE_NAMED = os.environ.get("TEST_STACK") == "named"


@pytest.fixture(scope="session", autouse=True)
def own_environment() -> None:
    """What the developer's shell says about a store must not reach the tests."""
    if not USE_NAMED:
        for name in [name for name in os.environ if name.startswith(PREFIX)]:
            del os.environ[name]


@pytest.fixture(scope="session")
def settings() -> Settings:
    """The defaults."""
    return load()


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a running Neo4j and broker; child processes find the same ones."""
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
        try:
            local.start(named, ["neo4j", "broker"])
            yield named
        finally:
            local.stop(named)

"""The service behind a socket, as clients find it, with jobs that are done in this process."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

import neo4j
import pytest

from graph_memory.api.app import create
from graph_memory.api.serving import server
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.jobs.schedule import Job
from graph_memory.settings import PREFIX, Settings
from graph_memory.store import api_keys
from graph_memory.store.addresses import addresses
from graph_memory.store.api_keys import Right
from graph_memory.store.service import Service
from tasks import execute


@dataclass(frozen=True)
class Served:
    """Where it answers, and what is behind it."""

    url: str
    service: Service

    def key(
        self, subject: str | None = None, *also: Right, right: Right = Right.WRITE, tenant: str | None = None
    ) -> str:
        """A new key; of a tenant of its own when none is named."""
        return api_keys.create(self.service, tenant or f"client-{new_id()}", subject, right, also=also)[1]


@pytest.fixture(scope="module")
def served(stack: Settings, driver: neo4j.Driver) -> Iterator[Served]:
    """A running service; `driver` has brought the store to this version."""
    with serving(stack) as running:
        yield running


@contextmanager
def serving(stack: Settings) -> Iterator[Served]:
    """A running service with these settings."""
    app = create(stack)
    listener = socket.create_server(("127.0.0.1", 0))
    host, port = listener.getsockname()
    running = server(app, stack.api, host, port)
    thread = Thread(target=running.run, args=([listener],), daemon=True)
    thread.start()
    while not running.started:
        assert thread.is_alive()
        time.sleep(0.05)
    service, work = app.state.open.service, []

    def publish(job: Job, scope: Scope, run_id: str) -> None:
        work.append(Thread(target=execute, args=(service, scope, run_id)))
        work[-1].start()

    app.state.open = replace(app.state.open, publish=publish)
    yield Served(f"http://{host}:{port}", service)
    for each in work:
        each.join(60)
    running.should_exit = True
    thread.join(20)
    listener.close()


@pytest.fixture
def key_folder(served: Served, stack: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where `connect` keeps its keys. The stack of a test has no API part, so its address is named to it."""
    named = addresses(stack)
    values = {
        "STACK_DATA": str(tmp_path),
        "NEO4J_URI": named.neo4j_uri,
        "NEO4J_PASSWORD": named.neo4j_password,
        "BROKER_URL": named.broker_url,
        "API_URL": served.url,
    }
    for name, value in values.items():
        monkeypatch.setenv(f"{PREFIX}{name}", value)
    return tmp_path

"""Where a benchmark runs: on the stack that runs, else on one that it starts and throws away."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from graph_memory import local
from graph_memory.errors import Unavailable
from graph_memory.local.ports import free_ports
from graph_memory.migrations import migrate, require
from graph_memory.service import Service, open_service
from graph_memory.settings import Settings, load


@contextmanager
def measured_service(told: Callable[[str], None], parts: Sequence[str] = ("neo4j",)) -> Iterator[Service]:
    """A service to measure; `parts` are what a throw-away stack consists of."""
    settings = load()
    with ExitStack() as opened:
        yield _running(opened, settings) or opened.enter_context(_throwaway(told, parts))


def _running(opened: ExitStack, settings: Settings) -> Service | None:
    try:
        service = opened.enter_context(open_service(settings))
    except Unavailable:
        if settings.neo4j.uri:
            raise
        return None
    require(service.driver, settings)
    return service


@contextmanager
def _throwaway(told: Callable[[str], None], parts: Sequence[str]) -> Iterator[Service]:
    told("No stack runs; a throw-away one is started for this.")
    with tempfile.TemporaryDirectory() as folder:
        settings = _settings(Path(folder))
        try:
            local.start(settings, list(parts))
            with open_service(settings) as service:
                migrate(service.driver, settings)
                yield service
        finally:
            local.stop(settings)


def _settings(folder: Path) -> Settings:
    bolt, http, broker, api = free_ports(4)
    ports = {"bolt_port": bolt, "http_port": http, "broker_port": broker, "api_port": api}
    return load(stack={"data": folder / "stack", **ports})

"""Where a benchmark runs: in a store of its own that is thrown away, or on the server that the settings name.

A store of its own ends with the process that measures, however that ends. So no benchmark leaves anything in the store
that people use.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from graph_memory import local
from graph_memory.bootstrap import open_service
from graph_memory.local.ports import free_ports
from graph_memory.settings import Settings, load
from graph_memory.store.service import Service
from graph_memory.store.settings import Neo4jSettings, StackSettings
from graph_memory.upkeep.migrations import migrate, require

_FOLDER = "graph-memory-bench-"


@contextmanager
def measured_service(told: Callable[[str], None], parts: Sequence[str] = ("neo4j",)) -> Iterator[Service]:
    """A service to measure; `parts` are what a store of its own consists of."""
    settings = load()
    if settings[Neo4jSettings].uri:
        with open_service(settings) as service:
            require(service.driver, settings)
            yield service
        return
    _sweep()
    told("A store of its own is started for this, and thrown away afterwards.")
    with (
        tempfile.TemporaryDirectory(prefix=f"{_FOLDER}{os.getpid()}-") as folder,
        _own(Path(folder), parts) as own,
    ):
        yield own


def is_thrown_away(settings: Settings) -> bool:
    """Whether the whole store goes when the benchmark ends, so that nothing in it need be removed."""
    return settings[Neo4jSettings].uri is None and settings[StackSettings].data.name.startswith(_FOLDER)


@contextmanager
def _own(folder: Path, parts: Sequence[str]) -> Iterator[Service]:
    settings = _settings(folder)
    try:
        local.start(settings, list(parts), owner=os.getpid())
        with open_service(settings) as service:
            migrate(service.driver, settings)
            yield service
    finally:
        local.stop(settings)


def _sweep() -> None:
    """Removes stores whose supervisor, too, could not see that the process they were for had ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*"):
        owner = folder.name.removeprefix(_FOLDER).partition("-")[0]
        is_ours = folder.stat().st_uid == os.getuid()
        if is_ours and owner.isdecimal() and not psutil.pid_exists(int(owner)):
            local.stop(_settings(folder))
            shutil.rmtree(folder, ignore_errors=True)


def _settings(folder: Path) -> Settings:
    bolt, http, broker, api = free_ports(4)
    ports = {"bolt_port": bolt, "http_port": http, "broker_port": broker, "api_port": api}
    return load(stack={"data": folder, **ports})

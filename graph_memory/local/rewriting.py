"""The local stack's store written anew, so that its files hold what the database answers and nothing else.

What is deleted stays in a store's files until its place is used again, and in its transaction logs until they are full.
So everything is read out of one server and written into another with empty files, which then take the place of the old.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from itertools import islice
from pathlib import Path
from typing import Any

import neo4j
from neo4j.time import DateTime

from graph_memory.base.clock import system_clock
from graph_memory.base.errors import StackFault
from graph_memory.local import state
from graph_memory.local.backup import STORE
from graph_memory.local.consistency import require_local
from graph_memory.local.control import start, stop
from graph_memory.local.ports import free_ports
from graph_memory.local.progress import Progress, Silent
from graph_memory.settings import Settings
from graph_memory.store.queries import query
from graph_memory.store.service import open_driver
from graph_memory.store.settings import Neo4jSettings, StackSettings
from graph_memory.store.stack_folder import SECRETS, claim, is_claimed

CLEAR = query("system/rewrite_clear")
NODES = query("system/rewrite_nodes")
LINKS = query("system/rewrite_links")
ADD_NODES = query("system/rewrite_add_nodes")
ADD_LINKS = query("system/rewrite_add_links")
SIZE = query("system/rewrite_size")
CONSTRAINTS = query("system/rewrite_constraints")
INDEXES = query("system/rewrite_indexes")
AWAIT = query("system/rewrite_await")

_BATCH = 1000


@dataclass(frozen=True)
class Rewritten:
    """What the store holds, and the bytes of its files before and after."""

    nodes: int
    links: int
    bytes_before: int
    bytes_after: int


def rewrite_store(settings: Settings, progress: Progress | None = None) -> Rewritten:
    """Writes the store anew and destroys the old files; a running stack is stopped for it and started again.

    It needs room for the store twice. The old store is used again if anything fails before the new one is complete.
    """
    progress = progress or Silent()
    require_local(settings, "be written anew")
    data = settings[StackSettings].data
    if not is_claimed(data) or not (data / STORE / "databases").is_dir():
        raise StackFault(f"There is no store in {data} yet; `graph-memory up` makes one.")
    fresh = data / "rewriting"
    with _stopped(settings, progress):
        try:
            before = _bytes(data / STORE)
            nodes, links = _copied(_elsewhere(settings, data), _elsewhere(settings, fresh), progress)
            _exchange(data, fresh)
            return Rewritten(nodes, links, before, _bytes(data / STORE))
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


def _copied(old: Settings, new: Settings, progress: Progress) -> tuple[int, int]:
    """Copies one store into another; how many nodes and relationships both have then."""
    shutil.rmtree(new.stack.data, ignore_errors=True)
    claim(new.stack.data)
    shutil.copy2(old.stack.data / SECRETS, new.stack.data / SECRETS)
    with _server(old, progress) as source, _server(new, progress) as target:
        _run(target, CLEAR.text).consume()
        progress.say("Copying nodes")
        places = _copy_nodes(source, target)
        progress.say("Copying relationships")
        _copy_links(source, target, places)
        progress.say("Filling indexes")
        _copy_schema(source, target)
        sizes = [_run(session, SIZE.text).single(strict=True).values() for session in (source, target)]
    if sizes[0] != sizes[1]:
        raise StackFault(
            f"The copy has {sizes[1][0]} nodes and {sizes[1][1]} relationships, the store {sizes[0][0]} and {sizes[0][1]}; "
            "the store stays as it was. Stop what writes to it and try again."
        )
    return sizes[0][0], sizes[0][1]


def _copy_nodes(source: neo4j.Session, target: neo4j.Session) -> dict[str, str]:
    """Where each node stands in the copy."""
    places: dict[str, str] = {}
    for rows in _rows(source, NODES.text):
        places.update((was, id) for was, id in _run(target, ADD_NODES.text, rows=rows).values())
    return places


def _copy_links(source: neo4j.Session, target: neo4j.Session, places: dict[str, str]) -> None:
    for rows in _rows(source, LINKS.text):
        moved = [{**row, "from": places[row["from"]], "to": places[row["to"]]} for row in rows]
        _run(target, ADD_LINKS.text, rows=moved).consume()


def _copy_schema(source: neo4j.Session, target: neo4j.Session) -> None:
    """Makes the constraints and indexes of the copy those of the store, whatever migrations gave it at its start."""
    for kind, listed in (("CONSTRAINT", CONSTRAINTS), ("INDEX", INDEXES)):
        wanted, have = (
            {row["name"]: row["statement"] for row in _run(each, listed.text)} for each in (source, target)
        )
        for name in [name for name in have if wanted.get(name) != have[name]]:
            _run(target, f"DROP {kind} `{name}`").consume()
        for name in [name for name in wanted if wanted[name] != have.get(name)]:
            _run(target, wanted[name]).consume()
    _run(target, AWAIT.text).consume()


def _rows(source: neo4j.Session, text: str) -> Iterator[list[dict[str, Any]]]:
    found = iter(_run(source, text))
    while rows := [row.data() for row in islice(found, _BATCH)]:
        yield [
            {**row, "properties": {name: _as_stored(value) for name, value in row["properties"].items()}}
            for row in rows
        ]


def _as_stored(value: Any) -> Any:
    """Times in UTC by their offset, as the store has them: the driver names the zone, and that is another value there."""
    if isinstance(value, list):
        return [_as_stored(item) for item in value] if value and isinstance(value[0], DateTime) else value
    if isinstance(value, DateTime) and not value.utcoffset():
        return value.replace(tzinfo=UTC)
    return value


def _run(session: neo4j.Session, text: str, **values: Any) -> neo4j.Result:
    """A statement that may take as long as the store is large."""
    return session.run(neo4j.Query(text, timeout=0), **values)


@contextmanager
def _server(settings: Settings, progress: Progress) -> Iterator[neo4j.Session]:
    """A server of its own on this folder, and a session there."""
    start(settings, ["neo4j"], progress)
    try:
        with (
            open_driver(settings) as driver,
            driver.session(database=settings[Neo4jSettings].database) as session,
        ):
            yield session
    finally:
        stop(settings, progress)


def _elsewhere(settings: Settings, data: Path) -> Settings:
    """The same on ports that nobody else knows."""
    bolt, http = free_ports(2)
    stack = settings[StackSettings].model_copy(update={"data": data, "bolt_port": bolt, "http_port": http})
    return settings.model_copy(update={"stack": stack})


@contextmanager
def _stopped(settings: Settings, progress: Progress) -> Iterator[None]:
    told = state.read(settings[StackSettings].data)
    ran = [part.name for part in told.parts] if told and told.is_running() else []
    stop(settings, progress)
    try:
        yield
    finally:
        if ran:
            start(settings, ran, progress)


def _exchange(data: Path, fresh: Path) -> None:
    aside = data / "neo4j" / f"before-rewrite-{system_clock():%Y%m%dT%H%M%S}"
    (data / STORE).rename(aside)
    (fresh / STORE).rename(data / STORE)
    shutil.rmtree(aside)
    shutil.rmtree(data / "neo4j" / "logs", ignore_errors=True)


def _bytes(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())

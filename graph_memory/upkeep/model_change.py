"""Changing the model of a store: every state is embedded anew while searches and writes go on.

The store's record says how far it is, so whoever is stopped can be followed by another. What a stage does may be done
twice. Between two stages it waits until no process can still use what the next one takes away.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from graph_memory.base.errors import Conflict, Overloaded
from graph_memory.base.scope import Scope
from graph_memory.jobs.ticks import tenants
from graph_memory.models import spaces
from graph_memory.models.settings import EmbedderSettings
from graph_memory.models.spaces import Model, Space, Stage
from graph_memory.store import vector_indexes
from graph_memory.store.protocols import Embedder
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service, Transaction, translated
from graph_memory.store.settings import Neo4jSettings
from graph_memory.upkeep.passage_vectors import rows_of

LOCK = query("system/space_lock")
SIZE = query("system/space_size")
LACKING = query("embedding/lacking")
PUT_NEXT = query("embedding/put_next")
MOVE = query("embedding/move")
CLEAN = query("embedding/clean")
PASSAGES_LACKING = query("embedding/passages_lacking")
PUT_NEXT_OF_PASSAGES = query("embedding/passages_put_next")

# Told what is being done, how many states that is done to, and of how many.
Told = Callable[[str, int, int], None]

_POLL_SECONDS = 0.2
# Embedding until nothing lacks a vector: writers that never pause must not keep it from ending.
_MOST_ROUNDS = 20


def change(service: Service, model: Model, embedder: Embedder, told: Told = lambda *_: None) -> int:
    """Makes `model`, opened as `embedder`, the model of the store; says how many states were embedded here.

    Takes up a change that was interrupted. Raises Conflict while a change to another model is unfinished, and
    Overloaded when more is written than can be embedded.
    """
    with _alone(service) as still_alone:
        space = _begun(service, model)
        embedded = 0
        if space.stage is Stage.EMBEDDING:
            embedded += _embed(service, space, embedder, told)
            still_alone()
            space = _moved_on(service, replace(space, stage=Stage.MOVING, refused=_both(space)))
        if space.stage is Stage.MOVING:
            told("wait for other processes", 0, 0)
            _wait(service)
            embedded += _embed(service, space, embedder, told)
            still_alone()
            _move(service, model, told)
            old = space.model.model
            space = _moved_on(service, Space(model, stage=Stage.CLEANING, refused=(old,)))
        if space.stage is Stage.CLEANING:
            told("wait for other processes", 0, 0)
            _wait(service)
            still_alone()
            _clean(service, model, told)
            _moved_on(service, replace(space, stage=None))
        return embedded


def _begun(service: Service, model: Model) -> Space:
    """The record of the store with this change in it."""
    space = spaces.read(service.system) or Space(model)
    if space.next is not None:
        if space.next != model:
            raise Conflict(
                f"A change to {space.next} is unfinished; finish it with those settings before another begins."
            )
        return space
    if space.stage is Stage.CLEANING:
        if space.model != model:
            raise Conflict(
                f"A change to {space.model} is unfinished; finish it with those settings before another begins."
            )
        return space
    if space.model.model == model.model and space.model.dimension == model.dimension:
        return space
    _make(service, vector_indexes.NEXT, model.dimension)
    return _moved_on(service, Space(space.model, model, Stage.EMBEDDING, (model.model,)))


def _both(space: Space) -> tuple[str, ...]:
    return tuple(each.model for each in (space.model, space.next) if each)


def _embed(service: Service, space: Space, embedder: Embedder, told: Told) -> int:
    """Gives every state of every tenant the vector of the next model, until none lacks it."""
    total, done = _size(service), 0
    for _ in range(_MOST_ROUNDS):
        found = 0
        for scope in tenants(service):
            for rows in _lacking(service, scope, LACKING):
                vectors = embedder.embed([row["text"] for row in rows])
                given = [
                    {"id": row["id"], "hash": row["hash"], "vector": vector}
                    for row, vector in zip(rows, vectors, strict=True)
                ]
                service.write(scope, partial(_put, PUT_NEXT, given))
                found += len(rows)
                told("embed", done + found, max(total, done + found))
            for rows in _lacking(service, scope, PASSAGES_LACKING):
                service.write(scope, partial(_put, PUT_NEXT_OF_PASSAGES, rows_of(rows, embedder)))
                found += len(rows)
                told("embed", done + found, max(total, done + found))
        done += found
        if not found:
            return done
    if space.stage is Stage.EMBEDDING:
        # What is still being written is embedded once everybody writes with the new model.
        return done
    raise Overloaded("More is being written than can be embedded; go on when fewer write.")


def _lacking(service: Service, scope: Scope, statement: Query) -> Iterator[list[Row]]:
    after = ""
    while rows := service.read(scope, statement, after=after, limit=service.settings[EmbedderSettings].batch):
        after = rows[-1]["id"]
        yield rows


def _put(statement: Query, rows: list[Row], tx: Transaction) -> list[Row]:
    return tx.run(statement, rows=rows)


def _move(service: Service, model: Model, told: Told) -> None:
    """Puts the new vectors in the place of the old ones, with indexes of their size. Nobody searches there now."""
    for name in vector_indexes.MAIN:
        service.system(vector_indexes.DROP_INDEX, name=name)
    _copy(service, model, told)
    _make(service, vector_indexes.MAIN, model.dimension)
    told("fill the indexes", 0, 0)
    # What came while they filled.
    _copy(service, model, told)


def _copy(service: Service, model: Model, told: Told) -> None:
    total, moved = _size(service), 0
    for scope in tenants(service):
        [row] = service.batches(scope, MOVE, model=model.model)
        moved += row["moved"]
        told("move", moved, max(total, moved))


def _clean(service: Service, model: Model, told: Told) -> None:
    _copy(service, model, told)
    for name in vector_indexes.NEXT:
        service.system(vector_indexes.DROP_INDEX, name=name)
    total, cleaned = _size(service), 0
    for scope in tenants(service):
        [row] = service.batches(scope, CLEAN)
        cleaned += row["cleaned"]
        told("clean", cleaned, max(total, cleaned))


def _make(service: Service, wanted: dict[str, Query], dimension: int) -> None:
    """Makes indexes and waits until they can be used."""
    for statement in wanted.values():
        service.system(statement, options=vector_indexes.options(dimension))
    while not all(row["state"] == "ONLINE" for row in _indexes(service, wanted)):
        time.sleep(_POLL_SECONDS)


def _indexes(service: Service, wanted: dict[str, Query]) -> list[Row]:
    return [row for row in service.system(vector_indexes.INDEXES) if row["name"] in wanted]


def _moved_on(service: Service, space: Space) -> Space:
    spaces.save(service.system, space)
    return space


def _size(service: Service) -> int:
    return int(service.system(SIZE)[0]["states"])


def _wait(service: Service) -> None:
    """Until every process has seen the record, and what it sent before has ended."""
    settings = service.settings
    time.sleep(
        2 * settings[EmbedderSettings].watch
        + max(settings[Neo4jSettings].read_timeout, settings[Neo4jSettings].write_timeout)
    )


@contextmanager
def _alone(service: Service) -> Iterator[Callable[[], None]]:
    """Holds a lock in the store that ends with this process; what it gives fails if the lock was lost."""
    settings = service.settings
    with (
        translated(settings),
        service.driver.session(database=settings[Neo4jSettings].database) as session,
        session.begin_transaction(timeout=0) as lock,
    ):

        def still() -> None:
            lock.run(LOCK.text).consume()

        still()
        yield still

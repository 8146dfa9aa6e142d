"""Vectors of passages: a message is embedded with what stands before it, since an answer alone says little.

They are made behind the answer that took the messages in, by a thread of the process, and by the job that fills what waits.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import TypeVar

from graph_memory.base.errors import GraphMemoryError
from graph_memory.base.scope import Scope
from graph_memory.ingest.rules import heading
from graph_memory.models.settings import EmbedderSettings
from graph_memory.store.protocols import Embedder
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction

WAITING = query("embedding/passages_waiting")
FILL = query("embedding/passages_fill")

T = TypeVar("T")
Write = Callable[[Callable[[Transaction], T]], T]

log = logging.getLogger(__name__)


def spoken(said: Row) -> str:
    """What is embedded of a message: who said what when, and then what was said before it."""
    texts = [_line(said), _line(said["before"])] if said["before"] else [_line(said)]
    return "\n".join(texts)


def rows_of(rows: list[Row], embedder: Embedder) -> list[Row]:
    """Passages as they were read, with their vectors, as the store takes them."""
    vectors = embedder.embed([spoken(row["said"]) for row in rows])
    return [
        {"id": row["id"], "hash": row["hash"], "vector": vector}
        for row, vector in zip(rows, vectors, strict=True)
    ]


def fill(
    service: Service, scope: Scope, write: Callable[[Callable[[Transaction], list[Row]]], list[Row]]
) -> Iterator[int]:
    """Gives the passages of a tenant that wait their vectors; says of each batch how many those were. Ends when none waits."""
    while rows := service.read(scope, WAITING, limit=service.settings[EmbedderSettings].batch):
        given, model = rows_of(rows, service.embedder), service.embedder.model
        [done] = write(lambda tx: tx.run(FILL, rows=given, model=model))  # noqa: B023 - called at once
        yield done["filled"]
        if not done["filled"]:
            return


def _line(said: Row) -> str:
    shared = f" [shares {said['picture']}]" if said.get("picture") else ""
    return f"{heading(said['speaker'], said['at'])}: {said['text']}{shared}"


class Arrivals:
    """The tenants of one process whose new messages wait for their vectors. `note` costs no time and never fails."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._lock, self._soon, self._ended = Lock(), Event(), Event()
        self._waiting: set[str] = set()
        self._worker: Thread | None = None

    def note(self, scope: Scope) -> None:
        """Messages of this tenant were stored."""
        with self._lock:
            self._waiting.add(scope.tenant_name)
            # Started by the first, so that it is made after a server has forked.
            if self._worker is None and not self._ended.is_set():
                self._worker = Thread(target=self._keep_filling, name="passages", daemon=True)
                self._worker.start()
        self._soon.set()

    def close(self) -> None:
        """Ends the thread; what waits is left to the job."""
        self._ended.set()
        self._soon.set()
        if self._worker is not None:
            self._worker.join()

    def _keep_filling(self) -> None:
        while not self._ended.is_set():
            self._soon.wait()
            self._soon.clear()
            with self._lock:
                names, self._waiting = self._waiting, set()
            for name in names:
                self._fill(Scope(name))

    def _fill(self, scope: Scope) -> None:
        try:
            for _ in fill(self._service, scope, lambda work: self._service.write(scope, work)):
                if self._ended.is_set():
                    return
        except Exception as error:  # noqa: BLE001 - the job does it later
            code = error.code if isinstance(error, GraphMemoryError) else type(error).__name__
            log.warning("passages_pending", extra={"code": code})


@contextmanager
def embedding(service: Service) -> Iterator[Arrivals]:
    """Embeds what arrives until the block ends."""
    arrivals = Arrivals(service)
    try:
        yield arrivals
    finally:
        arrivals.close()

"""Accesses: which memories were used, counted behind the answer, in batches.

What an answer consists of counts as used: once for each response, however often it stands there. It is kept in this
process and written soon, one transaction for each tenant. A process that is killed loses counts and nothing else; a
database that is away costs no answer. Reading by id, and reading a past moment, count nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event, Lock, Thread

from graph_memory.base.errors import GraphMemoryError, OutcomeUnknown
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.ledger import activity
from graph_memory.recall.settings import AccessSettings
from graph_memory.scoring.rescoring import rescore_some
from graph_memory.scoring.settings import ArchiveSettings
from graph_memory.store.service import Service, Transaction

log = logging.getLogger(__name__)


@dataclass
class _Uses:
    """What waits of one tenant: how often each memory was used, when last, and when each person recalled."""

    counts: dict[str, int] = field(default_factory=dict)
    last: dict[str, datetime] = field(default_factory=dict)
    recalls: dict[str, datetime] = field(default_factory=dict)

    def add(self, id: str, count: int, at: datetime) -> None:
        self.counts[id] = self.counts.get(id, 0) + count
        self.last[id] = max(at, self.last.get(id, at))

    def recall(self, subject: str, at: datetime) -> None:
        self.recalls[subject] = max(at, self.recalls.get(subject, at))


class Accesses:
    """The accesses of one process. `note` costs no time and never fails; a thread writes what was noted."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._lock, self._flushing = Lock(), Lock()
        self._waiting: dict[str, _Uses] = {}
        self._dropped = 0
        self._soon, self._ended = Event(), Event()
        self._writer: Thread | None = None

    def note(
        self,
        scope: Scope,
        ids: Sequence[str],
        linked: Sequence[str] = (),
        moment: Moment = NOW,
        is_automatic: bool = False,
    ) -> None:
        """One response of these memories; `linked` are those that it brought along with them.

        `is_automatic` tells that nobody asked: something filled a prompt. A recall that names a subject makes its day a
        day of activity, whatever it found.
        """
        rules, at = self._service.settings[AccessSettings], self._service.clock()
        counts = rules.count and not moment.is_past(at) and (rules.count_automatic or not is_automatic)
        used = {*ids, *(linked if rules.count_linked else ())} if counts else set()
        if not used and scope.subject is None:
            return
        with self._lock:
            uses = self._waiting.setdefault(scope.tenant_name, _Uses())
            if scope.subject is not None:
                uses.recall(scope.subject, at)
            for id in sorted(used):
                if id in uses.counts or self._size() < rules.waiting:
                    uses.add(id, 1, at)
                else:
                    self._dropped += 1
            if self._size() >= rules.batch:
                self._soon.set()
            self._begin()

    def flush(self) -> int:
        """Writes all that waits; says how many memories that were. What cannot be written now waits on, and is logged."""
        with self._flushing:
            with self._lock:
                taken, self._waiting = self._waiting, {}
                dropped, self._dropped = self._dropped, 0
            if dropped:
                log.warning("accesses_dropped", extra={"count": dropped})
            return sum(self._write(name, uses) for name, uses in taken.items())

    def close(self) -> None:
        """Writes what waits for the last time, and ends the thread."""
        self._ended.set()
        self._soon.set()
        if self._writer is not None:
            self._writer.join()
        self.flush()

    def _begin(self) -> None:
        """The thread is started by the first access, so that it is made after a server has forked."""
        if self._writer is None and not self._ended.is_set():
            self._writer = Thread(target=self._keep_writing, name="accesses", daemon=True)
            self._writer.start()

    def _keep_writing(self) -> None:
        while not self._ended.is_set():
            self._soon.wait(self._service.settings[AccessSettings].seconds)
            self._soon.clear()
            self.flush()

    def _write(self, tenant_name: str, uses: _Uses) -> int:
        try:
            self._service.write(Scope(tenant_name), lambda tx: write(tx, self._service, uses))
        except OutcomeUnknown:
            log.warning("accesses_uncertain", extra={"count": len(uses.counts)})
        except Exception as error:  # noqa: BLE001 - counts are worth no failed answer
            code = error.code if isinstance(error, GraphMemoryError) else type(error).__name__
            log.warning("accesses_not_written", extra={"count": len(uses.counts), "code": code})
            self._put_back(tenant_name, uses)
            return 0
        return len(uses.counts)

    def _put_back(self, tenant_name: str, uses: _Uses) -> None:
        with self._lock:
            waiting = self._waiting.setdefault(tenant_name, _Uses())
            for subject, at in uses.recalls.items():
                waiting.recall(subject, at)
            for id, count in uses.counts.items():
                if id in waiting.counts or self._size() < self._service.settings[AccessSettings].waiting:
                    waiting.add(id, count, uses.last[id])
                else:
                    self._dropped += count

    def _size(self) -> int:
        return sum(len(uses.counts) for uses in self._waiting.values())


@contextmanager
def counting(service: Service) -> Iterator[Accesses]:
    """Accesses that are written at the end of the block at the latest."""
    accesses = Accesses(service)
    try:
        yield accesses
    finally:
        accesses.close()


def write(tx: Transaction, service: Service, uses: _Uses) -> None:
    """Days, counts and, in the same transaction, the scores that follow from them (case 29)."""
    activity.recalled(tx, uses.recalls)
    found = activity.used(tx, uses.counts, uses.last, service.settings[ArchiveSettings].auto_restore)
    active = sorted(row["id"] for row in found if row["is_active"])
    rescore_some(tx, service.settings, active, service.clock(), "USED")

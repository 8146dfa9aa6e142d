"""What a job is given: the service, its tenant, its run, and ways to write and to say how far it is."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from graph_memory.base.errors import LeaseLost
from graph_memory.base.scope import Scope
from graph_memory.jobs import leases
from graph_memory.jobs.leases import Lease
from graph_memory.jobs.runs import Run
from graph_memory.jobs.schedule import Result
from graph_memory.model.run import Status
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction

log = logging.getLogger(__name__)

PROGRESS = query("jobs/progress")
FINISH = query("jobs/finish")

T = TypeVar("T")

_SECONDS_BETWEEN_NOTES = 1.0


class RunCancelled(Exception):  # noqa: N818 - it is no error
    """Somebody cancelled the run; its job ends here."""


@dataclass
class _Noted:
    phase: str | None = None
    at: float = float("-inf")


@dataclass(frozen=True)
class Context:
    """One try of one run. All writes go through `write`, which a holder that lost its lease cannot pass."""

    service: Service
    scope: Scope
    run: Run
    lease: Lease
    _noted: _Noted = field(default_factory=_Noted, repr=False, compare=False)

    @property
    def at(self) -> datetime:
        """The moment this run computes for; the same at every try."""
        return self.run.at

    def write(self, work: Callable[[Transaction], T], timeout: float | None = None) -> T:
        """What `work` answers, in one transaction that first locks the lease and compares its number.

        Raises LeaseLost when another has taken over; then nothing was written.
        """
        return leases.write(self.service, self.scope, self.lease, work, timeout)

    def progress(self, done: int, total: int, phase: str) -> None:
        """Notes how far the run is, at most once a second and at each new phase; never fails the work.

        Raises LeaseLost or RunCancelled when there is no point in going on.
        """
        if self.lease.lost.is_set():
            raise LeaseLost()
        now = time.monotonic()
        if phase == self._noted.phase and now - self._noted.at < _SECONDS_BETWEEN_NOTES:
            return
        self._noted.phase, self._noted.at = phase, now
        if self._note(done, total, phase) == Status.CANCELLED:
            raise RunCancelled()

    def finish(
        self,
        status: Status,
        result: Result | None = None,
        error: str | None = None,
        due_at: datetime | None = None,
    ) -> Run | None:
        """Records how this try of the run ended; None when the run was ended already. Raises LeaseLost."""
        values: Row = {
            "id": self.run.id,
            "status": status.value,
            "result": None if result is None else json.dumps(dict(result), sort_keys=True),
            "error": error,
            "due_at": due_at,
            "now": self.service.clock(),
        }
        rows = self.write(lambda tx: tx.run(FINISH, **values))
        return Run.from_row(rows[0]["run"]) if rows else None

    def _note(self, done: int, total: int, phase: str) -> Any:
        values = {
            "id": self.run.id,
            "done": done,
            "total": total,
            "phase": phase,
            "now": self.service.clock(),
        }
        try:
            return self.write(lambda tx: tx.run(PROGRESS, **values))[0]["status"]
        except LeaseLost:
            raise
        except Exception as error:  # noqa: BLE001 - telling how far one is must not stop one
            log.warning("progress_not_noted", extra={"run": self.run.id, "fault": type(error).__name__})
            return None


# What a job runs; it answers counts.
Body = Callable[[Context], Result]

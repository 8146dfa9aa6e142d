"""What people ask about jobs: when each last succeeded, when it is due, whether it lags."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from graph_memory.jobs import names
from graph_memory.jobs.names import Job
from graph_memory.jobs.runs import Run, Status
from graph_memory.jobs.slots import slot_of
from graph_memory.queries import query
from graph_memory.service import Row, Service
from graph_memory.tenancy import Scope

OVERVIEW = query("jobs/overview")


@dataclass(frozen=True)
class Standing:
    """One planned job in one tenant.

    `lag`: how long it has been due; `failures` among its last hundred runs.
    """

    job: Job
    period: timedelta
    latest: Run | None
    succeeded_at: datetime | None
    due_at: datetime
    lag: timedelta
    failures: int

    @property
    def state(self) -> str:
        """never, running, waiting, failed, late or ok; late means due for more than one whole period."""
        if self.latest is None:
            return "never"
        if not self.latest.is_finished:
            return "running" if self.latest.status is Status.RUNNING else "waiting"
        if self.latest.status is Status.FAILED:
            return "failed"
        return "late" if self.lag > self.period else "ok"


def overview(service: Service, scope: Scope) -> list[Standing]:
    """Every planned job as it stands in a tenant, in the order of the table."""
    jobs = names.planned()
    rows = service.read(scope, OVERVIEW, jobs=[job.name for job in jobs])
    found = {row["job"]: row for row in rows}
    return [_standing(service, job, found[job.name]) for job in jobs]


def _standing(service: Service, job: Job, row: Row) -> Standing:
    now, seconds = service.clock(), job.seconds(service.settings) or 0
    latest = Run.from_row(row["latest"]) if row["latest"] else None
    period = timedelta(seconds=seconds)
    due_at = latest.slot + period if latest and latest.slot else slot_of(now, seconds)
    lag = max(now - due_at, timedelta(0))
    return Standing(job, period, latest, row["succeeded_at"], due_at, lag, row["failures"])

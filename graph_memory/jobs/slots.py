"""Slots: the planned times of a job. Each is claimed once for each tenant, whoever asks and however often."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.jobs import runs
from graph_memory.jobs.runs import Run
from graph_memory.jobs.schedule import Job
from graph_memory.model.run import Kind
from graph_memory.store.queries import query
from graph_memory.store.service import Service, Transaction

CLAIM = query("jobs/claim")
OF_SLOT = query("jobs/of_slot")


def slot_of(at: datetime, period: int) -> datetime:
    """A moment floored to a multiple of `period` seconds since the epoch, in UTC."""
    seconds = int(at.timestamp() // period) * period
    return datetime.fromtimestamp(seconds, UTC)


def claim(service: Service, scope: Scope, job: Job, slot: datetime, kind: Kind = Kind.PLANNED) -> Run | None:
    """The run of this slot if we are the first to claim it; slot and run are made in one transaction.

    None when another was first, while an earlier planned run of this job is unfinished, and for half a period after
    one: a run by hand at the end of its slot, or a late one, is not followed at once by that of the next slot.
    """
    fresh = runs.fresh(service, job, kind, at=slot, slot=slot)
    not_since = service.clock() - timedelta(seconds=(job.seconds(service.settings) or 0) / 2)
    rows = service.write(
        scope, lambda tx: tx.run(CLAIM, job=job.name, slot=slot, run=fresh, not_since=not_since)
    )
    return Run.from_row(rows[0]["run"]) if rows else None


def by_hand(service: Service, scope: Scope, job: Job, again: bool = False) -> tuple[Run, bool]:
    """A run somebody asked for, and whether it is new.

    It claims the current slot; when that was claimed before, the answer is the slot's own run. `again`, and
    jobs without a period, make a run that belongs to no slot. Raises Invalid for a job that has to be told what for.
    """
    return service.write(scope, lambda tx: by_hand_in(service, tx, job, again))


def by_hand_in(service: Service, tx: Transaction, job: Job, again: bool = False) -> tuple[Run, bool]:
    """The same in a transaction of the caller."""
    if job.asked_by is not None:
        raise Invalid(f"{job.name} has to be told what for; `{job.asked_by}` asks for it.", path="job")
    period = job.seconds(service.settings)
    if again or period is None:
        return runs.open_in(tx, runs.fresh(service, job, Kind.BY_HAND, at=service.clock())), True
    slot = slot_of(service.clock(), period)
    # What a person asks for now is reckoned now, as the plan was that the person has seen.
    fresh = runs.fresh(service, job, Kind.BY_HAND, at=service.clock(), slot=slot)
    not_since = service.clock() - timedelta(seconds=period / 2)
    claimed = tx.run(CLAIM, job=job.name, slot=slot, run=fresh, not_since=not_since)
    if claimed:
        return Run.from_row(claimed[0]["run"]), True
    rows = tx.run(OF_SLOT, job=job.name, slot=slot) or tx.run(runs.RECENT, job=job.name, status=None, first=1)
    return Run.from_row(rows[0]["run"]), False

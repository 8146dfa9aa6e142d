"""What people ask about jobs: when each last succeeded, when it is due, whether it lags or fails; in one tenant or all.

Every run of a job counts, whoever asked for it. A job that is due for longer than its period is late, also where it has
never run: it has been due since the tenant is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule
from graph_memory.jobs.runs import Run
from graph_memory.jobs.schedule import Job
from graph_memory.jobs.slots import slot_of
from graph_memory.model.run import Status
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

OVERVIEW = query("jobs/overview")
UNANSWERED = query("system/unanswered")
STANDING = query("system/jobs_standing")
TENANTS = query("system/tenants_known")


class State(StrEnum):
    """How a planned job stands. `waiting`: for a worker. `off`: its period is 0, or forgetting is switched off."""

    OK = "ok"
    RUNNING = "running"
    WAITING = "waiting"
    NEVER = "never"
    LATE = "late"
    FAILED = "failed"
    OFF = "off"


WORRYING = (State.FAILED, State.LATE)


@dataclass(frozen=True)
class Brief:
    """How one planned job stands in one tenant. `lag`: how long it has been due; `due_at` None: it is switched off."""

    job: Job
    state: State
    succeeded_at: datetime | None
    due_at: datetime | None
    lag: timedelta


@dataclass(frozen=True)
class Standing(Brief):
    """The same with its latest run. `failures` among its last hundred runs; `period` None: it is switched off."""

    period: timedelta | None
    latest: Run | None
    failures: int


@dataclass(frozen=True)
class Summary:
    """One planned job over all tenants: in how many it is in each state, its latest success and its longest lag."""

    job: Job
    period: timedelta | None
    states: Mapping[State, int]
    succeeded_at: datetime | None
    lag: timedelta


def overview(service: Service, scope: Scope) -> list[Standing]:
    """Every planned job as it stands in a tenant, in the order of the table."""
    [row] = service.read(scope, OVERVIEW, jobs=[job.name for job in schedule.planned()])
    found = {each["job"]: each for each in row["found"]}
    return [_standing(service, job, row["known_since"], found.get(job.name)) for job in schedule.planned()]


def briefs(service: Service) -> Iterator[tuple[str, Brief]]:
    """Every planned job as it stands in each tenant, after the tenant's name; in no order."""
    known = {row["id"]: row for row in service.system(TENANTS)}
    unrun = {job.name: dict(known) for job in schedule.planned()}
    for row in service.system(STANDING, jobs=list(unrun)):
        brief = _brief(service, schedule.job(row["job"]), None, {**row, "succeeded_at": None})
        for each in row["tenants"]:
            if tenant := unrun[row["job"]].pop(each["tenant"], None):
                yield tenant["name"], replace(brief, succeeded_at=_moment(each["succeeded"]))
    for name, left in unrun.items():
        for tenant in left.values():
            yield tenant["name"], _brief(service, schedule.job(name), tenant["known_since"], None)


def summaries(service: Service) -> list[Summary]:
    """Every planned job over all tenants, in the order of the table."""
    found: dict[str, list[Brief]] = {job.name: [] for job in schedule.planned()}
    for _, brief in briefs(service):
        found[brief.job.name].append(brief)
    return [_summary(service, job, found[job.name]) for job in schedule.planned()]


def unanswered(service: Service) -> dict[str, int]:
    """How many messages of each tenant wait for the rules since a language model failed. The sweep has them read."""
    return {row["tenant"]: row["messages"] for row in service.system(UNANSWERED)}


def _summary(service: Service, job: Job, found: list[Brief]) -> Summary:
    succeeded = [brief.succeeded_at for brief in found if brief.succeeded_at is not None]
    return Summary(
        job,
        _period(service, job),
        Counter(brief.state for brief in found),
        max(succeeded, default=None),
        max((brief.lag for brief in found), default=timedelta(0)),
    )


def _standing(service: Service, job: Job, known_since: datetime | None, row: Row | None) -> Standing:
    latest = Run.from_row(row["latest"]) if row else None
    brief = _brief(service, job, known_since, {**row, "status": row["latest"]["status"]} if row else None)
    failures = row["failures"] if row else 0
    return Standing(**vars(brief), period=_period(service, job), latest=latest, failures=failures)


def _brief(service: Service, job: Job, known_since: datetime | None, row: Row | None) -> Brief:
    now, period = service.clock(), _period(service, job)
    status = Status(row["status"]) if row else None
    succeeded_at = row["succeeded_at"] if row else None
    if period is None:
        return Brief(job, State.OFF, succeeded_at, None, timedelta(0))
    slot = row["slot"] if row else None
    due_at = slot + period if slot else known_since or slot_of(now, int(period.total_seconds()))
    lag = max(now - due_at, timedelta(0))
    return Brief(job, _state(status, is_late=lag > period), succeeded_at, due_at, lag)


def _state(status: Status | None, is_late: bool) -> State:
    if status is Status.RUNNING:
        return State.RUNNING
    if status is Status.FAILED:
        return State.FAILED
    if is_late:
        return State.LATE
    if status is None:
        return State.NEVER
    return State.WAITING if status is Status.PENDING else State.OK


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)


def _period(service: Service, job: Job) -> timedelta | None:
    seconds = job.seconds(service.settings)
    return None if seconds is None else timedelta(seconds=seconds)

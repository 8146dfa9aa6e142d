"""What the commands of jobs answer, and those that start one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph_memory.cli.answers.shapes import Open, also
from graph_memory.jobs import overview
from graph_memory.jobs.runs import Run
from graph_memory.model import memory as model
from graph_memory.model.batch import Batch
from graph_memory.model.planned_merge import PlanStatus
from graph_memory.model.run import Status
from graph_memory.upkeep.merge_plans import Extent
from graph_memory.upkeep.planning import Due


@dataclass
class RunTold(Open):
    """How a run ended, with its counts."""

    run: str
    status: Status


@dataclass
class Promoted(RunTold):
    """A plan that was carried out, and why some of it was left as it is."""

    why_left: list[str]


@dataclass
class Member:
    """A memory of a planned merge; its text is null when it was erased since."""

    id: str
    text: str | None


@dataclass
class Group:
    """Memories that would become one."""

    text: str
    members: list[Member]
    reason: str
    confidence: float
    provider: str
    statements: list[str]
    links: int
    status: PlanStatus
    product: str | None
    fault: str | None


@dataclass
class Planned(Open):
    """A rehearsal, with its counts and some of its groups."""

    plan: str
    extents: list[Extent]
    groups: list[Group]


@dataclass
class SourceQuarantined(RunTold):
    """The run that took what a source has said out of answers, with its counts."""

    replayed: bool


@dataclass
class Imported(Open):
    """A conversation that was brought in, with the counts of its extraction."""

    subject: str
    run_id: str
    segments: int
    messages: int
    replayed: bool
    status: Status
    error: str | None


@dataclass
class ClosedTold(Imported):
    """A segment that was closed, with the counts of its extraction."""

    segment_id: str


@dataclass
class JobBrief:
    """How a job stands in a tenant; times are in seconds."""

    tenant: str
    job: str
    state: overview.State
    succeeded_at: datetime | None
    due_at: datetime | None
    lag: float


@dataclass
class JobStanding:
    """How a job stands in one tenant; times are in seconds, `run` is its latest."""

    job: str
    state: overview.State
    succeeded_at: datetime | None
    due_at: datetime | None
    lag: float
    period: float | None
    failures: int
    run: str | None
    error: str | None


@dataclass
class JobSummary:
    """In how many tenants a job stands how; times are in seconds."""

    job: str
    period: float | None
    states: dict[overview.State, int]
    succeeded_at: datetime | None
    lag: float


AnyRun = also("Run", Run, ("lease",), tenant=str)

BatchTold = also("Batch", Batch, waiting=int)


@dataclass
class Lifecycle:
    """What the rules of archiving would do, and how many memories there are of each status."""

    at: datetime
    counts: dict[str, int]
    due: list[Due]
    statuses: dict[model.Status, int]

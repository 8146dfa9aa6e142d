"""Jobs: how far they have come, and what a planned consolidation would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph_memory.client.answers.of_memories import Memory
from graph_memory.client.answers.words import ConsolidationGroupStatus, JobState


@dataclass(frozen=True)
class Progress:
    """How far a job has come."""

    done: int
    total: int
    phase: str


@dataclass(frozen=True)
class Job:
    """One run of a job."""

    id: str
    name: str
    state: JobState
    progress: Progress
    result: Mapping[str, Any]
    started_at: datetime | None
    finished_at: datetime | None
    error: str | None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state not in ("PENDING", "RUNNING")

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"


@dataclass(frozen=True)
class Asked:
    """A job that was asked for. `job.result` counts what it did once it is over."""

    job: Job
    replayed: bool

    def __str__(self) -> str:
        return str(self.job)


@dataclass(frozen=True)
class Extent:
    """How much of one subject a plan would change."""

    subject: str
    groups: int
    memories: int
    links: int


@dataclass(frozen=True)
class Group:
    """Memories that would become one, and the text it would say. A member is None where it is gone by now."""

    cursor: str
    status: ConsolidationGroupStatus
    text: str
    statements: tuple[str, ...]
    reason: str
    confidence: float
    provider: str
    product: str | None
    fault: str | None
    settled_at: datetime | None
    members: tuple[Memory | None, ...]


@dataclass(frozen=True)
class ConsolidationPlan:
    """What a rehearsed consolidation would do: the run, what it comes to by subject, and some of the groups."""

    job: Job
    extents: tuple[Extent, ...]
    groups: tuple[Group, ...]

"""Reviews: what a person decides, and has decided."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph_memory.client.answers.of_memories import Memory
from graph_memory.client.answers.words import JudgedAction, ReviewStatus


@dataclass(frozen=True)
class Review:
    """What a judge proposed and a person decides; `target` is the known memory that it is about."""

    id: str
    is_held: bool
    status: ReviewStatus
    action: JudgedAction
    confidence: float
    reason: str
    hindrance: str
    provider: str
    text: str | None
    created_at: datetime
    expires_at: datetime
    memory: Memory | None
    target: Memory | None

    def __str__(self) -> str:
        return f"{self.action}: {self.memory} / {self.target}"


@dataclass(frozen=True)
class Decided:
    """A review as it stands after its decision."""

    id: str
    status: ReviewStatus
    decided_action: JudgedAction | None
    memory: Memory | None
    target: Memory | None

    def __str__(self) -> str:
        return f"{self.status}: {self.memory} / {self.target}"


@dataclass(frozen=True)
class ReviewSettled:
    """The answer of `approve_review` and `reject_review`."""

    review: Decided | None
    replayed: bool

    def __str__(self) -> str:
        return str(self.review)

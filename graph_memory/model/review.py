"""A review: a proposal by reference. The texts stay with the memories; only a text that a judge proposed is kept here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from graph_memory.model.verdict import Action


class ReviewStatus(StrEnum):
    """How a review stands. PENDING is the only status that changes, but for what is taken back, which brings it back."""

    PENDING = "PENDING"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    EDITED = "EDITED"
    EXPIRED = "EXPIRED"


@dataclass(frozen=True)
class Review:
    """What was proposed for a new memory and a known one, why it was not done by itself, and what a person said.

    `reason` is the judge's, `hindrance` what held it back; `text` is what a judge proposed that a MERGE
    leads to, or that the new memory of a SUPERSEDE says.
    An order to forget is such a new memory; what it asks for is done to its target.
    A statement that is held before it is believed has itself as its target (`holding.py`).
    `decided_action` differs from `action` in EDITED ones; `note` is the person's reason, or why it was closed by itself.
    """

    id: str
    subject_id: str
    status: ReviewStatus
    action: Action
    confidence: float
    reason: str
    hindrance: str
    provider: str
    memory_id: str
    target_id: str
    candidate_ids: tuple[str, ...]
    text: str | None
    created_at: datetime
    expires_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    decided_action: Action | None
    note: str

    @property
    def is_held(self) -> bool:
        """Whether the question is if the new memory is to be believed at all."""
        return self.memory_id == self.target_id

    @property
    def is_closed_by_itself(self) -> bool:
        """Whether nobody decided it, as one of its memories no longer stands; it waits again once that is back."""
        return self.status is ReviewStatus.EXPIRED and self.decided_by is None and bool(self.note)

    @property
    def asks_to_forget(self) -> bool:
        """Whether the new memory is an order to forget the known one; it is stored as archived."""
        return self.action is Action.FORGET

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Review:
        """Made from the map of a node's properties."""
        decided = row.get("decided_action")
        return cls(
            id=row["id"],
            subject_id=row["subject_id"],
            status=ReviewStatus(row["status"]),
            action=Action(row["action"]),
            confidence=row["confidence"],
            reason=row["reason"],
            hindrance=row["hindrance"],
            provider=row["provider"],
            memory_id=row["memory_id"],
            target_id=row["target_id"],
            candidate_ids=tuple(row["candidate_ids"]),
            text=row.get("text"),
            created_at=row["created_at"],
            expires_at=row["expires_at"],
            decided_at=row.get("decided_at"),
            decided_by=row.get("decided_by"),
            decided_action=Action(decided) if decided else None,
            note=row.get("note") or "",
        )

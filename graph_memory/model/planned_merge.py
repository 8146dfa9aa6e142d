"""What a rehearsed consolidation would merge, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class PlanStatus(StrEnum):
    """PLANNED waits to be carried out; the others are ends."""

    PLANNED = "PLANNED"
    DONE = "DONE"
    LEFT = "LEFT"


@dataclass(frozen=True)
class PlannedMerge:
    """One group of a plan: the members, the first of which gives its source, and the text that would say all of them.

    `statements` are what a single member would be split into, or the one that says it in fewer words; none where several are
    merged. `links` are those that would move. `fault` tells why it was left.
    """

    id: str
    subject_id: str
    position: int
    status: PlanStatus
    members: tuple[str, ...]
    hashes: tuple[str, ...]
    text: str
    reason: str
    confidence: float
    provider: str
    statements: tuple[str, ...]
    links: int
    product_id: str | None
    fault: str | None
    settled_at: datetime | None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> PlannedMerge:
        """From its node's properties."""
        given: dict[str, Any] = {name: row.get(name) for name in cls.__dataclass_fields__}
        lists: dict[str, Any] = {
            name: tuple(row.get(name) or ()) for name in ("members", "hashes", "statements")
        }
        return cls(**{**given, **lists, "status": PlanStatus(row["status"])})

"""A batch as it stands: its six statuses, the moves between them, and its counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What a batch asks about."""

    EXTRACTION = "EXTRACTION"
    RELATIONSHIP = "RELATIONSHIP"


class Status(StrEnum):
    """SUBMITTED waits for its answers, PROCESSING applies them; the others are ends."""

    SUBMITTED = "submitted"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


MOVES: Mapping[Status, frozenset[Status]] = {
    Status.SUBMITTED: frozenset({Status.PROCESSING, Status.FAILED, Status.EXPIRED, Status.CANCELLED}),
    # Back in line: what could not be sent with the rest, or was to be asked anew after an erasure.
    Status.PROCESSING: frozenset(
        {Status.SUBMITTED, Status.COMPLETED, Status.FAILED, Status.EXPIRED, Status.CANCELLED}
    ),
    Status.COMPLETED: frozenset(),
    Status.FAILED: frozenset({Status.SUBMITTED}),
    Status.EXPIRED: frozenset({Status.SUBMITTED}),
    Status.CANCELLED: frozenset({Status.SUBMITTED}),
}
PENDING = (Status.SUBMITTED, Status.PROCESSING)
ENDED = tuple(status for status in Status if status not in PENDING)


class ItemState(StrEnum):
    """How a question stands: no more is done about one that is APPLIED or FAILED."""

    WAITING = "waiting"
    APPLIED = "applied"
    FAILED = "failed"


@dataclass(frozen=True)
class Batch:
    """Questions that are answered together.

    `provider` is None where the questions are asked one by one; `provider_id` is the provider's id of the batch and
    None until it took it. `items`, `applied` and `failed` count questions, `attempts` how often they were sent, `retries`
    how often the job put it back in line, `faults` the passing faults in a row. `sending_at` is set while it is not
    known whether the provider took it. `reason` tells why it is where it is.
    """

    id: str
    subject_name: str
    kind: Kind
    status: Status
    provider: str | None
    provider_id: str | None
    earlier_id: str | None
    items: int
    applied: int
    failed: int
    attempts: int
    retries: int
    faults: int
    reason: str | None
    run_id: str | None
    created_at: datetime
    submitted_at: datetime
    sending_at: datetime | None
    sent: int | None
    expires_at: datetime | None
    moved_at: datetime
    ended_at: datetime | None

    @property
    def waiting(self) -> int:
        """Questions that are neither applied nor given up."""
        return self.items - self.applied - self.failed

    @property
    def is_pending(self) -> bool:
        """Whether it is not at its end."""
        return self.status in PENDING

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Batch:
        """Made from a row with the node's properties and the name of its subject."""
        given = {name: row["batch"].get(name) for name in cls.__dataclass_fields__}
        known = {
            "subject_name": row["subject_name"],
            "kind": Kind(given["kind"]),
            "status": Status(given["status"]),
        }
        return cls(**{**given, **known})


def into(status: Status) -> list[str]:
    """The statuses from which a batch may become this one."""
    return [before.value for before, after in MOVES.items() if status in after]

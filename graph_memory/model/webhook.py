"""A webhook: an address to which the changes of an account are sent as they are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from graph_memory.model.change import Operation


class WebhookStatus(StrEnum):
    """How a webhook stands. ASIDE: it failed for too long, or wanted no more; it rests until somebody resumes it."""

    ACTIVE = "ACTIVE"
    ASIDE = "ASIDE"


@dataclass(frozen=True)
class Webhook:
    """Where changes go, which ones, and how far it has come.

    `after` is the sequence number of the last change that is dealt with; `lag` how many the account has made since.
    """

    id: str
    url: str
    subject_name: str | None
    operations: tuple[Operation, ...]
    with_content: bool
    status: WebhookStatus
    after: int
    lag: int
    failures: int
    failing_since: datetime | None
    last_error: str | None
    last_sent_at: datetime | None
    next_try_at: datetime | None
    created_at: datetime
    created_by: str

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Webhook:
        """A webhook from its node's properties and its lag."""
        given = {name: row.get(name) for name in cls.__dataclass_fields__}
        parsed: dict[str, Any] = {
            "operations": tuple(Operation(each) for each in row["operations"]),
            "status": WebhookStatus(row["status"]),
        }
        return cls(**{**given, **parsed})

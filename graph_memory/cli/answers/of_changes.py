"""What the commands of the ledger, of reviews and of webhooks answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph_memory.cli.answers.shapes import Open, also, changed
from graph_memory.model.change import Operation
from graph_memory.model.review import Review
from graph_memory.model.webhook import Webhook


@dataclass
class LedgerChange(Open):
    """A decision of the ledger. `before`, `after` and `effects` are null once compaction or erasure has emptied them."""

    id: str
    sequence: int
    place: int | None
    at: datetime
    operation: Operation
    classification: str | None
    confidence: float | None
    subject_id: str
    targets: list[str]
    sources: list[str]
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    effects: dict[str, Any] | None
    reason: str
    actor: str
    session_id: str | None
    run_id: str | None
    request_id: str
    undone_by: str | None


@dataclass
class Ended:
    """What was ended or removed."""

    id: str
    replayed: bool


# Texts are null of what was erased since.
ReviewListed = also(
    "ReviewListed",
    Review,
    subject=str,
    memory_text=str | None,
    target_text=str | None,
)

Decided = changed(Review)


@dataclass
class Webhooks:
    """All of an account."""

    items: list[Webhook]

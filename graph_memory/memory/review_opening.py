"""Opening a review, in the transaction that stored the memory it is about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from graph_memory.base.ids import new_id
from graph_memory.ledger.changes import Writing
from graph_memory.memory.settings import ReviewsSettings
from graph_memory.model.review import ReviewStatus
from graph_memory.model.verdict import Action
from graph_memory.store.queries import query

OPEN = query("reviews/open")


@dataclass(frozen=True)
class Proposal:
    """What a judge wanted to do with the new memory and a known one."""

    action: Action
    memory_id: str
    target_id: str
    candidate_ids: tuple[str, ...]
    confidence: float
    reason: str
    hindrance: str
    provider: str
    text: str | None


def open_review(writing: Writing, proposal: Proposal) -> str:
    """The id of the new review."""
    id = new_id()
    properties = {
        **vars(proposal),
        "id": id,
        "action": proposal.action.value,
        "candidate_ids": list(proposal.candidate_ids),
        "caption": f"{proposal.action.value.lower()}?",
        "status": ReviewStatus.PENDING.value,
        "created_at": writing.now,
        "expires_at": writing.now + timedelta(days=writing.settings[ReviewsSettings].expire_days),
    }
    writing.run(OPEN, properties=properties)
    return id

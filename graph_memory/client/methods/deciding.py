"""Reviews: what waits for a person, and deciding it."""

from __future__ import annotations

from graph_memory.client.answers.decoding import read
from graph_memory.client.answers.listed import Page
from graph_memory.client.answers.of_reviews import Review, ReviewSettled
from graph_memory.client.answers.words import JudgedAction, ReviewStatus
from graph_memory.client.exchange import Asker, Steps
from graph_memory.client.exchange import ask as send
from graph_memory.client.methods.calls import writes
from graph_memory.client.sending import variables


def reviews(
    asker: Asker,
    *,
    status: ReviewStatus | None = "PENDING",
    first: int = 20,
    after: str | None = None,
    subject: str | None = None,
) -> Steps[Page[Review]]:
    """A page of what waits for a person, or was decided."""
    given = {"first": first, "after": after}
    asked = variables(given, subject or asker.subject) | {"status": status}
    return read(Page[Review], (yield from send(asker, "reviews", asked)))


def approve_review(
    asker: Asker,
    id: str,
    *,
    action: JudgedAction | None = None,
    text: str | None = None,
    reason: str = "",
    key: str | None = None,
) -> Steps[ReviewSettled]:
    """Does what was proposed; with `action` something else, or with this `text` of a MERGE or a SUPERSEDE."""
    given = {"id": id, "action": action, "text": text, "reason": reason}
    return read(ReviewSettled, (yield from writes(asker, "approve-review", given, key)))


def reject_review(asker: Asker, id: str, *, reason: str = "", key: str | None = None) -> Steps[ReviewSettled]:
    """Refuses what was proposed; both memories stay."""
    return read(ReviewSettled, (yield from writes(asker, "reject-review", {"id": id, "reason": reason}, key)))

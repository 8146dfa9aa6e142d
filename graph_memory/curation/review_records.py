"""Reading reviews: one, a page of them, and how far people agree with each judge."""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory.base.clock import ALWAYS
from graph_memory.base.cursors import check_first, cursor_at, place_at
from graph_memory.base.errors import NotFound
from graph_memory.base.ids import check_id
from graph_memory.base.scope import Scope
from graph_memory.model.review import Review, ReviewStatus
from graph_memory.model.verdict import Action
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.store.subjects import narrowed

GET = query("reviews/get")
PAGE = query("reviews/page")
COUNT = query("reviews/count")
AGREEMENT = query("reviews/agreement")
SUBJECT_OF = query("reviews/subject_of")

# In the order of an Agreement's fields.
_COUNTED = (
    ReviewStatus.APPROVED.value,
    ReviewStatus.REJECTED.value,
    ReviewStatus.EDITED.value,
    ReviewStatus.EXPIRED.value,
)


@dataclass(frozen=True)
class Page:
    """One page of reviews, oldest first. `cursors` has for each review the place right after it, `has_next` tells of more."""

    items: list[Review]
    cursors: list[str]
    has_next: bool


@dataclass(frozen=True)
class Agreement:
    """How people decided what one judge proposed of one kind. `rate`: approved of all decided; None before any."""

    provider: str
    action: Action
    approved: int
    rejected: int
    edited: int
    expired: int

    @property
    def rate(self) -> float | None:
        decided = self.approved + self.rejected + self.edited
        return self.approved / decided if decided else None


def get(service: Service, scope: Scope, id: str) -> Review:
    """The review; NotFound when it is missing or someone else's."""
    rows = service.read(scope, GET, id=check_id(id, "review"))
    if not rows:
        raise NotFound(f"There is no review {id}, or it belongs to someone else.")
    return Review.from_row(rows[0]["review"])


def page(
    service: Service,
    scope: Scope,
    first: int = 20,
    after: str | None = None,
    status: ReviewStatus | None = ReviewStatus.PENDING,
) -> Page:
    """Reviews of a status, or of all with None, oldest first; new ones do not move the cursor's place."""
    check_first(first)
    at, id = place_at(after) or (ALWAYS, "")
    rows = service.read(scope, PAGE, statuses=_named(status), at=at, id=id, first=first + 1)
    items = [Review.from_row(row["review"]) for row in rows]
    return Page(items[:first], [cursor_of(each) for each in items[:first]], len(items) > first)


def count(service: Service, scope: Scope, status: ReviewStatus | None = ReviewStatus.PENDING) -> int:
    """How many reviews `page` comes to, on all its pages."""
    return int(service.read(scope, COUNT, statuses=_named(status), at=ALWAYS, id="")[0]["total"])


def _named(status: ReviewStatus | None) -> list[str]:
    return [each.value for each in ([status] if status else ReviewStatus)]


def agreement(service: Service, scope: Scope) -> list[Agreement]:
    """Counts by judge and action, over the reviews that are still kept."""
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for row in service.read(scope, AGREEMENT, statuses=list(_COUNTED), since=ALWAYS):
        counts.setdefault((row["provider"], row["action"]), {})[row["status"]] = row["number"]
    return [
        Agreement(
            provider,
            Action(action),
            *(found.get(each, 0) for each in _COUNTED),
        )
        for (provider, action), found in counts.items()
    ]


def scope_of(service: Service, scope: Scope, id: str) -> Scope:
    """The scope narrowed to the subject of this review; as it is when it names one or the review is not there."""
    return narrowed(service, scope, SUBJECT_OF, id=id)


def cursor_of(review: Review) -> str:
    """The place of a review in the queue."""
    return cursor_at(review.created_at, review.id)

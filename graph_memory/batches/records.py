"""Reading batches: one, a page of them, those that are not at their end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.base.clock import ALWAYS, FOREVER
from graph_memory.base.cursors import check_first, cursor_at, place_at
from graph_memory.base.errors import NotFound
from graph_memory.base.ids import check_id
from graph_memory.base.scope import Scope
from graph_memory.model.batch import PENDING, Batch, Kind, Status
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.store.subjects import narrowed

GET = query("batches/get")
PAGE = query("batches/page")
COUNT = query("batches/count")
PENDING_ONES = query("batches/pending")
SUBJECT_OF = query("batches/subject_of")

_LAST = "~"


@dataclass(frozen=True)
class Page:
    """Some batches, newest first, each with the cursor behind it, and whether there are more."""

    items: list[Batch]
    cursors: list[str]
    has_next: bool


def get(service: Service, scope: Scope, id: str) -> Batch:
    """The batch; NotFound when it is missing or someone else's."""
    rows = service.read(scope, GET, id=check_id(id, "batch"))
    if not rows:
        raise NotFound(f"There is no batch {id}, or it belongs to someone else.")
    return Batch.from_row(rows[0])


def page(
    service: Service,
    scope: Scope,
    first: int = 20,
    after: str | None = None,
    status: Status | None = None,
) -> Page:
    """Batches of a status, or of all with None, newest first; new ones do not move the cursor's place."""
    check_first(first)
    at, id = place_at(after) or (FOREVER, _LAST)
    rows = service.read(scope, PAGE, statuses=_named(status), at=at, id=id, first=first + 1)
    items = [Batch.from_row(row) for row in rows]
    return Page(
        items[:first], [cursor_at(each.created_at, each.id) for each in items[:first]], len(items) > first
    )


def count(service: Service, scope: Scope, status: Status | None = None) -> int:
    """How many batches `page` comes to, on all its pages."""
    return int(service.read(scope, COUNT, statuses=_named(status), at=FOREVER, id=_LAST)[0]["total"])


def _named(status: Status | None) -> list[str]:
    return [each.value for each in ([status] if status else Status)]


def pending(service: Service, scope: Scope, kinds: Sequence[Kind]) -> list[tuple[str, Scope]]:
    """Ids and scopes of the batches of these kinds that are not at their end, oldest first."""
    rows = service.read(
        scope,
        PENDING_ONES,
        statuses=[each.value for each in PENDING],
        kinds=[each.value for each in kinds],
        since=ALWAYS,
    )
    return [(row["id"], scope.of(row["subject_name"])) for row in rows]


def scope_of(service: Service, scope: Scope, id: str) -> Scope:
    """The scope narrowed to the subject of this batch; as it is when it names one or the batch is not there."""
    return narrowed(service, scope, SUBJECT_OF, id=id)

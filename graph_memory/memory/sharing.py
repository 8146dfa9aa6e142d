"""SHARES_ENTITY: memories that mention the same entity, the rarer the stronger. Derived, never decided.

The weight of a pair is the sum of 1 / ln(1 + n) over the entities that both mention, n being how many memories mention
each. An entity that more than SHARED_MOST memories mention gives none: it tells nothing. Of each memory the
STRONGEST strongest count. The stored relationship is a cache for recall, graph algorithms and pictures; a past
moment is answered from the mentions open then, by the same rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from graph_memory.base.clock import FOREVER
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Writing
from graph_memory.store.queries import query
from graph_memory.store.service import Service

if TYPE_CHECKING:
    from graph_memory.jobs.context import Context

# An entity that more memories than this mention joins none of them.
SHARED_MOST = 50
# Strongest others that a memory is joined to.
STRONGEST = 10
# Memories weighed anew in one transaction.
_AT_ONCE = 1000
SHARE = query("links/share")
SHARED = query("links/shared")
SHARED_THEN = query("links/shared_then")
REWEIGH = query("links/reweigh")
REWEIGH_REST = query("links/reweigh_rest")


@dataclass(frozen=True)
class Shared:
    """Another memory that mentions some of the same entities."""

    id: str
    weight: float
    names: tuple[str, ...]


def share(writing: Writing, ids: Sequence[str]) -> None:
    """Joins new memories, whose mentions are written, to the strongest others. No Change: nothing was decided."""
    if ids:
        sizes = {"most": SHARED_MOST, "keep": STRONGEST}
        writing.run(SHARE, ids=list(ids), forever=FOREVER, now=writing.now, **sizes)


def shared_of(
    service: Service, scope: Scope, ids: Sequence[str], moment: Moment = NOW
) -> dict[str, list[Shared]]:
    """For each memory the others that share an entity with it, strongest first; those that answer at the moment."""
    now = service.clock()
    as_of, known_at = moment.at(now)
    if moment.is_past(now):
        rows = service.read(
            scope,
            SHARED_THEN,
            ids=list(ids),
            as_of=as_of,
            known_at=known_at,
            most=SHARED_MOST,
            keep=STRONGEST,
        )
    else:
        rows = service.read(scope, SHARED, ids=list(ids), as_of=as_of, keep=STRONGEST)
    return {
        row["id"]: [Shared(each["id"], each["weight"], tuple(each["names"])) for each in row["shared"]]
        for row in rows
    }


def run(context: Context) -> dict[str, int]:
    """The nightly job. Its batches need no fence: an overtaken holder writes what its successor would."""
    context.progress(0, 1, "reweigh")
    return {"reweighed": reweigh(context.service, context.scope, context.at)}


def reweigh(service: Service, scope: Scope, at: datetime | None = None) -> int:
    """Computes all SHARES_ENTITY of the scope anew and removes those that no longer hold; says how many memories."""
    moment = at or service.clock()
    values = {"most": SHARED_MOST, "keep": STRONGEST, "batch": _AT_ONCE, "forever": FOREVER}
    rows = service.batches(scope, REWEIGH, at=moment, **values)
    service.batches(scope, REWEIGH_REST, at=moment, batch=_AT_ONCE)
    return int(rows[0]["reweighed"])

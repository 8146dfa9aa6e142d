"""Reading what is no memory by its id, entities and changes, and anything by the beginning of one."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import opened
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service

ENTITIES = query("memory/entities_by_id")
CHANGE = query("ledger/change")

MOST_BEGUN = 5


def entities(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, Row]:
    """The entities by id: `{id, name, type, key}`. A missing or foreign one is left out."""
    rows = service.read(scope, ENTITIES, ids=sorted(set(ids)))
    return {row["id"]: row["entity"] for row in rows}


def change(service: Service, scope: Scope, id: str) -> Row | None:
    """A Change as a flat map, or None."""
    rows = service.read(scope, CHANGE, id=id)
    return opened(rows[0]["change"]) if rows else None


def begun(service: Service, scope: Scope, statement: Query, start: str) -> list[Row]:
    """Those whose ids begin so, `{id, caption}`, by id; one more than `MOST_BEGUN` where there are more."""
    return service.read(scope, statement, start=start, first=MOST_BEGUN + 1)

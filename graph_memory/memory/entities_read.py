"""Reading entities by their ids."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.queries import query
from graph_memory.service import Row, Service
from graph_memory.tenancy import Scope

BY_ID = query("memory/entities_by_id")


def entities(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, Row]:
    """The entities by id: `{id, name, type, key}`. A missing or foreign one is left out."""
    rows = service.read(scope, BY_ID, ids=sorted(set(ids)))
    return {row["id"]: row["entity"] for row in rows}

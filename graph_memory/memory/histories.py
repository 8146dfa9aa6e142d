"""The histories of many memories in one statement."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.base.ids import check_id
from graph_memory.base.scope import Scope
from graph_memory.memory.reading import State
from graph_memory.model.memory import Memory
from graph_memory.store.queries import query
from graph_memory.store.service import Service

HISTORIES = query("memory/histories")


def histories(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, list[State]]:
    """The history of each memory: every state of it and of the versions before and after it, oldest first. Ids of missing or
    foreign memories are left out."""
    wanted = sorted({check_id(id) for id in ids})
    rows = service.read(scope, HISTORIES, ids=wanted)
    return {
        row["id"]: [
            State(Memory.from_row(item["state"]), item["superseded_by"], item["reason"])
            for item in row["states"]
        ]
        for row in rows
    }

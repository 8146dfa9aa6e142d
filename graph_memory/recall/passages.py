"""Passages: what was said, as it was said. A passage is a stored message; nothing of it is kept twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.store.queries import query
from graph_memory.store.service import Service

OF_MEMORIES = query("recall/passages_of")


@dataclass(frozen=True)
class Passage:
    """A message as it was said, and the memories that were taken from it."""

    id: str
    subject_id: str
    text: str
    speaker: str
    at: datetime
    role: str | None
    ref: str | None
    session: str | None
    segment_id: str
    position: int
    memory_ids: tuple[str, ...]

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Passage:
        """Made from the map that every query projects a passage to (`recall/parts/said`)."""
        return cls(**{**row, "memory_ids": tuple(sorted(row["memory_ids"]))})


def passages_of(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, list[Passage]]:
    """The passages that memories were taken from, by the memory's id, in the order in which they were said."""
    rows = service.read(scope, OF_MEMORIES, ids=list(ids))
    return {row["id"]: [Passage.from_row(said) for said in row["passages"]] for row in rows}


def said_at(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, datetime]:
    """When memories were first said, by their ids; those that were taken from no talk are left out."""
    return {id: min(said.at for said in found) for id, found in passages_of(service, scope, ids).items()}

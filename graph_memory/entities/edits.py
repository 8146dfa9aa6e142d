"""Changing what is known of entities, in an open transaction: the one way to do it, for decisions and for undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graph_memory.base.errors import Conflict, NotFound
from graph_memory.ledger.changes import Writing
from graph_memory.store.queries import query
from graph_memory.store.service import Row

LOAD = query("entities/load")
HOLDERS = query("entities/holders")
REWRITE = query("entities/rewrite")
MOVE_RELATIONS = query("entities/move_relations")

# What makes an entity this one and no other.
IDENTITY = ("type", "key", "discriminator")


def load_entities(writing: Writing, ids: Sequence[str]) -> dict[str, Row]:
    """The entities by id with all properties, and `alias_ids`; NotFound names the first that is missing or foreign."""
    rows = {
        row["entity"]["id"]: {**row["entity"], "alias_ids": row["alias_ids"]}
        for row in writing.run(LOAD, ids=list(dict.fromkeys(ids)))
    }
    for id in ids:
        if id not in rows:
            raise NotFound(f"There is no entity {id}, or it belongs to someone else.", path="id")
    return rows


def rewrite_entities(writing: Writing, edits: Mapping[str, Mapping[str, Any]]) -> Row:
    """Sets properties of entities; for the ledger each with what they were and what they are: `{id: {before, after}}`.

    Entities that are no more are left out. Raises Conflict where another one has the identity already.
    """
    if not edits:
        return {}
    found = {row["entity"]["id"]: row["entity"] for row in writing.run(LOAD, ids=sorted(edits))}
    rows = [{"id": id, "set": dict(edits[id])} for id in sorted(found)]
    _refuse_taken(writing, found, edits)
    writing.run(REWRITE, rows=rows)
    return {
        id: {"before": {name: known.get(name) for name in edits[id]}, "after": dict(edits[id])}
        for id, known in found.items()
    }


def move_relations(writing: Writing, moves: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Carries what memories state of one entity over to another: `[from, to, memories]` each. Answers the moves."""
    for start, to, memories in moves:
        writing.run(MOVE_RELATIONS, start=start, to=to, memories=list(memories))
    return [list(each) for each in moves]


def _refuse_taken(writing: Writing, found: Mapping[str, Row], edits: Mapping[str, Mapping[str, Any]]) -> None:
    wanted = [
        {"id": id, **{name: edits[id].get(name, known[name]) for name in IDENTITY}}
        for id, known in found.items()
        if set(IDENTITY) & edits[id].keys()
    ]
    if not wanted:
        return
    for row in writing.run(HOLDERS, rows=wanted, ids=sorted(found)):
        raise Conflict(
            f"Entity {row['holder']} ({row['name']}) has this name, type and discriminator already; merge the two, or "
            "give another discriminator."
        )

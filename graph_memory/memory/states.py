"""Changing the state of memories: the one way to do it. The state so far becomes a Revision, in the same transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_memory.base.errors import Conflict, IllegalMove, LiveTwin, NotFound
from graph_memory.base.ids import new_id
from graph_memory.ledger.changes import PENDING, Writing
from graph_memory.memory.live_keys import holds_to, live_key, will_hold
from graph_memory.memory.review_states import settle_reviews
from graph_memory.model.memory import STATE_RANK, Status
from graph_memory.scoring.scores import Rule
from graph_memory.scoring.settings import DecaySettings
from graph_memory.store.queries import query
from graph_memory.store.service import Row

LOAD = query("memory/load")
REWRITE = query("memory/rewrite")
HOLDERS = query("memory/key_holders")

# What a state holds: a change of any of these writes a revision. Scores, counters and marks do not.
VERSIONED = frozenset(
    {
        "text",
        "kind",
        "tags",
        "metadata",
        "happens_at",
        "expires_at",
        "valid_from",
        "valid_to",
        "status",
        "heading",
        "chain_id",
        "confirmed_at",
    }
)

# Which status may become which, and by what. Nothing else is allowed; undo takes any move back.
MOVES: Mapping[tuple[Status, Status], str] = {
    (Status.ACTIVE, Status.ARCHIVED): "archive",
    (Status.ACTIVE, Status.MERGED): "merge",
    (Status.ACTIVE, Status.RETRACTED): "retract",
    (Status.ARCHIVED, Status.ACTIVE): "restore",
    (Status.ARCHIVED, Status.RETRACTED): "retract",
    (Status.RETRACTED, Status.ACTIVE): "restore",
}


@dataclass(frozen=True)
class Edit:
    """New properties of one memory. `vector_of` takes the vector from the former state with that content hash."""

    id: str
    set: Mapping[str, Any]
    vector_of: str | None = None


def load(writing: Writing, ids: Sequence[str]) -> dict[str, Row]:
    """The memories by id, with all properties but the vector; NotFound names the first that is missing or foreign."""
    rows = {row["memory"]["id"]: row["memory"] for row in writing.run(LOAD, ids=list(dict.fromkeys(ids)))}
    for id in ids:
        if id not in rows:
            raise NotFound(f"There is no memory {id}, or it belongs to someone else.")
    return rows


def require_unchanged(
    rows: Mapping[str, Row], hashes: Mapping[str, str], *, must_be_live: bool = True
) -> None:
    """What was decided outside the transaction still fits it. Raises Conflict for a memory whose text, by its content
    hash, is another one by now, or, unless that does not matter, that is no longer live. `rows` are as loaded."""
    for id, row in rows.items():
        if row["content_hash"] != hashes[id] or (must_be_live and row.get("live_key") is None):
            raise Conflict(f"Memory {id} was changed meanwhile; look at it again.")


def rewrite(writing: Writing, before: Mapping[str, Row], edits: Sequence[Edit]) -> dict[str, Row]:
    """Carries out the edits; the changed properties of each memory, as they were (for the ledger).

    `before` are the memories as loaded. Reviews follow what ends and what comes back. Raises LiveTwin when the same
    statement is live elsewhere.
    """
    rows = [_row(before[edit.id], edit, writing) for edit in sorted(edits, key=lambda edit: edit.id)]
    _refuse_twins(writing, rows)
    now = writing.run(REWRITE, rows=rows, now=writing.now, pending=PENDING)
    after = {edit.id: edit.set for edit in edits}
    settle_reviews(
        writing, [row["id"] for row in now if _has_moved(before[row["id"]], after[row["id"]], row)]
    )
    return {edit.id: {name: before[edit.id].get(name) for name in edit.set} for edit in edits}


def twins(writing: Writing, before: Mapping[str, Row], edits: Sequence[Edit]) -> dict[str, Row]:
    """For each memory that the edits make live the one of the same words that is live already, as loaded."""
    keys = {key: edit.id for edit in edits if (key := _key(before[edit.id], edit, writing))}
    edited = {edit.id for edit in edits}
    held = {
        keys[row["key"]]: row["id"]
        for row in writing.run(HOLDERS, keys=sorted(keys))
        if row["id"] not in edited
    }
    rows = load(writing, sorted(held.values()))
    return {id: rows[holder] for id, holder in held.items()}


def give_way(writing: Writing, twin: Row, to: str) -> Edit:
    """Archives a live twin, so that memory `to` can be live in its place."""
    reason = f"The same statement came back as memory {to}."
    return Edit(twin["id"], moved(Status.ARCHIVED, archived_at=writing.now, archive_reason=reason))


def require_move(row: Row, to: Status) -> None:
    """IllegalMove, with the reason, when a memory of this status cannot become `to`."""
    here = Status(row["status"])
    if (here, to) not in MOVES:
        known = sorted({name for (before, _), name in MOVES.items() if before is here})
        allowed = f"you can only {' or '.join(known)} it" if known else "nothing but undo changes that"
        raise IllegalMove(
            f"Memory {row['id']} is {here.value.lower()} and cannot become {to.value.lower()}; {allowed}."
        )


def moved(to: Status, rule: Rule | None = None, **more: Any) -> Row:
    """The properties of a status; `rule` is by what it is archived, where no person decided.

    What has expired is past, not gone: it keeps its rank among what has ended.
    """
    rank = STATE_RANK[Status.ACTIVE if rule is Rule.EXPIRED else to]
    return {"status": to.value, "state_rank": rank, "archive_rule": rule.value if rule else None, **more}


def restored() -> Row:
    """The properties of a memory that was put away behind another and stands for itself again."""
    return moved(Status.ACTIVE, archived_at=None, archive_reason=None)


def _has_moved(before: Row, set: Mapping[str, Any], now: Row) -> bool:
    """Whether it began or ceased to be live, or has another status; `now` tells whether it is live after the edit."""
    was_live = before.get("live_key") is not None
    return was_live is not bool(now["is_live"]) or bool(
        set.get("status", before["status"]) != before["status"]
    )


def _row(before: Row, edit: Edit, writing: Writing) -> Row:
    changed = {name for name, value in edit.set.items() if before.get(name) != value}
    return {
        "id": edit.id,
        "revision_id": new_id() if changed & VERSIONED else None,
        "set": {**edit.set, "holds_to": holds_to({**before, **edit.set}, writing.settings[DecaySettings])},
        "vector_of": edit.vector_of,
        "live_key": _key(before, edit, writing),
    }


def _key(before: Row, edit: Edit, writing: Writing) -> str | None:
    """The key that a memory holds after an edit; None when it is not live then."""
    after = {**before, **edit.set}
    if after.get("community_id"):
        # A summary stands in neither index, and takes nobody's place.
        return None
    ends = holds_to(after, writing.settings[DecaySettings])
    if after["status"] != Status.ACTIVE or not will_hold(after["valid_from"], ends, writing.now):
        return None
    return live_key(after["kind"], after["text"], after.get("happens_at"), after["valid_from"], writing.now)


def _refuse_twins(writing: Writing, rows: Sequence[Row]) -> None:
    wanted: dict[str, str] = {}
    for row in rows:
        if row["live_key"] and wanted.setdefault(row["live_key"], row["id"]) != row["id"]:
            raise LiveTwin(wanted[row["live_key"]])
    edited = {row["id"] for row in rows}
    for found in writing.run(HOLDERS, keys=list(wanted)):
        if found["id"] not in edited:
            raise LiveTwin(found["id"])

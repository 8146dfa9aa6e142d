"""Merging a group of memories into a new one: it says what they say, and they are archived behind it.

The new memory has the median of their importance, the highest confidence, all tags and mentions, and their links but for
those among themselves. It leads to each of them by CONSOLIDATES. All of it is one Change, undone like any other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Conflict, LiveTwin
from graph_memory.base.ids import new_id
from graph_memory.entities.claims import read_again
from graph_memory.entities.relations import relate_again
from graph_memory.ledger.changes import PENDING, Decision, Writing
from graph_memory.memory.addition import ADD
from graph_memory.memory.live_keys import holds_to, live_key
from graph_memory.memory.merge import SHARE_MENTIONS, STANDS_ALONE, carry_links
from graph_memory.memory.properties import MOST_TAGS, as_stored, for_ledger
from graph_memory.memory.sharing import share
from graph_memory.memory.states import Edit, load, moved, require_move, require_unchanged, rewrite
from graph_memory.model.change import CONSOLIDATE, Operation
from graph_memory.model.memory import STATE_RANK, SourceKind, Status, trust_of
from graph_memory.scoring.rescoring import rescore_some
from graph_memory.scoring.settings import DecaySettings
from graph_memory.store.queries import query
from graph_memory.store.service import Row

AGE = query("consolidation/age")

# What members must have in common, with the word for it.
_ONE = {
    "kind": "kind",
    "valid_to": "end",
    "expires_at": "expiry",
    "agent_id": "agent",
    "subject_id": "subject",
}


def why_apart(rows: Sequence[Mapping[str, Any]]) -> str | None:
    """Why memories cannot become one, whatever they say; None when nothing but their words decides. As loaded."""
    for name, word in _ONE.items():
        if len({row.get(name) for row in rows}) > 1:
            return f"their {word} differs"
    if len({trust_of(SourceKind(row["source_kind"]), row.get("confirmed_at")) for row in rows}) > 1:
        return "they are not trusted alike"
    if len({row["happens_at"] for row in rows if row.get("happens_at") is not None}) > 1:
        return "they happen at different times"
    values: dict[str, Any] = {}
    for row in rows:
        for name, value in json.loads(row["metadata"]).items():
            if values.setdefault(name, value) != value:
                return "their metadata differs"
    return None


def merge_group(
    writing: Writing,
    members: Mapping[str, str],
    leader: str,
    derived: Row,
    reason: str,
    confidence: float | None = None,
) -> Row:
    """Makes one memory of a group in the open transaction; says its id and how many links it has taken over.

    `members` are their ids, each with the hash of what it said when it was judged. Its source is the leader's, and
    `derived` is what its text leads to. Raises Conflict where a member is no longer what it was, NotFound, IllegalMove,
    and LiveTwin for a text that another memory says already.
    """
    rows = load(writing, list(members))
    require_same(writing, rows, members)
    first = {leader: rows[leader], **rows}
    made = product_of(writing, list(first.values()), derived)
    away = moved(
        Status.ARCHIVED,
        archived_at=writing.now,
        archive_reason=f"Merged with others that say the same into memory {made['id']}.",
    )
    edits = [Edit(id, away) for id in sorted(rows)]
    before = rewrite(writing, rows, edits)
    create(writing, made, _of_all(list(rows.values()), "created_day", min))
    effects, ends = _join(writing, made["id"], list(first), confidence)
    share(writing, [made["id"]])
    relate_again(writing, made["id"])
    read_again(writing, [made["id"]])
    rescore_some(writing.tx, writing.settings, [made["id"]], writing.now, "CONSOLIDATED")
    told = (
        "text",
        "kind",
        "valid_from",
        "valid_to",
        "status",
        "state_rank",
        "tags",
        "base_importance",
        "confidence",
    )
    decision = Decision(
        Operation.MERGE,
        targets=[made["id"]],
        sources=list(first),
        reason=reason,
        classification=CONSOLIDATE,
        confidence=confidence,
        # Before it, nobody believed the new one: undone, it is none.
        before={made["id"]: moved(Status.RETRACTED), **{id: for_ledger(was) for id, was in before.items()}},
        after={
            made["id"]: for_ledger({name: made[name] for name in told}),
            **{edit.id: for_ledger(edit.set) for edit in edits},
        },
        effects=effects,
    )
    writing.decide(decision, touched=sorted({made["id"], *rows, *ends}))
    return {"id": made["id"], "members": list(first), "links": len(effects["links_opened"]) - len(rows)}


def require_same(writing: Writing, rows: Mapping[str, Row], members: Mapping[str, str]) -> None:
    """Raises Conflict unless each may be archived, says what it said by its hash, and they may become one."""
    require_unchanged(rows, members)
    for id, row in rows.items():
        require_move(row, Status.ARCHIVED)
        [chain] = writing.run(STANDS_ALONE, chain=row["chain_id"])
        if not chain["alone"]:
            raise Conflict(f"Memory {id} is one of several versions; it stays with them.")
    apart = why_apart(list(rows.values()))
    if apart is not None:
        raise Conflict(f"These memories cannot be merged: {apart}.")


def product_of(writing: Writing, rows: Sequence[Row], derived: Row) -> Row:
    """The new memory's properties; of the first row it has its source and its tags first."""
    first, id = rows[0], new_id()
    metadata = {name: value for row in rows for name, value in json.loads(row["metadata"]).items()}
    properties = {
        **{name: first.get(name) for name in ("kind", "agent_id", "subject_id", "valid_to", "expires_at")},
        **{name: first.get(name) for name in ("source_kind", "source_ref", "source_author")},
        **{name: first.get(name) for name in ("importance", "retention", "tier", "tier_rank")},
        **derived,
        **as_stored({"tags": _tags(rows, MOST_TAGS), "metadata": metadata}),
        **as_stored({"labels": sorted({label for row in rows for label in row.get("labels") or ()})}),
        **{name: _of_all(rows, name, max) for name in ("happens_at", "last_accessed_at", "accessed_day")},
        **{name: _of_all(rows, name, min) for name in ("valid_from", "created_at")},
        **{name: sum(row.get(name) or 0 for row in rows) for name in ("access_count", "mention_count")},
        **{name: any(row.get(name) for row in rows) for name in ("critical", "pinned")},
        "id": id,
        "chain_id": id,
        "session_id": _common(rows, "session_id"),
        "confirmed_at": first.get("confirmed_at"),
        "confirmed_by": first.get("confirmed_by"),
        "confidence": max(row["confidence"] for row in rows),
        "base_importance": median(row["base_importance"] for row in rows),
        "feedback": median(row.get("feedback") or 0.0 for row in rows),
        "recorded_from": PENDING,
        "recorded_to": FOREVER,
        "updated_at": writing.now,
        "status": Status.ACTIVE.value,
        "state_rank": STATE_RANK[Status.ACTIVE],
    }
    properties["holds_to"] = holds_to(properties, writing.settings[DecaySettings])
    properties["live_key"] = live_key(
        properties["kind"],
        properties["text"],
        properties["happens_at"],
        properties["valid_from"],
        writing.now,
    )
    return properties


def create(writing: Writing, made: Row, day: int | None) -> None:
    """Stores a memory that was laid out, as old as the day says. LiveTwin where another says the same already."""
    row = {"id": made["id"], "key": made["live_key"], "properties": made, "message_id": None}
    [found] = writing.run(ADD, rows=[row])
    if found["holder"] != made["id"]:
        raise LiveTwin(found["holder"])
    writing.run(AGE, id=made["id"], day=day)


def _join(
    writing: Writing, made: str, members: Sequence[str], confidence: float | None
) -> tuple[Row, set[str]]:
    """Its links and mentions; what was done for the ledger, and the memories at the links' other ends."""
    joining = [
        {
            "id": new_id(),
            "kind": "CONSOLIDATES",
            "from": made,
            "to": member,
            "confidence": 1.0 if confidence is None else confidence,
            "strength": 1.0,
            "reason": "",
            "repeats": None,
            "lends": None,
        }
        for member in members
    ]
    effects, _, ends = carry_links(writing, made, members, joining)
    said = [
        row
        for member in members
        for row in writing.run(SHARE_MENTIONS, keep=made, other=member, pending=PENDING, forever=FOREVER)
    ]
    effects["mentions_opened"] = [[row["memory"], row["entity"]] for row in said]
    return effects, ends


def _tags(rows: Sequence[Row], most: int) -> list[str]:
    first = sorted(rows[0]["tags"])
    others = sorted({tag for row in rows for tag in row["tags"]} - set(first))
    return sorted([*first, *others[: max(0, most - len(first))]])


def _of_all(rows: Sequence[Row], name: str, choose: Callable[[Sequence[Any]], Any]) -> Any:
    """The greatest or least of the values that there are; None without any."""
    given = [row[name] for row in rows if row.get(name) is not None]
    return choose(given) if given else None


def _common(rows: Sequence[Row], name: str) -> Any:
    values = {row.get(name) for row in rows}
    return values.pop() if len(values) == 1 else None

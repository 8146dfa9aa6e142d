"""What stood behind an erased memory stands again: products say what they said before, repetitions speak for themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from graph_memory.base.clock import FOREVER
from graph_memory.entities.claims import read_again
from graph_memory.ledger.changes import PENDING, Decision, Writing
from graph_memory.memory.lending import accounted
from graph_memory.memory.repetition import Repetition, give_back, join, name
from graph_memory.memory.states import Edit, load, moved, restored, rewrite, twins
from graph_memory.model.change import Operation
from graph_memory.model.memory import Status
from graph_memory.store.queries import query
from graph_memory.store.service import Row

MERGED = query("forget/merged")
BEFORE_MERGE = query("forget/before_merge")
DROP_REVISIONS = query("forget/drop_revisions")
DROP_CLAIMS = query("forget/drop_claims")
RELEASE = query("forget/release")
UNTAG = query("forget/untag")

SOURCE_ERASED = "SOURCE_ERASED"


def restore_products(writing: Writing, ids: list[str]) -> list[Row]:
    """What an erased memory was merged into says again what it said before, and gives back what it was lent; what was
    merged into an erased one stands again. Names what had taken words or tags, and when: later changes quote them."""
    rows = writing.run(MERGED, ids=ids)
    borrowers, parts = (
        [row for row in rows if row["was_source"] is is_source] for is_source in (True, False)
    )
    writing.run(RELEASE, ids=ids)
    _let_stand(writing, parts)
    before = give_back(writing, ids)
    products = _first([row for row in borrowers if not row["repeats"]])
    states = {row["id"]: row["state"] for row in writing.run(BEFORE_MERGE, rows=products)}
    kept = load(writing, sorted(states))
    edits = [
        Edit(id, _said(state, kept[id]), vector_of=state["content_hash"])
        for id, state in sorted(states.items())
    ]
    rewrite(writing, kept, edits)
    writing.run(DROP_REVISIONS, rows=products)
    writing.run(DROP_CLAIMS, rows=products, forever=FOREVER)
    untagged = _untag(writing, before, _first(borrowers))
    for id in sorted({*states, *before}):
        writing.decide(Decision(Operation.RESTORE, [id], classification=SOURCE_ERASED), touched=[id])
    return [*products, *untagged]


def _first(rows: Sequence[Row]) -> list[Row]:
    """Each memory that something was merged into, and when first."""
    at: dict[str, datetime] = {}
    for row in rows:
        at.setdefault(row["other"], row["at"])
    return [{"id": id, "at": moment} for id, moment in sorted(at.items())]


def _untag(writing: Writing, before: Mapping[str, Row], borrowers: Sequence[Row]) -> list[Row]:
    """Tags come from erased ones as their words do: former states lose them."""
    now = load(writing, sorted(before))
    lost = {
        id: sorted(set(values["tags"]) - set(now[id]["tags"]))
        for id, values in before.items()
        if "tags" in values
    }
    first = min((row["at"] for row in borrowers), default=None)
    at = {row["id"]: row["at"] for row in borrowers}
    rows = [{"id": id, "at": at.get(id, first), "tags": tags} for id, tags in sorted(lost.items()) if tags]
    writing.run(UNTAG, rows=rows, pending=PENDING)
    return [{"id": row["id"], "at": row["at"]} for row in rows]


def _let_stand(writing: Writing, parts: Sequence[Row]) -> None:
    """What was merged into an erased memory stands for itself. Of its repetitions the first does, in its place, and the
    later ones repeat that one; so does what says the very words of a memory that is live."""
    rows = load(writing, sorted({row[end] for row in parts for end in ("id", "other")}))
    instead: dict[str, str] = {}
    for part in parts:
        id, gone = part["other"], rows[part["id"]]
        known = instead.get(gone["id"]) if part["repeats"] else None
        edit = Edit(id, _standing_for(rows[id], gone) if part["repeats"] else restored())
        if known is None and (held := twins(writing, rows, [edit])):
            known = str(held[id]["id"])
        if known is not None:
            join(writing, [Repetition(known, rows[id])], [rows[id]])
            continue
        rewrite(writing, rows, [edit])
        writing.decide(Decision(Operation.RESTORE, [id], classification=SOURCE_ERASED), touched=[id])
        if part["repeats"]:
            name(writing, {id: rows[id]})
            read_again(writing, [id])
            if edit.set["status"] == Status.ACTIVE:
                instead.setdefault(gone["id"], id)


def _standing_for(row: Row, gone: Row) -> Row:
    """The state in which a repetition stands: it holds no longer than what it repeated, and is put away as that was."""
    until = max(row["valid_from"], min(row["valid_to"], gone["valid_to"]))
    is_put_away = gone["status"] in (Status.ARCHIVED, Status.RETRACTED)
    away = {each: gone.get(each) for each in ("archived_at", "archive_reason", "quarantined_by")}
    return {**moved(Status(gone["status"]) if is_put_away else Status.ACTIVE), **away, "valid_to": until}


def _said(state: Row, now: Row) -> Row:
    """What goes with the words of a state; of what was lent the present is right already."""
    names = (
        "text",
        "caption",
        "search_text",
        "content_hash",
        "embedding_model",
        "tags",
        "labels",
        "metadata",
        "metadata_pairs",
        "confidence",
        "happens_at",
        "expires_at",
        "created_at",
        "valid_from",
        "valid_to",
    )
    return {name: state.get(name) for name in names if name not in accounted(now)}

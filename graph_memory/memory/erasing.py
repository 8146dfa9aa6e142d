"""What an erasure does within one transaction: it removes memories with all that holds their text, and leaves tombstones."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from graph_memory.base.clock import FOREVER
from graph_memory.base.ids import new_id
from graph_memory.ledger.changes import PENDING, Decision, Writing
from graph_memory.memory.standing_again import restore_products
from graph_memory.memory.supersession import JOIN
from graph_memory.memory.tombstones import bury
from graph_memory.model.change import Operation
from graph_memory.store.queries import query
from graph_memory.store.service import Row

GAPS = query("forget/gaps")
EMPTY_LEDGER = query("forget/empty_ledger")
EMPTY_ALL = query("forget/empty_all")
UNNAME = query("forget/unname")
REDACT = query("forget/redact")
REDACT_SOME = query("forget/redact_some")
TEXTS = query("forget/texts")
REMOVE = query("forget/remove")
ERASE_REVIEWS = query("reviews/erase")
ERASE_ANSWERS = query("batches/erase")
ERASE_PLANS = query("consolidation/plan_erase")

_ALL = sys.maxsize
_COUNTED = ("memories", "revisions", "entities", "messages", "changes", "requests", "tombstones")


def erase(writing: Writing, ids: list[str], whole_subject: bool) -> Row:
    """Erases these memories, and of a whole subject also all that tells of it; what of each kind that came to."""
    took = restore_products(writing, ids)
    _close_gaps(writing, ids)
    texts = [row["text"] for row in writing.run(TEXTS, ids=ids)]
    emptied = (
        writing.run(EMPTY_ALL, now=writing.now)
        if whole_subject
        else writing.run(EMPTY_LEDGER, ids=ids, took=took, now=writing.now)
    )
    writing.run(ERASE_REVIEWS, ids=ids, now=writing.now)
    writing.run(ERASE_PLANS, ids=ids)
    redacted = (
        writing.run(REDACT_SOME, now=writing.now, most=_ALL)
        if whole_subject
        else writing.run(REDACT, ids=ids, now=writing.now)
    )
    writing.run(UNNAME, messages=[row["id"] for row in redacted], now=writing.now)
    touched = [*ids, *(row["id"] for row in redacted)]
    writing.run(ERASE_ANSWERS, ids=touched, everything=whole_subject, now=writing.now)
    tombstones = bury(writing, texts, [row["id"] for row in redacted])
    removed = writing.run(REMOVE, ids=ids, forever=FOREVER)
    writing.decide(Decision(Operation.ERASE, targets=ids, classification="ERASE"))
    return counted(
        writing,
        memories=len(ids),
        revisions=sum(row["revisions"] for row in removed),
        entities=sum(row["entities"] for row in removed),
        messages=len(redacted),
        changes=sum(row["changes"] for row in emptied),
        requests=sum(row["requests"] for row in emptied),
        tombstones=tombstones,
    )


def redact_some(writing: Writing, most: int) -> Row:
    """Empties the subject's first messages; what of each kind that came to."""
    redacted = [row["id"] for row in writing.run(REDACT_SOME, now=writing.now, most=most)]
    writing.run(UNNAME, messages=redacted, now=writing.now)
    writing.run(ERASE_ANSWERS, ids=redacted, everything=False, now=writing.now)
    return counted(writing, messages=len(redacted), tombstones=bury(writing, [], redacted))


def counted(writing: Writing, **counts: int) -> Row:
    """What was done of each kind, and when; what is not told was not done."""
    return {"at": writing.now.isoformat(), **dict.fromkeys(_COUNTED, 0), **counts}


def _close_gaps(writing: Writing, ids: list[str]) -> None:
    pairs = _standing(writing.run(GAPS, ids=ids), set(ids))
    links = [
        {"id": new_id(), "from": newer, "to": older, "open_key": f"{newer}>{older}", "reason": ""}
        for newer, older in pairs
    ]
    if not links:
        return
    call = writing.call
    writing.run(
        JOIN,
        rows=links,
        pending=PENDING,
        forever=FOREVER,
        now=writing.now,
        actor=call.actor,
        run_id=call.run_id,
    )
    ends = sorted({end for pair in pairs for end in pair})
    opened = {"links_opened": [link["id"] for link in links]}
    writing.decide(Decision(Operation.LINK, ends, classification="GAP_CLOSED", effects=opened), touched=ends)


def _standing(rows: Sequence[Row], erased: set[str]) -> list[tuple[str, str]]:
    """For each newer version the nearest older one that stays; the rows come nearest first."""
    nearest: dict[str, str] = {}
    for row in rows:
        if row["older"] not in erased:
            nearest.setdefault(row["newer"], row["older"])
    return sorted(nearest.items())

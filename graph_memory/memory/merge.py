"""Merging two memories in place: the kept one says what both said, the other points to it. Reversible like everything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Conflict, NotFound
from graph_memory.base.ids import check_id, new_id
from graph_memory.entities.claims import read_again
from graph_memory.entities.relations import relate_again
from graph_memory.ledger.changes import PENDING, Answer, Call, Decision, Writing, carry_out
from graph_memory.memory.lending import Lender, lent, lent_by_merging, lent_by_repeating
from graph_memory.memory.merged_text import merged_text
from graph_memory.memory.properties import MOST_TAGS, as_stored, content_hash, for_ledger, properties_of
from graph_memory.memory.reading import get_many
from graph_memory.memory.repetition import ids_of_lenders
from graph_memory.memory.settings import PipelineSettings
from graph_memory.memory.states import Edit, load, moved, require_move, require_unchanged, rewrite
from graph_memory.memory.trust import require_to_merge
from graph_memory.memory.undo import CLOSE_LINKS
from graph_memory.model.change import Operation
from graph_memory.model.memory import Status
from graph_memory.scoring.rescoring import rescore_some
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

LINKS_OF = query("memory/open_links_of")
OPEN_LINKS = query("memory/open_links")
SHARE_MENTIONS = query("memory/share_mentions")
STANDS_ALONE = query("memory/stands_alone")

# What a judge calls a statement that says no more than the known one.
REPEATS = "DUPLICATE"


@dataclass(frozen=True)
class Merged:
    """The memory that was kept, the one merged into it, the text, and the links that said nothing new."""

    id: str
    merged: str
    text: str
    dropped: tuple[str, ...]


def merge(
    service: Service, call: Call, keep_id: str, other_id: str, text: str | None = None, reason: str = ""
) -> tuple[Merged, Answer]:
    """Keeps one memory with the text, tags, links and mentions of both; without a text both texts are kept.

    Confidence is the higher one, importance too unless `pipeline.inherit_max_importance` is off; the interval spans both,
    of two expiries the later one holds. The kept one's tags come first where both have more than there may be.
    Raises NotFound, IllegalMove, LiveTwin, LessTrusted where words would come to be trusted more or less, Conflict for a
    memory with itself or one that changed meanwhile, and Invalid for a text that loses a number or a name of either.
    """
    if check_id(keep_id) == check_id(other_id):
        raise Conflict("A memory cannot be merged with itself.")
    scope = call.scope.for_writing()
    keep, other = get_many(service, scope, [keep_id, other_id])
    if keep is None:
        raise _missing(keep_id, "keepId")
    if other is None:
        raise _missing(other_id, "otherId")
    merged = merged_text(service.settings, keep.text, other.text, text).or_refuse()
    derived = properties_of(service, merged, keep.heading)

    said = {each.id: content_hash(each.text) for each in (keep, other)}

    def work(writing: Writing) -> Row:
        rows = load(writing, [keep_id, other_id])
        require_unchanged(rows, said, must_be_live=False)
        require_move(rows[other_id], Status.MERGED)
        require_move(rows[keep_id], Status.ARCHIVED)
        return unite(writing, rows[keep_id], rows[other_id], derived, reason)

    answer = carry_out(service, call, "mergeMemories", [keep_id, other_id, text, reason], work)
    return Merged(**{**answer.value, "dropped": tuple(answer.value["dropped"])}), answer


def _missing(id: str, path: str) -> NotFound:
    return NotFound(f"There is no memory {id}, or it belongs to someone else.", path=path)


def unite(
    writing: Writing,
    keep: Row,
    other: Row,
    derived: Row,
    reason: str,
    judged: tuple[str, float | None] = ("MERGE", None),
) -> Row:
    """Merges one loaded memory into another in the open transaction; `judged` is how a judge called it, how surely."""
    repeats = judged[0] == REPEATS
    if not repeats:
        require_to_merge(other, keep)
    lends = _lends(writing, keep, other, repeats)
    edits = [
        Edit(keep["id"], {**derived, **_united(writing, keep, other, lends, repeats)}),
        Edit(other["id"], moved(Status.MERGED)),
    ]
    before = rewrite(writing, {keep["id"]: keep, other["id"]: other}, edits)
    points = {
        "id": new_id(),
        "kind": "MERGED_INTO",
        "from": other["id"],
        "to": keep["id"],
        "confidence": 1.0,
        "strength": 1.0,
        "reason": "",
        "repeats": repeats,
        "lends": list(lends),
    }
    effects, dropped, ends = carry_links(writing, keep["id"], [other["id"]], [points])
    said = writing.run(SHARE_MENTIONS, keep=keep["id"], other=other["id"], pending=PENDING, forever=FOREVER)
    effects["mentions_opened"] = [[row["memory"], row["entity"]] for row in said]
    relate_again(writing, keep["id"])
    effects |= read_again(writing, [keep["id"]])
    rescore_some(writing.tx, writing.settings, [keep["id"]], writing.now, "MERGED")
    decision = Decision(
        Operation.MERGE,
        targets=[keep["id"]],
        sources=[other["id"]],
        reason=reason,
        classification=judged[0],
        confidence=judged[1],
        before={id: for_ledger(values) for id, values in before.items()},
        after={edit.id: for_ledger(edit.set) for edit in edits},
        effects=effects,
    )
    writing.decide(decision, touched=sorted({keep["id"], other["id"], *ends}))
    return {"id": keep["id"], "merged": other["id"], "text": derived["text"], "dropped": dropped}


def _lends(writing: Writing, keep: Row, other: Row, repeats: bool) -> tuple[str, ...]:
    if repeats:
        return lent_by_repeating(other, keep)
    return lent_by_merging(writing.settings[PipelineSettings].inherit_max_importance)


def _united(writing: Writing, keep: Row, other: Row, lends: tuple[str, ...], repeats: bool) -> Row:
    """What the kept memory takes over; from a repetition what it lends alone."""
    lender = Lender(other, lends, writing.call.actor)
    others = partial(ids_of_lenders, writing, keep["id"])
    taken = lent(keep, lender, others, MOST_TAGS)
    return taken if repeats else {**taken, **_said_by_both(writing, keep, other)}


def _said_by_both(writing: Writing, keep: Row, other: Row) -> Row:
    """What goes with the words of both. A version of a chain keeps its own interval."""
    [chain] = writing.run(STANDS_ALONE, chain=keep["chain_id"])
    metadata = {**json.loads(other["metadata"]), **json.loads(keep["metadata"])}
    ends = [each["expires_at"] for each in (keep, other) if each.get("expires_at") is not None]
    return {
        **as_stored({"metadata": metadata}),
        **as_stored({"labels": sorted({*(keep.get("labels") or ()), *(other.get("labels") or ())})}),
        "confidence": max(keep["confidence"], other["confidence"]),
        "happens_at": keep.get("happens_at") or other.get("happens_at"),
        "expires_at": max(ends, default=None),
        "created_at": min(keep["created_at"], other["created_at"]),
        "valid_from": min(keep["valid_from"], other["valid_from"]) if chain["alone"] else keep["valid_from"],
        "valid_to": max(keep["valid_to"], other["valid_to"]) if chain["alone"] else keep["valid_to"],
    }


def carry_links(
    writing: Writing, keep: str, others: Sequence[str], joining: Sequence[Row]
) -> tuple[Row, list[str], set[str]]:
    """The links of the others become the kept one's; of two that say the same the more confident stays.

    Those among them end. `joining` are the links that tell of the merge. The effects for the ledger, what ended without
    going on, and the memories at the other ends.
    """
    merged = {keep, *others}
    rows = sorted(writing.run(LINKS_OF, ids=sorted(merged)), key=lambda row: (row["id"] != keep, row["link"]))
    outside = [row for row in rows if row["end"] not in merged]
    best: dict[tuple[str, bool, str], Row] = {}
    for row in outside:
        same = best.get(_place(row))
        if same is None or row["confidence"] > same["confidence"]:
            best[_place(row)] = row
    carried = {row["link"]: row for row in best.values()}
    closing = {row["link"] for row in rows} - {row["link"] for row in best.values() if row["id"] == keep}
    dropped = sorted(closing - carried.keys())
    opening = [link_from(row, keep) for row in best.values() if row["id"] != keep]
    writing.run(CLOSE_LINKS, anchors=sorted(merged), ids=sorted(closing), pending=PENDING)
    open_links(writing, [*opening, *joining])
    twice = {row["link"] for row in outside}
    effects: Row = {
        "links_opened": [row["id"] for row in (*opening, *joining)],
        "links_closed": sorted(closing),
        "links_dropped": {link: "said twice" if link in twice else "between them" for link in dropped},
    }
    return effects, dropped, {row["end"] for row in rows}


def _place(row: Row) -> tuple[str, bool, str]:
    return row["kind"], row["is_outbound"] or row["kind"] == "CONFLICTS", row["end"]


def link_from(row: Row, keep: str) -> Row:
    """An open link as one of another memory, to open."""
    ends = (keep, row["end"]) if row["is_outbound"] else (row["end"], keep)
    if row["kind"] == "CONFLICTS":
        ends = (min(ends), max(ends))
    carried = {name: row[name] for name in ("kind", "confidence", "strength", "reason")}
    return {"id": new_id(), "from": ends[0], "to": ends[1], **carried}


def open_links(writing: Writing, rows: Sequence[Row]) -> None:
    """Opens links in the open transaction."""
    call = writing.call
    writing.run(
        OPEN_LINKS,
        rows=list(rows),
        now=writing.now,
        actor=call.actor,
        run_id=call.run_id,
        pending=PENDING,
        forever=FOREVER,
    )

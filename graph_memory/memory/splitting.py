"""Splitting a memory into statements that each stand alone, and restating one in fewer words.

Each statement becomes a memory with the weight, times and source of the first, the mentions that it names and the links
whose other end it has most words in common with; it leads to the first by DERIVED_FROM. The first stays active beside
them, or is archived. All of it is one Change, undone like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_memory.base.clock import FOREVER
from graph_memory.base.ids import new_id
from graph_memory.entities.claims import read_again
from graph_memory.entities.relations import relate_again
from graph_memory.language.keywords import content
from graph_memory.ledger.changes import PENDING, Decision, Writing
from graph_memory.memory.group_merge import create, product_of, require_same
from graph_memory.memory.merge import LINKS_OF, link_from, open_links
from graph_memory.memory.properties import for_ledger
from graph_memory.memory.sharing import share
from graph_memory.memory.states import Edit, load, moved, rewrite
from graph_memory.memory.undo import CLOSE_LINKS
from graph_memory.model.change import SPLIT, Operation
from graph_memory.model.memory import Status
from graph_memory.scoring.rescoring import rescore_some
from graph_memory.store.queries import query
from graph_memory.store.service import Row

NAMED = query("consolidation/named_of")
MENTION = query("consolidation/mention_some")

_TOLD = (
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


def split_memory(
    writing: Writing,
    id: str,
    content_hash: str,
    derived: Sequence[Row],
    reason: str,
    confidence: float,
    *,
    keeps: bool,
) -> Row:
    """Makes memories of the statements of one in the open transaction; says their ids and how many links they have.

    `derived` is what the text of each leads to; with `keeps` the memory stays active. Raises Conflict where it is no longer
    what it was, NotFound, IllegalMove, and LiveTwin for a statement that another memory says already.
    """
    rows = load(writing, [id])
    require_same(writing, rows, {id: content_hash})
    original = rows[id]
    made = [product_of(writing, [original], each) for each in derived]
    edits = [] if keeps else [Edit(id, _away(writing, made))]
    before = rewrite(writing, rows, edits) if edits else {}
    for each in made:
        create(writing, each, original.get("created_day"))
    ids = [each["id"] for each in made]
    texts = {each["id"]: str(each["text"]) for each in made}
    effects, ends = _join(writing, id, texts, keeps=keeps)
    share(writing, ids)
    for each in ids:
        relate_again(writing, each)
    read_again(writing, ids)
    rescore_some(writing.tx, writing.settings, ids, writing.now, "SPLIT")
    decision = Decision(
        Operation.ADD,
        targets=ids,
        sources=[id],
        reason=reason,
        classification=SPLIT,
        confidence=confidence,
        before={id: for_ledger(was) for id, was in before.items()},
        after={
            **{edit.id: for_ledger(edit.set) for edit in edits},
            **{each["id"]: for_ledger({name: each[name] for name in _TOLD}) for each in made},
        },
        effects=effects,
    )
    writing.decide(decision, touched=sorted({id, *ids, *ends}))
    return {"id": ids[0], "parts": ids, "links": len(effects["links_opened"]) - len(ids)}


def _away(writing: Writing, made: Sequence[Row]) -> Row:
    reason = f"Restated as {', '.join(each['id'] for each in made)}."
    return moved(Status.ARCHIVED, archived_at=writing.now, archive_reason=reason)


def _join(writing: Writing, id: str, texts: Mapping[str, str], *, keeps: bool) -> tuple[Row, set[str]]:
    """Links and mentions of the parts; what was done for the ledger, and the memories at the links' other ends."""
    links = list(writing.run(LINKS_OF, ids=[id]))
    others = load(writing, sorted({row["end"] for row in links}))
    opening = [
        link_from(row, part)
        for row in links
        for part in _nearest(str(others[row["end"]]["text"]), texts, everywhere=not keeps)
    ]
    leading = [_derived(part, id) for part in texts]
    open_links(writing, [*opening, *leading])
    closing = [] if keeps else sorted(row["link"] for row in links)
    if closing:
        writing.run(CLOSE_LINKS, anchors=[id], ids=closing, pending=PENDING)
    pairs = [
        [part, row["id"]]
        for row in writing.run(NAMED, id=id, forever=FOREVER)
        for part in _naming(str(row["name"]), texts)
    ]
    said = writing.run(MENTION, pairs=pairs, pending=PENDING, forever=FOREVER)
    effects: Row = {
        "links_opened": [row["id"] for row in (*opening, *leading)],
        "links_closed": closing,
        "mentions_opened": [[row["memory"], row["entity"]] for row in said],
    }
    return effects, {row["end"] for row in links}


def _nearest(text: str, parts: Mapping[str, str], *, everywhere: bool) -> list[str]:
    """The part that has most words in common with a text; all or none of them where none has any."""
    words = content(text, None)
    shared = {id: len(words & content(part, None)) for id, part in parts.items()}
    best = max(shared.values())
    if best == 0:
        return list(parts) if everywhere else []
    return [next(id for id, count in shared.items() if count == best)]


def _naming(name: str, parts: Mapping[str, str]) -> list[str]:
    """The parts in which a word of a name stands; all where none has one."""
    words = content(name, None)
    return [id for id, part in parts.items() if words & content(part, None)] or list(parts)


def _derived(part: str, id: str) -> Row:
    return {
        "id": new_id(),
        "kind": "DERIVED_FROM",
        "from": part,
        "to": id,
        "confidence": 1.0,
        "strength": 1.0,
        "reason": "",
    }

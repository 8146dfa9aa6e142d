"""Erasure: the only act without undo. It removes memories with all that holds their text, and leaves tombstones."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Invalid, NotFound
from graph_memory.base.ids import check_id, new_id
from graph_memory.base.scope import Scope
from graph_memory.entities.claims import read_again
from graph_memory.language.texts import normalised
from graph_memory.ledger.changes import PENDING, Answer, Call, Decision, Writing, carry_out
from graph_memory.memory.lending import accounted
from graph_memory.memory.reading import browse
from graph_memory.memory.repetition import Repetition, give_back, join, name
from graph_memory.memory.states import Edit, load, moved, restored, rewrite, twins
from graph_memory.memory.supersession import JOIN
from graph_memory.memory.tombstones import bury
from graph_memory.model.change import Operation
from graph_memory.model.memory import Status
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

FIND = query("forget/find")
MERGED = query("forget/merged")
BEFORE_MERGE = query("forget/before_merge")
DROP_REVISIONS = query("forget/drop_revisions")
DROP_CLAIMS = query("forget/drop_claims")
GAPS = query("forget/gaps")
EMPTY_LEDGER = query("forget/empty_ledger")
EMPTY_ALL = query("forget/empty_all")
UNNAME = query("forget/unname")
REDACT = query("forget/redact")
REDACT_SOME = query("forget/redact_some")
EMPTY_SOME = query("forget/empty_some")
SOME = query("forget/some")
PARTS = query("forget/parts")
SIZES = query("forget/sizes")
RELEASE = query("forget/release")
UNTAG = query("forget/untag")
TEXTS = query("forget/texts")
REMOVE = query("forget/remove")
ERASE_REVIEWS = query("reviews/erase")
ERASE_ANSWERS = query("batches/erase")
ERASE_PLANS = query("consolidation/plan_erase")

SOURCE_ERASED = "SOURCE_ERASED"

# Memories, messages or changes of one transaction: what is more is erased in parts, since the database bounds what one may hold.
PART = 1000
_ALL = sys.maxsize
_COUNTED = ("memories", "revisions", "entities", "messages", "changes", "requests", "tombstones")

# What the database cannot answer for, and the step that clears each.
BEYOND = (
    "store files and transaction logs: they hold it until its place is used again and the log is full, which may never be; "
    "`graph-memory rewrite-store` clears both on the local stack; elsewhere load exports into a new store and destroy "
    "the old one",
    "backups and exports made before: make new ones and destroy the old",
    "a session's name and a source's ref: they stay on other messages, memories and changes that carry the same; forget "
    "those too, or the whole subject",
    "what webhooks have sent before: their receivers get the change ERASE with the ids of what was erased, and must follow it",
    "the source that a quarantine named: it stays with the job's run until that is removed; see GRAPH_MEMORY_JOBS_KEEP",
    "names of tenants, subjects and API keys, and keys of requests: what was erased is refused under them, so they stay; "
    "give names that tell of nobody, or restore an export of what stays into a new store under other names",
)


@dataclass(frozen=True)
class Certificate:
    """What was removed and emptied, when, by which request; `beyond` is what the database cannot answer for."""

    request_id: str
    at: datetime
    memories: int
    revisions: int
    entities: int
    messages: int
    changes: int
    requests: int
    tombstones: int
    beyond: tuple[str, ...] = BEYOND


def forget(
    service: Service,
    call: Call,
    ids: Sequence[str] = (),
    source_ref: str | None = None,
    whole_subject: bool = False,
    reason: str = "",
) -> tuple[Certificate, Answer]:
    """Erases memories by id, all that came from one source, or everything of the subject, for ever.

    Products that consolidate or derive from them go along; what they were merged into goes back to what it said
    before. Raises NotFound when there is nothing of that, Invalid when nothing was named.

    What is more than one transaction may hold goes in parts, each for good: after an interruption the same call goes on with
    what is left, and under the same key its certificate counts the parts before as well.
    """
    wanted = sorted({check_id(id) for id in ids})
    if not wanted and source_ref is None and not whole_subject:
        raise Invalid("Name memories, a source, or the whole subject.", path="ids")

    whose = _Whose(source_ref, whole_subject)
    prefix = "" if wanted else _erase_parts(service, call, whose)

    def work(writing: Writing) -> Row:
        rows = writing.run(FIND, ids=wanted, source=source_ref, everything=whole_subject)
        found = [row["id"] for row in rows]
        missing = set(wanted) - set(found)
        parts = _parts(writing.run(PARTS, **_keys(call, prefix)))[1] if prefix else []
        if not whole_subject:
            require_named(sorted(missing), [*found, *parts])
        return _summed([*parts, _erase(writing, found, whole_subject)], whole_subject)

    body = [wanted, source_ref, whole_subject, reason]
    answer = carry_out(service, call, "forget", body, work)
    given = {**answer.value, "at": datetime.fromisoformat(answer.value["at"])}
    return Certificate(request_id=answer.request_id, **given), answer


def reached(
    service: Service,
    scope: Scope,
    ids: Sequence[str] = (),
    source_ref: str | None = None,
    whole_subject: bool = False,
) -> list[str]:
    """The ids of what `forget` would erase: what is named, then what goes along. Raises NotFound as that does."""
    named = list(dict.fromkeys(check_id(id) for id in ids))
    rows = service.read(scope, FIND, ids=named, source=source_ref, everything=whole_subject)
    found = [row["id"] for row in rows]
    if not whole_subject:
        require_named(sorted(set(named) - set(found)), found)
    return [*named, *(id for id in found if id not in named)]


def require_named(missing: Sequence[str], found: Collection[object]) -> None:
    """Nothing, if all that was named is there. Raises NotFound for ids of nothing here, and for a source without memories."""
    if missing:
        named = ", ".join(missing)
        raise NotFound(
            f"Nothing was erased, because there is no memory {named}, or it belongs to someone else."
        )
    if not found:
        raise NotFound("There is nothing to forget: no memory comes from that source.")


@dataclass(frozen=True)
class _Whose:
    """What is to go: all from one source, or everything of the subject."""

    source: str | None
    everything: bool


def _erase_parts(service: Service, call: Call, whose: _Whose) -> str:
    """Erases in parts until what is left is no larger than one; what the keys of the parts begin with.

    Nothing where the call's key was used: its answer is there, or its body is another.
    """
    scope, digest = call.scope.for_writing(), hashlib.sha256((call.key or new_id()).encode()).hexdigest()
    prefix = f"part/{digest}/"
    is_claimed, before = _parts(service.read(scope, PARTS, **_keys(call, prefix)))
    if is_claimed:
        return prefix
    number = len(before)
    while step := _step(service.read(scope, SIZES, **vars(whose))[0]):
        number += 1
        part, body = replace(call, key=f"{prefix}{number}"), [number, whose.source, whose.everything]
        carry_out(service, part, "forget", body, partial(step, whose=whose))
    return prefix


def _keys(call: Call, prefix: str) -> Row:
    return {"wall": call.scope.subject if call.scope.is_bound else "*", "key": call.key, "prefix": prefix}


def _parts(rows: Sequence[Row]) -> tuple[bool, list[Row]]:
    return rows[0]["is_claimed"], [json.loads(answer) for answer in rows[0]["answers"]]


def _step(left: Row) -> Callable[..., Row] | None:
    """What is done next, where more is left than one transaction may hold."""
    steps = {"memories": _erase_some, "messages": _redact_some, "changes": _empty_some}
    return next((step for name, step in steps.items() if left[name] > PART), None)


def _erase_some(writing: Writing, whose: _Whose) -> Row:
    some = [row["id"] for row in writing.run(SOME, most=PART, **vars(whose))]
    rows = writing.run(FIND, ids=some, source=None, everything=False)
    return _erase(writing, [row["id"] for row in rows], whole_subject=False)


def _redact_some(writing: Writing, whose: _Whose) -> Row:  # noqa: ARG001 - as every step is asked
    redacted = [row["id"] for row in writing.run(REDACT_SOME, now=writing.now, most=PART)]
    writing.run(UNNAME, messages=redacted, now=writing.now)
    writing.run(ERASE_ANSWERS, ids=redacted, everything=False, now=writing.now)
    return _counts(writing, messages=len(redacted), tombstones=bury(writing, [], redacted))


def _empty_some(writing: Writing, whose: _Whose) -> Row:  # noqa: ARG001 - as every step is asked
    writing.run(EMPTY_SOME, now=writing.now, most=PART)
    return _counts(writing)


def _counts(writing: Writing, **counts: int) -> Row:
    return {"at": writing.now.isoformat(), **dict.fromkeys(_COUNTED, 0), **counts}


def _summed(parts: Sequence[Row], whole_subject: bool) -> Row:
    """What all parts come to. The last one of a whole subject counts every change and request."""
    last = parts[-1]
    once = ("at", "changes", "requests") if whole_subject else ("at",)
    return {name: last[name] if name in once else sum(part[name] for part in parts) for name in last}


def still_there(service: Service, call: Call, texts: Sequence[str]) -> list[str]:
    """The later check of a certificate: which of the texts a memory of the subject still says, or of any where none is
    named."""
    wanted = {normalised(text) for text in texts}
    found, after = [], None
    while True:
        page = browse(service, call.scope, 100, after, include_past=True, summaries=True)
        found += [memory.text for memory in page.items if normalised(memory.text) in wanted]
        after = page.next
        if after is None:
            return found


def _erase(writing: Writing, ids: list[str], whole_subject: bool) -> Row:
    took = _restore_products(writing, ids)
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
    return _counts(
        writing,
        memories=len(ids),
        revisions=sum(row["revisions"] for row in removed),
        entities=sum(row["entities"] for row in removed),
        messages=len(redacted),
        changes=sum(row["changes"] for row in emptied),
        requests=sum(row["requests"] for row in emptied),
        tombstones=tombstones,
    )


def _restore_products(writing: Writing, ids: list[str]) -> list[Row]:
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

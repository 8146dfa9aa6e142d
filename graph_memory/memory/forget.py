"""Erasure: the only act without undo. It removes memories with all that holds their text, and leaves tombstones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_memory.clock import FOREVER
from graph_memory.errors import Invalid, NotFound
from graph_memory.ids import new_id
from graph_memory.ledger import PENDING, Answer, Call, Decision, Operation, Writing, carry_out
from graph_memory.memory.model import Status
from graph_memory.memory.read import check_id
from graph_memory.memory.states import Edit, load, moved, rewrite
from graph_memory.memory.supersede import JOIN
from graph_memory.memory.tombstones import bury
from graph_memory.queries import query
from graph_memory.service import Row, Service
from graph_memory.texts import normalised

FIND = query("forget/find")
MERGED = query("forget/merged")
BEFORE_MERGE = query("forget/before_merge")
DROP_REVISIONS = query("forget/drop_revisions")
GAPS = query("forget/gaps")
EMPTY_LEDGER = query("forget/empty_ledger")
EMPTY_ALL = query("forget/empty_all")
UNNAME = query("forget/unname")
REDACT = query("forget/redact")
REDACT_ALL = query("forget/redact_all")
TEXTS = query("forget/texts")
REMOVE = query("forget/remove")
ERASE_REVIEWS = query("reviews/erase")
ERASE_ANSWERS = query("batches/erase")

# What the database cannot answer for, and the step that clears each.
BEYOND = (
    "store files and transaction logs: they hold it until its place is used again and the log is full, which may never be; "
    "`graph-memory rewrite-store` clears both on the local stack; elsewhere restore exports into a new store and destroy "
    "the old one",
    "backups and exports made before: make new ones and destroy the old",
    "a session's name and a source's ref: they stay on other messages, memories and changes that carry the same; forget "
    "those too, or the whole subject",
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
    """
    wanted = sorted({check_id(id) for id in ids})
    if not wanted and source_ref is None and not whole_subject:
        raise Invalid("Name memories, a source, or the whole subject.", path="ids")

    def work(writing: Writing) -> Row:
        rows = writing.run(FIND, ids=wanted, source=source_ref, everything=whole_subject)
        found = [row["id"] for row in rows]
        missing = set(wanted) - set(found)
        if missing or not (found or whole_subject):
            raise NotFound(
                f"There is nothing to forget: {', '.join(sorted(missing)) or 'no memory'} was found."
            )
        return _erase(writing, found, whole_subject)

    body = [wanted, source_ref, whole_subject, reason]
    answer = carry_out(service, call, "forget", body, work)
    given = {**answer.value, "at": datetime.fromisoformat(answer.value["at"])}
    return Certificate(request_id=answer.request_id, **given), answer


def still_there(service: Service, call: Call, texts: Sequence[str]) -> list[str]:
    """The later check of a certificate: which of the texts a memory of the subject still says."""
    from graph_memory.memory.read import browse

    wanted = {normalised(text) for text in texts}
    found, after = [], None
    while True:
        page = browse(service, call.scope.for_writing(), 100, after, include_past=True)
        found += [memory.text for memory in page.items if normalised(memory.text) in wanted]
        after = page.next
        if after is None:
            return found


def _erase(writing: Writing, ids: list[str], whole_subject: bool) -> Row:
    _restore_products(writing, ids)
    _close_gaps(writing, ids)
    texts = [row["text"] for row in writing.run(TEXTS, ids=ids)]
    emptied = (
        writing.run(EMPTY_ALL, now=writing.now)
        if whole_subject
        else writing.run(EMPTY_LEDGER, ids=ids, now=writing.now)
    )
    writing.run(ERASE_REVIEWS, ids=ids, now=writing.now)
    redacted = (
        writing.run(REDACT_ALL, now=writing.now)
        if whole_subject
        else writing.run(REDACT, ids=ids, now=writing.now)
    )
    writing.run(UNNAME, messages=[row["id"] for row in redacted], now=writing.now)
    touched = [*ids, *(row["id"] for row in redacted)]
    writing.run(ERASE_ANSWERS, ids=touched, everything=whole_subject, now=writing.now)
    tombstones = bury(writing, texts, [row["id"] for row in redacted])
    removed = writing.run(REMOVE, ids=ids, forever=FOREVER)
    writing.decide(Decision(Operation.ERASE, targets=ids, classification="ERASE"))
    return {
        "at": writing.now.isoformat(),
        "memories": len(ids),
        "revisions": sum(row["revisions"] for row in removed),
        "entities": sum(row["entities"] for row in removed),
        "messages": len(redacted),
        "changes": sum(row["changes"] for row in emptied),
        "requests": sum(row["requests"] for row in emptied),
        "tombstones": tombstones,
    }


def _restore_products(writing: Writing, ids: list[str]) -> None:
    """What an erased memory was merged into says again what it said before; what was merged into it stands again."""
    rows = writing.run(MERGED, ids=ids)
    parts = sorted({row["other"] for row in rows if not row["was_source"]})
    loaded = load(writing, parts)
    rewrite(writing, loaded, [Edit(id, moved(Status.ACTIVE)) for id in parts])
    products = [{"id": row["other"], "at": row["at"]} for row in rows if row["was_source"]]
    states = {row["id"]: row["state"] for row in writing.run(BEFORE_MERGE, rows=products)}
    kept = load(writing, sorted(states))
    edits = [Edit(id, _said(state), vector_of=state["content_hash"]) for id, state in sorted(states.items())]
    rewrite(writing, kept, edits)
    writing.run(DROP_REVISIONS, rows=products)
    for id in (*parts, *sorted(states)):
        writing.decide(Decision(Operation.RESTORE, [id], classification="SOURCE_ERASED"), touched=[id])


def _said(state: Row) -> Row:
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
        "valid_from",
        "valid_to",
    )
    return {name: state.get(name) for name in names}


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

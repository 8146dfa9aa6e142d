"""Reading a tenant, or one subject of it, as records in an order that never changes; a page at a time."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Conflict, NotFound
from graph_memory.base.scope import Scope
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service
from graph_memory.transfer import shapes
from graph_memory.transfer.shapes import EVERYBODY, FORMAT, IMPLIED, LINK, NAMELESS, NODES, RECORDS, VERSION

TENANT = query("transfer/tenant")
COUNTS = query("transfer/counts")
SUBJECTS = query("transfer/subjects")
ENTITIES = query("transfer/entities")
ATTRIBUTES = query("transfer/attributes")
SEGMENTS = query("transfer/segments")
MESSAGES = query("transfer/messages")
MEMORIES = query("transfer/memories")
REVISIONS = query("transfer/revisions")
COMMUNITIES = query("transfer/communities")
LINKS = query("transfer/links")
ENTITY_LINKS = query("transfer/entity_links")
ATTRIBUTE_LINKS = query("transfer/attribute_links")
COMMUNITY_LINKS = query("transfer/community_links")
CHANGES = query("transfer/changes")
REQUESTS = query("transfer/requests")
REVIEWS = query("transfer/reviews")
TOMBSTONES = query("transfer/tombstones")

_PAGE = 500
_TRIES = 3
_PAGES = {
    "subject": SUBJECTS, "entity": ENTITIES, "attribute": ATTRIBUTES, "segment": SEGMENTS, "message": MESSAGES,
    "memory": MEMORIES, "revision": REVISIONS, "community": COMMUNITIES, "review": REVIEWS, "change": CHANGES,
    "request": REQUESTS, "tombstone": TOMBSTONES,
}  # fmt: skip

# What `now` leaves out: the ledger, what was, what jobs compute, and marks of when and how often.
_NOT_NOW = {
    "memory": (
        "recorded_from", "recorded_to", "updated_at", "importance", "retention", "tier", "tier_rank", "access_count",
        "mention_count", "last_accessed_at", "refined_at", "last_consolidated_at", "rejection_count", "live_key",
        "created_day", "accessed_day", "wanted_at", "unread",
    ),
    "subject": ("chain", "consolidated_as", "consolidated_to"),
    "entity": ("link_count", "last_seen"),
    "segment": ("status", "ended_at", "extracted_at", "touched_at"),
    "message": ("extracted_at", "asked_at", "embedding", "embedding_model", "unembedded"),
    LINK: ("id", "open_key", "recorded_from", "recorded_to", "created_at", "created_by", "run_id"),
}  # fmt: skip
_CACHED = ("Live", "Past")
_PRIVATE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC

T = TypeVar("T")


def export_lines(service: Service, scope: Scope, now: bool = False) -> Iterator[str]:
    """The lines of an export: manifest, records, counts with checksum.

    Raises NotFound for a tenant that is not there, Conflict at the end when somebody wrote meanwhile: the lines are
    then no whole.
    """
    digest, counts = hashlib.sha256(), Counter[str]()
    for record, text in _with_manifest(service, scope, now):
        counts[record] += 1
        digest.update(f"{text}\n".encode())
        yield text
    del counts["manifest"]
    yield shapes.line({"record": "end", "counts": dict(counts), "sha256": digest.hexdigest()})


def now_lines(service: Service, scope: Scope) -> Iterator[str]:
    """The live state alone, a line for each record: what an undo must bring back to equality.

    Memories that are not retracted, open links and mentions, entities that are mentioned, messages; without the
    ledger, revisions, recorded times, scores, tiers, counters and marks of time.
    """
    return (text for _, text in _lines(service, scope, now=True))


def write_file(path: Path, lines: Callable[[], Iterator[str]]) -> None:
    """Writes lines beside the file and puts them in its place at the end, so that nobody finds half of it.

    Starts again, up to three times, when somebody writes to the tenant meanwhile.
    """
    fresh = path.with_name(f".{path.name}.part")
    for attempt in range(1, _TRIES + 1):
        try:
            with os.fdopen(os.open(fresh, _PRIVATE, 0o600), "w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{text}\n" for text in lines())
            fresh.replace(path)
        except Conflict:
            if attempt == _TRIES:
                raise
        else:
            return
        finally:
            fresh.unlink(missing_ok=True)


def steady(service: Service, scope: Scope, lines: Iterator[T]) -> Iterator[T]:
    """The same, and Conflict at the end when somebody wrote to the tenant meanwhile."""
    before = _tenant(service, scope)["sequence"], _counts(service, scope)
    yield from lines
    if before != (_tenant(service, scope)["sequence"], _counts(service, scope)):
        raise Conflict(
            f"{scope.tenant_name} was written to while it was exported; try again, or use `backup`."
        )


def records(service: Service, scope: Scope, now: bool = False) -> Iterator[tuple[str, Row]]:
    """Every record in the order of the file, with its kind; values as they are stored."""
    names = {row["id"]: row["name"] for _, row in _nodes(service, scope, "subject")}
    for record in RECORDS:
        if record == LINK:
            yield from _links(service, scope, now)
        else:
            yield from _of_kind(service, scope, record, names, now)


def _of_kind(
    service: Service, scope: Scope, record: str, names: dict[str, str], now: bool
) -> Iterator[tuple[str, Row]]:
    for number, (row, properties) in enumerate(_nodes(service, scope, record), 1):
        if now and not row["is_now"]:
            continue
        found: Row = {"record": record, "properties": properties}
        if record != "subject":
            found["subject"] = _name(names, properties["subject_id"])
        if record not in NAMELESS:
            found["id"] = properties["id"]
        extra = shapes.labels(NODES[record], row["labels"])
        found["labels"] = [each for each in extra if not (now and each in _CACHED)]
        if record == "change" and scope.subject is not None:
            properties["sequence"] = number
        yield record, found


def _nodes(service: Service, scope: Scope, record: str) -> Iterator[tuple[Row, Row]]:
    start: Any = 0 if record == "change" else ""
    values = {"forever": FOREVER} if record in ("entity", "attribute") else {}
    for row in _pages(service, scope, _PAGES[record], start, **values):
        yield row, row["properties"]


def _links(service: Service, scope: Scope, now: bool) -> Iterator[tuple[str, Row]]:
    for statement in (LINKS, ENTITY_LINKS, ATTRIBUTE_LINKS, COMMUNITY_LINKS):
        for row in _pages(service, scope, statement, "", implied=list(IMPLIED), forever=FOREVER):
            for link in row["links"]:
                if link["is_now"] or not now:
                    given = {name: link[name] for name in ("kind", "to", "properties")}
                    yield LINK, {"record": LINK, "from": row["cursor"], **given}


def _pages(service: Service, scope: Scope, statement: Query, after: Any, **values: Any) -> Iterator[Row]:
    while True:
        rows = service.batches(scope, statement, after=after, first=_PAGE, **values)
        yield from rows
        if len(rows) < _PAGE:
            return
        after = rows[-1]["cursor"]


def _lines(service: Service, scope: Scope, now: bool) -> Iterator[tuple[str, str]]:
    """Each record as a line. The links of one memory have no order in the store; their lines give them one."""
    gathered: list[str] = []
    start = None
    for record, found in records(service, scope, now):
        if gathered and (record != LINK or found["from"] != start):
            yield from ((LINK, text) for text in sorted(gathered))
            gathered = []
        text = shapes.line(_spelled(record, found, now))
        if record == LINK:
            start = found["from"]
            gathered.append(text)
        else:
            yield record, text
    yield from ((LINK, text) for text in sorted(gathered))


def _spelled(record: str, found: Row, now: bool) -> Row:
    left_out = _NOT_NOW.get(record, ()) if now else ()
    kept = {name: value for name, value in found["properties"].items() if name not in left_out}
    properties = shapes.spelled(kept)
    if record == LINK and "id" in kept:
        properties["id"] = kept["id"]
    return {**found, "properties": properties}


def _with_manifest(service: Service, scope: Scope, now: bool) -> Iterator[tuple[str, str]]:
    yield "manifest", shapes.line(_manifest(service, scope, now))
    yield from steady(service, scope, _lines(service, scope, now))


def _manifest(service: Service, scope: Scope, now: bool) -> Row:
    tenant, counts = _tenant(service, scope), _counts(service, scope)
    return {
        "record": "manifest",
        "format": FORMAT,
        "version": VERSION,
        "now": now,
        "tenant": scope.tenant_name,
        "subject": scope.subject_name,
        "exported_at": shapes.spell_moment(service.clock()),
        "sequence": tenant["sequence"] if scope.subject is None else counts["change"],
        "recorded_at": shapes.spell_moment(tenant["recorded_at"]),
        "created_at": shapes.spell_moment(tenant["created_at"]),
        "tombstone_key": tenant["tombstone_key"],
        "model": service.embedder.model,
        "dimension": service.embedder.dimension,
        "counts": None if now else counts,
    }


def _tenant(service: Service, scope: Scope) -> Row:
    rows = service.read(scope, TENANT)
    if not rows:
        raise NotFound(
            f"There is no tenant {scope.tenant_name}. One is there as soon as something is remembered in it.",
            path="tenant",
        )
    return rows[0]


def _counts(service: Service, scope: Scope) -> dict[str, int]:
    rows = service.batches(scope, COUNTS, implied=list(IMPLIED))
    return {row["record"]: row["number"] for row in rows}


def _name(names: dict[str, str], token: str) -> str | None:
    """A subject's name; None for what belongs to all of them."""
    return None if token == EVERYBODY else names[token]

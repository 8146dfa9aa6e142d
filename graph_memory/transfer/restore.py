"""Putting an export into an empty tenant: ids, times and ledger stay, only the tokens of names are made anew.

Each batch and how far it came are one transaction, so that an interrupted restore goes on where it stopped when it is
asked for again with the same file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from itertools import groupby, islice
from pathlib import Path

from graph_memory.base.errors import Conflict
from graph_memory.base.ids import token
from graph_memory.base.scope import Scope
from graph_memory.memory.live_keys import happening, holds_to
from graph_memory.scoring.settings import DecaySettings
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service, Transaction
from graph_memory.store.settings import Neo4jSettings
from graph_memory.transfer import shapes
from graph_memory.transfer.export_file import Manifest, check, path_of, records
from graph_memory.transfer.shapes import EVERYBODY, LINK, NODES

STATE = query("transfer/state")
BEGIN = query("transfer/begin")
ADVANCE = query("transfer/advance")
FINISH = query("transfer/finish")
NUMBER_ANEW = query("ledger/number_anew")
PUT_NODES = query("transfer/put_nodes")
PUT_SUBJECTS = query("transfer/put_subjects")
PUT_MEMORIES = query("transfer/put_memories")
PUT_REVIEWS = query("transfer/put_reviews")
PUT_REVISIONS = query("transfer/put_revisions")
PUT_MESSAGES = query("transfer/put_messages")
PUT_CHANGES = query("transfer/put_changes")
PUT_LINKS = query("transfer/put_links")
PUT_MENTIONS = query("transfer/put_mentions")
PUT_MEMBERSHIPS = query("transfer/put_memberships")
PUT_SOURCES = query("transfer/put_sources")
PUT_ATTRIBUTE_LINKS = query("transfer/put_attribute_links")
PUT_CLAIMS = query("transfer/put_claims")
PUT_ENTITY_LINKS = query("transfer/put_entity_links")
PUT_COMMUNITY_LINKS = query("transfer/put_community_links")

_BATCH = 500
_NODES = {
    "subject": PUT_SUBJECTS,
    "memory": PUT_MEMORIES,
    "revision": PUT_REVISIONS,
    "message": PUT_MESSAGES,
    "review": PUT_REVIEWS,
    "change": PUT_CHANGES,
}
_LINKS = {
    ("memory", "memory"): PUT_LINKS,
    ("memory", "entity"): PUT_MENTIONS,
    ("memory", "attribute"): PUT_CLAIMS,
    ("memory", "community"): PUT_MEMBERSHIPS,
    ("memory", "message"): PUT_SOURCES,
    ("entity", "entity"): PUT_ENTITY_LINKS,
    ("attribute", "entity"): PUT_ATTRIBUTE_LINKS,
    ("community", "community"): PUT_COMMUNITY_LINKS,
}


@dataclass(frozen=True)
class Restored:
    """What was put back: records by kind, and how many of them an earlier try had brought already."""

    tenant: str
    counts: dict[str, int]
    before: int


def restore(
    service: Service,
    path: Path,
    tenant_name: str,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Restored:
    """Restores a file. Raises InvalidFile before anything is stored, Conflict when the tenant is not empty."""
    scope = Scope(tenant_name)
    with path_of(path).open("rb") as file:
        manifest = check(file, path.name, service.embedder.model, service.embedder.dimension)
        identity = _identity(file)
        before = done = _begin(service, scope, manifest, identity)
        total = sum(manifest.counts.values())
        progress(done, total)
        waiting = records(file, start=done)
        while batch := list(islice(waiting, _BATCH)):
            _put(service, scope, identity, done, batch)
            done += len(batch)
            progress(done, total)
    # A file of an older version has no numbers within the subject.
    service.write(scope, lambda tx: tx.run(NUMBER_ANEW))
    service.write(scope, lambda tx: tx.run(FINISH, file=identity))
    return Restored(
        tenant_name, {record: number for record, number in manifest.counts.items() if number}, before
    )


def _begin(service: Service, scope: Scope, manifest: Manifest, identity: str) -> int:
    """How many records are there already: those of an earlier try with the same file."""
    [state] = service.read(scope, STATE)
    if state["restoring"] == identity:
        return int(state["restored"])
    if state["restoring"] is None and not state["holds"]:
        values = {
            "name": scope.tenant_name,
            "file": identity,
            "sequence": manifest.sequence,
            "recorded_at": manifest.recorded_at,
            "created_at": manifest.created_at,
            "tombstone_key": manifest.tombstone_key,
        }
        rows = service.write(scope, lambda tx: tx.run(BEGIN, **values))
        if rows:
            return int(rows[0]["restored"])
    reason = "another file is being loaded there" if state["restoring"] else "it holds something already"
    raise Conflict(
        f"{scope.tenant_name} cannot be loaded into: {reason}. Name a tenant that is not there yet."
    )


def _put(service: Service, scope: Scope, identity: str, done: int, batch: list[tuple[str, Row]]) -> None:
    def work(tx: Transaction) -> None:
        if not tx.run(ADVANCE, file=identity, done=done, records=len(batch)):
            raise Conflict(
                f"Somebody else loads into {scope.tenant_name} at the same time; wait until that is done."
            )
        for statement, rows in _grouped(scope, service.settings[DecaySettings], batch):
            tx.run(statement, rows=rows)

    service.write(scope, work, timeout=service.settings[Neo4jSettings].job_timeout)


def _grouped(
    scope: Scope, decay: DecaySettings, batch: list[tuple[str, Row]]
) -> Iterator[tuple[Query, list[Row]]]:
    prepared = ((_statement(record, row), _row(scope, decay, record, row)) for record, row in batch)
    for statement, group in groupby(prepared, key=lambda each: each[0]):
        yield statement, [row for _, row in group]


def _statement(record: str, row: Row) -> Query:
    if record != LINK:
        return _NODES.get(record, PUT_NODES)
    shape = shapes.links()[row["kind"]]
    return _LINKS[shape.start, shape.end]


def _row(scope: Scope, decay: DecaySettings, record: str, row: Row) -> Row:
    if record == LINK:
        wall = {"tenant": scope.tenant} if shapes.links()[row["kind"]].has_tenant else {}
        return {**row, "properties": {**row["properties"], **wall}}
    own: Row = {"id": row["id"]} if "id" in row else {}
    if record == "subject":
        own["id"] = token("subject", scope.tenant_name, row["properties"]["name"])
    else:
        own["subject_id"] = _subject(scope, row["subject"])
    if record in ("memory", "revision"):
        own["holds_to"] = holds_to(row["properties"], decay)
    if record == "memory" and row["properties"].get("live_key"):
        own["live_key"] = happening(row["properties"]["live_key"], row["properties"].get("happens_at"))
    return {"labels": [NODES[record].label, *row["labels"]], "properties": {**row["properties"], **own}}


def _subject(scope: Scope, name: str | None) -> str:
    return EVERYBODY if name is None else token("subject", scope.tenant_name, name)


def _identity(file: BufferedReader) -> str:
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()

"""Keeping and changing memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from graph_memory.client.answers.decoding import read
from graph_memory.client.answers.of_changes import (
    Added,
    Forgotten,
    LinkMade,
    Moved,
    Remembered,
    Revised,
    Superseded,
    Undone,
)
from graph_memory.client.answers.words import LinkKind, RememberMode, SourceKind
from graph_memory.client.exchange import Asker, Steps
from graph_memory.client.methods.calls import writes
from graph_memory.client.sending import Time, several


class SaidBy(TypedDict, total=False):
    """Where a statement comes from: `{"kind": "WEB", "ref": "page-7"}`."""

    kind: SourceKind
    ref: str
    author: str


def remember(
    asker: Asker,
    text: str,
    *,
    kind: str | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    confidence: float | None = None,
    importance: float | None = None,
    critical: bool | None = None,
    pinned: bool | None = None,
    valid_from: Time | None = None,
    valid_to: Time | None = None,
    happens_at: Time | None = None,
    expires_at: Time | None = None,
    heading: str | None = None,
    session_id: str | None = None,
    agent_id: str | None = None,
    source: SaidBy | None = None,
    entities: Sequence[Mapping[str, str]] | None = None,
    vector: Sequence[float] | None = None,
    mode: RememberMode | None = None,
    subject: str | None = None,
    key: str | None = None,
) -> Steps[Remembered]:
    """Remembers a statement: it is added, merged, put in place of an older one, or known already.

    `key` makes repeating it safe over many calls; within one call the client takes care of that by itself.
    """
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject", "key")}
    return read(Remembered, (yield from writes(asker, "remember", given, key, subject or asker.subject)))


def add(
    asker: Asker,
    text: str,
    *,
    kind: str | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    source: SaidBy | None = None,
    subject: str | None = None,
    key: str | None = None,
) -> Steps[Added]:
    """Keeps a statement as it is, without comparing it with what is known; only one that is live already is not kept twice."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject", "key")}
    return read(Added, (yield from writes(asker, "add-memory", given, key, subject or asker.subject)))


def supersede(
    asker: Asker,
    id: str,
    text: str,
    *,
    valid_from: Time | None = None,
    reason: str = "",
    source: SaidBy | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    key: str | None = None,
) -> Steps[Superseded]:
    """Says that something else is true now, or from `valid_from` on; the old statement stays in history."""
    told = {"text": text, "source": source, "tags": tags, "metadata": metadata}
    fact = {name: value for name, value in told.items() if value is not None}
    given = {"id": id, "fact": fact, "valid_from": valid_from, "reason": reason}
    return read(Superseded, (yield from writes(asker, "supersede-memory", given, key)))


def revise(
    asker: Asker,
    id: str,
    text: str | None = None,
    *,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    reason: str = "",
    key: str | None = None,
) -> Steps[Revised]:
    """Changes a memory in place: it should have said so all along. `tags` and `metadata` are given whole."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "key")}
    return read(Revised, (yield from writes(asker, "revise-memory", given, key)))


def retract(
    asker: Asker, ids: str | Sequence[str], *, reason: str = "", key: str | None = None
) -> Steps[Moved]:
    """Says that memories should never have been believed; they stay in history only."""
    given = {"ids": several(ids, str), "reason": reason}
    return read(Moved, (yield from writes(asker, "retract-memories", given, key)))


def link(
    asker: Asker,
    from_id: str,
    to_id: str,
    kind: LinkKind,
    *,
    reason: str = "",
    confidence: float | None = None,
    strength: float | None = None,
    key: str | None = None,
) -> Steps[LinkMade]:
    """Links one memory to another."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "key")}
    return read(LinkMade, (yield from writes(asker, "link-memories", given, key)))


def forget(
    asker: Asker,
    ids: str | Sequence[str] | None = None,
    *,
    source_ref: str | None = None,
    whole_subject: bool = False,
    reason: str = "",
    subject: str | None = None,
    key: str | None = None,
) -> Steps[Forgotten]:
    """Erases memories for ever, all that one source has said, or a whole subject. There is no undo; the key must have `erase`."""
    given = {
        "ids": None if ids is None else several(ids, str),
        "source_ref": source_ref,
        "whole_subject": whole_subject,
        "reason": reason,
    }
    return read(Forgotten, (yield from writes(asker, "forget", given, key, subject or asker.subject)))


def undo(
    asker: Asker,
    changes: int | Sequence[int],
    *,
    cascade: bool = False,
    reason: str = "",
    key: str | None = None,
) -> Steps[Undone]:
    """Takes changes back, by their sequence numbers; with `cascade`, what stands on them too."""
    given = {"changes": several(changes, int), "cascade": cascade, "reason": reason}
    return read(Undone, (yield from writes(asker, "undo", given, key)))

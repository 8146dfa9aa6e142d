"""A memory as callers give it (Fact) and as they get it back (Memory)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from graph_memory.base.moments import open_end


class Status(StrEnum):
    """What was decided about a memory. Superseded is none of these: it follows from an open SUPERSEDES."""

    ACTIVE = "ACTIVE"
    ARCHIVED = "ARCHIVED"
    MERGED = "MERGED"
    RETRACTED = "RETRACTED"


# How a past state is ranked in the index: what wider modes of search may return.
STATE_RANK = {Status.ACTIVE: 0, Status.ARCHIVED: 1, Status.MERGED: 2, Status.RETRACTED: 3}


class SourceKind(StrEnum):
    """Where a statement comes from, in falling order of trust."""

    USER = "user"
    AGENT = "agent"
    IMPORT = "import"
    TOOL = "tool"
    WEB = "web"


class Trust(StrEnum):
    """How far a memory is trusted, in falling order. PERSON: a person said it or has confirmed it."""

    PERSON = "PERSON"
    AGENT = "AGENT"
    IMPORT = "IMPORT"
    UNVERIFIED = "UNVERIFIED"


_TRUST = {
    SourceKind.USER: Trust.PERSON,
    SourceKind.AGENT: Trust.AGENT,
    SourceKind.IMPORT: Trust.IMPORT,
    SourceKind.TOOL: Trust.UNVERIFIED,
    SourceKind.WEB: Trust.UNVERIFIED,
}


def trust_of(kind: SourceKind, confirmed_at: datetime | None) -> Trust:
    """The trust that follows from a source, unless a person has confirmed what it said."""
    return Trust.PERSON if confirmed_at is not None else _TRUST[kind]


@dataclass(frozen=True)
class Source:
    """Where a statement comes from: `ref` is the caller's own name for it, for example a turn's id."""

    kind: SourceKind = SourceKind.USER
    ref: str | None = None
    author: str | None = None


@dataclass(frozen=True)
class EntityName:
    """An entity that a statement mentions. `key` is what makes two names one; the rest tells namesakes apart."""

    name: str
    key: str
    type: str = "UNKNOWN"
    discriminator: str = ""


@dataclass(frozen=True)
class Relates:
    """What a language model read in a statement: one name in it relates to another by `type`, as in WORKS_AT."""

    name: str
    type: str
    other: str


@dataclass(frozen=True)
class Fact:
    """One statement to keep. Times missing: valid from now on, without an end.

    `said_at` is when its message was said, which tells what is older; None where only `valid_from` can. `labels` are what
    screening has seen before it comes here; `held` tells why a person is asked before it is believed.
    `asks_to_forget`: it is an order about what is known, and no fact; then it is held.
    """

    text: str
    kind: str = "fact"
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    confidence: float = 1.0
    importance: float = 0.5
    critical: bool = False
    pinned: bool = False
    happens_at: datetime | None = None
    expires_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    heading: str = ""
    session_id: str | None = None
    agent_id: str | None = None
    source: Source = Source()
    entities: tuple[EntityName, ...] | None = None
    relations: tuple[Relates, ...] = ()
    message_id: str | None = None
    vector: tuple[float, ...] | None = None
    labels: tuple[str, ...] = ()
    held: str = ""
    asks_to_forget: bool = False
    said_at: datetime | None = None


@dataclass(frozen=True)
class Memory:
    """One state of a memory: its last recorded one, or a former one (`is_revision`). Open ends are None.

    `retention` is what was stored last, None where it never was; `feedback` is what people said of it, -1 to 1. It
    answers until `holds_to`: the earlier of `valid_to` and its expiry, or when a rule put it away.
    """

    id: str
    subject_id: str
    text: str
    caption: str
    heading: str
    kind: str
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    status: Status
    confidence: float
    importance: float
    base_importance: float
    tier: str
    critical: bool
    pinned: bool
    access_count: int
    last_accessed_at: datetime | None
    happens_at: datetime | None
    expires_at: datetime | None
    valid_from: datetime
    valid_to: datetime | None
    recorded_from: datetime
    recorded_to: datetime | None
    created_at: datetime
    updated_at: datetime
    chain_id: str
    session_id: str | None
    agent_id: str | None
    source: Source
    is_revision: bool
    trust: Trust = Trust.PERSON
    confirmed_at: datetime | None = None
    labels: tuple[str, ...] = ()
    retention: float | None = None
    feedback: float = 0.0
    holds_to: datetime | None = None

    @property
    def never_held(self) -> bool:
        """Whether it was corrected: its interval is empty."""
        return self.valid_to is not None and self.valid_to <= self.valid_from

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Memory:
        """Made from the map that every query projects a state to (`.*` without the vector)."""
        is_revision = row.get("memory_id") is not None
        kind, confirmed_at = SourceKind(row["source_kind"]), row.get("confirmed_at")
        return cls(
            id=row["memory_id"] if is_revision else row["id"],
            subject_id=row["subject_id"],
            text=row["text"],
            caption=row["caption"],
            heading=row["heading"],
            kind=row["kind"],
            tags=tuple(row["tags"]),
            metadata=json.loads(row["metadata"]),
            status=Status(row["status"]),
            confidence=row["confidence"],
            importance=row["importance"],
            base_importance=row["base_importance"],
            tier=row["tier"],
            critical=row["critical"],
            pinned=row["pinned"],
            access_count=row["access_count"],
            last_accessed_at=row.get("last_accessed_at"),
            happens_at=row.get("happens_at"),
            expires_at=row.get("expires_at"),
            valid_from=row["valid_from"],
            valid_to=open_end(row["valid_to"]),
            recorded_from=row["recorded_from"],
            recorded_to=open_end(row["recorded_to"]),
            created_at=row["created_at"],
            updated_at=row["updated_at"],
            chain_id=row["chain_id"],
            session_id=row.get("session_id"),
            agent_id=row.get("agent_id"),
            source=Source(kind, row.get("source_ref"), row.get("source_author")),
            is_revision=is_revision,
            labels=tuple(row.get("labels") or ()),
            trust=trust_of(kind, confirmed_at),
            confirmed_at=confirmed_at,
            retention=row.get("retention"),
            feedback=row.get("feedback") or 0.0,
            holds_to=open_end(row.get("holds_to")),
        )

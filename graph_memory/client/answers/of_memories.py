"""A memory, what it was before, and what it is linked to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph_memory.client.answers.words import LinkKind, MemoryStatus, SourceKind, Trust


@dataclass(frozen=True)
class Source:
    """Where a statement comes from."""

    kind: SourceKind
    ref: str | None
    author: str | None


@dataclass(frozen=True)
class Entity:
    """Who or what a memory mentions."""

    name: str
    type: str


@dataclass(frozen=True)
class Memory:
    """One statement, as it was at the moment that was asked for. `valid_to` is None while it holds."""

    id: str
    uuid: str
    text: str
    kind: str
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    metadata: Mapping[str, Any]
    status: MemoryStatus
    trust: Trust
    confidence: float
    importance: float
    valid_from: datetime
    valid_to: datetime | None
    recorded_from: datetime
    recorded_to: datetime | None
    is_revision: bool
    created_at: datetime
    source: Source
    entities: tuple[Entity, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Linked:
    """One end of a link."""

    id: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Retirement:
    """Why a memory is no longer current, in words and in parts."""

    is_retired: bool
    explanation: str
    reason: str | None
    at: datetime | None
    actor: str | None
    change_sequence: int | None
    by: Linked | None

    def __str__(self) -> str:
        return self.explanation


@dataclass(frozen=True)
class State:
    """One state of one version of a truth. `is_corrected`: a correction has taken its place, so it never held."""

    memory: Memory
    superseded_by: Linked | None
    reason: str | None
    is_corrected: bool

    def __str__(self) -> str:
        return f"{self.memory.text} (corrected: it never held)" if self.is_corrected else self.memory.text


@dataclass(frozen=True)
class Link:
    """What one memory is to another, read from `from_` to `to`; an end is None when it is not shown to you."""

    uuid: str
    kind: LinkKind
    strength: float
    confidence: float
    reason: str
    created_at: datetime
    created_by: str
    from_: Linked | None
    to: Linked | None

    def __str__(self) -> str:
        return f"{self.from_ or '(not shown)'} {self.kind} {self.to or '(not shown)'}"


@dataclass(frozen=True)
class MemoryWithLinks(Memory):
    """A memory and what it is linked to."""

    links: tuple[Link, ...]

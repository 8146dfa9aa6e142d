"""Communities: what memories are about, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph_memory.client.answers.listed import Page
from graph_memory.client.answers.of_memories import Linked
from graph_memory.client.answers.words import CommunityChange


@dataclass(frozen=True)
class CommunitySummary:
    """What a community is about. Stale: its members are others by now, or say something else."""

    memory: Linked
    key_facts: tuple[str, ...]
    decisions: tuple[str, ...]
    is_extractive: bool
    written_by: str
    tells_from: datetime
    tells_to: datetime
    is_stale: bool


@dataclass(frozen=True)
class Community:
    """Memories that say related things, and what they are about."""

    id: str
    uuid: str
    name: str
    size: int
    born_at: datetime
    changed_at: datetime
    ended_at: datetime | None
    summary: CommunitySummary | None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class CommunityNamed:
    """A community at one end of what became of it."""

    id: str
    name: str


@dataclass(frozen=True)
class CommunityEvent:
    """What became of a community at one time; both ends are the same unless it split or merged."""

    kind: CommunityChange
    at: datetime
    size: int
    joined: int
    left: int
    from_: CommunityNamed | None
    to: CommunityNamed | None


@dataclass(frozen=True)
class CommunityWithMembers(Community):
    """A community, a page of its members, and what became of it."""

    members: Page[Linked]
    lineage: tuple[CommunityEvent, ...]

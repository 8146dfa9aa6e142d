"""What goes into a prompt: packs, and what should come to mind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from graph_memory.client.answers.listed import Listed
from graph_memory.client.answers.of_graphs import Step
from graph_memory.client.answers.of_memories import Memory
from graph_memory.client.answers.words import PackReason


@dataclass(frozen=True)
class Packed:
    """A memory that stands in a pack."""

    id: str
    text: str
    pinned: bool
    critical: bool

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Named:
    """A memory by its id."""

    id: str


@dataclass(frozen=True)
class LeftOut:
    """A memory that competed for its place in a pack, and why it has none."""

    reason: PackReason
    memory: Named


@dataclass(frozen=True)
class PackDifference:
    """What has come, gone and been changed since an earlier pack, by ids."""

    is_same: bool
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]


@dataclass(frozen=True)
class Pack:
    """Memories as one block for a prompt, `text`; `version` is what a later call takes as `since`."""

    text: str
    tokens: int
    version: str
    generated_at: datetime
    memories: tuple[Packed, ...]
    summaries: tuple[Packed, ...]
    left_out: tuple[LeftOut, ...]
    note: str | None
    difference: PackDifference | None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class BroughtAlong:
    """A memory that links lead to from one that surfaced, the links on the way, and how much it matters there."""

    memory: Memory
    score: float
    links: tuple[Step, ...]

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class SurfacedMemory:
    """A memory that should come to mind; `score` is None where it is only kept."""

    memory: Memory
    score: float | None
    is_kept: bool
    is_new: bool
    linked: tuple[BroughtAlong, ...]

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class Surfaced(Listed):
    """What should come to mind: `for each in surfaced`. `let_go` are those of `keep` that need not be named again."""

    memories: tuple[SurfacedMemory, ...]
    let_go: tuple[str, ...]
    note: str | None

    def __iter__(self) -> Iterator[SurfacedMemory]:
        return iter(self.memories)

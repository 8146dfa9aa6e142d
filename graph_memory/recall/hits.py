"""What a search finds: hits and passages, each with its score and why, on a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from graph_memory.language.time_questions import AsOf
from graph_memory.model.memory import Memory
from graph_memory.recall.passages import Passage
from graph_memory.store.service import Row


class Arms(StrEnum):
    """Which arms search."""

    HYBRID = "HYBRID"
    VECTOR = "VECTOR"
    TEXT = "TEXT"


class Grain(StrEnum):
    """What is found: what is kept, or what was said."""

    MEMORY = "MEMORY"
    PASSAGE = "PASSAGE"


@dataclass(frozen=True)
class Why:
    """Which arm found a hit, and at which place in it; None when that arm did not."""

    vector_rank: int | None
    text_rank: int | None


@dataclass(frozen=True)
class Predecessor:
    """What a hit superseded: the memory before it, until when it held, and why it no longer does."""

    id: str
    text: str
    until: datetime
    reason: str


@dataclass(frozen=True)
class Newer:
    """A newer memory of which a review asks whether it takes a hit's place, and since when it holds."""

    id: str
    text: str
    since: datetime


@dataclass(frozen=True)
class Hit:
    """A memory that was found, how likely it is one that was asked for (0 to 1), and why.

    Where it is `contested_by` others, at most three, it may hold no longer; of a past moment that is not told.
    `similarity` is the cosine of question and memory; None where the question has no vector. `seen` is what was weighed, `weight`
    how far that speaks for the memory where nobody has asked, 0 to 1.
    """

    memory: Memory
    score: float
    similarity: float | None
    why: Why
    predecessors: tuple[Predecessor, ...]
    contested_by: tuple[Newer, ...] = ()
    seen: Mapping[str, float] = field(default_factory=dict, repr=False)
    place: int = 1
    weight: float = 0.0


@dataclass(frozen=True)
class PassageHit:
    """A passage that was found, as a `Hit` is a memory."""

    passage: Passage
    score: float
    similarity: float | None
    why: Why
    seen: Mapping[str, float] = field(default_factory=dict, repr=False)
    place: int = 1


@dataclass(frozen=True)
class Page:
    """Hits, best first. `note` says why there may be more than these, or that some are cold.

    `is_complete` is false where the search fell short: by words alone, or with fewer that meet its conditions than were wanted.
    True or not, only the nearest were compared.

    `passages` stand among the hits where both grains are asked for: `place` tells the order, from 1 on the first page.
    `total` counts all that were compared and scored enough; `next` is the cursor of the page behind this one.
    `interpreted` is the past moment that the question was taken to ask for, and its words for it.
    """

    hits: tuple[Hit, ...]
    is_complete: bool
    note: str | None
    total: int = 0
    next: str | None = None
    passages: tuple[PassageHit, ...] = ()
    interpreted: AsOf | None = None


def passage_hit(row: Row, *, has_vector: bool) -> PassageHit:
    """Of a row of a search; `has_vector` tells whether its cosine is one."""
    said = row["said"]
    return PassageHit(
        Passage.from_row(said),
        row["score"],
        row["seen"]["cosine"] if has_vector else None,
        Why(row["vector_rank"], row["text_rank"]),
        row["seen"],
        row["place"] + 1,
    )


def hit(row: Row, *, brings: bool, has_vector: bool) -> Hit:
    """Of a row of a search; `brings` tells whether what it superseded comes along."""
    before = tuple(Predecessor(**item) for item in row["predecessors"]) if brings else ()
    return Hit(
        Memory.from_row(row["state"]),
        row["score"],
        row["seen"]["cosine"] if has_vector else None,
        Why(row["vector_rank"], row["text_rank"]),
        before,
        tuple(Newer(**item) for item in row["contested_by"]),
        row["seen"],
        row["place"] + 1,
        row["weight"],
    )

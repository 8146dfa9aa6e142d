"""What a search found, and the answer to a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from graph_memory.client import other_forms
from graph_memory.client.answers.listed import Listed
from graph_memory.client.answers.of_memories import Memory

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Why:
    """At which place each arm of a search found a memory; None where it did not."""

    vector_rank: int | None
    text_rank: int | None


@dataclass(frozen=True)
class Former:
    """What was true before a memory that was found."""

    id: str
    text: str
    until: datetime
    reason: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Newer:
    """A newer memory of which a review asks whether it takes a hit's place."""

    id: str
    text: str
    since: datetime

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Hit:
    """A memory that was found. `score` tells how likely it is one that was asked for, 0 to 1, comparable between questions.

    Where it is `contested_by` others, it may hold no longer.
    """

    memory: Memory
    score: float
    age_days: int
    why: Why
    predecessors: tuple[Former, ...]
    contested_by: tuple[Newer, ...]

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class Place:
    """Where a page ends, and whether there is more."""

    has_next_page: bool
    end_cursor: str | None


@dataclass(frozen=True)
class Interpreted:
    """The moment at which a question was answered, and its words for it."""

    as_of: datetime
    phrase: str


@dataclass(frozen=True)
class Found(Listed):
    """What a search found, best first: `for hit in found`.

    `total_count` counts what scored enough, of all pages; `interpreted` tells which past moment the question asks for.
    """

    hits: tuple[Hit, ...]
    is_complete: bool
    note: str | None
    total_count: int
    page_info: Place
    interpreted: Interpreted | None

    @property
    def end_cursor(self) -> str | None:
        """For `after`, to have the next page; None where there is none."""
        return self.page_info.end_cursor

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def to_pandas(self) -> DataFrame:
        """A row for each hit, with the fields of its memory. Needs the extra `pandas`."""
        return other_forms.frame(self.hits)


@dataclass(frozen=True)
class TimeResolution:
    """Words for a time in a memory, and what they come to as that memory was said."""

    original_text: str
    memory: str
    said_at: datetime
    resolved: str
    confidence: float


@dataclass(frozen=True)
class AnswerSource:
    """A memory that was looked at for an answer, and whether the answer rests on it."""

    memory: Memory
    score: float
    is_used: bool

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class Answer:
    """The answer to a question, None where nothing that is stored proves one, and the memories it was looked for in.

    `model` is the language model that told it, None where it was read from what is stored.
    """

    answer: str | None
    confidence: float
    reasoning: str
    resolutions: tuple[TimeResolution, ...]
    sources: tuple[AnswerSource, ...]
    requires_inference: bool
    model: str | None
    note: str | None
    interpreted: Interpreted | None

    def __str__(self) -> str:
        return self.answer or self.note or "No answer is proved."


@dataclass(frozen=True)
class Taken:
    """A memory that was taken from what was said."""

    uuid: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Passage:
    """What somebody said at one time, as it was said."""

    uuid: str
    text: str
    speaker: str
    at: datetime
    role: str | None
    ref: str | None
    session: str | None
    position: int
    memories: tuple[Taken, ...]

    def __str__(self) -> str:
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True)
class PassageHit:
    """A passage that was found."""

    passage: Passage
    score: float
    place: int

    def __str__(self) -> str:
        return str(self.passage)


@dataclass(frozen=True)
class Heard(Listed):
    """What was said that a search found, best first: `for hit in heard`."""

    hits: tuple[PassageHit, ...]
    total_count: int
    page_info: Place

    @property
    def end_cursor(self) -> str | None:
        """For `after`, to have the next page; None where there is none."""
        return self.page_info.end_cursor

    def __iter__(self) -> Iterator[PassageHit]:
        return iter(self.hits)

"""What commands that find, show and move memories answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graph_memory.cli.answers.shapes import also, written
from graph_memory.ingest.outcome import Outcome
from graph_memory.memory.causes import Cause
from graph_memory.memory.community_reading import Community, CommunitySummary, Event
from graph_memory.memory.traversal import Neighbour
from graph_memory.model import memory as model
from graph_memory.recall.hits import Hit, Newer, PassageHit, Predecessor, Why

Memory = model.Memory


@dataclass
class Text:
    """What is said, by its id."""

    id: str
    text: str


@dataclass
class Moved:
    """A memory after a move."""

    id: str
    status: model.Status
    trust: model.Trust
    text: str


@dataclass
class AllMoved:
    """The memories that were moved."""

    memories: list[Moved]
    changes: list[int]
    replayed: bool


@dataclass
class StillThere:
    """Whether texts are gone, and those that a memory says."""

    is_gone: bool
    found: list[str]


@dataclass
class Reached:
    """Memories that were reached over links, nearest first, and whether there are more."""

    items: list[Neighbour | Cause]
    truncated: bool


@dataclass
class Unlinked:
    """The link that was ended."""

    id: str


@dataclass
class Suspected:
    """A memory that would be taken out of answers, whose it is, and the truth of which it is a version."""

    subject: str
    id: str
    chain: str


@dataclass
class Matching:
    """All that would be taken out of answers."""

    memories: list[Suspected]


@dataclass
class Outcomes:
    """What became of each line, and how many lines each thing became of."""

    counts: dict[str, int]
    run: str | None
    statements: list[written(Outcome)]  # type: ignore[valid-type]


@dataclass
class HookOutput:
    """What is added to an agent's context."""

    hookEventName: Literal["SessionStart"]  # noqa: N815
    additionalContext: str  # noqa: N815


@dataclass
class SessionStart:
    """What an agent's start hook answers, with `--session-start`."""

    hookSpecificOutput: HookOutput  # noqa: N815


Found = also(
    "Found",
    Memory,
    score=float,
    similarity=float | None,
    age_days=int,
    why=Why,
    predecessors=list[Predecessor],
    contested_by=list[Newer],
)

Summarised = also("Summary", CommunitySummary, is_extractive=bool)

Source = also("AnswerSource", Hit, ("seen",))


@dataclass
class FoundWithSummaries:
    """With `--summaries`: also the communities whose summary is near."""

    hits: list[Found | PassageHit]  # type: ignore[valid-type]
    summaries: list[CommunitySummary]


CommunityTold = also("Community", Community, summary=Summarised | None, lineage=list[Event])

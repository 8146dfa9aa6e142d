"""What a judge is shown and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from graph_memory.model.link_kinds import LinkKind


class Action(StrEnum):
    """What a new statement does to a known one, in falling order of precedence. FORGET is for a person alone to do."""

    DUPLICATE = "DUPLICATE"
    SUPERSEDE = "SUPERSEDE"
    MERGE = "MERGE"
    COEXIST = "COEXIST"
    FORGET = "FORGET"


# What a judge may say.
JUDGED_ACTIONS = (Action.DUPLICATE, Action.SUPERSEDE, Action.MERGE, Action.COEXIST)


class Effect(StrEnum):
    """What is said does to a known statement that it is about."""

    REPEATS = "repeats"
    EXTENDS = "extends"
    ADDS = "adds"
    CHANGES = "changes"
    CORRECTS = "corrects"
    ENDS = "ends"
    DISPUTES = "disputes"


@dataclass(frozen=True)
class Statement:
    """One side of a pair: a text, since when it holds, who said it. `id` is None for what is not stored yet.

    `said_at` is when it was said, for one that is known when it was said last; None where nobody knows that. `happens_at` is
    the day or moment that it tells of.
    `is_vouched_for`: nobody stands for what a tool or the web says.
    """

    id: str | None
    text: str
    at: datetime
    author: str | None = None
    kind: str = "fact"
    heading: str = ""
    vector: tuple[float, ...] | None = None
    is_vouched_for: bool = True
    said_at: datetime | None = None
    happens_at: datetime | None = None


@dataclass(frozen=True)
class Verdict:
    """How the new statement stands to one candidate.

    `confidence` lies in 0 to 1; `link` is read from the new statement to the candidate, or with `link_from_candidate`
    the other way; `text` is what a judge proposes that a MERGE leads to, or that the new statement of a SUPERSEDE
    says where it is read. A judge that abstains answers COEXIST with
    `abstained` and, in `proposal`, what it would have said. `held_back` tells why a second judge does not let it be done.
    `is_sure_of_link`: by a measure of its own the judge is sure of the link, whatever its confidence.
    """

    candidate: str
    action: Action
    confidence: float
    reason: str
    link: LinkKind | None = None
    text: str | None = None
    abstained: bool = False
    proposal: Action | None = None
    link_from_candidate: bool = False
    held_back: str = ""
    is_sure_of_link: bool = False


class Judge(Protocol):
    """What classifies a new statement against candidates, all in one call."""

    @property
    def name(self) -> str:
        """The provider's name as settings and the ledger spell it."""

    def classify(self, new: Statement, candidates: Sequence[Statement]) -> list[Verdict]:
        """One verdict for each candidate, in order. Raises Unavailable when it cannot answer."""

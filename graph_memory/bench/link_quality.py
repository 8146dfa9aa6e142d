"""How well a linker tells which known statement a message is about, and what the message does to it.

A link is found at k when fewer than k wrong places stand before it in the linker's ranking. That a message is about
nothing is a place like any other, so what ranks nothing too high loses links, and what ranks it too low links falsely.

At a threshold the linker acts on every place before nothing in its ranking whose confidence reaches it. A retirement is
wrong when the message ends, changes or corrects no such statement. Coverage is the share of messages whose first guess
reaches the threshold, be it that they are about nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from math import sqrt
from typing import Any, Protocol, TypeVar

from graph_memory.judge.training.streams import Place

OUTCOMES = ("repeats", "adds", "changes", "corrects", "ends", "disputes")
RETIRING = frozenset({"changes", "corrects", "ends"})
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
CUTS = (1, 5)
# Of a normal distribution, 90 % lies within so many deviations.
_DEVIATIONS = 1.6448536269514722


class Stated(Protocol):
    """What a message does to the statement that it is about."""

    @property
    def outcome(self) -> str: ...


class Candidate(Protocol):
    """A statement that was in force."""

    @property
    def place(self) -> Place: ...


class Situation(Protocol):
    """A message with the statements in force when it came, and what a careful reader says it does to which of them."""

    @property
    def open(self) -> Sequence[Candidate]: ...

    @property
    def links(self) -> Mapping[Place, Stated]: ...


@dataclass(frozen=True)
class Guess:
    """One place of a ranking; without a place: the message is about nothing that is known."""

    place: Place | None
    outcome: str | None
    confidence: float


S = TypeVar("S", bound=Situation)
S_contra = TypeVar("S_contra", bound=Situation, contravariant=True)


class Linker(Protocol[S_contra]):
    """Says what a message is about."""

    def link(self, situation: S_contra) -> Sequence[Guess]:
        """The guesses, the likeliest first, each place once."""
        ...


@dataclass(frozen=True)
class Answered:
    """What a message is about, and what the linker made of it."""

    gold: Mapping[Place, str]
    guesses: tuple[Guess, ...]

    def acts(self, threshold: float) -> dict[Place, str | None]:
        """What the linker does at a threshold, by place."""
        meant = takewhile(lambda guess: guess.place is not None, self.guesses)
        return {
            guess.place: guess.outcome for guess in meant if guess.place and guess.confidence >= threshold
        }

    def is_found(self, place: Place | None, cut: int) -> bool:
        """Whether fewer than so many wrong places stand before it."""
        ranked = [guess.place for guess in self.guesses]
        right: set[Place | None] = {*self.gold} if self.gold else {None}
        if place not in ranked:
            return False
        return sum(each not in right for each in ranked[: ranked.index(place)]) < cut


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    count: int
    of: int

    @property
    def rate(self) -> float:
        return self.count / self.of if self.of else 0.0

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Between which the true share lies nine times out of ten, by Wilson; all is possible where nothing was counted."""
        if not self.of:
            return 0.0, 1.0
        rate, square = min(self.rate, 1.0), _DEVIATIONS**2
        middle = (rate + square / (2 * self.of)) / (1 + square / self.of)
        half = (
            _DEVIATIONS / (1 + square / self.of)
            * sqrt(rate * (1 - rate) / self.of + square / (4 * self.of**2))
        )  # fmt: skip
        return max(0.0, middle - half), min(1.0, middle + half)

    def told(self) -> dict[str, Any]:
        """As figures."""
        low, high = self.interval
        return {
            "rate": round(self.rate, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "count": self.count,
            "of": self.of,
        }


@dataclass(frozen=True)
class Quality:
    """What the linker does at one threshold. `link` is precision and recall of the place alone, whatever the outcome."""

    threshold: float
    link: tuple[Share, Share]
    outcomes: Mapping[str, tuple[Share, Share]]
    wrong_retirements: Share
    coverage: Share


def answered(situations: Iterable[S], linker: Linker[S]) -> list[Answered]:
    """Asks the linker about each message in order. Raises ValueError for a guess that no statement in force answers to."""
    return [_answered(situation, linker.link(situation)) for situation in situations]


def recall_at(answers: Sequence[Answered], cut: int) -> dict[str, Share]:
    """How many links are found at a cut, of how many messages about nothing that is, and both together."""
    linked = [each.is_found(place, cut) for each in answers for place in each.gold]
    none = [each.is_found(None, cut) for each in answers if not each.gold]
    return {"linked": _share(linked), "none": _share(none), "all": _share([*linked, *none])}


def quality_at(answers: Sequence[Answered], threshold: float) -> Quality:
    """What the linker does at a threshold."""
    acts = [each.acts(threshold) for each in answers]
    pairs = [
        (outcome, each.gold.get(place))
        for each, done in zip(answers, acts, strict=True)
        for place, outcome in done.items()
    ]
    gold = [outcome for each in answers for outcome in each.gold.values()]
    right = sum(wanted is not None for _, wanted in pairs)
    wrong = sum(outcome in RETIRING and wanted not in RETIRING for outcome, wanted in pairs)
    decided = [bool(each.guesses) and each.guesses[0].confidence >= threshold for each in answers]
    return Quality(
        threshold,
        (Share(right, len(pairs)), Share(right, len(gold))),
        {outcome: _of_outcome(outcome, pairs, gold) for outcome in OUTCOMES},
        Share(wrong, len(answers)),
        _share(decided),
    )


def figures(answers: Sequence[Answered], thresholds: Sequence[float] = THRESHOLDS) -> dict[str, Any]:
    """All figures, each with its interval; `wrong_retirements` is for each message."""
    return {
        "messages": len(answers),
        "links": sum(len(each.gold) for each in answers),
        "recall": {
            f"at_{cut}": {name: share.told() for name, share in recall_at(answers, cut).items()}
            for cut in CUTS
        },
        "thresholds": [_told(quality_at(answers, each)) for each in thresholds],
    }


def _answered(situation: Situation, guesses: Sequence[Guess]) -> Answered:
    known = {None, *(candidate.place for candidate in situation.open)}
    places = [guess.place for guess in guesses]
    if len(set(places)) < len(places) or not known.issuperset(places):
        raise ValueError(f"each guess names another statement in force, or none: {places}")
    gold = {place: stated.outcome for place, stated in situation.links.items()}
    return Answered(gold, tuple(guesses))


def _of_outcome(
    outcome: str, pairs: Sequence[tuple[str | None, str | None]], gold: Sequence[str]
) -> tuple[Share, Share]:
    right = sum(done == wanted == outcome for done, wanted in pairs)
    return Share(right, sum(done == outcome for done, _ in pairs)), Share(right, gold.count(outcome))


def _share(held: Sequence[bool]) -> Share:
    return Share(sum(held), len(held))


def _told(quality: Quality) -> dict[str, Any]:
    named = {"link": quality.link, **quality.outcomes}
    return {
        "threshold": quality.threshold,
        **{
            name: {"precision": precision.told(), "recall": recall.told()}
            for name, (precision, recall) in named.items()
        },
        "wrong_retirements": quality.wrong_retirements.told(),
        "coverage": quality.coverage.told(),
    }

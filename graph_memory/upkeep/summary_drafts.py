"""What a summary says, made of a community's members without a language model: sentences of theirs, word for word.

Chosen are sentences near the centre of the community, its member most alike the others, that together hold most of what
its members speak of. A sentence is worth its member's cosine to the centre and the share of the weight of all terms that it
is the first to hold; terms are words, weighed by how rare they are in the subject as in `community_names`, and values,
which are as rare as can be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from graph_memory.base.moments import day_of_event
from graph_memory.language import sentences, values
from graph_memory.language.keywords import topics
from graph_memory.model.memory import SourceKind
from graph_memory.upkeep.community_names import Topics
from graph_memory.upkeep.shown_memory import spelled

EXTRACTION = "extraction"
DECISION = "decision"
# What coverage counts beside nearness to the centre.
COVERAGE = 2.0
LONGEST_SENTENCE = 300
MOST_LISTED = 20


@dataclass(frozen=True)
class Member:
    """One memory of a community, as a summary is made of it; `nearness` is its cosine to the centre."""

    id: str
    text: str
    kind: str
    at: datetime
    confidence: float
    source_kind: SourceKind
    nearness: float
    said_by: str | None = None
    heading: str = ""
    zone: tzinfo = UTC

    @property
    def day(self) -> str:
        """The day on which it happened or from which it holds, in the zone of the one whose memory it is."""
        return spelled(day_of_event(self.at, self.zone))


@dataclass(frozen=True)
class Draft:
    """What a summary says, and who wrote it: EXTRACTION, or a language model's name."""

    text: str
    key_facts: tuple[str, ...]
    decisions: tuple[str, ...]
    written_by: str = EXTRACTION


@dataclass(frozen=True)
class _Sentence:
    text: str
    member: Member
    terms: frozenset[str]


def extract(members: Sequence[Member], spoken: Topics, most: int) -> Draft:
    """At most so many sentences of the members, oldest first, each with its date; the key facts go on where these end, until
    nothing new is told."""
    chosen = _chosen(_sentences(members), spoken, max(most, MOST_LISTED))
    told = " ".join(f"“{each.text}” ({each.member.day})" for each in sorted(chosen[:most], key=_when))
    first, last = (edge(members, key=lambda each: each.at).day for edge in (min, max))
    when = first if first == last else f"{first} to {last}"
    head = f"Excerpts from {len(members)} memories, {when}, in their own words:"
    facts = tuple(dated(each.member, each.text) for each in sorted(chosen, key=_when))
    return Draft(f"{head} {told}", facts, decisions_of(members))


def decisions_of(members: Sequence[Member]) -> tuple[str, ...]:
    """What was decided, oldest first, the newest when there are too many."""
    found = sorted((each for each in members if each.kind == DECISION), key=lambda each: (each.at, each.text))
    return tuple(dated(each, _short(each.text)) for each in found[-MOST_LISTED:])


def dated(member: Member, text: str) -> str:
    """What a member says, behind its date."""
    return f"{member.day}: {text}"


def _when(each: _Sentence) -> tuple[datetime, str]:
    return each.member.at, each.text


def _sentences(members: Sequence[Member]) -> list[_Sentence]:
    return [
        _Sentence(_short(text), member, _terms(text))
        for member in members
        for text in sentences.split(member.text) or [member.text]
    ]


def _chosen(found: Sequence[_Sentence], spoken: Topics, most: int) -> list[_Sentence]:
    weights = {term: spoken.rarity(term) for each in found for term in each.terms}
    whole = math.fsum(weights[term] for term in sorted(weights)) or 1.0
    chosen: list[_Sentence] = []
    held: set[str] = set()
    left = list(found)
    while left and len(chosen) < most:
        best = max(
            left,
            key=lambda each: (
                each.member.nearness
                + COVERAGE * math.fsum(weights[t] for t in sorted(each.terms - held)) / whole,
                each.text,
            ),
        )
        chosen.append(best)
        held |= best.terms
        left = [each for each in left if each.terms - held]
    return chosen


def _terms(text: str) -> frozenset[str]:
    told = {f"{each.kind}={each.spelled}" for each in values.taken_out(text)[1]}
    return frozenset(topics(text, None)) | told


def _short(text: str) -> str:
    told = " ".join(text.split())
    return told if len(told) <= LONGEST_SENTENCE else told[: LONGEST_SENTENCE - 1].rstrip() + "…"

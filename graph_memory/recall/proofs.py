"""Answers that what is stored proves, without a language model: dates, lengths, numbers, people, yes or no, values.

A source answers only where it has the names and most of the words that were asked about. What is not proved is not answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from graph_memory.language import patterns, sentences
from graph_memory.language.asked import Wanted, asked_about, wanted
from graph_memory.language.english import NUMBERS
from graph_memory.language.keywords import content
from graph_memory.language.names import mentions
from graph_memory.language.stems import stem
from graph_memory.language.texts import normalised
from graph_memory.language.times.resolver import Means, Span, Time, resolve
from graph_memory.model.memory import Memory

# The share of the words asked about that a source must have, for a time, a number or a person.
_MOST_OF_IT = 0.6
# How sure an answer is that was read as it stands, and one that was worked out.
_STATED, _WORKED_OUT = 0.95, 0.9
# What two sources answer equally well is less sure.
_RIVALLED = 0.6
_DAYS_IN = {"year": 365.25, "month": 30.44}
_MONTHS_SHOWN, _YEARS_SHOWN = 60, 730

_NEGATED = patterns.compile(r"\b(?:not|never|no longer|no|cannot)\b|n't\b", re.IGNORECASE)
_UNSURE = patterns.compile(
    r"\b(?:may|might|maybe|perhaps|would|could|wants?|hopes?|plans?|if|will|going to|used to)\b|\?",
    re.IGNORECASE,
)
_NUMBER = patterns.compile(rf"(?<![\w.,])(\d+|{'|'.join(NUMBERS)})\s+((?:\S+\s+){{0,2}}\S+)", re.IGNORECASE)
_YEAR = patterns.compile(r"\d{4}")
_COUNTED = patterns.compile(r"\bhow many\s+(\w+(?:\s\w+)?)", re.IGNORECASE)


@dataclass(frozen=True)
class Resolution:
    """Words for a time in a memory, and what they come to as that memory was said."""

    original_text: str
    memory_id: str
    said_at: datetime
    resolved: str
    confidence: float


@dataclass(frozen=True)
class Proof:
    """An answer, the place of the source that proves it, and whether more was needed than reading it."""

    answer: str
    source: int
    confidence: float
    reasoning: str
    resolutions: tuple[Resolution, ...] = ()
    requires_inference: bool = False


def prove(question: str, memories: Sequence[Memory], now: datetime, zone: tzinfo) -> Proof | None:
    """The answer that one of the memories proves, best first; None where none does."""
    kind, about = wanted(question), _stems(asked_about(question))
    if not about or kind is Wanted.OPEN:
        return None
    covering = [(at, each, _cover(question, about, each)) for at, each in enumerate(memories)]
    if kind in (Wanted.VALUE, Wanted.YES_NO):
        whole = [(at, each) for at, each, share in covering if share == 1]
        return _said(question, kind, whole)
    for at, memory, share in covering:
        if share < _MOST_OF_IT:
            continue
        proof = _PROVERS[kind](question, at, memory, now.astimezone(zone))
        if proof:
            return proof
    return None


def _cover(question: str, about: frozenset[str], memory: Memory) -> float:
    """The share of what is asked about that a memory has; 0 where it lacks a name."""
    # What is to be read as it stands must name whom it is about; elsewhere it may be who said it.
    by = (
        ""
        if wanted(question) in (Wanted.VALUE, Wanted.YES_NO)
        else f"{memory.heading} {memory.source.author or ''}"
    )
    told = _stems(content(f"{by} {memory.text}", None))
    names = _stems(word for name in mentions(question) for word in content(name.name, None)) & _stems(about)
    return len(_stems(about) & told) / len(about) if names <= told else 0.0


def _stems(words: Iterable[str]) -> frozenset[str]:
    """The stem of a stem: lives and live meet in it."""
    return frozenset(map(stem, words))


def times_of(memory: Memory, zone: tzinfo) -> list[Time]:
    """The times that a memory speaks of, by the day on which it was said."""
    found = [each for each in resolve(memory.text, memory.valid_from, zone) if each.start or each.end]
    return found or ([_event(memory.happens_at, zone)] if memory.happens_at else [])


def _event(at: datetime, zone: tzinfo) -> Time:
    """A whole day is kept as its midnight in UTC."""
    whole = at.astimezone(UTC).time() == datetime.min.time()
    start = at.astimezone(UTC).date() if whole else at.astimezone(zone)
    return Time(Span(0, 0, ""), Means.AT, zone, start, start, "day" if whole else "moment")


def _one(memory: Memory, zone: tzinfo, *means: Means) -> Time | None:
    for wanted_means in means:
        found = {
            (each.start, each.end): each for each in times_of(memory, zone) if each.means is wanted_means
        }
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
    return None


def _when(question: str, at: int, memory: Memory, now: datetime) -> Proof | None:
    means = [Means.AT, Means.BETWEEN, Means.SINCE]
    asks = question.lower()
    if "since when" in asks:
        means = [Means.SINCE, Means.AT]
    elif "until when" in asks:
        means = [Means.UNTIL]
    found = _one(memory, now.tzinfo or UTC, *means)
    return _dated(found, at, memory, spelled(found)) if found else None


def _dated(found: Time, at: int, memory: Memory, answer: str) -> Proof:
    said = memory.valid_from
    relative = bool(found.span.text) and not _YEAR.search(found.span.text)
    sure = _WORKED_OUT if relative else _STATED
    told = (
        f"“{found.span.text}” was said on {said.astimezone(found.zone):%-d %B %Y}."
        if relative
        else "It is told so."
    )
    resolved = (
        (Resolution(found.span.text, memory.id, said, spelled(found), sure),) if found.span.text else ()
    )
    return Proof(answer, at, sure, told, resolved, requires_inference=relative)


def _how_long(question: str, at: int, memory: Memory, now: datetime) -> Proof | None:
    asks_ago = " ago" in question.lower()
    since = _one(memory, now.tzinfo or UTC, *([Means.AT] if asks_ago else []), Means.SINCE, Means.BETWEEN)
    if since is None or since.begins is None:
        return None
    end = now if since.means is not Means.BETWEEN or since.ends is None else since.ends
    gone = end.astimezone(now.tzinfo) - since.begins.astimezone(now.tzinfo)
    if gone < timedelta():
        return None
    after = f" ago, {_on(since)}{spelled(since)}" if asks_ago else f", {spelled(since)}"
    proof = _dated(since, at, memory, f"{_length(gone.days)}{after}")
    return Proof(proof.answer, at, _WORKED_OUT, proof.reasoning, proof.resolutions, requires_inference=True)


def _on(found: Time) -> str:
    return "on " if found.precision in ("day", "moment") else "in "


def _length(days: int) -> str:
    if days >= _YEARS_SHOWN:
        return f"{int(days // _DAYS_IN['year'])} years"
    count, unit = (int(days // _DAYS_IN["month"]), "month") if days >= _MONTHS_SHOWN else (days, "day")
    return f"{count} {unit}{'s' * (count != 1)}"


def _how_many(question: str, at: int, memory: Memory, _: datetime) -> Proof | None:
    asked = _COUNTED.search(question)
    nouns = {stem(word) for word in normalised(asked[1]).split()} & asked_about(question) if asked else set()
    counts = {
        _NUMBER_OF.get(found[1].lower(), found[1])
        for found in _NUMBER.finditer(memory.text)
        if nouns & {stem(word) for word in sentences.words(normalised(found[2]))}
    }
    return Proof(counts.pop(), at, _STATED, "The number is told.") if len(counts) == 1 else None


_NUMBER_OF = {word: str(number) for word, number in NUMBERS.items()}


def _who(question: str, at: int, memory: Memory, _: datetime) -> Proof | None:
    known = [memory.source.author] if memory.source.author else []
    asked = {name.key for name in mentions(question, known)}
    people = {
        name.key: name.name
        for name in mentions(memory.text, known)
        if name.key not in asked and (name.type == "PERSON" or (name.type == "UNKNOWN" and " " in name.name))
    }
    return (
        Proof(next(iter(people.values())), at, _STATED, "It names one person.") if len(people) == 1 else None
    )


def _said(question: str, kind: Wanted, whole: Sequence[tuple[int, Memory]]) -> Proof | None:
    """What a source says that has all that was asked about."""
    if not whole:
        return None
    at, memory = whole[0]
    sure = _STATED if len(whole) == 1 else _RIVALLED
    if kind is Wanted.VALUE:
        return Proof(memory.text, at, sure, "It is said so.")
    if _UNSURE.search(memory.text):
        return None
    is_denied = bool(_NEGATED.search(memory.text)) != bool(_NEGATED.search(question))
    return Proof("No." if is_denied else "Yes.", at, sure, "It is said so.", requires_inference=True)


_PROVERS = {Wanted.WHEN: _when, Wanted.HOW_LONG: _how_long, Wanted.HOW_MANY: _how_many, Wanted.WHO: _who}


def spelled(found: Time) -> str:
    """A time in words, as precise as it was told."""
    start, end = (_spelled(each, found.precision) if each else "" for each in (found.start, found.end))
    if found.means is Means.SINCE:
        return f"since {start}"
    if found.means is Means.UNTIL:
        return f"until {end}"
    return start if start == end or found.precision in ("year", "month") else f"{start} to {end}"


def _spelled(at: object, precision: str | None) -> str:
    form = {"year": "%Y", "month": "%B %Y", "moment": "%-d %B %Y, %H:%M"}.get(precision or "", "%-d %B %Y")
    return f"{at:{form}}"

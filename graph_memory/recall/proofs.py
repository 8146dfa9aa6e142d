"""Answers that what is stored proves, without a language model: when something was, or will be.

Only a time can be read from a memory and be right nearly always; what else was tried was wrong too often
(`docs/explanation/recall.md`). The memory that fits best answers, where it has the names and most of the words that were asked
about, and tells one time. What is not proved is not answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from graph_memory.language import patterns
from graph_memory.language.asked import asked_about, asks_for_time
from graph_memory.language.keywords import content
from graph_memory.language.names import mentions
from graph_memory.language.times import spelling
from graph_memory.language.times.resolver import Means, Span, Time, resolve
from graph_memory.model.memory import Memory

# The share of the words asked about that the memory must have.
_MOST_OF_IT = 2 / 3
# How sure a time is that was read as it stands, and one that was worked out.
_STATED, _WORKED_OUT = 0.95, 0.9
_DAYS_IN = {"year": 365.25, "month": 30.44}
_MONTHS_SHOWN, _YEARS_SHOWN = 60, 730

_YEAR = patterns.compile(r"\d{4}")


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
    """An answer, and whether more was needed than reading the memory that proves it."""

    answer: str
    confidence: float
    reasoning: str
    resolutions: tuple[Resolution, ...] = ()
    requires_inference: bool = False


def prove(
    question: str, memory: Memory, now: datetime, zone: tzinfo, said_at: datetime | None = None
) -> Proof | None:
    """The answer that a memory proves, the one that fits the question best; None where it does not.

    `said_at` is when it was said, where that is known: a memory of talk holds from the day that its words tell.
    """
    if not asks_for_time(question) or not _tells_of(memory, question):
        return None
    said = said_at or memory.valid_from
    found = _one(memory, said, zone, Means.AT, Means.BETWEEN, Means.SINCE)
    if found is None:
        return None
    if "how long ago" in question.lower():
        return _ago(found, memory, said, now.astimezone(zone))
    return _dated(found, memory, said, spelled(found))


def _tells_of(memory: Memory, question: str) -> bool:
    """Whether it has the names of what is asked about, and most of the words; of whom alone, any memory tells."""
    about = asked_about(question)
    names = about & _words(" ".join(name.name for name in mentions(question)))
    told = _words(f"{memory.heading} {memory.source.author or ''} {memory.text}")
    return names < about and names <= told and len(about & told) >= _MOST_OF_IT * len(about)


def _words(text: str) -> frozenset[str]:
    return content(text, None)


def times_of(memory: Memory, said: datetime, zone: tzinfo) -> list[Time]:
    """The times that a memory speaks of, by the day on which it was said."""
    found = [each for each in resolve(memory.text, said, zone) if each.start or each.end]
    return found or ([_event(memory.happens_at, zone)] if memory.happens_at else [])


def _event(at: datetime, zone: tzinfo) -> Time:
    """A whole day is kept as its midnight in UTC."""
    whole = at.astimezone(UTC).time() == datetime.min.time()
    start = at.astimezone(UTC).date() if whole else at.astimezone(zone)
    return Time(Span(0, 0, ""), Means.AT, zone, start, start, "day" if whole else "moment")


def _one(memory: Memory, said: datetime, zone: tzinfo, *means: Means) -> Time | None:
    for wanted in means:
        found = {
            (each.start, each.end): each for each in times_of(memory, said, zone) if each.means is wanted
        }
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
    return None


def _dated(found: Time, memory: Memory, said: datetime, answer: str) -> Proof:
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
    return Proof(answer, sure, told, resolved, requires_inference=relative)


def _ago(found: Time, memory: Memory, said: datetime, now: datetime) -> Proof | None:
    """How long ago it was; None for what is to come."""
    gone = now - found.begins.astimezone(now.tzinfo) if found.begins else timedelta(-1)
    if gone < timedelta():
        return None
    on = "" if found.means is Means.SINCE else "on " if found.precision in ("day", "moment") else "in "
    proof = _dated(found, memory, said, f"{_length(gone.days)} ago, {on}{spelled(found)}")
    return Proof(proof.answer, _WORKED_OUT, proof.reasoning, proof.resolutions, requires_inference=True)


def _length(days: int) -> str:
    if days >= _YEARS_SHOWN:
        return f"{int(days // _DAYS_IN['year'])} years"
    count, unit = (int(days // _DAYS_IN["month"]), "month") if days >= _MONTHS_SHOWN else (days, "day")
    return f"{count} {unit}{'s' * (count != 1)}"


def spelled(found: Time) -> str:
    """A time in words, as precise as it was told."""
    start, end = (
        spelling.spelled(each, found.precision) if each else "" for each in (found.start, found.end)
    )
    if found.means is Means.SINCE:
        return f"since {start}"
    if found.means is Means.UNTIL:
        return f"until {end}"
    return start if start == end or found.precision in ("year", "month") else f"{start} to {end}"

"""What the words for times in a text come to, for one who said it at a moment in a zone.

`resolve` finds them and says what each means: at, between, since, until, repeated, or unresolvable, which is said and never
guessed. Of an exact time the precision is kept: moment, day, month, quarter, season, year, or a range of days.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from graph_memory.language.times.calendar_time import Precision, Said, SpanTime, evaluate
from graph_memory.language.times.tense import Way, says_not_which, way_of
from graph_memory.language.times.time_reader import LONGEST, TimeReader, is_monthless
from graph_memory.language.times.time_relations import MIDDLE
from graph_memory.language.times.time_words import PART_HOURS, SYMBOLS


class Means(StrEnum):
    """What words for a time say of it."""

    AT = "at"
    BETWEEN = "between"
    SINCE = "since"
    UNTIL = "until"
    REPEATED = "repeated"
    UNRESOLVABLE = "unresolvable"


@dataclass(frozen=True)
class Span:
    """Words for a time and where they stand in their text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Time:
    """Words for a time, and what they come to: its first and last day, or moment, in the person's zone, both included.

    What lasts on has no end, what has lasted has no start; what is repeated or unresolvable has neither. `part` is the part
    of the day that was named where no hour was, or early, mid or late of a longer time.
    """

    span: Span
    means: Means
    zone: tzinfo
    start: date | datetime | None = None
    end: date | datetime | None = None
    precision: Precision | None = None
    part: str | None = None

    @property
    def begins(self) -> datetime | None:
        """The first instant of it, in UTC."""
        return None if self.start is None else _instant(self.start, self.zone)

    @property
    def ends(self) -> datetime | None:
        """The first instant after it, in UTC; of a moment itself. What lasts to the end of the calendar has no end."""
        if self.end is None or isinstance(self.end, datetime):
            return None if self.end is None else _instant(self.end, self.zone)
        return None if self.end == date.max else _instant(self.end + timedelta(days=1), self.zone)

    @property
    def moment(self) -> datetime | None:
        """The one instant that was told, in UTC: an hour, or the one that stands for a part of a day."""
        if isinstance(self.start, datetime):
            return None if self.start != self.end else _instant(self.start, self.zone)
        if self.precision == "day" and self.means is Means.AT and self.part in PART_HOURS and self.start:
            return _instant(datetime.combine(self.start, time(PART_HOURS[self.part]), self.zone), self.zone)
        return None


def resolve(
    text: str,
    said_at: datetime,
    zone: tzinfo | None = None,
    *,
    way: int | None = None,
    about: date | datetime | None = None,
) -> list[Time]:
    """The times that a text speaks of, in its order; days are those of `zone`, or of the one that `said_at` is in.

    `way` tells whether it looks ahead (above 0), back (below 0) or neither, where that is known; else each clause's own words
    tell it. It decides between the friday past and the friday to come. `about` is the time that the talk is of: it lends
    "the 13th" its month, "half 7" its day and "a week later" what it counts from. A month named before "the 13th" is its month.
    """
    now = said_at.astimezone(zone) if zone else said_at
    found = []
    month: date | None = None
    for span in find(text):
        told = Way(way, 0) if way is not None else way_of(text, span.start, span.end)
        value = (
            None
            if says_not_which(text, span.start, span.end)
            else value_of(
                span.text,
                now,
                told.way,
                leans=told.leans,
                is_sure=told.is_own,
                about=month if month and is_monthless(span.text) else about,
            )
        )
        if value and value.precision == "month" and value.kind == "at":
            month = value.first.replace(day=MIDDLE)
        found.append(_time(span, now, value))
    return found


def value_of(
    phrase: str,
    said_at: datetime,
    way: int = 0,
    *,
    leans: int = 0,
    is_sure: bool = True,
    about: date | datetime | None = None,
) -> SpanTime | None:
    """What a phrase that is known to be a time comes to; None where it does not say one exactly.

    `leans` is the way for weekdays and days of the month where the talk looks neither way; `is_sure` whether the words of its own
    clause look that way.
    """
    if len(phrase) > LONGEST:
        return None
    reader = TimeReader(phrase, is_time=True)
    now = said_at.replace(second=0, microsecond=0)
    said = Said(now, (way > 0) - (way < 0), about, leans, is_sure)
    for meaning, end in reader.times(reader.skip(0, SYMBOLS)):
        if reader.ends_at(end) and (found := evaluate(meaning, said)):
            return found
    return None


def find(text: str) -> list[Span]:
    """The words for times in a text, each as long as it can be read, in its order; of more than fifty the first."""
    reader, found, at = TimeReader(text), list[Span](), 0
    while at < len(reader.tokens) and len(found) < MOST:
        end = reader.longest(at)
        if end:
            start, stop = reader.tokens[at].start, reader.tokens[end - 1].end
            found.append(Span(start, stop, text[start:stop]))
        at = end or at + 1
    return found


# So many times are read in a text.
MOST = 50


def _time(span: Span, now: datetime, value: SpanTime | None) -> Time:
    zone = now.tzinfo or UTC
    if value is None:
        return Time(span, Means.UNRESOLVABLE, zone)
    return Time(span, Means(value.kind), zone, value.start, value.end, value.precision, value.part)


def _instant(at: date | datetime, zone: tzinfo) -> datetime | None:
    """An hour that a change of the clocks leaves out is the one after it. None where it is beyond the calendar in UTC."""
    local = at if isinstance(at, datetime) else datetime.combine(at, time(), zone)
    try:
        return local.astimezone(UTC)
    except OverflowError:
        return None

"""What the words for times in a text come to, for one who said it at a moment in a zone.

`resolve` finds them and says what each means: at, between, since, until, repeated, or unresolvable, which is said and never
guessed. Of an exact time the precision is kept: moment, day, month, quarter, season, year, or a range of days.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from itertools import pairwise

from graph_memory.language import grammar, patterns
from graph_memory.language.english import FUTURE_CUE, NOT_A_VERB, PARTICIPLES, PAST_CUE, PAST_FORMS, words_of
from graph_memory.language.stems import stem
from graph_memory.language.times.calendar_time import Precision, Said, SpanTime, evaluate
from graph_memory.language.times.surroundings import names_no_day
from graph_memory.language.times.time_reader import LONGEST, TimeReader, is_bare_weekday
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
        """The first instant after it, in UTC; of a moment itself."""
        if self.end is None or isinstance(self.end, datetime):
            return None if self.end is None else _instant(self.end, self.zone)
        return _instant(self.end + timedelta(days=1), self.zone)

    @property
    def moment(self) -> datetime | None:
        """The one instant that was told, in UTC: an hour, or the one that stands for a part of a day."""
        if isinstance(self.start, datetime):
            return None if self.start != self.end else _instant(self.start, self.zone)
        if self.precision == "day" and self.means is Means.AT and self.part in PART_HOURS and self.start:
            return datetime.combine(self.start, time(PART_HOURS[self.part]), self.zone).astimezone(UTC)
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
    "the 13th" its month, "half 7" its day and "a week later" what it counts from.
    """
    now = said_at.astimezone(zone) if zone else said_at
    found = []
    for span in find(text):
        told = Way(way, 0) if way is not None else way_of(text, span)
        value = (
            None
            if _says_not_which(text, span)
            else value_of(span.text, now, told.way, leans=told.leans, about=about)
        )
        found.append(_time(span, now, value))
    return found


def value_of(
    phrase: str, said_at: datetime, way: int = 0, *, leans: int = 0, about: date | datetime | None = None
) -> SpanTime | None:
    """What a phrase that is known to be a time comes to; None where it does not say one exactly.

    `leans` is the way for weekdays and days of the month where the talk looks neither way.
    """
    if len(phrase) > LONGEST:
        return None
    reader = TimeReader(phrase, is_time=True)
    now = said_at.replace(second=0, microsecond=0)
    said = Said(now, (way > 0) - (way < 0), about, leans)
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


def looks_back(text: str) -> bool:
    """Whether a sentence of it tells what was, by the form of some verb; in doubt it does."""
    return bool(_PAST.search(text.replace("’", "'")))


def is_just_done(text: str) -> bool:
    """Whether it tells what has just been done, as "just paid the rent" does and "what if we just paid the rent" does not."""
    words = [found[0] for found in _WORD.finditer(text.lower().replace("’", "'"))]
    if "just" not in words:
        return False
    at = words.index("just")
    before, verb = words[:at], " ".join(words[at + 1 : at + 2])
    is_done = verb in _DONE or _REGULAR.fullmatch(verb) is not None
    return is_done and not _NO_DEED.intersection(before[-1:]) and not _SUPPOSED.intersection(before)


# So many times are read in a text, and so many characters on either side of one tell whether it looks back.
MOST, _AROUND = 50, 150
_FUTURE = patterns.compile(FUTURE_CUE, re.IGNORECASE)
_PAST = patterns.compile(rf"{PAST_CUE}|\b(?:{'|'.join(sorted(PAST_FORMS))})\b", re.IGNORECASE)
_WORD = patterns.compile(r"[\w']+")
_REGULAR = patterns.compile(PAST_CUE)
_DONE = (PAST_FORMS | PARTICIPLES) - words_of("was wasn't were weren't used become come quit run set")
# "He is just tired", "I could just have stayed": no deed, or none that was done.
_NO_DEED = words_of("am is isn't are aren't was wasn't were weren't be been being i'm it's not had to")
_SUPPOSED = words_of("if unless wish would could should might wouldn't couldn't shouldn't")
_SUBJECTS = words_of("i he she it we you they")
_FINITE = words_of(
    """
    am is are isn't aren't i'm it's he's she's that's there's we're you're they're have has haven't hasn't do does don't
    doesn't can can't cannot could should must might
    """
)
_WOULD = patterns.compile(r"\bwould(?:n't)?\b|'d\b", re.IGNORECASE)
_TITLED = r"(?<!\bdr)(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bst)"
_SENTENCE = patterns.compile(rf"{_TITLED}[.!?;\n]\s", re.IGNORECASE)
_CLAUSE = patterns.compile(rf"{_TITLED}[.!?;,\n]\s|\s(?:and|but|so|then|because|while)\s", re.IGNORECASE)
# "It is paid", "it will be sent": the form of the verb tells of no past.
_PASSIVE = patterns.compile(
    r"\b(?:be|is|are|am|i'm|it's|isn't|aren't|gets?)\s+(?:not\s+|being\s+)?\w+", re.IGNORECASE
)
_PARTICIPLES = PARTICIPLES - {"got"} | words_of("cost cut hit hurt let put read seen shut")
# "He has seen her"; "she has got an exam" tells of no past.
_PERFECT = patterns.compile(
    rf"(?:\b(?:has|have)(?:n'?ts?)?|'ve)\s+(?:(?!to\b)\w+\s+){{0,2}}?(?:{'|'.join(sorted(_PARTICIPLES))})\b",
    re.IGNORECASE,
)
_HAVING = patterns.compile(r"(?:\b(?:has|have)(?:n't)?|'ve|'s)\s+(?:only |just )?got\b", re.IGNORECASE)
# "The left", "a used car": what stands before a noun, or is one, tells of no past.
_AFTER_THE = patterns.compile(r"\b(?:the|a|an|my|your|his|its|our|their)\s+\w+", re.IGNORECASE)
# What has to be, or is to be, lies ahead where no clause says that it was.
_TO_BE = patterns.compile(
    r"(?:\b(?:am|is|are|has|have|need|needs)|'m|'re|'ve got)\s+(?:not\s+)?to\s+\w+|\b(?:should|might)(?:n't)?\s+(?!have\b|'ve\b|of\b)\w+",
    re.IGNORECASE,
)
# "It was moved to friday" tells of what is to come.
_MOVED = patterns.compile(r"\bto(?: the)?\s*$", re.IGNORECASE)
# "The shop opens on friday" tells a habit as likely as what is to come; "exams on friday" does not.
_HABIT = patterns.compile(r"\w\s+(?!is\b|was\b|has\b|this\b|'s)\w{2,}[^s\W]s\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Way:
    """Whether words look ahead or back, and which way what lies near is meant where they do neither.

    `is_own` is whether the clause itself surely tells it: another one beside it may not be of it, and what she said she
    would do is told as past.
    """

    way: int
    leans: int
    is_own: bool = True


def way_of(text: str, span: Span) -> Way:
    """Which way the words around a time look: those of its clause, else of its sentence, else all.

    Where its clause tells of what is, that others tell of what was says nothing of it.
    """
    first = max(0, span.start - _AROUND)
    plain = text[first : span.end + _AROUND].replace("’", "'")
    span = Span(span.start - first, span.end - first, span.text)
    before = plain[: span.start]
    if _MOVED.search(before[-LONGEST:]):
        return Way(1, 0)
    is_own_present = False
    for depth, (start, end) in enumerate(
        dict.fromkeys(_around(plain, span, breaks) for breaks in (_CLAUSE, _SENTENCE, None))
    ):
        rest = f"{plain[start : span.start]} {plain[span.end : end]}"
        back, ahead = _is_past(rest), bool(_FUTURE.search(rest) or _TO_BE.search(rest))
        if (back or ahead) and not (back and is_own_present):
            return Way(ahead - back, 0, not depth and not _WOULD.search(rest))
        is_own_present = is_own_present or (not depth and _is_present(rest))
    is_habit = _HABIT.search(before[-LONGEST:]) and is_bare_weekday(span.text)
    return Way(0, 0 if is_habit else 1)


def _is_past(clause: str) -> bool:
    plain = _AFTER_THE.sub(" ", _HAVING.sub(" has ", _PASSIVE.sub(" ", clause)))
    return looks_back(plain) or bool(_PERFECT.search(plain))


def _is_present(clause: str) -> bool:
    """Whether it has a verb of its own, that tells of what is."""
    words = [each[0].lower() for each in _WORD.finditer(clause)]
    return any(
        word in _FINITE
        or (before in _SUBJECTS and word not in NOT_A_VERB)
        or (word.endswith("s") and grammar.is_verb(stem(word)))
        for before, word in pairwise(["", *words])
    )


def _says_not_which(text: str, span: Span) -> bool:
    plain = text.replace("’", "'")
    start, end = _around(plain, span, _CLAUSE)
    before, after = plain[start : span.start], plain[span.end : end]
    is_past = _is_past(f"{before} {after}") and not _FUTURE.search(f"{before} {after}")
    return names_no_day(before, span.text, after, is_past)


def _around(text: str, span: Span, breaks: re.Pattern[str] | None) -> tuple[int, int]:
    """The clause or sentence that a span stands in."""
    if breaks is None:
        return 0, len(text)
    start = max((each.end() for each in breaks.finditer(text, 0, span.start)), default=0)
    after = breaks.search(text, span.end)
    return start, after.start() if after else len(text)


def _time(span: Span, now: datetime, value: SpanTime | None) -> Time:
    zone = now.tzinfo or UTC
    if value is None:
        return Time(span, Means.UNRESOLVABLE, zone)
    return Time(span, Means(value.kind), zone, value.start, value.end, value.precision, value.part)


def _instant(at: date | datetime, zone: tzinfo) -> datetime:
    """An hour that a change of the clocks leaves out is the one after it."""
    return (at if isinstance(at, datetime) else datetime.combine(at, time(), zone)).astimezone(UTC)

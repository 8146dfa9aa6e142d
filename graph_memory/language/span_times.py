"""What the words for a time come to: "on the 3rd", "a week from tomorrow", "since monday", "first monday in may".

A small grammar over tokens. Each rule reads some tokens from a place and answers what they may mean, as a function of the
moment at which they were said, and where they end. Rules take one another as parts, to a bounded depth, and what a rule
found at a place is kept, so that reading takes time with the length only.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import wraps
from typing import Any, Literal, TypeVar

from graph_memory.language import patterns
from graph_memory.language.english import MONTHS, NUMBERS, WEEKDAYS

Precision = Literal["year", "month", "day", "moment"]
Kind = Literal["at", "since", "until", "between"]

LONGEST = 80


@dataclass(frozen=True)
class SpanTime:
    """A time, both ends included. What lasts on has no end, what has lasted has no start.

    A month or a year is told by its first and last day; a moment is its own start and end. `part` is the part of the day
    that was named, where no hour was.
    """

    start: date | datetime | None
    end: date | datetime | None
    precision: Precision
    kind: Kind
    part: str | None = None


@dataclass(frozen=True)
class Span:
    """Words for a time and where they stand in their text."""

    start: int
    end: int
    text: str


def resolve(
    span: str, said_at: datetime, direction: int = 0, *, about: date | datetime | None = None
) -> SpanTime | None:
    """What a span comes to for one who said it at that local moment; None where it does not say a time exactly.

    `direction` tells whether the message looks ahead (above 0), back (below 0) or neither: it decides between the friday
    past and the friday to come, where the words do not. `about` is the time that the talk is of, if that is known: it
    lends "the 13th" its month, "half 7" its day and "a week later, same time" what they count from.
    """
    if len(span) > LONGEST:
        return None
    reader = _Reader(span, is_time=True)
    said = _Said(said_at.replace(second=0, microsecond=0), (direction > 0) - (direction < 0), about)
    for meaning, end in reader.times(reader.skip(0, _SYMBOLS)):
        if reader.ends_at(end) and (found := _evaluate(meaning, said)):
            return found
    return None


def find(text: str) -> list[Span]:
    """The words for times in a text, each as long as it can be read, in the order of the text."""
    reader, found, at = _Reader(text), [], 0
    while at < len(reader.tokens):
        end = reader.longest(at)
        if end:
            start, stop = reader.tokens[at].start, reader.tokens[end - 1].end
            found.append(Span(start, stop, text[start:stop]))
        at = end or at + 1
    return found


# Words. All that is data stands here.

_DAYS = {name.lower(): at for at, name in enumerate(WEEKDAYS)} | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
_MONTHS = {name.lower(): at for at, name in enumerate(MONTHS, 1)}
_MONTHS |= {name[:3]: at for name, at in _MONTHS.items()} | {"sept": 9}
_NEAR_DAYS = {
    "today": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tmw": 1, "tomo": 1, "tomoz": 1, "tomorow": 1, "tommorow": 1,
    "tommorrow": 1, "tom": 1, "yesterday": -1, "yday": -1, "the day after tomorrow": 2,
    "the day before yesterday": -2, "day after tomorrow": 2, "day before yesterday": -2,
}  # fmt: skip
_FEASTS = {
    "christmas": (12, 25), "xmas": (12, 25), "christmas day": (12, 25), "xmas day": (12, 25), "christmas eve": (12, 24),
    "xmas eve": (12, 24), "boxing day": (12, 26), "new year": (1, 1), "new year's": (1, 1), "new year's day": (1, 1),
    "new years": (1, 1), "new years day": (1, 1), "new year's eve": (12, 31), "new years eve": (12, 31), "nye": (12, 31),
    "halloween": (10, 31), "valentine's": (2, 14), "valentine's day": (2, 14), "valentines": (2, 14),
    "valentines day": (2, 14), "easter": None, "easter sunday": None,
}  # fmt: skip
_COUNTS = NUMBERS | {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40}
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30}
_THEN = {"that day": 0, "that date": 0, "same day": 0, "same date": 0, "the same day": 0, "then": 0, "the day before": -1,
         "day before": -1, "the night before": -1, "night before": -1, "the day after": 1, "day after": 1}  # fmt: skip
_UNITS = {
    spelled: unit
    for unit, spellings in {
        "minute": "minute minutes min mins", "hour": "hour hours hr hrs", "day": "day days", "week": "week weeks wk wks",
        "fortnight": "fortnight fortnights", "month": "month months mth mths", "year": "year years yr yrs",
        "weekend": "weekend weekends",
    }.items()
    for spelled in spellings.split()
}  # fmt: skip
_PARTS = {"morning": "morning", "afternoon": "afternoon", "arvo": "afternoon", "evening": "evening", "eve": "evening",
          "night": "night"}  # fmt: skip
_SIDES = {"this": 0, "the": 0, "this coming": 1, "the coming": 1, "coming": 1, "next": 1, "the next": 1, "the following": 1,
          "last": -1, "the last": -1, "past": -1, "this past": -1, "the past": -1}  # fmt: skip
_FRACTIONS = {
    "half past": 30,
    "half": 30,
    "quarter past": 15,
    "quarter to": -15,
    "a quarter past": 15,
    "a quarter to": -15,
}
_NOW = ("now", "right now", "here")
_HALVES = {"am": "am", "pm": "pm", "a.m": "am", "p.m": "pm"}
_SUFFIXES = ("st", "nd", "rd", "th")
_SYMBOLS = (",", ".", "!", "?", ";", ":", "(", ")")
_DASHES = ("-", "–", "—")
_IN = ("on", "in", "at", "for", "of", "during", "to", "@")
_TO = ("to", "until", "till", "til", "through", "thru", *_DASHES)
# Read alone, these are more often another word.
_AMBIGUOUS = {
    "may",
    "march",
    "mar",
    "sat",
    "sun",
    "wed",
    "mon",
    "tom",
    "now",
    "here",
    "eve",
    "dec",
    "jan",
    "easter",
}
_REPEATING = ("every", "each", "most")
_IN_NUMBERS = (".", ",", ":", "/", *_DASHES)
_LEADING = {"in", "on", "since", "from", "until", "till", "til", "by", "before", "starting", "as"}
_TELLING = (
    (_DAYS.keys() | _MONTHS.keys() | _NEAR_DAYS.keys() | _FEASTS.keys() | {"tonight", "ago", "noon", "midnight", "midday"})
    - _AMBIGUOUS
)  # fmt: skip


# What a time comes to.


@dataclass(frozen=True)
class _Said:
    """When it was said, whether it looks ahead or back, and the time that the talk is of."""

    now: datetime
    way: int
    about: date | datetime | None = None

    @property
    def today(self) -> date:
        return self.now.date()


_Meaning = Callable[[_Said], SpanTime | None]
_Reading = tuple[_Meaning, int]


def _evaluate(meaning: _Meaning, said: _Said) -> SpanTime | None:
    try:
        return meaning(said)
    except (ValueError, OverflowError):  # no such day
        return None


def _day(day: date) -> SpanTime:
    return SpanTime(day, day, "day", "at")


def _month(year: int, month: int) -> SpanTime:
    return SpanTime(date(year, month, 1), date(year, month, monthrange(year, month)[1]), "month", "at")


def _year(year: int) -> SpanTime:
    return SpanTime(date(year, 1, 1), date(year, 12, 31), "year", "at")


def _stretch(first: date | datetime | None, last: date | datetime | None) -> SpanTime:
    """Where one end has an hour, the other is the beginning or the last minute of its day."""
    zones = [each.tzinfo for each in (first, last) if isinstance(each, datetime)]
    if len(zones) == 1 and first and last:
        first = first if isinstance(first, datetime) else datetime.combine(first, time(0, 0), zones[0])
        last = last if isinstance(last, datetime) else datetime.combine(last, time(23, 59), zones[0])
    return SpanTime(first, last, "moment" if zones else "day", "between")


def _as_date(when: date | datetime) -> date:
    return when.date() if isinstance(when, datetime) else when


def _start(found: SpanTime) -> date:
    assert found.start is not None
    return _as_date(found.start)


def _unit(unit: str, day: date) -> SpanTime:
    """The week, weekend, month or year that holds a day."""
    monday = day - timedelta(days=day.weekday())
    if unit == "week":
        return _stretch(monday, monday + timedelta(days=6))
    if unit == "weekend":
        return _stretch(monday + timedelta(days=5), monday + timedelta(days=6))
    if unit == "month":
        return _month(day.year, day.month)
    return _year(day.year) if unit == "year" else _day(day)


def _moved(day: date, count: int, unit: str) -> date:
    if unit in _LENGTHS:
        return day + timedelta(days=count * _LENGTHS[unit])
    year, month = divmod(day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1), 12)
    return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))


_LENGTHS = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
_SHORT = {"minute": 1, "hour": 60}


def _from_now(said: _Said, count: int, unit: str, exactly: bool = False) -> SpanTime:
    """Months and years are counted in months and years, unless it is exactly so many."""
    if unit in _SHORT:
        moment = said.now.astimezone(UTC) + timedelta(minutes=count * _SHORT[unit])
        return _moment(moment.astimezone(said.now.tzinfo))
    day = _moved(said.today, count, unit)
    return _unit(unit, day) if unit in ("month", "year") and not exactly else _day(day)


def _from_point(found: SpanTime, count: int, unit: str) -> SpanTime | None:
    if found.kind != "at" or found.precision not in ("day", "moment") or unit in _SHORT:
        return None
    day = _moved(_start(found), count, unit)
    if isinstance(found.start, datetime):
        moment = datetime.combine(day, found.start.timetz())
        return SpanTime(moment, moment, "moment", "at")
    return replace(found, start=day, end=day)


def _choose(candidates: list[date], said: _Said) -> date | None:
    """The one that a message means: the next one, the latest one or, where it looks neither way, the nearest.

    What is past counts as twice as far: people tell it with its year, or in a sentence that looks back.
    """
    ahead = [each for each in candidates if each > said.today]
    back = [each for each in candidates if each <= said.today]
    if said.way > 0:
        return min(ahead, default=None)
    if said.way < 0:
        return max(back, default=None)
    return min(candidates, key=lambda each: max(each - said.today, (said.today - each) * 2), default=None)


def _weekday(number: int, said: _Said, side: int = 0) -> date | None:
    today = said.today
    ahead = today + timedelta(days=(number - today.weekday()) % 7 or 7)
    back = today - timedelta(days=(today.weekday() - number) % 7 or 7)
    way = side or said.way
    return ahead if way > 0 else back if way < 0 else None


def _valid(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _day_of_some_month(day: int, said: _Said) -> list[date]:
    first = said.today.replace(day=1)
    months = [_moved(first, away, "month") for away in range(-12, 13)]
    return [month.replace(day=day) for month in months if _valid(month.year, month.month, day)]


def _day_of_some_year(month: int, day: int, said: _Said) -> list[date]:
    years = range(said.today.year - 8, said.today.year + 9)
    return [date(year, month, day) for year in years if _valid(year, month, day)]


def _month_of_some_year(month: int, said: _Said, side: int = 0) -> SpanTime:
    """The current month counts as one to come and as one that was."""
    this, year = said.today.month, said.today.year
    way = side or said.way
    if way > 0:
        return _month(year + (month < this + bool(side)), month)
    if way < 0:
        return _month(year - (month > this - bool(side)), month)
    nearest = min((year - 1, year, year + 1), key=lambda each: abs((each - year) * 12 + month - this))
    return _month(nearest, month)


def _easter(year: int) -> date:
    """Gauss's rule, as Meeus and Butcher have it."""
    century, of_century = divmod(year, 100)
    golden = year % 19
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - epact - of_century % 4) % 7
    late = (golden + 11 * epact + 22 * sunday) // 451
    month, day = divmod(epact + sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _feast(of: tuple[int, int] | None, said: _Said) -> SpanTime | None:
    easters = [_easter(said.today.year + away) for away in (-1, 0, 1)]
    day = _choose(_day_of_some_year(*of, said) if of else easters, said)
    return _day(day) if day else None


# Clock times.


@dataclass(frozen=True)
class _Clock:
    """An hour and a minute; `half` is am, pm, "exact" of 24 hours, or empty where it could be either."""

    hour: int
    minute: int
    half: str

    def times(self, part: str | None = None) -> list[time]:
        half = self.half or {"morning": "am", "afternoon": "pm", "evening": "pm", "night": "pm"}.get(
            part or "", ""
        )
        if half == "exact":
            return [time(self.hour, self.minute)]
        hours = {
            "am": [self.hour % 12],
            "pm": [self.hour % 12 + 12],
            "": [self.hour % 12, self.hour % 12 + 12],
        }[half]
        return [time(hour, self.minute) for hour in hours]

    def on(self, found: SpanTime | None, said: _Said) -> SpanTime | None:
        """That time of a day. Where morning and evening are equally likely, it is not said."""
        if found is None or found.precision != "day" or found.kind != "at":
            return None
        day, times = _start(found), self.times(found.part)
        if len(times) > 1 and day == said.today:
            return self._nearest([datetime.combine(day, each, said.now.tzinfo) for each in times], said)
        if len(times) > 1:
            times = [each for each in times if _FROM <= each.hour < _TO_HOUR]
        return _moment(datetime.combine(day, times[0], said.now.tzinfo)) if times else None

    def near(self, said: _Said) -> SpanTime | None:
        if said.about and said.way > 0 and _as_date(said.about) >= said.today:
            return self.on(_day(_as_date(said.about)), said)
        days = [said.today + timedelta(days=away) for away in (-1, 0, 1)]
        return self._nearest(
            [datetime.combine(day, each, said.now.tzinfo) for day in days for each in self.times()], said
        )

    def _nearest(self, moments: list[datetime], said: _Said) -> SpanTime | None:
        way = said.way
        fitting = [each for each in moments if not way or (each > said.now if way > 0 else each <= said.now)]
        return _moment(min(fitting, key=lambda each: abs(each - said.now))) if fitting else None


# Hours without am or pm fall on the waking day.
_FROM, _TO_HOUR = 9, 19


def _moment(moment: datetime) -> SpanTime:
    return SpanTime(moment, moment, "moment", "at")


# Relations: what "since", "until", "by" make of a time.


def _edge(found: SpanTime | None) -> SpanTime | None:
    """What can begin or end something: the middle of a month is its 15th, what is early or late in it is no day."""
    if found and found.precision == "month" and found.part:
        return _day(_start(found).replace(day=_MIDDLE)) if found.part.startswith("mid") else None
    return found


_MIDDLE, _HOURS = 15, 12
_NEARBY = timedelta(days=400)


def _since(meaning: _Meaning, way: int = -1) -> _Meaning:
    def since(said: _Said) -> SpanTime | None:
        found = _edge(meaning(replace(said, way=way if way < 0 or not said.way else said.way)))
        return (
            replace(found, end=None, kind="since")
            if found and found.start and found.kind != "until"
            else None
        )

    return since


def _starting(meaning: _Meaning) -> _Meaning:
    return _since(meaning, 1)


def _ahead(meaning: _Meaning, said: _Said) -> SpanTime | None:
    return _edge(meaning(replace(said, way=said.way or 1)))


def _ended(end: date | datetime | None, found: SpanTime) -> SpanTime:
    return SpanTime(None, end, "moment" if isinstance(end, datetime) else "day", "until", found.part)


def _until(meaning: _Meaning) -> _Meaning:
    """Up to a day is with it, up to a month, a year or a week is up to its beginning."""

    def until(said: _Said) -> SpanTime | None:
        found = _ahead(meaning, said)
        if not found or found.kind in ("since", "until"):
            return None
        short = found.kind == "at" and found.precision in ("day", "moment")
        return _ended(found.end if short else _start(found) - timedelta(days=1), found)

    return until


def _through(meaning: _Meaning) -> _Meaning:
    def through(said: _Said) -> SpanTime | None:
        found = _ahead(meaning, said)
        return _ended(found.end, found) if found and found.end else None

    return through


def _by(meaning: _Meaning) -> _Meaning:
    def by(said: _Said) -> SpanTime | None:
        found = _ahead(meaning, said)
        exact = found and found.kind == "at" and found.precision in ("day", "moment")
        return _ended(found.end, found) if found and exact else None

    return by


def _before(meaning: _Meaning) -> _Meaning:
    def before(said: _Said) -> SpanTime | None:
        found = _ahead(meaning, said)
        if not found or not found.start:
            return None
        return _ended(
            found.start if found.precision == "moment" else _start(found) - timedelta(days=1), found
        )

    return before


_RELATIONS: dict[str, Callable[[_Meaning], _Meaning]] = {
    "since": _since, "ever since": _since, "from": _starting, "starting": _starting, "starting from": _starting,
    "starting on": _starting, "starting in": _starting, "beginning": _starting, "as of": _starting, "as from": _starting,
    "effective": _starting, "not before": _starting, "not until": _starting, "until": _until, "till": _until, "til": _until,
    "up to": _until, "up until": _until, "through": _through, "thru": _through, "by": _by, "before": _before,
    "no later than": _by, "not later than": _by, "up to and including": _through, "with effect from": _starting,
    "' til": _until, "untill": _until,
}  # fmt: skip


def _between(first: _Meaning, last: _Meaning) -> _Meaning:
    """The end is the first such time after the start."""

    def between(said: _Said) -> SpanTime | None:
        begin = first(said)
        if not begin or not begin.start or begin.kind not in ("at", "between"):
            return None
        moment = begin.start if isinstance(begin.start, datetime) else None
        now = moment or datetime.combine(_start(begin), said.now.timetz())
        close = last(_Said(now, 1))
        if (
            not close
            or not close.end
            or close.kind not in ("at", "between")
            or _as_date(close.end) < _start(begin)
        ):
            return None
        return _stretch(begin.start, close.end)

    return between


# Reading.


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    end: int


def _token(found: re.Match[str]) -> _Token:
    """A word without the ending of tomorrow's and friday's."""
    word = found[0].lower()
    owner = word.removesuffix("'s")
    has_day = owner != word and (owner in _DAYS or owner in _NEAR_DAYS)
    return (
        _Token(owner, found.start(), found.end() - 2) if has_day else _Token(word, found.start(), found.end())
    )


def _shortens(before: _Token | None, token: _Token) -> bool:
    """The dot of sept. and fri."""
    if before is None or token.text != "." or before.end != token.start:
        return False
    return before.text in (_DAYS.keys() | _MONTHS.keys()) - _FULL_NAMES


_FULL_NAMES = {name.lower() for name in (*WEEKDAYS, *MONTHS)}
_TOKEN = patterns.compile(r"\d{1,20}|[^\W\d_]+(?:'[^\W\d_]{1,8})?|[^\w\s]")
_DEPTH = 2
_T = TypeVar("_T")


def _kept(rule: Callable[..., Iterator[_T]]) -> Callable[..., tuple[_T, ...]]:
    """Each rule reads a place once."""

    @wraps(rule)
    def reads(self: _Reader, *at: int) -> tuple[_T, ...]:
        key = (rule.__name__, *at)
        if key not in self.kept:
            self.kept[key] = tuple(rule(self, *at))
        found: tuple[_T, ...] = self.kept[key]
        return found

    return reads


class _Reader:
    """The tokens of a text and what rules found in them."""

    def __init__(self, text: str, is_time: bool = False) -> None:
        """`is_time` where all of the text is known to be words for a time: a bare number in it is then an hour."""
        plain = text.replace("’", "'").replace("‘", "'")
        read = [_token(each) for each in _TOKEN.finditer(plain)]
        self.tokens = [
            each for before, each in zip([None, *read], read, strict=False) if not _shortens(before, each)
        ]
        self.is_time = is_time
        self.words = [each.text for each in self.tokens] + [""] * 6
        self.kept: dict[tuple[object, ...], tuple[Any, ...]] = {}

    # Steps that every rule takes.

    def skip(self, at: int, words: tuple[str, ...]) -> int:
        while self.words[at] in words and self.words[at]:
            at += 1
        return at

    def ends_at(self, at: int) -> bool:
        return self.skip(at, _SYMBOLS) == len(self.tokens)

    def touches(self, at: int) -> bool:
        """Whether nothing stands between a token and the one before it."""
        return 0 < at < len(self.tokens) and self.tokens[at].start == self.tokens[at - 1].end

    def told(self, at: int, table: Mapping[str, _T]) -> Iterator[tuple[_T, int]]:
        """Entries of a table that stand here, the longest first."""
        for count in (4, 3, 2, 1):
            phrase = " ".join(self.words[at : at + count])
            if phrase in table and self.words[at + count - 1]:
                yield table[phrase], at + count

    def number(self, at: int, most: int = 31) -> int | None:
        word = self.words[at]
        return int(word) if word.isdecimal() and len(word) <= 4 and 0 <= int(word) <= most else None

    def longest(self, at: int) -> int | None:
        """Where the longest time that begins here ends, if it surely is one."""
        begins = self.words[at].isdecimal() or self.words[at] in _FIRST
        if not begins or self._cuts_a_number(at) or self.words[at - 1] in _REPEATING:
            return None
        ends = {
            end
            for _, end in self.times(at)
            if self.tokens[end - 1].end - self.tokens[at].start <= LONGEST and self._is_telling(at, end)
            if not self._cuts_a_number(end)
        }
        return max(ends, default=None)

    def _cuts_a_number(self, at: int) -> bool:
        """Whether 1,450 or 17.99 or 2-3 would be parted here."""
        sign = at if self.words[at] in _IN_NUMBERS else at - 1
        before, after = self.words[sign - 1], self.words[sign + 1]
        figures = self.words[sign] in _IN_NUMBERS and before.isdecimal() and after.isdecimal()
        return sign > 0 and figures and self.touches(sign) and self.touches(sign + 1)

    def _is_telling(self, at: int, end: int) -> bool:
        words = self.words[at:end]
        if any(word in _TELLING for word in words) or ":" in words:
            return True
        if words[0] == "since":  # not "since one of us"
            return not (self.words[end].isalpha() and words[-1] in _COUNTS)
        if any(word in _NOW for word in words):
            return words[0] in ("from", "as")
        led = words[0] in _LEADING
        content = [word for word in words if word not in _IN and word not in ("the", "by", "up", "as", "of")]
        content = content[content[0] in _RELATIONS :] if content else []
        if not content[1:]:  # a single word
            word = content[0] if content else ""
            year = len(word) == 4 and word.isdecimal()
            bare = word in _AMBIGUOUS and "the" not in words
            return led and (year or bare or (word in _ORDINALS and words[:2] == ["on", "the"]))
        return any(
            not word.isdecimal() and word not in _TO and word not in (".", ",", "a") for word in content
        )

    # Numbers and lengths.

    @_kept
    def ordinal(self, at: int) -> Iterator[tuple[int, int]]:
        """A number in the order of things: 3rd, third, twenty-third."""
        number = self.number(at)
        if number and self.words[at + 1] in _SUFFIXES and self.touches(at + 1):
            yield number, at + 2
        if self.words[at] in _TENS:
            unit = self.skip(at + 1, _DASHES)
            if _ORDINALS.get(self.words[unit], 10) < 10:
                yield _TENS[self.words[at]] + _ORDINALS[self.words[unit]], unit + 1
        if self.words[at] in _ORDINALS:
            yield _ORDINALS[self.words[at]], at + 1

    @_kept
    def length(self, at: int) -> Iterator[tuple[tuple[int, str, bool], int]]:
        """Two weeks, a fortnight, exactly 3 months, half an hour."""
        exactly = self.words[at] in ("exactly", "exact")
        at += exactly
        for phrase, minutes in (("half an hour", 30), ("half hour", 30)):
            for _, end in self.told(at, {phrase: minutes}):
                yield (minutes, "minute", exactly), end
        count = self.number(at, 999) or _COUNTS.get(self.words[at])
        if count:
            unit = at + 1 + (self.words[at + 1] == "more")
            if self.words[unit] in _UNITS and self.words[unit] != "weekend":
                yield (count, _UNITS[self.words[unit]], exactly), unit + 1

    # Points in time.

    @_kept
    def times(self, at: int) -> Iterator[_Reading]:
        """Whole readings: what a span may be."""
        yield from self._bare_numbers(at)
        yield from self.ranges(at)
        for relation, after in self.told(at, _RELATIONS):
            for meaning, end in self.points_or_hours(after):
                yield relation(meaning), self._onwards(end)
                for (count, unit, _), stop in self.length(end + 1) if self.words[end] == "for" else ():
                    yield _lasting(_toward(meaning, 0), count, unit), stop
        yield from self.lengths_around_now(at)
        for meaning, end in self.points_after_prepositions(at):
            yield meaning, end
            if self._onwards(end) > end and (self.words[end] != "on" or self.words[end - 1] in _MONTHS):
                yield _starting(meaning), self._onwards(end)
            for (count, unit, _), stop in self.length(end + 1) if self.words[end] == "for" else ():
                yield _lasting(meaning, count, unit), stop
        for _, end in self.told(at, dict.fromkeys(("now", "right now", "from now"), 0)):
            yield _starting(_near_day(0)), self._onwards(end)

    def _bare_numbers(self, at: int) -> Iterator[_Reading]:
        """A number that is a time is a day of the month, if it is none of an hour."""
        number = self.number(at) if self.is_time and self.ends_at(at + 1) else None
        if number and number > _HOURS:
            yield _monthless(number), at + 1

    def _onwards(self, at: int) -> int:
        return at + (self.words[at] in ("on", "onwards", "onward"))

    @_kept
    def points_after_prepositions(self, at: int) -> Iterator[_Reading]:
        first = at + (self.words[at] in _IN)
        if first > at:
            for clock, end in self.clocks(first, True):
                if self.words[at] in ("at", "@"):
                    yield _hour(clock), end
        if self.words[at] in ("in", "of", "back") and (year := self._year_after(at)):
            yield year
        if self.words[at] == "in" and not self.is_time:  # "sleeping in tomorrow"
            yield from self.larger(first)
            yield from self.steps(first, _DEPTH)
        else:
            yield from self.points(first, _DEPTH)

    def _year_after(self, at: int) -> _Reading | None:
        """In 1861, back in 94, in '09."""
        at = self.skip(at, ("back", "in", "of"))
        short = self.words[at] == "'"
        number = self.number(at + short, 2100)
        digits = len(self.words[at + short])
        if number is not None and digits == 4 and number >= 1000 and not short:
            return (lambda _: _year(number)), at + 1
        if number is not None and digits == 2 and (short or number > 31):
            return (lambda said: _year(_of_century(number, said))), at + short + 1
        return None

    @_kept
    def points_or_hours(self, at: int) -> Iterator[_Reading]:
        """After a relation a bare number can be an hour."""
        yield from self.points_after_prepositions(at)
        for word in _NOW:
            for _, end in self.told(at, {word: 0}):
                yield _near_day(0), end
        for (count, unit, _), end in self.length(at) if self.words[at - 1] == "since" else ():
            yield _ago(count, unit, True), end
        for clock, end in self.clocks(at, True):
            yield _near(clock), end
        number = self.number(at)
        if number and number > _HOURS:
            yield _monthless(number), at + 1
        if self.words[at] in _PARTS:
            yield _near_day(0, _PARTS[self.words[at]]), at + 1

    @_kept
    def lengths_around_now(self, at: int) -> Iterator[_Reading]:
        """The last two weeks, for the next 3 days."""
        at = self.skip(at, ("for", "over", "during"))
        at = self.skip(at, ("the",))
        side = self.words[at]
        for (count, unit, _), end in (
            self.length(at + 1) if side in ("last", "past", "next", "coming") else ()
        ):
            if side in ("last", "past"):
                yield _since(_ago(count, unit, True)), end
            else:
                yield _until(_ago(-count, unit, True)), end

    @_kept
    def points(self, at: int, depth: int) -> Iterator[_Reading]:
        """A point, with its hour where one is told."""
        yield from self.days(at)
        yield from self._timed(at, depth)
        if depth:
            yield from self.steps(at, depth)
        yield from self.larger(at)
        for clock, end in self.clocks(at, False):
            yield _hour(clock), end
        year = self.number(at, 2099)
        if self.words[at] == "'" and (short := self._year_after(at)):
            yield short
        if year and year >= 1900:
            yield (lambda _: _year(year)), at + 1

    def _timed(self, at: int, depth: int) -> Iterator[_Reading]:
        for day, end in (*self.days(at), *(self.steps(at, depth) if depth else ())):
            after = self.skip(end, (",",))
            same = self.skip(end, (",", ".", "at", "the"))
            if self.words[same] == "same" and self.words[same + 1] in ("time", "hour"):
                yield _at_the_same_hour(day), same + 2
            introduced = self.words[after] in ("at", "@", "from", "til", "till", "until", "by")
            near = after == end and self.words[end - 1] in (_DAYS.keys() | _PARTS.keys()) - _AMBIGUOUS
            for clock, stop in self.clocks(after + introduced, introduced or near or self.is_time):
                relation = _RELATIONS.get(self.words[after]) if introduced else None
                meaning = _clocked(day, clock)
                yield (relation(meaning) if relation else meaning), stop
                yield from self._to_clock(day, clock, stop)
        led = self.words[at - 1] in _LEADING or self.words[at - 1] in ("at", "@")
        for clock, end in self.clocks(at, led or self.is_time):
            yield from self._clock_first(clock, end)

    def _to_clock(self, day: _Meaning, first: _Clock, at: int) -> Iterator[_Reading]:
        for last, end in self.clocks(at + 1, True) if self.words[at] in _TO else ():
            yield _hours(day, first, last), end

    def _clock_first(self, clock: _Clock, end: int) -> Iterator[_Reading]:
        after = self.skip(end, (",",))
        for day, stop in self.days(after + (self.words[after] == "on")):
            yield _clocked(day, clock), stop

    # Days.

    @_kept
    def days(self, at: int) -> Iterator[_Reading]:
        """One day, with the part of it."""
        at = at + (self.words[at] in ("late", "later", "early", "earlier"))
        for meaning, end in self._single_days(at):
            stop = self.skip(end, (",",))
            stop += self.words[stop] == "in" and self.words[stop + 1] == "the"
            stop += self.words[stop] == "the" and stop > end
            if self.words[stop] in _PARTS:
                yield _in_part(meaning, _PARTS[self.words[stop]]), stop + 1
            yield meaning, end
        if self.words[at] == "tonight":
            yield _near_day(0, "night"), at + 1
        if self.words[at] in ("this", "last") and self.words[at + 1] in _PARTS:
            past = self.words[at] == "last"
            if not past or self.words[at + 1] in ("night", "evening", "eve"):
                yield _near_day(-past, _PARTS[self.words[at + 1]]), at + 2

    def _single_days(self, at: int) -> Iterator[_Reading]:
        for away, end in self.told(at, _NEAR_DAYS):
            yield _near_day(away), end
            if self.words[end] == "week":
                yield _near_day(away + 7), end + 1
        yield from self.dated_weekdays(at)
        yield from self.dates(at)
        yield from self.weekdays(at)
        for away, end in self.told(at, _THEN):
            yield _then(away), end
        if self.words[at] == "that" and self.words[at + 1] in _DAYS:
            yield _beside(_then(-1), _DAYS[self.words[at + 1]], 1), at + 2
        for feast, end in self.told(at, _FEASTS):
            yield _feast_day(feast), end
            for year, stop in self.years(end):
                yield _within(_feast_day(feast), year), stop
        for side in ("next", "last", "this"):
            for feast, end in self.told(at + 1, _FEASTS) if self.words[at] == side else ():
                yield _toward(_feast_day(feast), _SIDES[side]), end

    @_kept
    def weekdays(self, at: int) -> Iterator[_Reading]:
        """Friday, next friday, the friday after next, friday week, friday gone, friday next week."""
        for side, after in (*self.told(at, _SIDES), (0, at)):
            if self.words[after] not in _DAYS:
                continue
            number, end = _DAYS[self.words[after]], after + 1
            if self._follows(end, "after next"):
                yield _named(number, 1, 1), end + 2
            if self._follows(end, "before last"):
                yield _named(number, -1, -1), end + 2
            yield (_this(_named(number)) if self.words[at:after] == ["this"] else _named(number, side)), end
            if self.words[end] in ("week", "wk"):
                yield _named(number, 1, 1), end + 1
            if self.words[end] in ("gone", "past"):
                yield _named(number, -1), end + 1
            if self.words[end] in ("coming", "next"):
                yield _named(number, 1), end + 1
            yield from self._of_week(number, end)
        for week, end in self.units(at):
            after = self.skip(end, (",", "on", "the"))
            if self.words[after] in _DAYS and self._is_week(at, end):
                yield _of_the_week(week, _DAYS[self.words[after]]), after + 1

    def _of_week(self, number: int, end: int) -> Iterator[_Reading]:
        after = self.skip(end, ("of", "in"))
        for week, stop in self.units(after):
            if self._is_week(after, stop):
                yield _of_the_week(week, number), stop

    def _is_week(self, at: int, end: int) -> bool:
        return any(word in ("week", "wk") for word in self.words[at:end])

    def _follows(self, at: int, phrase: str) -> bool:
        first, second = phrase.split()
        return self.words[at] == first and self.words[at + 1] == second

    @_kept
    def dated_weekdays(self, at: int) -> Iterator[_Reading]:
        """Saturday the 5th, sat 26, 15th december, sunday."""
        if self.words[at] in _DAYS:
            number = _DAYS[self.words[at]]
            after = self.skip(at + 1, (",",))
            for meaning, end in self.dates(after):
                yield _on_weekday(meaning, number), end
            day = self.number(after)
            if day and (self.is_time or self.words[at] not in _AMBIGUOUS):
                yield _weekday_and_day(number, day), after + 1
        for meaning, end in self.dates(at):
            after = self.skip(end, (",",))
            if self.words[after] in _DAYS:
                yield _on_weekday(meaning, _DAYS[self.words[after]]), after + 1

    @_kept
    def dates(self, at: int) -> Iterator[_Reading]:
        """12 sept, september the 12th, the 12th of next month, 14/3, 2025-09-12."""
        yield from self._written(at)
        after = at + (self.words[at] == "the")
        day = self.number(after)
        numbered = [(day, after + 1)] if day else []
        for number, end in (*self.ordinal(after), *numbered):
            month = self.skip(end, ("of", "in")[: 1 + (after > at)])
            if self.words[month] in _MONTHS:
                yield from self._with_year(_dated(_MONTHS[self.words[month]], number), month + 1)
            elif self.words[month] in ("this", "next", "last", "the"):
                for unit, stop in self.units(month):
                    if self.words[stop - 1] in ("month", "mth"):
                        yield _day_of_month(unit, number), stop
            if (number, end) not in numbered or after > at:
                yield _monthless(number), end
        if self.words[at] in _MONTHS:
            after = at + 1 + (self.words[at + 1] == "the")
            day = self.number(after)
            numbered = [(day, after + 1)] if day else []
            for number, end in (*self.ordinal(after), *numbered):
                yield from self._with_year(_dated(_MONTHS[self.words[at]], number), end)

    def _with_year(self, meaning: _Meaning, at: int) -> Iterator[_Reading]:
        after = self.skip(at, (",", "of"))
        for year, end in self.years(after):
            yield _within(meaning, year), end
        yield meaning, at

    @_kept
    def years(self, at: int) -> Iterator[tuple[_Meaning, int]]:
        number = self.number(at, 2100)
        if number and number >= (1900 if self.words[at - 1] == "," else 1000):
            yield (lambda _: _year(number)), at + 1
        for unit, end in self.units(at):
            if self.words[end - 1] in ("year", "yr"):
                yield unit, end

    def _written(self, at: int) -> Iterator[_Reading]:
        """In figures. Where day and month could change places, nothing is said."""
        first, mark, second = self.words[at], self.words[at + 1], self.words[at + 2]
        if not (first.isdecimal() and mark in ("/", ".", "-") and second.isdecimal()):
            return
        third = self.words[at + 4] if self.words[at + 3] == mark and self.words[at + 4].isdecimal() else ""
        if len(first) == 4 and mark == "-" and third:
            yield _exact(int(first), int(second), int(third)), at + 5
        elif len(first) <= 2 and len(second) <= 2 and len(third) in (2, 4):
            yield _either(int(first), int(second), int(third)), at + 5
        elif mark == "/" and len(first) <= 2 and len(second) <= 2:
            yield _either(int(first), int(second), None), at + 3

    # Months, years, weeks.

    @_kept
    def larger(self, at: int) -> Iterator[_Reading]:
        """July, next march, june 2027, this week, the week after next."""
        if self.words[at] in _MONTHS:
            yield from self._with_year(_month_named(_MONTHS[self.words[at]]), at + 1)
        for side, after in self.told(at, _SIDES):
            if self.words[after] in _MONTHS and self.words[at] != "the":
                yield _month_named(_MONTHS[self.words[after]], side, self.words[at] == "this"), after + 1
        yield from self.units(at)

    @_kept
    def units(self, at: int) -> Iterator[_Reading]:
        for side, after in self.told(at, _SIDES):
            unit = _UNITS.get(self.words[after])
            if unit not in _CALENDAR or self.words[after] == f"{unit}s":
                continue
            if self._follows(after + 1, "after next"):
                yield _unit_away(unit, 2), after + 3
            elif self._follows(after + 1, "before last"):
                yield _unit_away(unit, -2), after + 3
            else:
                yield _unit_away(unit, side), after + 1

    # Steps from one point to another.

    @_kept
    def steps(self, at: int, depth: int) -> Iterator[_Reading]:
        yield from self._lengths(at, depth)
        yield from self._neighbours(at, depth)
        yield from self._parts_of(at)
        yield from self._whole(at)

    def _lengths(self, at: int, depth: int) -> Iterator[_Reading]:
        """2 weeks ago, in a fortnight, a week from tomorrow, a week on friday."""
        into = self.words[at] == "in" or (at > 0 and self.words[at - 1] == "in")
        start = at + (self.words[at] == "in")
        for (count, unit, exactly), end in self.length(start):
            after = self.words[end]
            if after in ("ago", "back"):
                yield _ago(count, unit, exactly), end + 1
                if self.words[end + 1] == "today":
                    yield _ago(count, unit, True), end + 2
            if after in _LATER:
                yield _stepped(_then(0), count * _LATER[after], unit), end + 1
            if self._follows(end, "from now") or after == "hence":
                yield _ago(-count, unit, exactly), end + 1 + (after == "from")
            if into:
                yield _ago(-count, unit, exactly), end + (after in ("time", "'"))
                if after == "'" and self.words[end + 1] == "time":
                    yield _ago(-count, unit, exactly), end + 2
            step = {"from": 1, "after": 1, "before": -1}.get(after)
            if unit in ("week", "fortnight") and not step:
                for point, stop in self.days(end + (after == "on")):
                    yield _stepped(_toward(point, 1), count, unit), stop
            for point, stop in self.points(end + 1, depth - 1) if step else ():
                yield _stepped(point, count * (step or 0), unit), stop
        if (
            into
            and self.words[start] in ("a", "one")
            and self.words[start + 1] in ("week's", "month's", "year's")
        ):
            unit = self.words[start + 1][:-2]
            if self.words[start + 2] == "time":
                yield _ago(-1, unit, False), start + 3
        if self.words[at] in ("week", "fortnight") and self.words[at + 1] in _LATER:
            yield _stepped(_then(0), _LATER[self.words[at + 1]], self.words[at]), at + 2
        if self.words[at] in ("week", "fortnight"):
            for point, stop in self.days(at + 1 + (self.words[at + 1] == "on")):
                yield _stepped(_toward(point, 1), 1, self.words[at]), stop

    def _neighbours(self, at: int, depth: int) -> Iterator[_Reading]:
        """The day before easter, the saturday after the 8th, the week after next friday."""
        at = at + (self.words[at] == "the")
        step = {"after": 1, "before": -1}.get(self.words[at + 1])
        if step and self.words[at] in _DAYS:
            yield _beside(_then(0), _DAYS[self.words[at]], step), at + 2
        if not step:
            return
        for point, end in self.points(at + 2, depth - 1):
            if self.words[at] in _DAYS:
                yield _beside(point, _DAYS[self.words[at]], step), end
            elif self.words[at] in ("day", "night", "evening", "morning"):
                yield _stepped(point, step, "day"), end
            elif self.words[at] == "week":
                yield _week_beside(point, step), end

    def _parts_of(self, at: int) -> Iterator[_Reading]:
        """End of july, mid november, the first monday in may, the last day of the month."""
        start = at + (self.words[at] == "the")
        word = self.words[start]
        if word in _BITS:
            after = self.skip(start + 1, ("of", *_DASHES))
            for whole, end in self.larger(after):
                yield _bit(word, whole), end
            year = self.number(after, 2099)
            if year and year >= 1900:
                yield _bit(word, lambda _: _year(year)), after + 1
        for number, end in (*self.ordinal(start), *([(-1, start + 1)] if word == "last" else [])):
            what = self.words[end]
            if (what in _DAYS or what == "day") and self.words[end + 1] in ("of", "in"):
                for whole, stop in self.larger(end + 2):
                    yield _nth(number, _DAYS.get(what), whole), stop

    def _whole(self, at: int) -> Iterator[_Reading]:
        """All of november, all year, the rest of sept."""
        start = at + (self.words[at] == "the")
        word = self.words[start]
        if word not in ("all", "whole", "rest", "entire"):
            return
        after = self.skip(start + 1, ("of",))
        readings = list(self.larger(after))
        if self.words[after] in ("week", "weekend", "month", "year"):
            readings.append((_unit_away(self.words[after], 0), after + 1))
        for whole, end in readings:
            yield _rest(whole) if word == "rest" else _all(whole), end
        if self.words[after] == "day":
            yield _near_day(0), after + 1

    # Stretches.

    @_kept
    def ranges(self, at: int) -> Iterator[_Reading]:
        """From 20 january until 10 february, 4 to 18 march, 26-28 june, between the 3rd and the 5th."""
        between = self.words[at] == "between"
        start = at + (self.words[at] in ("from", "between"))
        joins = ("and", "&", "to", *_DASHES) if between else _TO
        yield from self._days_of_a_month(start)
        if self.is_time or start > at:
            yield from self._hours_first(start, joins)
        for first, end in self.points(start, _DEPTH):
            if self.words[end] in joins:
                for last, stop in self.points(end + 1, _DEPTH):
                    yield _between(first, last), stop

    def _hours_first(self, at: int, joins: tuple[str, ...]) -> Iterator[_Reading]:
        """9 to 5 tomorrow."""
        for first, end in self.clocks(at, True):
            for last, stop in self.clocks(end + 1, True) if self.words[end] in joins else ():
                after = self.skip(stop, (",", "on"))
                for day, close in self.days(after):
                    yield _hours(day, first, last), close

    def _days_of_a_month(self, at: int) -> Iterator[_Reading]:
        month = self.words[at] if self.words[at] in _MONTHS else ""
        for first, end in self._day_numbers(at + bool(month)):
            for last, stop in (
                self._day_numbers(end + 1) if self.words[end] in (*_TO, "and", "&", "/") else ()
            ):
                named = self.words[self.skip(stop, ("of",))]
                if month:
                    yield from self._with_year(_month_days(_MONTHS[month], first, last), stop)
                elif named in _MONTHS:
                    after = self.skip(stop, ("of",)) + 1
                    yield from self._with_year(_month_days(_MONTHS[named], first, last), after)

    def _day_numbers(self, at: int) -> Iterator[tuple[int, int]]:
        at = at + (self.words[at] == "the")
        yield from self.ordinal(at)
        if number := self.number(at):
            yield number, at + 1

    # Hours.

    @_kept
    def clocks(self, at: int, bare: int) -> Iterator[tuple[_Clock, int]]:
        """6pm, 17:55, 9.30, 0700, 15h, half 7, ten to seven, noon; a bare number only where one is expected."""
        if self.words[at] in _MIDDAYS:
            yield _Clock(_MIDDAYS[self.words[at]], 0, "exact"), at + 1
        yield from self._past_and_to(at)
        word, hour = self.words[at], self.number(at, 2359)
        if hour is None:
            hour = _COUNTS.get(word) if word not in ("a", "an") else None
            if hour and hour <= 12:
                yield from self._halved(hour, 0, at + 1, bare)
        elif len(word) == 4:
            if hour % 100 < 60 and (word[0] == "0" or (bare and hour < 1900)):
                yield _Clock(hour // 100, hour % 100, "exact"), at + 1
        elif hour < 24:
            minute = self.number(at + 2, 59)
            mark = self.words[at + 1]
            if (
                mark in (":", ".", "h")
                and minute is not None
                and len(self.words[at + 2]) == 2
                and self.touches(at + 2)
            ):
                exact = len(word) == 2 and word[0] == "0"
                yield from self._halved(hour, minute, at + 3, True, exact)
            if mark in ("h", "hrs") and self.touches(at + 1):
                yield _Clock(hour, 0, "exact"), at + 2
            yield from self._halved(hour, 0, at + 1, bool(bare))

    def _halved(
        self, hour: int, minute: int, at: int, bare: int, exact: bool = False
    ) -> Iterator[tuple[_Clock, int]]:
        o_clock = self.words[at] in ("o'clock", "oclock")
        at, bare = at + o_clock, bare or o_clock
        dotted = self.words[at] in ("a", "p") and self.words[at + 1] == "." and self.words[at + 2] == "m"
        half = f"{self.words[at]}m" if dotted else self.words[at]
        if half in ("am", "pm") and hour <= 12:
            yield _Clock(hour, minute, half), at + (3 if dotted else 1)
        for phrase in _HALF_OF_DAY:
            for half, end in self.told(at, {phrase: _HALF_OF_DAY[phrase]}) if hour <= 12 else ():
                yield _Clock(hour, minute, half), end
        if bare:
            yield _Clock(hour, minute, "exact" if exact or hour == 0 or hour > 12 else ""), at

    def _past_and_to(self, at: int) -> Iterator[tuple[_Clock, int]]:
        """Quarter past 4, ten to midnight. "9 to 5" are two hours."""
        readings = list(self.told(at, _FRACTIONS))
        spelled = _COUNTS.get(self.words[at])
        minutes = spelled or self.number(at, 59)
        if minutes and self.words[at + 1] == "past":
            readings.append((minutes, at + 2))
        elif spelled and self.words[at + 1] == "to":
            readings.append((-spelled, at + 2))
        for away, after in readings:
            if self.words[after] in _MIDDAYS:
                total = (_MIDDAYS[self.words[after]] * 60 + away) % (24 * 60)
                yield _Clock(total // 60, total % 60, "exact"), after + 1
            hour = self.number(after, 12) or _COUNTS.get(self.words[after])
            if hour and hour <= 12 and self.words[after] not in ("a", "an"):
                total = (hour * 60 + away) % (12 * 60)
                yield from self._halved(total // 60 or 12, total % 60, after + 1, True)


_MIDDAYS = {"noon": 12, "midday": 12, "midnight": 0}
_HALF_OF_DAY = {"in the morning": "am", "in the afternoon": "pm", "in the evening": "pm", "at night": "pm"}
_CALENDAR = ("week", "weekend", "month", "year")
_LATER = {"later": 1, "further": 1, "earlier": -1, "sooner": -1}
_BITS = ("start", "beginning", "end", "mid", "middle", "early", "late")


# What a time in a text can begin with, but for figures.
_FIRST = {
    phrase.split()[0]
    for table in (_DAYS, _MONTHS, _NEAR_DAYS, _FEASTS, _THEN, _SIDES, _COUNTS, _ORDINALS, _FRACTIONS, _RELATIONS, _MIDDAYS)
    for phrase in table
} | {*_BITS, "on", "in", "at", "tonight", "late", "later", "earlier", "week", "fortnight", "between", "all", "whole", "rest",
     "entire", "exactly", "half", "day", "during", "over"}  # fmt: skip


# What rules mean.


def _near_day(away: int, part: str | None = None) -> _Meaning:
    return lambda said: replace(_day(said.today + timedelta(days=away)), part=part)


def _hour(clock: _Clock) -> _Meaning:
    """An hour without a day. Of what is to come it does not say the day."""
    return lambda said: clock.near(said) if said.way <= 0 or said.about else None


def _near(clock: _Clock) -> _Meaning:
    return clock.near


def _then(away: int) -> _Meaning:
    """The day that the talk is of."""

    def then(said: _Said) -> SpanTime | None:
        about = said.about
        if isinstance(about, datetime):
            return (
                _moment(about + timedelta(days=away))
                if not away
                else _day(_as_date(about) + timedelta(days=away))
            )
        return _day(about + timedelta(days=away)) if about else None

    return then


def _at_the_same_hour(day: _Meaning) -> _Meaning:
    def at_the_same_hour(said: _Said) -> SpanTime | None:
        found = day(said)
        if not found or not isinstance(said.about, datetime) or found.kind != "at":
            return None
        return _moment(datetime.combine(_start(found), said.about.timetz()))

    return at_the_same_hour


def _clocked(day: _Meaning, clock: _Clock) -> _Meaning:
    return lambda said: clock.on(day(said), said)


def _hours(day: _Meaning, first: _Clock, last: _Clock) -> _Meaning:
    """From an hour of a day to the first such hour after it."""

    def hours(said: _Said) -> SpanTime | None:
        found = day(said)
        begin = (first if first.half else replace(first, half=last.half)).on(found, said)
        if not found or not begin or not isinstance(begin.start, datetime):
            return None
        close = last.near(_Said(begin.start, 1))
        return _stretch(begin.start, close.end) if close else None

    return hours


def _in_part(meaning: _Meaning, part: str) -> _Meaning:
    def in_part(said: _Said) -> SpanTime | None:
        found = meaning(said)
        return replace(found, part=part) if found else None

    return in_part


def _toward(meaning: _Meaning, way: int) -> _Meaning:
    return lambda said: meaning(replace(said, way=way or said.way))


def _ago(count: int, unit: str, exactly: bool) -> _Meaning:
    return lambda said: _from_now(said, -count, unit, exactly)


def _stepped(point: _Meaning, count: int, unit: str) -> _Meaning:
    def stepped(said: _Said) -> SpanTime | None:
        found = point(said)
        return _from_point(found, count, unit) if found else None

    return stepped


def _beside(point: _Meaning, weekday: int, step: int) -> _Meaning:
    def beside(said: _Said) -> SpanTime | None:
        found = point(said)
        if not found or not found.start or not found.end:
            return None
        edge = _as_date(found.end if step > 0 else found.start)
        away = (weekday - edge.weekday()) % 7 or 7 if step > 0 else -((edge.weekday() - weekday) % 7 or 7)
        return _day(edge + timedelta(days=away))

    return beside


def _week_beside(point: _Meaning, step: int) -> _Meaning:
    def beside(said: _Said) -> SpanTime | None:
        found = point(said)
        return _unit("week", _start(found) + timedelta(days=7 * step)) if found and found.start else None

    return beside


def _named(weekday: int, side: int = 0, weeks: int = 0) -> _Meaning:
    def named(said: _Said) -> SpanTime | None:
        day = _weekday(weekday, said, side)
        return _day(day + timedelta(days=7 * weeks)) if day else None

    return named


def _this(meaning: _Meaning) -> _Meaning:
    """The one to come, unless the message looks back."""
    return lambda said: meaning(replace(said, way=said.way or 1))


def _of_the_week(week: _Meaning, weekday: int) -> _Meaning:
    def of_the_week(said: _Said) -> SpanTime | None:
        found = week(said)
        return _day(_start(found) + timedelta(days=weekday)) if found else None

    return of_the_week


def _monthless(day: int) -> _Meaning:
    def monthless(said: _Said) -> SpanTime | None:
        days = _day_of_some_month(day, said)
        if said.about:
            about = _as_date(said.about)
            near = [each for each in days if said.way <= 0 or each > said.today]
            return _day(min(near, key=lambda each: abs(each - about))) if near else None
        chosen = _choose(days, said) if said.way else None
        return _day(chosen) if chosen else None

    return monthless


def _dated(month: int, day: int) -> _Meaning:
    def dated(said: _Said) -> SpanTime | None:
        chosen = _choose(_day_of_some_year(month, day, said), said)
        return _day(chosen) if chosen else None

    return dated


def _month_named(month: int, side: int = 0, this: bool = False) -> _Meaning:
    return lambda said: _month(said.today.year, month) if this else _month_of_some_year(month, said, side)


def _exact(year: int, month: int, day: int) -> _Meaning:
    return lambda _: _day(date(year, month, day))


def _either(first: int, second: int, year: int | None) -> _Meaning:
    def either(said: _Said) -> SpanTime | None:
        if first <= 12 and second <= 12 and first != second:
            return None
        day, month = (first, second) if second <= 12 else (second, first)
        if year is None:
            return _dated(month, day)(said)
        return _day(date(_of_century(year, said) if year < 100 else year, month, day))

    return either


def _of_century(year: int, said: _Said) -> int:
    """The latest year that ends so, up to a few years ahead."""
    latest = said.today.year + 10
    return latest - (latest - year) % 100


def _feast_day(feast: tuple[int, int] | None) -> _Meaning:
    return lambda said: _feast(feast, said)


def _within(meaning: _Meaning, whole: _Meaning) -> _Meaning:
    """The one of that year."""

    def within(said: _Said) -> SpanTime | None:
        frame = whole(said)
        if not frame:
            return None
        eve = datetime.combine(_start(frame) - timedelta(days=1), said.now.timetz())
        found = meaning(_Said(eve, 1))
        inside = found and found.start and frame.end and _start(found) <= _as_date(frame.end)
        return found if inside else None

    return within


def _day_of_month(unit: _Meaning, day: int) -> _Meaning:
    def day_of_month(said: _Said) -> SpanTime | None:
        found = unit(said)
        return _day(_start(found).replace(day=day)) if found else None

    return day_of_month


def _month_days(month: int, first: int, last: int) -> _Meaning:
    def days(said: _Said) -> SpanTime | None:
        found = _dated(month, first)(said)
        if not found or last <= first:
            return None
        return _stretch(found.start, _start(found).replace(day=last))

    return days


def _on_weekday(meaning: _Meaning, weekday: int) -> _Meaning:
    """The date that falls on it, looking on from the one that was meant; one years away is a slip."""

    def on_weekday(said: _Said) -> SpanTime | None:
        found = meaning(said)
        for _ in range(12):
            if not found or _start(found).weekday() == weekday:
                break
            way = said.way or 1
            passed = _start(found) - timedelta(days=way < 0)
            found = meaning(_Said(datetime.combine(passed, said.now.timetz()), way))
        near = found and abs(_start(found) - said.today) <= _NEARBY
        return found if found and near and _start(found).weekday() == weekday else None

    return on_weekday


def _weekday_and_day(weekday: int, day: int) -> _Meaning:
    """A number after a weekday is a day of the month if that one falls on it, else an hour."""

    def weekday_and_day(said: _Said) -> SpanTime | None:
        found = _on_weekday(_monthless(day), weekday)(said)
        near = _monthless(day)(said)
        return found if found and (day > 12 or found == near) else None

    return weekday_and_day


def _unit_away(unit: str, count: int) -> _Meaning:
    return lambda said: _unit(
        unit, _moved(said.today.replace(day=1) if unit == "month" else said.today, count, unit)
    )


def _bit(word: str, whole: _Meaning) -> _Meaning:
    """The first or last day; for what lies within, the whole is as exact as it was said."""

    def bit(said: _Said) -> SpanTime | None:
        found = whole(said)
        if not found or not found.end:
            return None
        if word in ("start", "beginning"):
            return _day(_start(found))
        return _day(_as_date(found.end)) if word == "end" else replace(found, part=word)

    return bit


def _nth(number: int, weekday: int | None, whole: _Meaning) -> _Meaning:
    def nth(said: _Said) -> SpanTime | None:
        found = whole(said)
        if not found or not found.end or found.precision != "month":
            return None
        days = [_start(found).replace(day=at) for at in range(1, _as_date(found.end).day + 1)]
        fitting = [day for day in days if weekday is None or day.weekday() == weekday]
        return _day(fitting[number - (number > 0)]) if number <= len(fitting) else None

    return nth


def _all(whole: _Meaning) -> _Meaning:
    def all_of(said: _Said) -> SpanTime | None:
        found = whole(said)
        return _stretch(found.start, found.end) if found else None

    return all_of


def _rest(whole: _Meaning) -> _Meaning:
    def rest(said: _Said) -> SpanTime | None:
        found = _toward(whole, 1)(said)
        begin = found and max(_start(found), said.today)
        return _stretch(begin, found.end) if found and found.end and begin else None

    return rest


def _lasting(meaning: _Meaning, count: int, unit: str) -> _Meaning:
    def lasting(said: _Said) -> SpanTime | None:
        found = meaning(said)
        if not found or found.precision != "day" or found.kind != "at" or unit in _SHORT:
            return None
        return _stretch(found.start, _moved(_start(found), count, unit) - timedelta(days=1))

    return lasting

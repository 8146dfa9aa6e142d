"""What a time in words comes to: days, months, seasons and years of the calendar, and how they are counted.

A rule's meaning is a function from the circumstances in which it was said to a time, or None where that is not said.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta
from typing import Literal

from graph_memory.language.times.time_words import SEASONS
from graph_memory.language.times.time_words import Precision as Precision

Kind = Literal["at", "since", "until", "between", "repeated"]


@dataclass(frozen=True)
class SpanTime:
    """A time, both ends included. What lasts on has no end, what has lasted has no start.

    A month or a year is told by its first and last day; a moment is its own start and end. `part` is the part of the day
    that was named, where no hour was, or early, mid or late of a longer time. What repeats has neither start nor end.
    """

    start: date | datetime | None
    end: date | datetime | None
    precision: Precision
    kind: Kind
    part: str | None = None

    @property
    def first(self) -> date:
        """Its first day."""
        assert self.start is not None
        return as_date(self.start)

    @property
    def last(self) -> date:
        """Its last day."""
        assert self.end is not None
        return as_date(self.end)


@dataclass(frozen=True)
class Said:
    """When it was said, whether it looks ahead or back, and the time that the talk is of.

    `leans` tells which way a day is meant that lies a few days off, where nothing looks ahead or back; `is_sure` whether the
    words of its own clause look so; `is_not_today` whether they tell that the day is another one than today, as in "next easter".
    """

    now: datetime
    way: int
    about: date | datetime | None = None
    leans: int = 0
    is_sure: bool = True
    is_not_today: bool = False

    @property
    def today(self) -> date:
        return self.now.date()


Meaning = Callable[[Said], SpanTime | None]
Reading = tuple[Meaning, int]


def evaluate(meaning: Meaning, said: Said) -> SpanTime | None:
    try:
        return meaning(said)
    except (ValueError, OverflowError):  # no such day
        return None


def one_day(day: date) -> SpanTime:
    return SpanTime(day, day, "day", "at")


def one_month(year: int, month: int) -> SpanTime:
    return SpanTime(date(year, month, 1), date(year, month, monthrange(year, month)[1]), "month", "at")


def one_year(year: int) -> SpanTime:
    return SpanTime(date(year, 1, 1), date(year, 12, 31), "year", "at")


def stretch(first: date | datetime | None, last: date | datetime | None) -> SpanTime:
    """Where one end has an hour, the other is the beginning or the last minute of its day."""
    zones = [each.tzinfo for each in (first, last) if isinstance(each, datetime)]
    if len(zones) == 1 and first and last:
        first = first if isinstance(first, datetime) else datetime.combine(first, time(0, 0), zones[0])
        last = last if isinstance(last, datetime) else datetime.combine(last, time(23, 59), zones[0])
    return SpanTime(first, last, "moment" if zones else "range", "between")


def as_date(when: date | datetime) -> date:
    return when.date() if isinstance(when, datetime) else when


def unit_with(unit: str, day: date) -> SpanTime:
    """The week, weekend, month or year that holds a day."""
    monday = day - timedelta(days=day.weekday())
    if unit == "week":
        return stretch(monday, monday + timedelta(days=6))
    if unit == "weekend":
        return stretch(monday + timedelta(days=5), monday + timedelta(days=6))
    if unit == "month":
        return one_month(day.year, day.month)
    if unit == "quarter":
        return one_part(day.year, (day.month + 2) // 3, 4)
    return one_year(day.year) if unit == "year" else one_day(day)


def months(year: int, first: int, last: int, precision: Precision) -> SpanTime:
    """From the first day of a month to the last of another, in the next year where that one comes earlier in it."""
    end = one_month(year + (last < first), last)
    return SpanTime(date(year, first, 1), end.end, precision, "at")


def one_part(year: int, number: int, count: int) -> SpanTime:
    """One of the two halves or four quarters of a year."""
    length = 12 // count
    return months(year, length * (number - 1) + 1, length * number, "quarter" if count == 4 else "range")


def one_decade(year: int) -> SpanTime:
    first = year - year % 10
    return SpanTime(date(first, 1, 1), date(first + 9, 12, 31), "range", "at")


def one_season(year: int, name: str, said: Said) -> SpanTime:
    """The one that begins in a year, half a year later south of the equator."""
    away = 6 if _is_southern(said) else 0
    first, last = ((month + away - 1) % 12 + 1 for month in SEASONS[name])
    return months(year, first, last, "season")


THIRDS = ("early", "mid", "late")


def third_of(found: SpanTime, part: str) -> SpanTime:
    """What is early, mid or late in a time: the first, second or last third of its months, or of its days."""
    count = (found.last.year - found.first.year) * 12 + found.last.month - found.first.month + 1
    length = (found.last - found.first).days + 1
    if count >= 3:
        ends = [moved(found.first, round(count * each / 3), "month") for each in range(4)]
    else:
        third = 10 if length > 27 else length / 3
        ends = [found.first + timedelta(days=round(third * each)) for each in range(3)]
        ends.append(found.last + timedelta(days=1))
    at = THIRDS.index(part)
    return SpanTime(ends[at], ends[at + 1] - timedelta(days=1), "range", "at", part)


def moved(day: date, count: int, unit: str) -> date:
    if unit in LENGTHS:
        return day + timedelta(days=count * LENGTHS[unit])
    year, month = divmod(day.year * 12 + day.month - 1 + count * MONTHS_IN[unit], 12)
    return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))


LENGTHS = {"day": 1, "night": 1, "week": 7, "weekend": 7, "fortnight": 14}
MONTHS_IN = {"month": 1, "quarter": 3, "year": 12}
SHORT = {"minute": 1, "hour": 60}


def from_now(said: Said, count: int, unit: str, exactly: bool = False) -> SpanTime:
    """Months and years are counted in months and years, unless it is exactly so many."""
    if unit in SHORT:
        moment = said.now.astimezone(UTC) + timedelta(minutes=count * SHORT[unit])
        return one_moment(moment.astimezone(said.now.tzinfo))
    day = moved(said.today, count, unit)
    return unit_with(unit, day) if unit in MONTHS_IN and not exactly else one_day(day)


def from_point(found: SpanTime, count: int, unit: str) -> SpanTime | None:
    if found.kind == "at" and isinstance(found.start, datetime) and unit in SHORT:
        later = found.start.astimezone(UTC) + timedelta(minutes=count * SHORT[unit])
        return one_moment(later.astimezone(found.start.tzinfo))
    if found.kind != "at" or found.precision not in ("day", "moment") or unit in SHORT:
        return None
    day = moved(found.first, count, unit)
    if isinstance(found.start, datetime):
        moment = datetime.combine(day, found.start.timetz())
        return SpanTime(moment, moment, "moment", "at")
    return replace(found, start=day, end=day)


def choose(candidates: list[date], said: Said) -> SpanTime | None:
    """The day that a message means: the next one, the latest one or, where it looks neither way, the nearest.

    Today is to come as well as past. What is past counts as further away: people tell it with its year, or in a sentence that
    looks back.
    """
    candidates = meant(candidates, said)
    ahead = [each for each in candidates if each >= said.today]
    back = [each for each in candidates if each <= said.today]
    far = _FURTHER if said.leans > 0 else _FAR
    if said.way:
        day = min(ahead, default=None) if said.way > 0 else max(back, default=None)
    else:
        day = min(
            candidates, key=lambda each: max(each - said.today, (said.today - each) * far), default=None
        )
    return one_day(day) if day else None


def meant(days: list[date], said: Said) -> list[date]:
    return [each for each in days if each != said.today] if said.is_not_today else days


# So many times as far as what is to come counts what is past, and where words would rather look ahead.
_FAR, _FURTHER = 2, 5


def weekday_of(number: int, said: Said, side: int = 0) -> date | None:
    today = said.today
    ahead = today + timedelta(days=(number - today.weekday()) % 7 or 7)
    back = today - timedelta(days=(today.weekday() - number) % 7 or 7)
    way = side or said.way or said.leans
    return ahead if way > 0 else back if way < 0 else None


def exists(year: int, month: int, day: int) -> bool:
    is_month = MINYEAR <= year <= MAXYEAR and 1 <= month <= 12
    return is_month and 1 <= day <= monthrange(year, month)[1]


def day_of_some_month(day: int, said: Said) -> list[date]:
    first = said.today.replace(day=1)
    months = [moved(first, away, "month") for away in range(-12, 13)]
    return [month.replace(day=day) for month in months if exists(month.year, month.month, day)]


def day_of_some_year(month: int, day: int, said: Said) -> list[date]:
    years = range(said.today.year - 8, said.today.year + 9)
    return [date(year, month, day) for year in years if exists(year, month, day)]


def month_of_some_year(month: int, said: Said, side: int = 0) -> SpanTime:
    """The current month counts as one to come and as one that was."""
    this, year = said.today.month, said.today.year
    way = side or said.way
    if way > 0:
        return one_month(year + (month < this + bool(side)), month)
    if way < 0:
        return one_month(year - (month > this - bool(side)), month)
    nearest = min((year - 1, year, year + 1), key=lambda each: abs((each - year) * 12 + month - this))
    return one_month(nearest, month)


def season_of_some_year(season: str, said: Said, side: int = 0) -> SpanTime:
    """The last one is over and the next one has not begun; the one that is may be meant with this, ahead and back."""
    known = [one_season(said.today.year + away, season, said) for away in range(-2, 3)]
    over = [each for each in known if each.last < said.today]
    to_come = [each for each in known if each.first > said.today]
    current = [each for each in known if each not in over and each not in to_come]
    if side:
        return to_come[0] if side > 0 else over[-1]
    if current or said.way:
        return current[0] if current else to_come[0] if said.way > 0 else over[-1]
    return min(over[-1], to_come[0], key=lambda each: each.first.year != said.today.year)


def _is_southern(said: Said) -> bool:
    """Whether clocks go forward for a summer around the turn of the year; a zone that leaves them alone counts as northern."""
    january, july = (datetime(2025, month, 1, tzinfo=said.now.tzinfo).dst() for month in (1, 7))
    return bool(january) and not july


def easter(year: int) -> date:
    """Gauss's rule, as Meeus and Butcher have it."""
    century, of_century = divmod(year, 100)
    golden = year % 19
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - epact - of_century % 4) % 7
    late = (golden + 11 * epact + 22 * sunday) // 451
    month, day = divmod(epact + sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def feast_of(of: tuple[int, int] | int, said: Said) -> SpanTime | None:
    """`of` is the month and day, or how many days after easter it is."""
    if isinstance(of, tuple):
        return choose(day_of_some_year(*of, said), said)
    easters = [easter(said.today.year + away) for away in range(-8, 9)]
    return choose([each + timedelta(days=of) for each in easters], said)


def one_moment(moment: datetime) -> SpanTime:
    return SpanTime(moment, moment, "moment", "at")


def of_century(year: int, said: Said) -> int:
    """The latest year that ends so, up to a few years ahead."""
    latest = said.today.year + 10
    return latest - (latest - year) % 100

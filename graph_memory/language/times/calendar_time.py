"""What a time in words comes to: days, months, seasons and years of the calendar, and how they are counted.

A rule's meaning is a function from the circumstances in which it was said to a time, or None where that is not said.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from graph_memory.language.times.time_words import SEASONS

Precision = Literal["moment", "day", "month", "quarter", "season", "year", "range"]
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


@dataclass(frozen=True)
class Said:
    """When it was said, whether it looks ahead or back, and the time that the talk is of.

    `leans` tells which way a day is meant that lies a few days off, where nothing looks ahead or back; `is_sure` whether the
    words of its own clause look so.
    """

    now: datetime
    way: int
    about: date | datetime | None = None
    leans: int = 0
    is_sure: bool = True

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


def first_day(found: SpanTime) -> date:
    assert found.start is not None
    return as_date(found.start)


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
        return one_quarter(day.year, (day.month + 2) // 3)
    if unit == "decade":
        return one_decade(day.year)
    return one_year(day.year) if unit == "year" else one_day(day)


def months(year: int, first: int, last: int, precision: Precision) -> SpanTime:
    """From the first day of a month to the last of another, in the next year where that one comes earlier in it."""
    end = one_month(year + (last < first), last)
    return SpanTime(date(year, first, 1), end.end, precision, "at")


def one_quarter(year: int, number: int) -> SpanTime:
    return months(year, 3 * number - 2, 3 * number, "quarter")


def one_half(year: int, number: int) -> SpanTime:
    return months(year, 6 * number - 5, 6 * number, "range")


def one_decade(year: int) -> SpanTime:
    first = year - year % 10
    return SpanTime(date(first, 1, 1), date(first + 9, 12, 31), "range", "at")


def third_of(found: SpanTime, part: str) -> SpanTime:
    """What is early, mid or late in a time: the first, second or last third of its days, months or years."""
    first, last, at = (
        first_day(found),
        as_date(found.end or first_day(found)),
        ("early", "mid", "late").index(part),
    )
    whole = last.year - first.year + 1, (last.year - first.year) * 12 + last.month - first.month + 1
    count, unit = (whole[0], "year") if whole[0] > 3 else (whole[1], "month") if whole[1] >= 3 else (0, "day")
    if unit == "day":
        ends = [first, moved(first, 10, "day"), moved(first, 20, "day"), moved(last, 1, "day")]
        if (last - first).days < 27:
            length = (last - first).days + 1
            ends = [moved(first, round(length * each / 3), "day") for each in range(4)]
    else:
        ends = [moved(first, round(count * each / 3), unit) for each in range(4)]
    return SpanTime(ends[at], moved(ends[at + 1], -1, "day"), "range", "at", part)


def moved(day: date, count: int, unit: str) -> date:
    if unit in LENGTHS:
        return day + timedelta(days=count * LENGTHS[unit])
    year, month = divmod(day.year * 12 + day.month - 1 + count * MONTHS_IN[unit], 12)
    return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))


LENGTHS = {"day": 1, "night": 1, "week": 7, "weekend": 7, "fortnight": 14}
MONTHS_IN = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
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
    day = moved(first_day(found), count, unit)
    if isinstance(found.start, datetime):
        moment = datetime.combine(day, found.start.timetz())
        return SpanTime(moment, moment, "moment", "at")
    return replace(found, start=day, end=day)


def choose(candidates: list[date], said: Said) -> date | None:
    """The one that a message means: the next one, the latest one or, where it looks neither way, the nearest.

    What is past counts as further away: people tell it with its year, or in a sentence that looks back.
    """
    ahead = [each for each in candidates if each > said.today]
    back = [each for each in candidates if each <= said.today]
    if said.way > 0:
        return min(ahead, default=None)
    if said.way < 0:
        return max(back, default=None)
    far = _FURTHER if said.leans > 0 else _FAR
    return min(candidates, key=lambda each: max(each - said.today, (said.today - each) * far), default=None)


# So many times as far as what is to come counts what is past, and where words would rather look ahead.
_FAR, _FURTHER = 2, 5


def weekday_of(number: int, said: Said, side: int = 0) -> date | None:
    today = said.today
    ahead = today + timedelta(days=(number - today.weekday()) % 7 or 7)
    back = today - timedelta(days=(today.weekday() - number) % 7 or 7)
    way = side or said.way or said.leans
    return ahead if way > 0 else back if way < 0 else None


def exists(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


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
    first, last = SEASONS[season]
    if is_southern(said):
        first, last = (first + 5) % 12 + 1, (last + 5) % 12 + 1
    known = [months(said.today.year + away, first, last, "season") for away in range(-2, 3)]
    over = [each for each in known if as_date(each.end or said.today) < said.today]
    to_come = [each for each in known if first_day(each) > said.today]
    current = [each for each in known if each not in over and each not in to_come]
    if side:
        return to_come[0] if side > 0 else over[-1]
    if current or said.way:
        return current[0] if current else to_come[0] if said.way > 0 else over[-1]
    return min(over[-1], to_come[0], key=lambda each: first_day(each).year != said.today.year)


def is_southern(said: Said) -> bool:
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
    days = (
        [moved(easter(said.today.year + away), of, "day") for away in range(-8, 9)]
        if isinstance(of, int)
        else day_of_some_year(*of, said)
    )
    day = choose(days, said)
    return one_day(day) if day else None


def one_moment(moment: datetime) -> SpanTime:
    return SpanTime(moment, moment, "moment", "at")


def of_century(year: int, said: Said) -> int:
    """The latest year that ends so, up to a few years ahead."""
    latest = said.today.year + 10
    return latest - (latest - year) % 100

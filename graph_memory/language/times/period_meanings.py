"""What the rules for weeks, months, seasons and years mean, and parts of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from graph_memory.language.times.calendar_time import (
    MONTHS_IN,
    SHORT,
    Meaning,
    Said,
    SpanTime,
    as_date,
    first_day,
    is_southern,
    month_of_some_year,
    months,
    moved,
    one_day,
    one_decade,
    one_half,
    one_moment,
    one_month,
    one_quarter,
    season_of_some_year,
    stretch,
    third_of,
    unit_with,
)
from graph_memory.language.times.time_meanings import beside, toward
from graph_memory.language.times.time_words import SEASONS


def week_beside(point: Meaning, step: int) -> Meaning:
    def beside(said: Said) -> SpanTime | None:
        found = point(said)
        return (
            unit_with("week", first_day(found) + timedelta(days=7 * step)) if found and found.start else None
        )

    return beside


def days_of_a_week(week: Meaning, first: int, last: int) -> Meaning:
    def days(said: Said) -> SpanTime | None:
        found = week(said)
        if not found:
            return None
        monday = first_day(found)
        return stretch(monday + timedelta(days=first), monday + timedelta(days=last))

    return days


def month_named(month: int, side: int = 0, this: bool = False) -> Meaning:
    return lambda said: one_month(said.today.year, month) if this else month_of_some_year(month, said, side)


def within(meaning: Meaning, whole: Meaning) -> Meaning:
    """The one of that year."""

    def within(said: Said) -> SpanTime | None:
        frame = whole(said)
        if not frame:
            return None
        eve = datetime.combine(first_day(frame) - timedelta(days=1), said.now.timetz())
        found = meaning(Said(eve, 1))
        inside = (
            found and found.start and frame.end and first_day(frame) <= first_day(found) <= as_date(frame.end)
        )
        return found if inside else None

    return within


def month_in(month: int, whole: Meaning) -> Meaning:
    """That month of a year."""

    def month_in(said: Said) -> SpanTime | None:
        frame = whole(said)
        return one_month(first_day(frame).year, month) if frame else None

    return month_in


def season(name: str, side: int = 0) -> Meaning:
    return lambda said: season_of_some_year(name, said, side)


def season_in(name: str, whole: Meaning) -> Meaning:
    """The season that begins in a year."""

    def season_in(said: Said) -> SpanTime | None:
        frame = whole(said)
        if not frame:
            return None
        first, last = SEASONS[name]
        if is_southern(said):
            first, last = (first + 5) % 12 + 1, (last + 5) % 12 + 1
        return months(first_day(frame).year, first, last, "season")

    return season_in


def stepped_years(point: Meaning, count: int) -> Meaning:
    """The same of an earlier or later year."""

    def stepped_years(said: Said) -> SpanTime | None:
        found = point(said)
        if not found or not found.start or not found.end:
            return None
        first, last = (
            moved(as_date(each), count, "year") for each in (found.start, moved(as_date(found.end), 1, "day"))
        )
        return replace(found, start=first, end=moved(last, -1, "day"))

    return stepped_years


def part_of_year(number: int, count: int, whole: Meaning | None = None) -> Meaning:
    """The first of two halves, the third of four quarters: of a year that is told, or of the one that is meant."""

    def part_of_year(said: Said) -> SpanTime | None:
        part = {2: one_half, 4: one_quarter}[count]
        if not 1 <= number <= count:
            return None
        if whole:
            frame = whole(said)
            return part(first_day(frame).year, number) if frame and frame.precision == "year" else None
        known = [part(said.today.year + away, number) for away in (-1, 0, 1)]
        over = [each for each in known if first_day(each) <= said.today]
        open_ = [each for each in known if as_date(each.end or said.today) >= said.today]
        return over[-1] if said.way < 0 else open_[0] if said.way > 0 else known[1]

    return part_of_year


def half_of_month(number: int, whole: Meaning) -> Meaning:
    def half_of_month(said: Said) -> SpanTime | None:
        found = whole(said)
        if not found or found.precision != "month" or not found.end:
            return None
        middle = first_day(found).replace(day=15)
        return stretch(found.start, middle) if number == 1 else stretch(moved(middle, 1, "day"), found.end)

    return half_of_month


def decade(year: int) -> Meaning:
    """Of two figures, the latest such decade that has begun."""

    def decade(said: Said) -> SpanTime | None:
        latest = said.today.year - (said.today.year - year) % 100 if year < 100 else year
        return one_decade(latest)

    return decade


def week_from(point: Meaning, is_its_start: bool) -> Meaning:
    """The week of a day, or the seven days that begin with it."""

    def week_from(said: Said) -> SpanTime | None:
        found = point(said)
        if not found or found.precision != "day":
            return None
        day = first_day(found)
        return stretch(day, moved(day, 6, "day")) if is_its_start else unit_with("week", day)

    return week_from


def toward_near(point: Meaning) -> Meaning:
    """A day that is told by its number alone is one nearby."""
    return lambda said: point(replace(said, leans=said.leans or 1))


def weekend_of(point: Meaning) -> Meaning:
    """The weekend that a day is in or, of the days before it, leads to."""

    def weekend_of(said: Said) -> SpanTime | None:
        found = toward_near(point)(said)
        return unit_with("weekend", first_day(found)) if found and found.precision == "day" else None

    return weekend_of


def weekend_beside(point: Meaning, step: int) -> Meaning:
    saturday = beside(point, 5, step)

    def weekend_beside(said: Said) -> SpanTime | None:
        found = saturday(said)
        return unit_with("weekend", first_day(found)) if found else None

    return weekend_beside


def this_time(point: Meaning) -> Meaning:
    """This time next week: the same day of it, and the hour that it is now where a day was told."""

    def this_time(said: Said) -> SpanTime | None:
        found = point(said)
        if not found or found.kind != "at" or found.precision != "day":
            return None
        return one_moment(datetime.combine(first_day(found), said.now.timetz()))

    return this_time


def unit_away(unit: str, count: int) -> Meaning:
    def unit_away(said: Said) -> SpanTime | None:
        today = said.today.replace(day=1) if unit in MONTHS_IN else said.today
        # On a monday, the weekend that somebody tells of is over.
        is_over = unit == "weekend" and not count and said.way < 0 and said.today.weekday() < 5
        return unit_with(unit, moved(today, count - is_over, unit))

    return unit_away


_THIRDS = {"early": "early", "mid": "mid", "middle": "mid", "late": "late"}


def bit(word: str, whole: Meaning) -> Meaning:
    """The first or last day, or a third of it."""

    def bit(said: Said) -> SpanTime | None:
        found = whole(said)
        if not found or not found.end:
            return None
        if word in ("start", "beginning"):
            return one_day(first_day(found))
        if word in ("end", "close"):
            return one_day(as_date(found.end))
        return third_of(found, _THIRDS[word])

    return bit


def nth(number: int, weekday: int | None, whole: Meaning) -> Meaning:
    """The first monday, the last day of a month, a quarter or a year."""

    def nth(said: Said) -> SpanTime | None:
        found = whole(said)
        if not found or not found.end or found.precision not in ("month", "quarter", "year"):
            return None
        length = (as_date(found.end) - first_day(found)).days + 1
        days = [moved(first_day(found), away, "day") for away in range(length)]
        fitting = [day for day in days if weekday is None or day.weekday() == weekday]
        return one_day(fitting[number - (number > 0)]) if number <= len(fitting) else None

    return nth


def nth_weekend(number: int, whole: Meaning) -> Meaning:
    """A weekend is of the month that its saturday is of."""
    saturday = nth(number, 5, whole)

    def nth_weekend(said: Said) -> SpanTime | None:
        found = saturday(said)
        return unit_with("weekend", first_day(found)) if found else None

    return nth_weekend


def nth_stretch(number: int, count: int, unit: str, whole: Meaning) -> Meaning:
    """The first three days, the last two weeks, the second week of a longer time."""

    def nth_stretch(said: Said) -> SpanTime | None:
        found = whole(said)
        if not found or not found.end or (number > 1 and count > 1) or unit in SHORT:
            return None
        if number < 0:
            after = moved(as_date(found.end), 1, "day")
            first, last = moved(after, -count, unit), moved(after, -1, "day")
        else:
            first = moved(first_day(found), (number - 1) * count, unit)
            last = moved(moved(first, count, unit), -1, "day")
        inside = first_day(found) <= first and last <= as_date(found.end)
        return stretch(first, last) if inside else None

    return nth_stretch


def from_today(count: int, unit: str) -> Meaning:
    """In the next two weeks: from today to then."""

    def from_today(said: Said) -> SpanTime | None:
        if unit in SHORT:
            return None
        return stretch(said.today, moved(said.today, count, unit))

    return from_today


def whole_of(whole: Meaning) -> Meaning:
    def all_of(said: Said) -> SpanTime | None:
        found = whole(said)
        return stretch(found.start, found.end) if found else None

    return all_of


def rest(whole: Meaning) -> Meaning:
    def rest(said: Said) -> SpanTime | None:
        found = toward(whole, 1)(said)
        begin = found and max(first_day(found), said.today)
        return stretch(begin, found.end) if found and found.end and begin else None

    return rest


def so_far(whole: Meaning) -> Meaning:
    """Earlier this year: what of it is over."""

    def so_far(said: Said) -> SpanTime | None:
        found = whole(said)
        is_current = found and found.end and first_day(found) <= said.today <= as_date(found.end)
        return stretch(found.start, said.today) if found and is_current else None

    return so_far

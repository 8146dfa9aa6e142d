"""What the rules for weeks, months, seasons and years mean, and parts of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from graph_memory.language.times.calendar_time import (
    MONTHS_IN,
    SHORT,
    THIRDS,
    Meaning,
    Said,
    SpanTime,
    month_of_some_year,
    moved,
    one_day,
    one_decade,
    one_month,
    one_part,
    one_season,
    season_of_some_year,
    stretch,
    third_of,
    unit_with,
)
from graph_memory.language.times.time_meanings import of, toward


def unit_of(unit: str, point: Meaning) -> Meaning:
    """The week or weekend of a day: of one that is told by its number alone, the one nearby."""
    return of(
        lambda said: point(replace(said, leans=said.leans or 1)),
        lambda found, _: unit_with(unit, found.first) if found.precision == "day" and found.start else None,
    )


def week_beside(point: Meaning, step: int) -> Meaning:
    return of(
        point,
        lambda found, _: unit_with("week", moved(found.first, step, "week")) if found.start else None,
    )


def month_named(month: int, side: int = 0, this: bool = False) -> Meaning:
    return lambda said: one_month(said.today.year, month) if this else month_of_some_year(month, said, side)


def within(meaning: Meaning, whole: Meaning) -> Meaning:
    """The one of that year."""

    def within(frame: SpanTime, said: Said) -> SpanTime | None:
        found = meaning(Said(datetime.combine(frame.first, said.now.timetz()), 1))
        return found if found and found.start and frame.first <= found.first <= frame.last else None

    return of(whole, within)


def month_in(month: int, whole: Meaning) -> Meaning:
    """That month of a year."""
    return of(whole, lambda frame, _: one_month(frame.first.year, month))


def season(name: str, side: int = 0) -> Meaning:
    return lambda said: season_of_some_year(name, said, side)


def season_in(name: str, whole: Meaning) -> Meaning:
    """The season that begins in a year."""
    return of(whole, lambda frame, said: one_season(frame.first.year, name, said))


def part_of_year(number: int, count: int) -> Meaning:
    """The first of two halves, the third of four quarters: of the year that is meant."""

    def part_of_year(said: Said) -> SpanTime | None:
        if not 1 <= number <= count:
            return None
        known = [one_part(said.today.year + away, number, count) for away in (-1, 0, 1)]
        over = [each for each in known if each.first <= said.today]
        open_ = [each for each in known if each.last >= said.today]
        return over[-1] if said.way < 0 else open_[0] if said.way > 0 else known[1]

    return part_of_year


def part_of(number: int, count: int, whole: Meaning) -> Meaning:
    """The first of two halves, the third of four quarters, of a year that is told; one of the halves of a month."""

    def part_of(frame: SpanTime, _: Said) -> SpanTime | None:
        if frame.precision == "month" and count == 2:
            middle = frame.first.replace(day=15)
            return (
                stretch(frame.first, middle) if number == 1 else stretch(moved(middle, 1, "day"), frame.end)
            )
        is_one = frame.precision == "year" and 1 <= number <= count
        return one_part(frame.first.year, number, count) if is_one else None

    return of(whole, part_of)


def decade(year: int) -> Meaning:
    """Of two figures, the latest such decade that has begun."""
    return lambda said: one_decade(said.today.year - (said.today.year - year) % 100 if year < 100 else year)


def unit_away(unit: str, count: int) -> Meaning:
    def unit_away(said: Said) -> SpanTime | None:
        today = said.today.replace(day=1) if unit in MONTHS_IN else said.today
        # On a monday, the weekend that somebody tells of is over.
        is_over = unit == "weekend" and not count and said.way < 0 and said.today.weekday() < 5
        return unit_with(unit, moved(today, count - is_over, unit))

    return unit_away


def bit(word: str, whole: Meaning) -> Meaning:
    """The first or last day, or a third of it."""

    def bit(found: SpanTime, _: Said) -> SpanTime | None:
        if not found.end:
            return None
        if word in THIRDS:
            return third_of(found, word)
        return one_day(found.last if word == "end" else found.first)

    return of(whole, bit)


def nth(number: int, weekday: int | None, whole: Meaning) -> Meaning:
    """The first monday, the last day of a month, a quarter or a year."""

    def nth(found: SpanTime, _: Said) -> SpanTime | None:
        if not found.end or found.precision not in ("month", "quarter", "year"):
            return None
        days = [moved(found.first, away, "day") for away in range((found.last - found.first).days + 1)]
        fitting = [day for day in days if weekday is None or day.weekday() == weekday]
        return one_day(fitting[number - (number > 0)]) if number <= len(fitting) else None

    return of(whole, nth)


def nth_weekend(number: int, whole: Meaning) -> Meaning:
    """A weekend is of the month that its saturday is of."""
    return of(nth(number, 5, whole), lambda found, _: unit_with("weekend", found.first))


def nth_stretch(number: int, count: int, unit: str, whole: Meaning) -> Meaning:
    """The first three days, the last two weeks, the second week of a longer time."""

    def nth_stretch(found: SpanTime, _: Said) -> SpanTime | None:
        if not found.end or (number > 1 and count > 1) or unit in SHORT:
            return None
        if number < 0:
            after = moved(found.last, 1, "day")
            first, last = moved(after, -count, unit), found.last
        else:
            first = moved(found.first, (number - 1) * count, unit)
            last = moved(moved(first, count, unit), -1, "day")
        return stretch(first, last) if found.first <= first and last <= found.last else None

    return of(whole, nth_stretch)


def whole_of(whole: Meaning) -> Meaning:
    return of(whole, lambda found, _: stretch(found.start, found.end))


def so_far(whole: Meaning) -> Meaning:
    """Earlier this year: what of it is over."""

    def so_far(found: SpanTime, said: Said) -> SpanTime | None:
        is_current = found.end and found.first <= said.today <= found.last
        return stretch(found.start, said.today) if is_current else None

    return of(whole, so_far)


def rest(whole: Meaning) -> Meaning:
    def rest(found: SpanTime, said: Said) -> SpanTime | None:
        return stretch(max(found.first, said.today), found.end) if found.end else None

    return of(toward(whole, 1), rest)

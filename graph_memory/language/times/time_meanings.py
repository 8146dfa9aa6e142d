"""What the rules of the grammar mean: each a function from when and how it was said to a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from graph_memory.language.times.calendar_time import (
    SHORT,
    Meaning,
    Precision,
    Said,
    SpanTime,
    as_date,
    choose,
    day_of_some_month,
    day_of_some_year,
    feast_of,
    from_now,
    from_point,
    meant,
    moved,
    of_century,
    one_day,
    one_moment,
    one_year,
    stretch,
    weekday_of,
)
from graph_memory.language.times.clock_times import Clock

_NEARBY = timedelta(days=400)


def of(meaning: Meaning, make: Callable[[SpanTime, Said], SpanTime | None]) -> Meaning:
    """What is made of what another means, where that one means something."""

    def made(said: Said) -> SpanTime | None:
        found = meaning(said)
        return make(found, said) if found else None

    return made


def nothing(_: Said) -> SpanTime | None:
    """Words for some time, that do not say which."""
    return None


def repeated(precision: Precision) -> Meaning:
    return lambda _: SpanTime(None, None, precision, "repeated")


def near_day(away: int, part: str | None = None) -> Meaning:
    return lambda said: replace(one_day(said.today + timedelta(days=away)), part=part)


def hour(clock: Clock) -> Meaning:
    """An hour without a day. Of what is to come it does not say the day."""
    return lambda said: clock.near(said) if said.way <= 0 or said.about else None


def then(away: int) -> Meaning:
    """The day that the talk is of."""

    def then(said: Said) -> SpanTime | None:
        if isinstance(said.about, datetime) and not away:
            return one_moment(said.about)
        return one_day(as_date(said.about) + timedelta(days=away)) if said.about else None

    return then


def at_the_same_hour(day: Meaning) -> Meaning:
    """At the hour of what the talk is of; the day, where that is not known."""

    def at_the_same_hour(found: SpanTime, said: Said) -> SpanTime:
        if not isinstance(said.about, datetime) or found.kind != "at":
            return found
        return one_moment(datetime.combine(found.first, said.about.timetz()))

    return of(day, at_the_same_hour)


def clocked(day: Meaning, clock: Clock) -> Meaning:
    return of(day, clock.on)


def hours(day: Meaning, first: Clock, last: Clock) -> Meaning:
    """From an hour of a day to the first such hour after it."""

    def hours(found: SpanTime, said: Said) -> SpanTime | None:
        begin = (first if first.half else replace(first, half=last.half)).on(found, said)
        if not begin or not isinstance(begin.start, datetime):
            return None
        close = last.near(Said(begin.start, 1))
        return stretch(begin.start, close.end) if close else None

    return of(day, hours)


def in_part(meaning: Meaning, part: str) -> Meaning:
    return of(meaning, lambda found, _: replace(found, part=part))


def toward(meaning: Meaning, way: int) -> Meaning:
    return lambda said: meaning(replace(said, way=way or said.way))


def ago(count: int, unit: str, exactly: bool = False) -> Meaning:
    return lambda said: from_now(said, -count, unit, exactly)


def within_a_length(count: int, unit: str, exactly: bool = False) -> Meaning:
    """In two weeks. Of what is past it tells how long it took."""
    return lambda said: None if said.way < 0 else from_now(said, count, unit, exactly)


def stepped(point: Meaning, count: int, unit: str) -> Meaning:
    return of(point, lambda found, _: from_point(found, count, unit))


def beside(point: Meaning, weekday: int, step: int) -> Meaning:
    """The friday after or before it."""

    def beside(found: SpanTime, _: Said) -> SpanTime | None:
        if not found.start or not found.end:
            return None
        if step > 0:
            return one_day(found.last + timedelta(days=(weekday - found.last.weekday()) % 7 or 7))
        return one_day(found.first - timedelta(days=(found.first.weekday() - weekday) % 7 or 7))

    return of(point, beside)


def named(weekday: int, side: int = 0, weeks: int = 0) -> Meaning:
    def named(said: Said) -> SpanTime | None:
        day = weekday_of(weekday, said, side)
        return one_day(day + timedelta(days=7 * weeks)) if day else None

    return named


def this(meaning: Meaning) -> Meaning:
    """The one to come, unless the message looks back."""
    return lambda said: meaning(replace(said, way=said.way or 1))


def of_the_week(week: Meaning, weekday: int) -> Meaning:
    return of(week, lambda found, _: one_day(found.first + timedelta(days=weekday)))


def monthless(day: int) -> Meaning:
    def monthless(said: Said) -> SpanTime | None:
        days = day_of_some_month(day, said)
        if said.about:
            about = as_date(said.about)
            near = [each for each in meant(days, said) if said.way <= 0 or each >= said.today]
            return one_day(min(near, key=lambda each: abs(each - about))) if near else None
        way = said.way or said.leans
        return choose(days, replace(said, way=way)) if way else None

    return monthless


def dated(month: int, day: int) -> Meaning:
    return lambda said: choose(day_of_some_year(month, day, said), said)


def exact(year: int, month: int, day: int) -> Meaning:
    return lambda _: one_day(date(year, month, day))


def written(moment: str) -> Meaning:
    """As ISO 8601 writes it, in the zone that it names."""

    def written(said: Said) -> SpanTime:
        at = datetime.fromisoformat(moment)
        zone = said.now.tzinfo
        return one_moment(at.astimezone(zone) if at.tzinfo else at.replace(tzinfo=zone))

    return written


def either(first: int, second: int, year: int | None, is_ordered: bool = False) -> Meaning:
    """Where day and month could change places nothing is said; `is_ordered` where the day surely stands first."""

    def either(said: Said) -> SpanTime | None:
        if first <= 12 and second <= 12 and first != second and not is_ordered:
            return None
        day, month = (first, second) if second <= 12 else (second, first)
        if year is None:
            return dated(month, day)(said)
        return one_day(date(of_century(year, said) if year < 100 else year, month, day))

    return either


def year_known(year: int) -> Meaning:
    """A year that lies where the words look, as an hour written in four figures does not."""

    def year_known(said: Said) -> SpanTime | None:
        return one_year(year) if (year - said.today.year) * said.way >= 0 else None

    return year_known


def feast_day(feast: tuple[int, int] | int, side: int = 0) -> Meaning:
    """Neither the next one nor the last one is today's."""
    if not side:
        return lambda said: feast_of(feast, said)
    return lambda said: feast_of(feast, replace(said, way=side, is_not_today=True))


def day_of_month(unit: Meaning, day: int) -> Meaning:
    return of(unit, lambda found, _: one_day(found.first.replace(day=day)))


def month_days(month: int, first: int, last: int) -> Meaning:
    def days(found: SpanTime, _: Said) -> SpanTime | None:
        return stretch(found.start, found.first.replace(day=last)) if last > first else None

    return of(dated(month, first), days)


def on_weekday(meaning: Meaning, weekday: int) -> Meaning:
    """The date that falls on it, looking on from the one that was meant; one years away is a slip."""

    def on_weekday(said: Said) -> SpanTime | None:
        way = said.way or 1
        found, other = (_falling_on(meaning, weekday, said, each) for each in (way, -way))
        if said.way and other and (not found or _away(found, said) > _FAR * _away(other, said) + _WEEKS):
            return other
        return found

    return on_weekday


def _falling_on(meaning: Meaning, weekday: int, said: Said, way: int) -> SpanTime | None:
    found = meaning(said if way == (said.way or 1) else replace(said, way=way))
    for _ in range(12):
        if not found or found.first.weekday() == weekday:
            break
        there = datetime.combine(found.first, said.now.timetz())
        found = meaning(Said(there, way, is_not_today=True))
    near = found and _away(found, said) <= _NEARBY
    return found if found and near and found.first.weekday() == weekday else None


def _away(found: SpanTime, said: Said) -> timedelta:
    return abs(found.first - said.today)


# So much further must a day be in the way that the words look, for the other one to be meant.
_FAR, _WEEKS = 4, timedelta(days=28)


def weekday_and_day(weekday: int, day: int) -> Meaning:
    """A number after a weekday is a day of the month if that one falls on it, else an hour."""

    def weekday_and_day(said: Said) -> SpanTime | None:
        found = on_weekday(monthless(day), weekday)(said)
        return found if day > 12 or found == monthless(day)(said) else None

    return weekday_and_day


def on_the_date(meaning: Meaning, date_beside: Meaning) -> Meaning:
    """A time with its date beside it: "until monday (1 june 2026)". The date tells when, the words the rest of it."""

    def on_the_date(day: SpanTime, said: Said) -> SpanTime | None:
        if not day.start or not day.end:
            return None
        now = datetime.combine(day.first, said.now.timetz())
        found = meaning(replace(said, now=now, way=0)) or day
        if found.kind == "repeated":
            return None
        clock = found.start or found.end
        if isinstance(clock, datetime) and found.precision == "moment" and day.precision == "day":
            day = one_moment(datetime.combine(day.first, clock.timetz()))
        return SpanTime(
            None if found.kind == "until" else day.start,
            None if found.kind == "since" else day.end,
            day.precision if found.precision in ("day", "moment") else found.precision,
            found.kind,
            found.part,
        )

    return of(date_beside, on_the_date)


def lasting(meaning: Meaning, count: int, unit: str) -> Meaning:
    def lasting(found: SpanTime, _: Said) -> SpanTime | None:
        if found.precision != "day" or found.kind != "at" or unit in SHORT:
            return None
        return stretch(found.start, moved(found.first, count, unit) - timedelta(days=1))

    return of(meaning, lasting)

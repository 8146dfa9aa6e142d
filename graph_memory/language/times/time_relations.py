"""What since, until, by, before and from make of a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from graph_memory.language.times.calendar_time import Meaning, Said, SpanTime, one_day, stretch
from graph_memory.language.times.time_meanings import of


def edge(found: SpanTime) -> SpanTime | None:
    """What can begin or end something: the middle of a month is its 15th, what is early or late in it is no day."""
    if found.part not in ("early", "mid", "late"):
        return found
    is_within_a_month = (found.last - found.first).days < MIDDLE
    return one_day(found.first.replace(day=MIDDLE)) if found.part == "mid" and is_within_a_month else None


# The day that stands for the middle of a month.
MIDDLE = 15


def since(meaning: Meaning) -> Meaning:
    """What has begun: before it was said, whatever day the talk is of."""
    return _begun(lambda said: meaning(replace(said, way=-1, about=None)))


def starting(meaning: Meaning) -> Meaning:
    """What begins, ahead where its own clause does not look back: the landlord came, 120 from june."""
    return _begun(_ahead(meaning))


def _begun(meaning: Meaning) -> Meaning:
    def begun(whole: SpanTime, _: Said) -> SpanTime | None:
        found = edge(whole)
        is_one = found and found.start and found.kind != "until"
        return replace(found, end=None, kind="since") if found and is_one else None

    return of(meaning, begun)


def _ahead(meaning: Meaning) -> Meaning:
    return lambda said: meaning(replace(said, way=said.way if said.is_sure and said.way else 1))


def _ending(last: Callable[[SpanTime], date | datetime | None]) -> Callable[[Meaning], Meaning]:
    """A relation to what ends something; `last` tells the last of what ends, and None where that is not said."""

    def ended(whole: SpanTime, _: Said) -> SpanTime | None:
        found = edge(whole)
        end = last(found) if found else None
        if not found or not end:
            return None
        return SpanTime(None, end, "moment" if isinstance(end, datetime) else "day", "until", found.part)

    return lambda meaning: of(_ahead(meaning), ended)


def _is_short(found: SpanTime) -> bool:
    return found.kind == "at" and found.precision in ("day", "moment")


def _up_to(found: SpanTime) -> date | datetime | None:
    """Up to a day is with it, up to a month, a year or a week is up to its beginning."""
    if _is_short(found):
        return found.end
    return found.first - timedelta(days=1) if found.start and found.end else None


def _before(found: SpanTime) -> date | datetime | None:
    if not found.start or found.precision == "moment":
        return found.start
    return found.first - timedelta(days=1)


def before(meaning: Meaning) -> Meaning:
    """What is before a day has not come yet, where that day is today: the next such one is meant."""

    def not_today(found: SpanTime, said: Said) -> SpanTime | None:
        is_today = said.way > 0 and _is_short(found) and found.start == said.today
        return meaning(replace(said, is_not_today=True)) if is_today else found

    return _ending(_before)(of(meaning, not_today))


def after(meaning: Meaning) -> Meaning:
    """From the day after it, or from that moment."""

    def after(whole: SpanTime, _: Said) -> SpanTime | None:
        found = edge(whole)
        if not found or not found.end or found.kind != "at":
            return None
        begin = found.end if isinstance(found.end, datetime) else found.end + timedelta(days=1)
        return SpanTime(begin, None, found.precision, "since", found.part)

    return of(_ahead(meaning), after)


def between(first: Meaning, last: Meaning) -> Meaning:
    """The end is the first such time after the start."""

    def between(whole: SpanTime, said: Said) -> SpanTime | None:
        begin = edge(whole) or whole
        if not begin.start or begin.kind not in ("at", "between"):
            return None
        moment = begin.start if isinstance(begin.start, datetime) else None
        start = moment or datetime.combine(begin.first, said.now.timetz())
        close = last(Said(start, 1, is_not_today=not moment))
        if not close or not close.end or close.kind not in ("at", "between") or close.last < begin.first:
            return None
        if moment and isinstance(close.end, datetime) and close.end < moment:
            return None
        return stretch(begin.start, close.end)

    return of(first, between)


def between_of_one_year(first: Meaning, last: Meaning) -> Meaning:
    """The year was told with the end alone: the start is the latest such time before it."""

    def between_of_one_year(close: SpanTime, said: Said) -> SpanTime | None:
        if not close.start or not close.end:
            return None
        begin = first(Said(datetime.combine(close.first, said.now.timetz()), -1))
        fits = begin and begin.start and begin.kind == "at" and begin.first <= close.first
        return stretch(begin.start, close.end) if begin and fits else None

    return of(last, between_of_one_year)


until, by = _ending(_up_to), _ending(lambda found: found.end if _is_short(found) else None)
through = _ending(lambda found: found.end)
RELATIONS: dict[str, Callable[[Meaning], Meaning]] = {
    "since": since, "from": starting, "starting": starting, "starting from": starting, "beginning": starting,
    "as of": starting, "as from": starting, "effective": starting, "effective from": starting, "with effect from": starting,
    "not before": starting, "not until": starting, "no earlier than": starting, "not earlier than": starting,
    "until": until, "till": until, "til": until, "untill": until, "up to": until, "up until": until, "by": by,
    "no later than": by,
    "not later than": by, "before": before, "prior to": before, "through": through, "thru": through,
    "up to and including": through, "until and including": through, "after": after,
}  # fmt: skip

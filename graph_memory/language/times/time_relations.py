"""What since, until, by, before and from make of a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from graph_memory.language.times.calendar_time import (
    Meaning,
    Said,
    SpanTime,
    as_date,
    first_day,
    one_day,
    stretch,
)


def edge(found: SpanTime | None) -> SpanTime | None:
    """What can begin or end something: the middle of a month is its 15th, what is early or late in it is no day."""
    if found is None or found.part not in ("early", "mid", "late"):
        return found
    is_within_a_month = (as_date(found.end or first_day(found)) - first_day(found)).days < MIDDLE
    return (
        one_day(first_day(found).replace(day=MIDDLE)) if found.part == "mid" and is_within_a_month else None
    )


# The day that stands for the middle of a month.
MIDDLE = 15


def since(meaning: Meaning) -> Meaning:
    """What has begun: before it was said, whatever day the talk is of."""
    return _begun(lambda said: meaning(replace(said, way=-1, about=None)))


def starting(meaning: Meaning) -> Meaning:
    """What begins, ahead where its own clause does not look back: the landlord came, 120 from june."""
    return _begun(lambda said: meaning(_forward(said)))


def _begun(meaning: Meaning) -> Meaning:
    def begun(said: Said) -> SpanTime | None:
        found = edge(meaning(said))
        return (
            replace(found, end=None, kind="since")
            if found and found.start and found.kind != "until"
            else None
        )

    return begun


def _ahead(meaning: Meaning, said: Said) -> SpanTime | None:
    return edge(meaning(_forward(said)))


def _forward(said: Said) -> Said:
    return replace(said, way=said.way if said.is_sure and said.way else 1)


def _ended(end: date | datetime | None, found: SpanTime) -> SpanTime:
    return SpanTime(None, end, "moment" if isinstance(end, datetime) else "day", "until", found.part)


def until(meaning: Meaning) -> Meaning:
    """Up to a day is with it, up to a month, a year or a week is up to its beginning."""

    def until(said: Said) -> SpanTime | None:
        found = _ahead(meaning, said)
        if not found or found.kind in ("since", "until"):
            return None
        short = found.kind == "at" and found.precision in ("day", "moment")
        return _ended(found.end if short else first_day(found) - timedelta(days=1), found)

    return until


def through(meaning: Meaning) -> Meaning:
    def through(said: Said) -> SpanTime | None:
        found = _ahead(meaning, said)
        return _ended(found.end, found) if found and found.end else None

    return through


def by(meaning: Meaning) -> Meaning:
    def by(said: Said) -> SpanTime | None:
        found = _ahead(meaning, said)
        exact = found and found.kind == "at" and found.precision in ("day", "moment")
        return _ended(found.end, found) if found and exact else None

    return by


def before(meaning: Meaning) -> Meaning:
    def before(said: Said) -> SpanTime | None:
        found = _ahead(meaning, said)
        if not found or not found.start:
            return None
        return _ended(
            found.start if found.precision == "moment" else first_day(found) - timedelta(days=1), found
        )

    return before


def after(meaning: Meaning) -> Meaning:
    """From the day after it, or from that moment."""

    def after(said: Said) -> SpanTime | None:
        found = _ahead(meaning, said)
        if not found or not found.end or found.kind != "at":
            return None
        begin = found.end if isinstance(found.end, datetime) else found.end + timedelta(days=1)
        return SpanTime(begin, None, found.precision, "since", found.part)

    return after


def between(first: Meaning, last: Meaning) -> Meaning:
    """The end is the first such time after the start."""

    def between(said: Said) -> SpanTime | None:
        whole = first(said)
        begin = edge(whole) or whole
        if not begin or not begin.start or begin.kind not in ("at", "between"):
            return None
        moment = begin.start if isinstance(begin.start, datetime) else None
        now = moment or datetime.combine(first_day(begin), said.now.timetz())
        close = last(Said(now, 1))
        if (
            not close
            or not close.end
            or close.kind not in ("at", "between")
            or as_date(close.end) < first_day(begin)
        ):
            return None
        return stretch(begin.start, close.end)

    return between


def between_of_one_year(first: Meaning, last: Meaning) -> Meaning:
    """The year was told with the end alone: the start is the latest such time before it."""

    def between_of_one_year(said: Said) -> SpanTime | None:
        close = last(said)
        if not close or not close.start or not close.end:
            return None
        begin = first(Said(datetime.combine(first_day(close), said.now.timetz()), -1))
        fits = begin and begin.start and begin.kind == "at" and first_day(begin) <= first_day(close)
        return stretch(begin.start, close.end) if begin and fits else None

    return between_of_one_year


RELATIONS: dict[str, Callable[[Meaning], Meaning]] = {
    "since": since, "ever since": since, "from": starting, "starting": starting, "starting from": starting,
    "starting on": starting, "starting in": starting, "beginning": starting, "as of": starting,
    "as from": starting, "effective": starting, "not before": starting, "not until": starting, "until": until,
    "till": until, "til": until, "up to": until, "up until": until, "through": through, "thru": through, "by": by,
    "before": before, "no later than": by, "not later than": by, "up to and including": through,
    "with effect from": starting, "' til": until, "untill": until, "up through": through,
    "until and including": through, "till and including": through, "prior to": before, "after": after,
    "no earlier than": starting, "not earlier than": starting, "any time after": after,
}  # fmt: skip

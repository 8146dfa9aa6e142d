"""The two axes of time. A read asks what was true at `as_of`, as it was believed at `known_at`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Invalid

_EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
# What is believed now is all that is committed, also what a faster clock recorded a moment ahead of ours.
LATEST = FOREVER - timedelta(milliseconds=1)


@dataclass(frozen=True)
class Moment:
    """Two points in time; None means now. Both must carry an offset."""

    as_of: datetime | None = None
    known_at: datetime | None = None

    def __post_init__(self) -> None:
        for name, value in (("asOf", self.as_of), ("knownAt", self.known_at)):
            if value is not None:
                check_time(name, value)

    def at(self, now: datetime) -> tuple[datetime, datetime]:
        """`(as_of, known_at)`, both definite."""
        return self.as_of or now, self.known_at or LATEST

    def is_past(self, now: datetime) -> bool:
        """Whether a state that is no longer live may have to answer."""
        return any(given is not None and given < now for given in (self.as_of, self.known_at))


NOW = Moment()


def check_time(name: str, value: datetime) -> datetime:
    """The time in UTC, cut to the millisecond; Invalid when it has no offset or lies outside years 1 to 9998."""
    if value.tzinfo is None:
        raise Invalid(f"{name} must carry an offset, as in 2026-03-15T09:00:00Z.", path=name)
    try:
        moment = value.astimezone(UTC)
    except OverflowError:
        raise Invalid(f"{name} must lie between the years 1 and 9998.", path=name) from None
    if not can_be_kept(moment):
        raise Invalid(f"{name} must lie between the years 1 and 9998.", path=name)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def can_be_kept(moment: datetime) -> bool:
    return _EARLIEST <= moment < FOREVER


def open_end(value: datetime | None) -> datetime | None:
    """An end as callers see it: None while it is open."""
    return None if value is None or value >= FOREVER else value


def day_of_event(at: datetime, zone: tzinfo) -> date:
    """The day in a zone on which something happens. A whole day is kept as its midnight in UTC, wherever that day is."""
    at = at.astimezone(UTC)
    return at.date() if at.time() == time() else at.astimezone(zone).date()

"""What changed between two moments, and when things were: read from the states, not from a log of its own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.errors import Invalid
from graph_memory.memory.model import Memory
from graph_memory.moments import LATEST, Moment, check_time
from graph_memory.queries import query
from graph_memory.service import Service
from graph_memory.tenancy import Scope

DIFF = query("memory/diff")
TIMELINE = query("memory/timeline")

MOST = 1000


class Bucket(StrEnum):
    """How long the steps of a timeline are."""

    DAY = "DAY"
    WEEK = "WEEK"
    MONTH = "MONTH"
    YEAR = "YEAR"


@dataclass(frozen=True)
class Changed:
    """One memory in both of its states."""

    before: Memory
    after: Memory


@dataclass(frozen=True)
class Differences:
    """What answers at the second moment only, at the first only, and at both in another state."""

    added: tuple[Memory, ...]
    ended: tuple[Memory, ...]
    changed: tuple[Changed, ...]
    is_complete: bool


@dataclass(frozen=True)
class Step:
    """One step of a timeline: how many statements begin and end to hold in it."""

    start: datetime
    begun: int
    ended: int


def diff(service: Service, scope: Scope, from_: Moment, to: Moment) -> Differences:
    """How the answers of two moments differ, at most 1,000 memories; `is_complete` says whether that was enough."""
    now = service.clock()
    (as_of_1, known_1), (as_of_2, known_2) = from_.at(now), to.at(now)
    rows = service.read(
        scope, DIFF, as_of_1=as_of_1, known_1=known_1, as_of_2=as_of_2, known_2=known_2, limit=MOST + 1
    )
    shown = rows[:MOST]
    pairs = [(_memory(row["before"]), _memory(row["after"])) for row in shown]
    return Differences(
        added=tuple(after for before, after in pairs if before is None and after is not None),
        ended=tuple(before for before, after in pairs if after is None and before is not None),
        changed=tuple(
            Changed(before, after) for before, after in pairs if before is not None and after is not None
        ),
        is_complete=len(rows) <= MOST,
    )


def timeline(
    service: Service,
    scope: Scope,
    from_: datetime,
    to: datetime,
    bucket: Bucket = Bucket.MONTH,
    known_at: datetime | None = None,
) -> list[Step]:
    """How many statements began and ended to hold in each step of an interval; steps without any are left out."""
    start, end = check_time("from", from_), check_time("to", to)
    if end <= start:
        raise Invalid("`to` must lie after `from`.", path="to")
    known = check_time("knownAt", known_at) if known_at else LATEST
    rows = service.read(scope, TIMELINE, start=start, end=end, unit=bucket.value.lower(), known_at=known)
    return [Step(row["start"], row["begun"], row["ended"]) for row in rows]


def _memory(row: dict[str, object] | None) -> Memory | None:
    return None if row is None else Memory.from_row(row)

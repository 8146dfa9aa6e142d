"""What changed between two moments, and when things were: read from the states, not from a log of its own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.base.cursors import cursor, cursor_at, parts_of, place_at, time_of
from graph_memory.base.errors import Invalid
from graph_memory.base.moments import LATEST, Moment, check_time
from graph_memory.base.scope import Scope
from graph_memory.model.memory import Memory
from graph_memory.store.queries import query
from graph_memory.store.service import Service

DIFF = query("memory/diff")
TIMELINE = query("memory/timeline")
TIMELINE_COUNT = query("memory/timeline_count")

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
    """What answers at the second moment only, at the first only, and at both in another state.

    `end` is the cursor of the last one, `next` the same while there is more.
    """

    added: tuple[Memory, ...]
    ended: tuple[Memory, ...]
    changed: tuple[Changed, ...]
    end: str | None
    next: str | None


@dataclass(frozen=True)
class Step:
    """One step of a timeline: how many statements begin and end to hold in it."""

    start: datetime
    begun: int
    ended: int


@dataclass(frozen=True)
class Steps:
    """A page of a timeline; `end` is the cursor of the last step, `next` the same while there is more."""

    items: tuple[Step, ...]
    end: str | None
    next: str | None


def diff(
    service: Service,
    scope: Scope,
    from_: Moment,
    to: Moment,
    first: int = MOST,
    after: str | None = None,
) -> Differences:
    """How the answers of two moments differ, by the time the memories were made, newest first, a page at a time.

    A moment that is left out is now at each page; give both for pages that fit together while others write.
    """
    before, before_id = place_at(after) or (None, "")
    now = service.clock()
    (as_of_1, known_1), (as_of_2, known_2) = from_.at(now), to.at(now)
    rows = service.read(
        scope,
        DIFF,
        as_of_1=as_of_1,
        known_1=known_1,
        as_of_2=as_of_2,
        known_2=known_2,
        first=_size(first) + 1,
        before=before,
        before_id=before_id,
    )
    shown = rows[:first]
    end = cursor_at(shown[-1]["created_at"], shown[-1]["id"]) if shown else None
    pairs = [(_memory(row["before"]), _memory(row["after"])) for row in shown]
    return Differences(
        added=tuple(after for before, after in pairs if before is None and after is not None),
        ended=tuple(before for before, after in pairs if after is None and before is not None),
        changed=tuple(
            Changed(before, after) for before, after in pairs if before is not None and after is not None
        ),
        end=end,
        next=end if len(rows) > first else None,
    )


def timeline(
    service: Service,
    scope: Scope,
    from_: datetime,
    to: datetime,
    bucket: Bucket = Bucket.MONTH,
    known_at: datetime | None = None,
    first: int = MOST,
    after: str | None = None,
) -> Steps:
    """How many statements began and ended to hold in each step of an interval, a page of steps at a time.

    Steps without any are left out.
    """
    wanted = _interval(from_, to, bucket, known_at)
    place = None if after is None else time_of(*parts_of(after, str))
    rows = service.read(scope, TIMELINE, first=_size(first) + 1, after=place, **wanted)
    steps = tuple(Step(row["start"], row["begun"], row["ended"]) for row in rows[:first])
    reached = cursor(steps[-1].start.isoformat()) if steps else None
    return Steps(steps, reached, reached if len(rows) > first else None)


def count_steps(
    service: Service,
    scope: Scope,
    from_: datetime,
    to: datetime,
    bucket: Bucket = Bucket.MONTH,
    known_at: datetime | None = None,
) -> int:
    """How many steps `timeline` comes to, on all its pages."""
    wanted = _interval(from_, to, bucket, known_at)
    return int(service.read(scope, TIMELINE_COUNT, after=None, **wanted)[0]["total"])


def _interval(from_: datetime, to: datetime, bucket: Bucket, known_at: datetime | None) -> dict[str, object]:
    start, end = check_time("from", from_), check_time("to", to)
    if end <= start:
        raise Invalid("`to` must lie after `from`.", path="to")
    known = check_time("knownAt", known_at) if known_at else LATEST
    return {"start": start, "end": end, "unit": bucket.value.lower(), "known_at": known}


def _size(first: int) -> int:
    if not 1 <= first <= MOST:
        raise Invalid(f"first is {first}; it must lie between 1 and {MOST}.", path="first")
    return first


def _memory(row: dict[str, object] | None) -> Memory | None:
    return None if row is None else Memory.from_row(row)

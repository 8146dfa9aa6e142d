"""Days of activity: the calendar dates, in a person's own time zone, on which something of theirs was written or recalled.

`earning` counts ages in them, so that holidays do not age memories. A date counts once; one that comes again because a
clock was set back, or a time zone was changed, does not count twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from neo4j.exceptions import Neo4jError

from graph_memory.base.errors import Invalid, NotFound
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Answer, Call, Writing, carry_out
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction

OF_SUBJECT = query("activity/of_subject")
SET_TIME_ZONE = query("activity/set_time_zone")
RECALLED = query("activity/recalled")
ACCESS = query("activity/access")


@dataclass(frozen=True)
class Activity:
    """A person's time zone, days of activity so far, and the last of them: a date there, or None."""

    subject: str
    time_zone: str
    days: int
    last_active_on: str | None


def of_subject(service: Service, scope: Scope) -> Activity:
    """How active the scope's subject was; NotFound for one that nothing was ever written for."""
    rows = service.read(scope.for_writing(), OF_SUBJECT)
    if not rows:
        raise NotFound(
            f"There is no subject {scope.for_writing().subject_name}. One is there as soon as something is remembered of it.",
            path="subject",
        )
    return _activity(rows[0])


def zone_of(service: Service, scope: Scope) -> ZoneInfo:
    """The time zone of the scope's subject; UTC where it has none, or the scope is a whole tenant."""
    return _zone([] if scope.subject is None else service.read(scope, OF_SUBJECT))


def zone_in(writing: Writing) -> ZoneInfo:
    """The time zone of the subject that is written to."""
    return _zone(writing.run(OF_SUBJECT))


def _zone(rows: Sequence[Row]) -> ZoneInfo:
    return ZoneInfo(rows[0]["time_zone"] if rows else "UTC")


def set_time_zone(service: Service, call: Call, time_zone: str) -> tuple[Activity, Answer]:
    """Sets the time zone by its IANA name, for example Europe/Berlin; a subject that is new is made.

    Days that were counted stay counted; setting it is no activity. Invalid for a name that Python or the database does not know.
    """
    name = _checked(time_zone)

    def work(writing: Writing) -> Row:
        _set(writing, name)
        return writing.run(OF_SUBJECT)[0]

    answer = carry_out(service, call, "setSubject", [name], work, is_activity=False)
    return _activity(answer.value), answer


def recalled(tx: Transaction, last: Mapping[str, datetime]) -> int:
    """Counts the days of recalls, by the tokens of subjects; says how many days were new. Locks the subjects."""
    rows = [{"subject": subject, "at": at} for subject, at in sorted(last.items())]
    return int(tx.run(RECALLED, rows=rows)[0]["counted"]) if rows else 0


def used(
    tx: Transaction, counts: Mapping[str, int], last: Mapping[str, datetime], restores: bool
) -> list[Row]:
    """Counts uses of memories, last at these moments; for each that is there: its id, whether it is active.

    A count of 0 is a use that is no recall: the memory is as fresh as after one. With `restores` archived ones are
    marked to be brought back.
    """
    rows = [{"id": id, "count": counts[id], "at": last[id]} for id in sorted(counts)]
    return tx.run(ACCESS, rows=rows, restores=restores) if rows else []


def _checked(time_zone: str) -> str:
    try:
        return ZoneInfo(time_zone).key
    except (ValueError, OSError, LookupError) as error:
        raise Invalid(
            f"{time_zone[:100]!r} is not a time zone; give an IANA name, for example Europe/Berlin.",
            path="timeZone",
        ) from error


def _set(writing: Writing, name: str) -> None:
    try:
        writing.run(SET_TIME_ZONE, time_zone=name, now=writing.now)
    except Neo4jError as error:
        if not (error.code or "").startswith("Neo.ClientError.Statement"):
            raise
        raise Invalid(
            f"The database does not know the time zone {name}; give another name of it, for example Europe/Berlin.",
            path="timeZone",
        ) from error


def _activity(row: Row) -> Activity:
    return Activity(row["name"], row["time_zone"], row["days"], row["last_active_on"])

"""Which conversations there are: each with its first and last message and how much of it was read for memories."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.cursors import check_first, cursor, parts_of, time_of
from graph_memory.base.scope import Scope
from graph_memory.ingest.segments import Said, SegmentStatus, said_of
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

SESSIONS = query("understanding/sessions")


@dataclass(frozen=True)
class Session:
    """A conversation of a subject, under the caller's name for it; `extracted` of its `messages` were read.

    `left_out` of those that people said became no memory, among them the `set_aside`, which could not be read. One without a
    name is a segment by itself. `is_open` while it takes messages into its last segment.
    """

    name: str | None
    subject: str
    started_at: datetime
    ended_at: datetime
    is_open: bool
    segments: int
    messages: int
    extracted: int
    left_out: int
    set_aside: int
    first: Said | None
    last: Said | None
    mark: str


@dataclass(frozen=True)
class Page:
    """Some sessions, latest begun first, and whether there are more."""

    items: list[Session]
    has_next: bool


def sessions(service: Service, scope: Scope, first: int = 20, after: str | None = None) -> Page:
    """The sessions of the scope's subject, or of all of its tenant; new ones do not move the cursor's place."""
    check_first(first)
    spelled, mark = parts_of(after, str, str) if after is not None else (None, "")
    before = time_of(spelled) if spelled else None
    rows = service.read(scope, SESSIONS, before_at=before, before_mark=mark, limit=first + 1)
    return Page([_session(row) for row in rows[:first]], len(rows) > first)


def cursor_of(session: Session) -> str:
    """The place of a session in the list."""
    return cursor(session.started_at.isoformat(), session.mark)


def _session(row: Row) -> Session:
    return Session(
        name=row["name"],
        subject=row["subject"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        is_open=SegmentStatus.OPEN.value in row["statuses"],
        segments=row["segments"],
        messages=row["messages"],
        extracted=row["extracted"],
        left_out=row["left_out"],
        set_aside=row["set_aside"],
        first=said_of(row["first"]) if row["first"] else None,
        last=said_of(row["last"]) if row["last"] else None,
        mark=row["mark"],
    )

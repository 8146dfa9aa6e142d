"""Reading conversations as they are stored: segments, and the messages of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.base.cursors import cursor_at, place_at
from graph_memory.base.errors import Invalid
from graph_memory.base.ids import check_id
from graph_memory.base.scope import Scope
from graph_memory.ingest.receipt import as_message
from graph_memory.model.message import Message
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

SEGMENTS = query("understanding/segments")
SAID = query("understanding/said")


class SegmentStatus(StrEnum):
    """OPEN takes messages, PENDING waits for extraction, EXTRACTED holds nothing more to extract."""

    OPEN = "OPEN"
    PENDING = "PENDING"
    EXTRACTED = "EXTRACTED"


@dataclass(frozen=True)
class Segment:
    """A stretch of conversation. `session` is the caller's name for it; `extracted` of `messages` were read.

    `left_out` of those that people said became no memory, among them the `set_aside`, which could not be read.
    """

    id: str
    session: str | None
    status: SegmentStatus
    started_at: datetime
    ended_at: datetime | None
    messages: int
    extracted: int
    left_out: int
    set_aside: int


@dataclass(frozen=True)
class Said:
    """A stored message and the memories that were extracted from it. The text of an erased one is empty.

    `set_aside` is why it could not be read; None for all others.
    """

    id: str
    position: int
    message: Message
    is_extracted: bool
    is_erased: bool
    memory_ids: tuple[str, ...]
    set_aside: str | None


def segments(
    service: Service,
    scope: Scope,
    first: int = 20,
    after: str | None = None,
    status: SegmentStatus | None = None,
    session: str | None = None,
) -> tuple[list[Segment], bool]:
    """A page of segments, latest first, and whether there are more."""
    before_at, before_id = place_at(after) or (None, "")
    rows = service.read(
        scope,
        SEGMENTS,
        status=status.value if status else None,
        session=session,
        before_at=before_at,
        before_id=before_id,
        limit=first + 1,
    )
    return [_segment(row) for row in rows[:first]], len(rows) > first


def messages(
    service: Service,
    scope: Scope,
    segment_id: str,
    first: int = 20,
    after: str | None = None,
    left_out: bool = False,
) -> tuple[list[Said], bool]:
    """A page of a segment's messages, in their order, and whether there are more; none of an unknown segment.

    With `left_out` only those that were read and became no memory, or could not be read.
    """
    start = 0 if after is None else _position(after) + 1
    segment = check_id(segment_id, "segment", "segment")
    rows = service.read(
        scope, SAID, segment_id=segment, **{"from": start}, left_out=left_out, limit=first + 1
    )
    return [said_of(row) for row in rows[:first]], len(rows) > first


def cursor_of(item: Segment | Said) -> str:
    """Where a page ends."""
    if isinstance(item, Said):
        return str(item.position)
    return cursor_at(item.started_at, item.id)


def said_of(row: Row) -> Said:
    """A message as a query gives it, beside the memories that came of it."""
    held = row["message"]
    return Said(
        held["id"],
        held["position"],
        as_message(held),
        held.get("extracted_at") is not None,
        held.get("redacted_at") is not None,
        tuple(sorted(row["memory_ids"])),
        held.get("set_aside"),
    )


def _segment(row: Row) -> Segment:
    held = row["segment"]
    return Segment(
        held["id"],
        held.get("ref"),
        SegmentStatus(held["status"]),
        held["started_at"],
        held.get("ended_at"),
        row["messages"],
        row["extracted"],
        row["left_out"],
        row["set_aside"],
    )


def _position(after: str) -> int:
    if not (after.isascii() and after.isdigit() and len(after) < 10):
        raise Invalid(
            "This cursor was not made by us; give one that a page ended with, or leave it out.", path="after"
        )
    return int(after)

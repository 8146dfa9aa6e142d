"""Cursors: where a page ends, as sort key and id. A list is read on behind that place, so writes meanwhile move no page."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import datetime
from typing import Any

from graph_memory.base.errors import Invalid
from graph_memory.base.ids import is_id

_FOREIGN = "This cursor was not made by us; give one that a page ended with, or leave it out."

# Rows of a page at most.
MAX_PAGE = 100


def cursor(*parts: Any) -> str:
    """The place as one word; parts are what JSON can spell."""
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()


def parts_of(after: str, *types: type) -> list[Any]:
    """The parts of a cursor, one for each type. Raises Invalid for what is none of ours."""
    try:
        parts = json.loads(base64.urlsafe_b64decode(after.encode()))
    except (ValueError, binascii.Error):
        parts = None
    if not isinstance(parts, list) or len(parts) != len(types):
        raise Invalid(_FOREIGN, path="after")
    if not all(isinstance(part, of) for part, of in zip(parts, types, strict=True)):
        raise Invalid(_FOREIGN, path="after")
    return parts


def cursor_at(moment: datetime, id: str) -> str:
    """The place in a list by time."""
    return cursor(moment.isoformat(), id)


def place_at(after: str | None) -> tuple[datetime, str] | None:
    """The time and the id of a place in a list by time; None where the list begins. Raises Invalid."""
    if after is None:
        return None
    spelled, id = parts_of(after, str, str)
    if not is_id(id):
        raise Invalid(_FOREIGN, path="after")
    return time_of(spelled), id


def time_of(spelled: str) -> datetime:
    """A time out of a cursor, to the microsecond. Raises Invalid."""
    try:
        found = datetime.fromisoformat(spelled)
    except ValueError:
        raise Invalid(_FOREIGN, path="after") from None
    if found.tzinfo is None:
        raise Invalid(_FOREIGN, path="after")
    return found


def check_first(first: int) -> int:
    """How many a page may hold; Invalid when it is not between 1 and `MAX_PAGE`."""
    if not 1 <= first <= MAX_PAGE:
        raise Invalid(f"first is {first}; it must lie between 1 and {MAX_PAGE}.", path="first")
    return first

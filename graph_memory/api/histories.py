"""Paging through a history. It is read whole, since a truth has few versions; the cursor names a state."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from graph_memory.api.paging import place, size
from graph_memory.base.errors import Invalid
from graph_memory.memory.reading import State


def cursor_of(state: State) -> str:
    """Names a state by its memory and the time it was recorded."""
    named = f"{state.memory.id}@{state.memory.recorded_from.isoformat()}"
    return base64.urlsafe_b64encode(named.encode()).decode()


def cut(states: Sequence[State], first: int | None, after: str | None) -> tuple[Sequence[State], bool]:
    """The states of a page, and whether there are more after them."""
    wanted, begin = size(first), 0
    if place(after) is not None:
        cursors = [cursor_of(state) for state in states]
        if after not in cursors:
            raise Invalid(
                "This cursor was not made by us; give one that a page ended with, or leave it out.",
                path="after",
            )
        begin = cursors.index(after) + 1
    return states[begin : begin + wanted], len(states) > begin + wanted

"""The history of a truth: every recorded state of every version."""

from __future__ import annotations

from collections.abc import Sequence

import strawberry

# Whole, since it imports this one.
from graph_memory.api import memory_types
from graph_memory.api.context import Info
from graph_memory.api.fields import nested
from graph_memory.api.histories import cursor_of, cut
from graph_memory.api.loaders import View
from graph_memory.api.paging import PageInfo
from graph_memory.api.references import MemoryRef
from graph_memory.memory import reading


@strawberry.type(description="One recorded state in a history.")
class MemoryState:
    view: strawberry.Private[View]
    superseded_by_uuid: strawberry.Private[str | None]
    memory: MemoryRef = strawberry.field(description="The memory in that state.")
    reason: str | None = strawberry.field(description="Why it was superseded.")
    is_corrected: bool = strawberry.field(
        description="Whether a correction has taken its place: it was believed until then, and never held."
    )

    @nested("The memory that superseded this one, as it was last recorded.")
    async def superseded_by(self, info: Info) -> MemoryRef | None:
        if self.superseded_by_uuid is None:
            return None
        return await memory_types.load_memory(info, View(self.view.scope), self.superseded_by_uuid)


@strawberry.type(description="A state and its place in the history.")
class MemoryStateEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: MemoryState = strawberry.field(description="The state.")


@strawberry.type(description="A page of a history, oldest first.")
class MemoryStateConnection:
    edges: list[MemoryStateEdge] = strawberry.field(description="The states with their cursors.")
    nodes: list[MemoryState] = strawberry.field(description="The states alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")
    total_count: int = strawberry.field(
        description="How many there are on all pages together; known at no cost, as a history is read whole."
    )


def state_connection(
    view: View, states: Sequence[reading.State], first: int | None, after: str | None
) -> MemoryStateConnection:
    """A page of a history."""
    page, has_next = cut(states, first, after)
    edges = [MemoryStateEdge(cursor=cursor_of(state), node=_state(view, state)) for state in page]
    return MemoryStateConnection(
        total_count=len(states),
        edges=edges,
        nodes=[edge.node for edge in edges],
        page_info=PageInfo(has_next_page=has_next, end_cursor=edges[-1].cursor if edges else None),
    )


def _state(view: View, state: reading.State) -> MemoryState:
    return MemoryState(
        view=view,
        superseded_by_uuid=state.superseded_by,
        memory=memory_types.memory_of(state.memory, view),
        reason=state.reason,
        is_corrected=state.is_corrected,
    )

"""Reading memories: by id, as a version of a truth, page by page, and what became of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Annotated

import strawberry

from graph_memory.api.arguments import After, AsOf, First, KnownAt, Last, MemoryId, Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.history_types import MemoryStateConnection, state_connection
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Memory, MemoryConnection, MemoryEdge, load_memory, memory_of
from graph_memory.api.mirror import mirror
from graph_memory.api.paging import DEFAULT, PageInfo, place, size
from graph_memory.memory import reading, retirement


@strawberry.type(description="Why a memory is no longer current, or that it still is.")
class Retirement:
    memory: Memory = strawberry.field(description="The memory that was asked about.")
    is_retired: bool = strawberry.field(description="Whether it is no longer current.")
    explanation: str = strawberry.field(description="The answer in a sentence.")
    by: Memory | None = strawberry.field(description="The memory that took its place.")
    reason: str | None = strawberry.field(description="The reason that was given.")
    at: datetime | None = strawberry.field(description="When that was recorded.")
    actor: str | None = strawberry.field(description="Who did it.")
    change_sequence: int | None = strawberry.field(description="The change in the ledger that did it.")


@strawberry.type
class MemoryQuery:
    @reads(
        "A memory, live or past, as it was then; null when it is missing, someone else's or not yet known."
    )
    async def memory(
        self, info: Info, id: MemoryId, as_of: AsOf = None, known_at: KnownAt = None, subject: Subject = None
    ) -> Memory | None:
        view = info.context.view(subject, as_of, known_at)
        return await load_memory(info, view, uuid_of("Memory", id))

    @reads("The version of this truth that answers at the moment; the id may be that of any version.")
    async def memory_version(
        self, info: Info, id: MemoryId, as_of: AsOf = None, known_at: KnownAt = None, subject: Subject = None
    ) -> Memory | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        found = await context.call(
            reading.version, context.service, view.scope, uuid_of("Memory", id), view.moment
        )
        return None if found is None else memory_of(found, view)

    @reads(
        "Memories in the order they were stored, newest first; summaries of communities only by their kind, `summary`."
    )
    async def memories(
        self,
        info: Info,
        first: First = DEFAULT,
        after: After = None,
        last: Last = None,
        kind: Annotated[str | None, strawberry.argument(description="Only of this kind.")] = None,
        tag: Annotated[str | None, strawberry.argument(description="Only with this tag.")] = None,
        include_past: Annotated[
            bool, strawberry.argument(description="Whether memories that are retired at the moment come too.")
        ] = False,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> MemoryConnection | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        wanted, begin = size(first, last), place(after)
        page = await context.call(
            reading.browse, context.service, view.scope, wanted, begin, view.moment, kind, tag, include_past
        )
        counting = partial(reading.count, context.service, view.scope, view.moment, kind, tag, include_past)
        return _connection(page, view, counting)

    @reads(
        "Every recorded state of every version of this truth, oldest first; null when the memory is missing.",
    )
    async def history(
        self, info: Info, id: MemoryId, first: First = DEFAULT, after: After = None, subject: Subject = None
    ) -> MemoryStateConnection | None:
        view = info.context.view(subject)
        states = await info.context.loaders.histories.load((view, uuid_of("Memory", id)))
        return state_connection(view, states, first, after) if states else None

    @reads(
        "Why a memory is no longer current; null when it is missing or someone else's.", missing_is_null=True
    )
    async def why_retired(self, info: Info, id: MemoryId, subject: Subject = None) -> Retirement | None:
        context, view = info.context, info.context.view(subject)
        found = await context.call(retirement.why_retired, context.service, view.scope, uuid_of("Memory", id))
        return mirror(
            Retirement,
            found,
            memory=memory_of(found.memory, view),
            by=memory_of(found.by, view) if found.by else None,
        )


def _connection(page: reading.Page, view: View, counting: Callable[[], int]) -> MemoryConnection:
    edges = [MemoryEdge(cursor=reading.cursor_of(item), node=memory_of(item, view)) for item in page.items]
    return MemoryConnection(
        counting=counting,
        edges=edges,
        nodes=[edge.node for edge in edges],
        page_info=PageInfo(
            has_next_page=page.next is not None, end_cursor=edges[-1].cursor if edges else None
        ),
    )

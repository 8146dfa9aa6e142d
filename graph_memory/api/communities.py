"""Communities: what a subject's memories are about, and what changed in that."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated

import strawberry

from graph_memory.api.arguments import After, First, Subject
from graph_memory.api.community_types import Community, community_of
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.paging import DEFAULT, Counted, PageInfo, place, size
from graph_memory.memory import community_reading as reading


@strawberry.input(description="Which communities are wanted.")
class CommunityFilter:
    name: str | None = strawberry.field(default=None, description="What their name holds, in any case.")
    changed_since: datetime | None = strawberry.field(
        default=None, description="Only those that were born, changed or ended since."
    )
    min_size: int = strawberry.field(default=0, description="How many members they have at least.")
    ended: bool | None = strawberry.field(
        default=None,
        description="Only those that have ended, or only those that stand. Missing: those that stand, and with "
        "`changedSince` both.",
    )


@strawberry.type(description="A community and its place in the order.")
class CommunityEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Community = strawberry.field(description="The community.")


@strawberry.type(description="A page of communities, the last changed first.")
class CommunityConnection(Counted):
    edges: list[CommunityEdge] = strawberry.field(description="The communities with their cursors.")
    nodes: list[Community] = strawberry.field(description="The communities alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type
class CommunityQuery:
    @reads("What memories are about: communities that jobs have found, the last changed first.")
    async def communities(
        self,
        info: Info,
        filter: Annotated[
            CommunityFilter | None,
            strawberry.argument(description="Which ones; all that stand when missing."),
        ] = None,
        first: First = DEFAULT,
        after: After = None,
        subject: Subject = None,
    ) -> CommunityConnection | None:
        context, view = info.context, info.context.view(subject)
        wanted = filter or CommunityFilter()
        asked = (wanted.name, wanted.changed_since, wanted.min_size, wanted.ended)
        page = await context.call(
            reading.page, context.service, view.scope, size(first), place(after), *asked
        )
        nodes = [community_of(each, view) for each in page.items]
        edges = [CommunityEdge(cursor=at, node=node) for at, node in zip(page.cursors, nodes, strict=True)]
        end = page.cursors[-1] if page.cursors else None
        return CommunityConnection(
            counting=partial(reading.count, context.service, view.scope, *asked),
            edges=edges,
            nodes=nodes,
            page_info=PageInfo(has_next_page=page.has_next, end_cursor=end),
        )

    @reads(
        "A community, also one that has ended; null when it is missing or someone else's.",
        missing_is_null=True,
    )
    async def community(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="A community: its id or uuid.")],
        subject: Subject = None,
    ) -> Community | None:
        context, view = info.context, info.context.view(subject)
        found = await context.call(reading.get, context.service, view.scope, uuid_of("Community", id))
        return community_of(found, view)

"""Following links: neighbours, the way between two memories, the graph around some; causes, and what rests on what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import strawberry

from graph_memory.api.arguments import AsOf, ChangeInput, KnownAt, MemoryId, Subject
from graph_memory.api.changing import MOST, memories_after
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, reads, writes
from graph_memory.api.global_ids import uuid_of, uuids_of
from graph_memory.api.link_types import Kinds, WhichWay
from graph_memory.api.loaders import View
from graph_memory.api.memory_link_types import MemoryLink, link_of
from graph_memory.api.memory_types import Memory, memory_of
from graph_memory.api.paging import DEFAULT, size
from graph_memory.base.errors import Invalid
from graph_memory.memory import causes as causing
from graph_memory.memory import traversal
from graph_memory.memory.reading import Link
from graph_memory.store import subjects

_LARGEST_GRAPH = 300

Depth = Annotated[
    int | None,
    strawberry.argument(description="How many hops: 1 is direct neighbours; 3 when missing, 5 at most."),
]
Hops = Annotated[int, strawberry.argument(description="How many hops are followed, 1 to 10.")]
Size = Annotated[int | None, strawberry.argument(description="How many memories at most: 1 to 100.")]
Archived = Annotated[
    bool, strawberry.argument(description="Whether archived and merged memories are met as well.")
]
Ended = Annotated[
    bool, strawberry.argument(description="Whether memories that no longer hold are met as well.")
]


@strawberry.type(description="A memory that was reached, and how.")
class Neighbour:
    memory: Memory = strawberry.field(description="The memory.")
    depth: int = strawberry.field(description="How many hops away it is by the shortest way.")
    links: list[MemoryLink] = strawberry.field(description="The links that led to it from the hop before.")


@strawberry.type(description="The memories around one, nearest first.")
class NeighbourResult:
    items: list[Neighbour] = strawberry.field(description="The memories, each once.")
    truncated: bool = strawberry.field(description="Whether there are more than were asked for or read.")


@strawberry.type(description="A shortest way between two memories; empty when there is none.")
class PathResult:
    nodes: list[Memory] = strawberry.field(description="The memories along it, both ends included.")
    edges: list[MemoryLink] = strawberry.field(description="The links between them, in the same order.")
    truncated: bool = strawberry.field(
        description="Whether the search was cut short, so that an empty way does not mean that there is none."
    )


@strawberry.type(description="Memories and the links between them, flat, as a picture needs them.")
class SubgraphResult:
    nodes: list[Memory] = strawberry.field(description="The memories, those that were named first.")
    edges: list[MemoryLink] = strawberry.field(description="The links between these memories.")
    truncated: bool = strawberry.field(description="Whether there is more around them.")


@strawberry.type(description="A memory along CAUSES.")
class Cause:
    memory: Memory = strawberry.field(description="The memory.")
    depth: int = strawberry.field(description="How many hops away it is.")
    links: list[MemoryLink] = strawberry.field(description="The links that led to it from the hop before.")
    is_last: bool = strawberry.field(
        description="Whether nothing known lies beyond it: a root cause, or a last consequence."
    )


@strawberry.type(description="What led to a memory, or what it led to, nearest first.")
class CauseResult:
    items: list[Cause] = strawberry.field(description="The memories, each once.")
    truncated: bool = strawberry.field(description="Whether there are more than were asked for or read.")


@strawberry.input(description="Which memory is in doubt, and why.")
class QuarantineMemoryInput(ChangeInput):
    id: strawberry.ID = strawberry.field(description="The memory: its id or uuid.")


@strawberry.type(description="The answer of quarantineMemory.")
class QuarantineMemoryPayload(Payload):
    memories: list[Memory] = strawberry.field(
        default_factory=list,
        description=f"What was taken out of answers, as it is now; at most {MOST} are shown.",
    )
    archived: int = strawberry.field(default=0, description="How many were taken out of answers.")
    truncated: bool = strawberry.field(default=False, description="Whether more rests on it than was read.")


@strawberry.type
class TraversalQuery:
    @reads(
        "The memories that links lead to, nearest first; null when the memory is missing.",
        missing_is_null=True,
    )
    async def neighbours(
        self,
        info: Info,
        id: MemoryId,
        kinds: Kinds = None,
        direction: WhichWay = traversal.Direction.BOTH,
        depth: Depth = None,
        min_strength: Annotated[
            float, strawberry.argument(description="Links below this strength are not followed.")
        ] = 0.0,
        min_confidence: Annotated[
            float, strawberry.argument(description="Links below this confidence are not followed.")
        ] = 0.0,
        first: Size = DEFAULT,
        include_archived: Archived = False,
        include_past: Ended = False,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> NeighbourResult | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        found = await context.call(
            traversal.neighbours,
            context.service,
            view.scope,
            uuid_of("Memory", id),
            kinds,
            direction,
            depth,
            min_strength,
            min_confidence,
            view.moment,
            include_archived,
            include_past,
            size(first),
        )
        return NeighbourResult(
            items=[_neighbour(each, view) for each in found.items], truncated=found.truncated
        )

    neighbors = reads(
        "The same as `neighbours`, as American English spells it.",
        missing_is_null=True,
        deprecated="Ask `neighbours`.",
    )(neighbours.base_resolver.wrapped_func)

    @reads(
        "A shortest way between two memories, links followed either way; null when one is missing.",
        missing_is_null=True,
    )
    async def path(
        self,
        info: Info,
        from_: Annotated[
            strawberry.ID, strawberry.argument(name="from", description="One end: a memory's id or uuid.")
        ],
        to: Annotated[
            strawberry.ID, strawberry.argument(description="The other end: a memory's id or uuid.")
        ],
        max_hops: Annotated[int, strawberry.argument(description="How long it may be, 1 to 6 hops.")] = 6,
        kinds: Kinds = None,
        include_archived: Archived = False,
        include_past: Ended = False,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> PathResult | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        found = await context.call(
            traversal.path,
            context.service,
            view.scope,
            uuid_of("Memory", from_, "from"),
            uuid_of("Memory", to, "to"),
            max_hops,
            kinds,
            view.moment,
            include_archived,
            include_past,
        )
        return PathResult(
            nodes=[memory_of(each, view) for each in found.nodes],
            edges=_links(found.edges, view),
            truncated=found.truncated,
        )

    @reads(
        "The named memories, what lies around them, and all links between these; null when one is missing.",
        missing_is_null=True,
    )
    async def subgraph(
        self,
        info: Info,
        ids: Annotated[
            list[strawberry.ID], strawberry.argument(description="Ids or uuids of memories, at most 100.")
        ],
        depth: Annotated[int, strawberry.argument(description="Hops around each, 0 to 3.")] = 1,
        kinds: Kinds = None,
        first: Annotated[
            int, strawberry.argument(description=f"How many memories at most: 1 to {_LARGEST_GRAPH}.")
        ] = MOST,
        include_archived: Archived = False,
        include_past: Ended = False,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> SubgraphResult | None:
        if not 1 <= first <= _LARGEST_GRAPH:
            raise Invalid(f"first is {first}; it must lie between 1 and {_LARGEST_GRAPH}.", path="first")
        if len(ids) > MOST:
            raise Invalid(f"{len(ids)} ids were given, at most {MOST} are allowed.", path="ids")
        context, view = info.context, info.context.view(subject, as_of, known_at)
        found = await context.call(
            traversal.subgraph,
            context.service,
            view.scope,
            uuids_of("Memory", ids, "ids"),
            depth,
            kinds,
            view.moment,
            include_archived,
            include_past,
            first,
        )
        return SubgraphResult(
            nodes=[memory_of(each, view) for each in found.nodes],
            edges=_links(found.edges, view),
            truncated=found.truncated,
        )

    @reads(
        "What led to a memory, along CAUSES, nearest first; null when it is missing.", missing_is_null=True
    )
    async def causes(
        self,
        info: Info,
        id: MemoryId,
        depth: Hops = causing.MAX_DEPTH,
        first: Size = DEFAULT,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> CauseResult | None:
        context, view, most = info.context, info.context.view(subject, as_of, known_at), size(first)
        found = await context.call(
            causing.causes, context.service, view.scope, uuid_of("Memory", id), depth, view.moment
        )
        return _causes(found, view, most)

    @reads(
        "What a memory led to, along CAUSES, nearest first; null when it is missing.", missing_is_null=True
    )
    async def consequences(
        self,
        info: Info,
        id: MemoryId,
        depth: Hops = causing.MAX_DEPTH,
        first: Size = DEFAULT,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> CauseResult | None:
        context, view, most = info.context, info.context.view(subject, as_of, known_at), size(first)
        found = await context.call(
            causing.consequences, context.service, view.scope, uuid_of("Memory", id), depth, view.moment
        )
        return _causes(found, view, most)

    @reads(
        "If this memory is wrong, what else falls: what was made of it and what it caused; null when it is missing.",
        missing_is_null=True,
    )
    async def impact(
        self,
        info: Info,
        id: MemoryId,
        depth: Hops = causing.MAX_DEPTH,
        first: Size = DEFAULT,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> NeighbourResult | None:
        context, view, most = info.context, info.context.view(subject, as_of, known_at), size(first)
        found = await context.call(
            causing.impact, context.service, view.scope, uuid_of("Memory", id), depth, view.moment
        )
        items = [_neighbour(each, view) for each in found.items[:most]]
        return NeighbourResult(items=items, truncated=found.truncated or len(found.items) > most)


@strawberry.type
class QuarantineMutation:
    @writes(
        "Takes a memory in doubt and all that rests on it out of answers, as one change that `undo` takes back.",
        QuarantineMemoryPayload,
    )
    async def quarantine_memory(
        self,
        info: Info,
        input: Annotated[QuarantineMemoryInput, strawberry.argument(description="Which memory, and why.")],
    ) -> QuarantineMemoryPayload | None:
        context, id = info.context, uuid_of("Memory", input.id)
        call = await context.change_call(input, subjects.of_memory, id)
        done, answer = await context.call(causing.quarantine, context.service, call, id, input.reason)
        return QuarantineMemoryPayload(
            memories=await memories_after(info, call, done.archived[:MOST]),
            archived=len(done.archived),
            truncated=done.truncated,
            replayed=answer.replayed,
        )


def _neighbour(found: traversal.Neighbour, view: View) -> Neighbour:
    return Neighbour(memory=memory_of(found.memory, view), depth=found.depth, links=_links(found.links, view))


def _causes(found: causing.Causes, view: View, most: int) -> CauseResult:
    items = [
        Cause(
            memory=memory_of(each.memory, view),
            depth=each.depth,
            links=_links(each.links, view),
            is_last=each.is_last,
        )
        for each in found.items[:most]
    ]
    return CauseResult(items=items, truncated=found.truncated or len(found.items) > most)


def _links(links: Sequence[Link], view: View) -> list[MemoryLink]:
    return [link_of(link, view) for link in links]

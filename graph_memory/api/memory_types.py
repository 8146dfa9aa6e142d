"""A memory and what hangs on it. Nested fields keep to the scope and the moment of their root."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime

import strawberry
from strawberry.scalars import JSON

# Whole, since they import this one.
from graph_memory.api import community_types, entity_types, history_types, memory_link_types, passage_types
from graph_memory.api.arguments import After, First
from graph_memory.api.context import Info
from graph_memory.api.fields import nested
from graph_memory.api.global_ids import to_global
from graph_memory.api.link_types import Kinds, WhichWay, chosen
from graph_memory.api.loaders import Pages, View
from graph_memory.api.mirror import mirror
from graph_memory.api.node import Node
from graph_memory.api.paging import DEFAULT, FEW, Counted, PageInfo, few
from graph_memory.api.references import (
    ClaimRef,
    CommunityRef,
    EntityRef,
    LinkRef,
    PassageRef,
    SharingRef,
    StatesRef,
)
from graph_memory.api.scalars import Uuid
from graph_memory.api.score_types import MemoryScore, score_of
from graph_memory.memory import reading
from graph_memory.memory.traversal import Direction
from graph_memory.model import memory as model
from graph_memory.model.link_kinds import LinkKind


@strawberry.type(description="Where a statement comes from.")
class Source:
    kind: model.SourceKind = strawberry.field(description="What kind of source it is.")
    ref: str | None = strawberry.field(description="The caller's own name for it, for example a turn's id.")
    author: str | None = strawberry.field(description="Who said it.")


@strawberry.type(description="One statement worth keeping, as it was at the moment that the root asked for.")
class Memory(Node):
    view: strawberry.Private[View]
    subject_id: strawberry.Private[str]
    uuid: Uuid = strawberry.field(description="Its id as the store knows it.")
    text: str = strawberry.field(description="The statement.")
    caption: str = strawberry.field(description="The statement on one line of at most 40 characters.")
    heading: str = strawberry.field(
        description="What is said about it before the text: speaker, date; may be empty."
    )
    kind: str = strawberry.field(
        description="What kind of statement it is, one open word: fact, preference, ..."
    )
    tags: list[str] = strawberry.field(description="The caller's tags, sorted, in lower case.")
    labels: list[str] = strawberry.field(
        description="What screening saw in it: `suspicious`, `masked`, `secret:password`, `personal:email`, ..."
    )
    metadata: JSON = strawberry.field(description="The caller's own flat map of texts, numbers and booleans.")
    status: model.Status = strawberry.field(description="What was decided about it.")
    confidence: float = strawberry.field(description="How sure its source was, 0 to 1.")
    importance: float = strawberry.field(
        description="How much it matters now, 0 to 1; fades and is earned again."
    )
    base_importance: float = strawberry.field(description="How much it mattered when it was stored, 0 to 1.")
    retention: float | None = strawberry.field(
        description="How well it is kept, 0 to 1, as it was stored last; `score` tells it as of now."
    )
    tier: str = strawberry.field(description="How near at hand it is kept: HOT, WARM, COLD or ARCHIVED.")
    feedback: float = strawberry.field(
        description="What people said of it, -1 to 1; it counts where it was given a weight."
    )
    critical: bool = strawberry.field(description="Whether its importance never falls below a floor.")
    pinned: bool = strawberry.field(description="Whether it always stays near at hand.")
    access_count: int = strawberry.field(description="How often it was recalled.")
    last_accessed_at: datetime | None = strawberry.field(description="When it was last recalled.")
    happens_at: datetime | None = strawberry.field(
        description="When what it tells of takes place; a whole day as its midnight in UTC."
    )
    expires_at: datetime | None = strawberry.field(description="When it stops being of use.")
    valid_from: datetime = strawberry.field(description="From when on it holds in the world.")
    valid_to: datetime | None = strawberry.field(
        description="Until when it holds, exclusive; null while open."
    )
    recorded_from: datetime = strawberry.field(description="From when on this state was believed.")
    recorded_to: datetime | None = strawberry.field(
        description="Until when it was believed, exclusive; null while open."
    )
    created_at: datetime = strawberry.field(description="When the memory was first stored.")
    updated_at: datetime = strawberry.field(description="When it was last changed.")
    chain_id: Uuid = strawberry.field(description="What all versions of this truth share.")
    session_id: str | None = strawberry.field(
        description="Your session in which it was said; of what was read out of a conversation, its segment."
    )
    agent_id: str | None = strawberry.field(description="The caller's agent that stored it.")
    source: Source = strawberry.field(description="Where the statement comes from.")
    trust: model.Trust = strawberry.field(
        description="How far it is trusted: what its source is, and whether a person stands for it."
    )
    confirmed_at: datetime | None = strawberry.field(
        description="When a person confirmed what a tool, an agent or the web had said; null when nobody has."
    )
    is_revision: bool = strawberry.field(
        description="Whether this is a former state, not the last recorded one."
    )

    @nested("Whose it is, as the argument `subject` takes it; null when that was erased meanwhile.")
    async def subject(self, info: Info) -> str | None:
        return await info.context.loaders.subject_names.load((View(self.view.scope), self.subject_id))

    @nested("What was said where it was taken from, in that order; none where it was given as a statement.")
    async def passages(self, info: Info, first: First = FEW) -> list[PassageRef]:
        found = await info.context.loaders.passages.load((self.view, self.uuid))
        return [passage_types.passage_of(each, self.view) for each in few(found, first)]

    @nested("Its scores as of now with their parts: why its importance is what it is.")
    async def score(self, info: Info) -> MemoryScore | None:
        told = await info.context.loaders.scores.load((self.view, self.uuid))
        return None if told is None else score_of(told)

    @nested("What the statement mentions.")
    async def entities(self, info: Info, first: First = FEW) -> list[EntityRef]:
        rows = await info.context.loaders.entities.load((self.view, self.uuid))
        return [entity_types.entity_of(row, self.view) for row in few(rows, first)]

    @nested("What it states, and of what; null where nothing was read in it.")
    async def claim(self, info: Info) -> ClaimRef | None:
        found = await info.context.loaders.claims.load((self.view, self.uuid))
        return None if found is None else entity_types.claim_of(found, self.view)

    @nested("The community that it is in now, or that it sums up; null where it is in none.")
    async def community(self, info: Info) -> CommunityRef | None:
        uuid = await info.context.loaders.community_of.load((self.view, self.uuid))
        return None if uuid is None else await community_types.load_community(info, self.view, uuid)

    @nested("The links from and to this memory, but for what merely shares an entity.")
    async def links(
        self,
        info: Info,
        kinds: Kinds = None,
        direction: WhichWay = Direction.BOTH,
        first: First = FEW,
    ) -> list[LinkRef]:
        return await self._chosen(info, kinds, direction, first)

    @nested("The links from this memory to others.")
    async def outbound_links(self, info: Info, kinds: Kinds = None, first: First = FEW) -> list[LinkRef]:
        return await self._chosen(info, kinds, Direction.OUT, first)

    @nested("The links from others to this memory.")
    async def inbound_links(self, info: Info, kinds: Kinds = None, first: First = FEW) -> list[LinkRef]:
        return await self._chosen(info, kinds, Direction.IN, first)

    @nested("The memories that mention the same rare things, the most telling first.")
    async def sharing(self, info: Info, first: First = FEW) -> list[SharingRef]:
        found = await info.context.loaders.shared.load((self.view, self.uuid))
        return [memory_link_types.sharing_of(shared, self.view) for shared in few(found, first)]

    @nested("The links to what this memory superseded: the versions before it.")
    async def predecessors(self, info: Info, first: First = FEW) -> list[LinkRef]:
        found = [link for link in await self._links(info) if _supersedes(link) and link.from_id == self.uuid]
        return [memory_link_types.link_of(link, self.view) for link in few(found, first)]

    @nested("The links from what superseded this memory: the versions after it.")
    async def successors(self, info: Info, first: First = FEW) -> list[LinkRef]:
        found = [link for link in await self._links(info) if _supersedes(link) and link.to_id == self.uuid]
        return [memory_link_types.link_of(link, self.view) for link in few(found, first)]

    @nested("Every recorded state of every version of this truth, oldest first.")
    async def history(self, info: Info, first: First = DEFAULT, after: After = None) -> StatesRef:
        states = await info.context.loaders.histories.load((self.view, self.uuid))
        return history_types.state_connection(self.view, states, first, after)

    async def _chosen(
        self, info: Info, kinds: list[LinkKind] | None, direction: Direction, first: int | None
    ) -> list[LinkRef]:
        found = chosen(await self._links(info), self.uuid, kinds, direction)
        return [memory_link_types.link_of(link, self.view) for link in few(found, first)]

    async def _links(self, info: Info) -> list[reading.Link]:
        return await info.context.loaders.links.load((self.view, self.uuid))


@strawberry.type(description="A memory and its place in the order.")
class MemoryEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Memory = strawberry.field(description="The memory.")


@strawberry.type(description="A page of memories, newest first.")
class MemoryConnection(Counted):
    edges: list[MemoryEdge] = strawberry.field(description="The memories with their cursors.")
    nodes: list[Memory] = strawberry.field(description="The memories alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


async def load_memory(info: Info, view: View, uuid: str) -> Memory | None:
    """The memory as the view sees it, or None; all that are asked for together are read at once."""
    found = await info.context.loaders.memories.load((view, uuid))
    return None if found is None else memory_of(found, view)


def memory_of(memory: model.Memory, view: View) -> Memory:
    """A memory of the domain as the schema's type."""
    return mirror(
        Memory,
        memory,
        view=view,
        id=strawberry.ID(to_global("Memory", memory.id)),
        uuid=Uuid(memory.id),
        metadata=JSON(dict(memory.metadata)),
        source=mirror(Source, memory.source),
    )


async def some_of(info: Info, view: View, ids: Sequence[str]) -> list[Memory]:
    """The memories of these ids that the view sees."""
    found = await asyncio.gather(*(load_memory(info, view, id) for id in ids))
    return [each for each in found if each is not None]


async def page_of(info: Info, pages: Pages, found: Sequence[tuple[str, str]]) -> MemoryConnection:
    """The page of those that were found by their ids and cursors, one more of them where there is another page."""
    some = found[: pages.first]
    nodes = await asyncio.gather(*(load_memory(info, pages.view, id) for id, _ in some))
    edges = [
        MemoryEdge(cursor=at, node=node)
        for node, (_, at) in zip(nodes, some, strict=True)
        if node is not None
    ]
    return MemoryConnection(
        counting=None,
        edges=edges,
        nodes=[edge.node for edge in edges],
        page_info=PageInfo(has_next_page=len(found) > len(some), end_cursor=some[-1][1] if some else None),
    )


def _supersedes(link: reading.Link) -> bool:
    return link.kind == "SUPERSEDES"

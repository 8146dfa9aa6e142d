"""A memory, what hangs on it, and the community that it is in. Nested fields keep to the scope and the moment of their root."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime

import strawberry
from strawberry.scalars import JSON

from graph_memory.api.arguments import After, AsOf, First
from graph_memory.api.context import Info
from graph_memory.api.fields import nested
from graph_memory.api.global_ids import to_global
from graph_memory.api.histories import cursor_of, cut
from graph_memory.api.link_types import Kinds, WhichWay, chosen
from graph_memory.api.loaders import Pages, View
from graph_memory.api.mirror import mirror
from graph_memory.api.node import Node
from graph_memory.api.paging import DEFAULT, FEW, Counted, PageInfo, few, place, size
from graph_memory.api.scalars import Uuid
from graph_memory.api.score_types import MemoryScore, score_of
from graph_memory.language.claim_reading import ValueKind
from graph_memory.memory import attribute_reading, community_reading, reading
from graph_memory.memory.sharing import Shared
from graph_memory.memory.traversal import Direction
from graph_memory.model import memory as model
from graph_memory.model.claim import Polarity
from graph_memory.model.community import CommunityChange
from graph_memory.model.link_kinds import LinkKind
from graph_memory.recall import passages
from graph_memory.store.service import Row


@strawberry.type(description="Where a statement comes from.")
class Source:
    kind: model.SourceKind = strawberry.field(description="What kind of source it is.")
    ref: str | None = strawberry.field(description="The caller's own name for it, for example a turn's id.")
    author: str | None = strawberry.field(description="Who said it.")


@strawberry.type(description="A person, place, product or other thing that memories mention.")
class Entity(Node):
    view: strawberry.Private[View]
    uuid: Uuid = strawberry.field(description="Its id as the store knows it.")
    name: str = strawberry.field(description="Its name as it was first written, or as a person corrected it.")
    type: str = strawberry.field(description="What it is: PERSON, PLACE, ... or UNKNOWN.")
    key: str = strawberry.field(description="What makes two spellings one entity.")
    discriminator: str = strawberry.field(description="What tells it from a namesake; mostly empty.")
    aliases: list[str] = strawberry.field(description="Other names that mean it.")
    alias_of: Uuid | None = strawberry.field(description="The entity that it was merged into.")
    link_count: int = strawberry.field(description="How many memories mention it.")
    first_seen: datetime = strawberry.field(description="When a memory first mentioned it.")
    last_seen: datetime = strawberry.field(description="When a new memory last mentioned it.")

    @nested("The memories that mention it, newest first.")
    async def memories(self, info: Info, first: First = DEFAULT, after: After = None) -> MemoryConnection:
        wanted = size(first)
        pages = Pages(self.view, wanted, place(after))
        found = await info.context.loaders.entity_memories.load((pages, self.uuid))
        nodes = await asyncio.gather(*(load_memory(info, self.view, id) for id, _ in found[:wanted]))
        edges = [
            MemoryEdge(cursor=at, node=node)
            for node, (_, at) in zip(nodes, found, strict=False)
            if node is not None
        ]
        end = found[:wanted][-1][1] if found else None
        return MemoryConnection(
            counting=None,
            edges=edges,
            nodes=[edge.node for edge in edges],
            page_info=PageInfo(has_next_page=len(found) > wanted, end_cursor=end),
        )

    @nested("What is stated of it, by name: where somebody lives, what something costs.")
    async def attributes(self, info: Info, first: First = DEFAULT) -> list[Attribute]:
        pages = Pages(self.view, size(first), None)
        found = await info.context.loaders.attributes.load((pages, self.uuid))
        at = self.view.moment.at(info.context.service.clock())[0]
        return [Attribute(view=self.view, at=at, told=each, name=each.name) for each in found]

    @nested("What memories state of it and another entity, in both directions.")
    async def relations(self, info: Info, first: First = FEW) -> list[EntityRelation]:
        found = await info.context.loaders.relations.load((self.view, self.uuid))
        return [
            EntityRelation(
                view=self.view,
                from_uuid=each.from_id,
                to_uuid=each.to_id,
                memory_uuids=list(each.memories),
                type=each.type,
                strength=each.strength,
            )
            for each in few(found, first)
        ]


@strawberry.type(description="One attribute of an entity, and what is stated of it.")
class Attribute:
    view: strawberry.Private[View]
    at: strawberry.Private[datetime]
    told: strawberry.Private[attribute_reading.Attribute]
    name: str = strawberry.field(description="What it is: live in, budget, dog is called, ...")

    @nested("What is so at the moment, latest first; several where nothing says that one excludes the other.")
    async def current(self, first: First = FEW) -> list[StatedValue]:
        return [stated_of(each, self.view) for each in few(self.told.current(self.at), first)]

    @nested("What is and was so, latest first, of the latest 100.")
    async def history(self, first: First = FEW, as_of: AsOf = None) -> list[StatedValue]:
        return [stated_of(each, self.view) for each in few(self.told.history(as_of), first)]


@strawberry.type(description="A value of an attribute, as a memory states it.")
class StatedValue:
    view: strawberry.Private[View]
    memory_uuid: strawberry.Private[str]
    value: str = strawberry.field(description="The value, in the words of the statement.")
    value_kind: ValueKind = strawberry.field(description="What kind of value it is.")
    unit: str | None = strawberry.field(description="What an amount counts.")
    polarity: Polarity = strawberry.field(description="Whether it is said to be so or not to be so.")
    valid_from: datetime = strawberry.field(description="From when on it holds.")
    valid_to: datetime | None = strawberry.field(
        description="Until when it holds, exclusive; null while open."
    )

    @nested("The memory that states it.")
    async def memory(self, info: Info) -> Memory | None:
        return await load_memory(info, View(self.view.scope), self.memory_uuid)


@strawberry.type(description="What a memory states of something.")
class Claim:
    view: strawberry.Private[View]
    entity_uuid: strawberry.Private[str]
    attribute: str = strawberry.field(description="Which attribute: live in, budget, dog is called, ...")
    value: str = strawberry.field(description="The value, in the words of the statement.")
    value_kind: ValueKind = strawberry.field(description="What kind of value it is.")
    unit: str | None = strawberry.field(description="What an amount counts.")
    polarity: Polarity = strawberry.field(description="Whether it is said to be so or not to be so.")

    @nested("What it is stated of.")
    async def entity(self, info: Info) -> Entity | None:
        return await load_entity(info, self.view, self.entity_uuid)


@strawberry.type(
    description="What memories state of two entities, read from `from` to `to`: Ann WORKS_AT Acme."
)
class EntityRelation:
    view: strawberry.Private[View]
    from_uuid: strawberry.Private[str]
    to_uuid: strawberry.Private[str]
    memory_uuids: strawberry.Private[list[str]]
    type: str = strawberry.field(description="What it is: WORKS_AT, LIVES_IN, PARENT_OF, ...")
    strength: float = strawberry.field(description="How surely it is stated, 0 to 1.")

    @nested("The entity that it starts from.", name="from")
    async def from_(self, info: Info) -> Entity | None:
        return await load_entity(info, self.view, self.from_uuid)

    @nested("The entity that it leads to.")
    async def to(self, info: Info) -> Entity | None:
        return await load_entity(info, self.view, self.to_uuid)

    @nested("The memories that state it, oldest first.")
    async def memories(self, info: Info, first: First = FEW) -> list[Memory]:
        ids = few(self.memory_uuids, first)
        found = await asyncio.gather(*(load_memory(info, self.view, id) for id in ids))
        return [each for each in found if each is not None]


@strawberry.type(description="A typed link between two memories, read from `from` to `to`.")
class MemoryLink:
    view: strawberry.Private[View]
    from_uuid: strawberry.Private[str]
    to_uuid: strawberry.Private[str]
    uuid: Uuid = strawberry.field(description="The link's id as the store knows it.")
    kind: LinkKind = strawberry.field(description="What it says.")
    reason: str = strawberry.field(description="Why it was made; may be empty.")
    confidence: float = strawberry.field(description="How sure its maker was, 0 to 1.")
    strength: float = strawberry.field(description="How much the one has to do with the other, 0 to 1.")
    created_at: datetime = strawberry.field(description="When it was made.")
    created_by: str = strawberry.field(description="Who made it.")

    @nested("The memory that it starts from; null when it was not yet known then.", name="from")
    async def from_(self, info: Info) -> Memory | None:
        return await load_memory(info, self.view, self.from_uuid)

    @nested("The memory that it leads to; null when it was not yet known then.")
    async def to(self, info: Info) -> Memory | None:
        return await load_memory(info, self.view, self.to_uuid)


@strawberry.type(description="Another memory that mentions the same things.")
class SharingMemory:
    view: strawberry.Private[View]
    memory_uuid: strawberry.Private[str]
    weight: float = strawberry.field(
        description="How telling that is: the sum over the entities, the rarer the more."
    )
    names: list[str] = strawberry.field(description="What both mention.")

    @nested("The other memory.")
    async def memory(self, info: Info) -> Memory | None:
        return await load_memory(info, self.view, self.memory_uuid)


@strawberry.type(description="What somebody said at one time, as it was said.")
class Passage:
    view: strawberry.Private[View]
    memory_ids: strawberry.Private[tuple[str, ...]]
    uuid: Uuid = strawberry.field(description="The id of the message.")
    text: str = strawberry.field(description="What was said.")
    speaker: str = strawberry.field(description="Who said it.")
    at: datetime = strawberry.field(description="When it was said.")
    role: str | None = strawberry.field(description="user, assistant or tool; null for a person.")
    ref: str | None = strawberry.field(description="Your own name for it.")
    session: str | None = strawberry.field(description="Your name for its session.")
    segment_uuid: Uuid = strawberry.field(description="The stretch of conversation that it stands in.")
    position: int = strawberry.field(description="Its place there, from 0.")

    @nested("The memories that were taken from it.")
    async def memories(self, info: Info, first: First = FEW) -> list[Memory]:
        ids = few(self.memory_ids, first)
        found = await asyncio.gather(*(load_memory(info, self.view, id) for id in ids))
        return [each for each in found if each is not None]


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
    happens_at: datetime | None = strawberry.field(description="When what it tells of takes place.")
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
    session_id: str | None = strawberry.field(description="The caller's session in which it was said.")
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
    async def passages(self, info: Info, first: First = FEW) -> list[Passage]:
        found = await info.context.loaders.passages.load((self.view, self.uuid))
        return [passage_of(each, self.view) for each in few(found, first)]

    @nested("Its scores as of now with their parts: why its importance is what it is.")
    async def score(self, info: Info) -> MemoryScore | None:
        told = await info.context.loaders.scores.load((self.view, self.uuid))
        return None if told is None else score_of(told)

    @nested("What the statement mentions.")
    async def entities(self, info: Info, first: First = FEW) -> list[Entity]:
        rows = await info.context.loaders.entities.load((self.view, self.uuid))
        return [entity_of(row, self.view) for row in few(rows, first)]

    @nested("What it states, and of what; null where nothing was read in it.")
    async def claim(self, info: Info) -> Claim | None:
        found = await info.context.loaders.claims.load((self.view, self.uuid))
        return None if found is None else claim_of(found, self.view)

    @nested("The community that it is in now, or that it sums up; null where it is in none.")
    async def community(self, info: Info) -> Community | None:
        uuid = await info.context.loaders.community_of.load((self.view, self.uuid))
        return None if uuid is None else await load_community(info, self.view, uuid)

    @nested("The links from and to this memory, but for what merely shares an entity.")
    async def links(
        self,
        info: Info,
        kinds: Kinds = None,
        direction: WhichWay = Direction.BOTH,
        first: First = FEW,
    ) -> list[MemoryLink]:
        return await self._chosen(info, kinds, direction, first)

    @nested("The links from this memory to others.")
    async def outbound_links(self, info: Info, kinds: Kinds = None, first: First = FEW) -> list[MemoryLink]:
        return await self._chosen(info, kinds, Direction.OUT, first)

    @nested("The links from others to this memory.")
    async def inbound_links(self, info: Info, kinds: Kinds = None, first: First = FEW) -> list[MemoryLink]:
        return await self._chosen(info, kinds, Direction.IN, first)

    @nested("The memories that mention the same rare things, the most telling first.")
    async def sharing(self, info: Info, first: First = FEW) -> list[SharingMemory]:
        found = await info.context.loaders.shared.load((self.view, self.uuid))
        return [_sharing(self.view, shared) for shared in few(found, first)]

    @nested("The links to what this memory superseded: the versions before it.")
    async def predecessors(self, info: Info, first: First = FEW) -> list[MemoryLink]:
        found = [link for link in await self._links(info) if _supersedes(link) and link.from_id == self.uuid]
        return [link_of(link, self.view) for link in few(found, first)]

    @nested("The links from what superseded this memory: the versions after it.")
    async def successors(self, info: Info, first: First = FEW) -> list[MemoryLink]:
        found = [link for link in await self._links(info) if _supersedes(link) and link.to_id == self.uuid]
        return [link_of(link, self.view) for link in few(found, first)]

    @nested("Every recorded state of every version of this truth, oldest first.")
    async def history(self, info: Info, first: First = DEFAULT, after: After = None) -> MemoryStateConnection:
        states = await info.context.loaders.histories.load((self.view, self.uuid))
        return state_connection(self.view, states, first, after)

    async def _chosen(
        self, info: Info, kinds: list[LinkKind] | None, direction: Direction, first: int | None
    ) -> list[MemoryLink]:
        found = chosen(await self._links(info), self.uuid, kinds, direction)
        return [link_of(link, self.view) for link in few(found, first)]

    async def _links(self, info: Info) -> list[reading.Link]:
        return await info.context.loaders.links.load((self.view, self.uuid))


@strawberry.type(
    description="Memories that say related things; it keeps its id while most of its members stay together."
)
class Community(Node):
    view: strawberry.Private[View]
    uuid: Uuid = strawberry.field(description="Its id as the store knows it.")
    name: str = strawberry.field(description="What its memories speak of and the subject's others do not.")
    size: int = strawberry.field(description="How many members it had when they were last looked for.")
    born_at: datetime = strawberry.field(description="When it was first found.")
    changed_at: datetime = strawberry.field(description="When its members or its name last changed.")
    ended_at: datetime | None = strawberry.field(description="When it ended; null while it stands.")

    @nested("The memories in it that are live, newest first.")
    async def members(self, info: Info, first: First = DEFAULT, after: After = None) -> MemoryConnection:
        wanted = size(first)
        found = await info.context.loaders.community_members.load(
            (Pages(self.view, wanted, place(after)), self.uuid)
        )
        nodes = await asyncio.gather(*(load_memory(info, self.view, id) for id, _ in found[:wanted]))
        edges = [
            MemoryEdge(cursor=at, node=node)
            for node, (_, at) in zip(nodes, found, strict=False)
            if node is not None
        ]
        end = found[:wanted][-1][1] if found else None
        return MemoryConnection(
            counting=None,
            edges=edges,
            nodes=[edge.node for edge in edges],
            page_info=PageInfo(has_next_page=len(found) > wanted, end_cursor=end),
        )

    @nested("What it is about, in a few sentences; null where it has no summary.")
    async def summary(self, info: Info) -> CommunitySummary | None:
        found = await info.context.loaders.community_summaries.load((self.view, self.uuid))
        return None if found is None else summary_of(found, self.view)

    @nested("What became of it and what it came from, newest first.")
    async def lineage(self, info: Info, first: First = FEW) -> list[CommunityEvent]:
        found = await info.context.loaders.community_lineage.load((self.view, self.uuid))
        return [
            mirror(CommunityEvent, each, view=self.view, from_uuid=each.from_id, to_uuid=each.to_id)
            for each in few(found, first)
        ]


@strawberry.type(
    description="What a community is about: a memory beside its members, which stay as they are."
)
class CommunitySummary:
    memory: Memory = strawberry.field(
        description="The summary as a memory: its text, its trust, its history."
    )
    key_facts: list[str] = strawberry.field(description="What must not be lost, one sentence each.")
    decisions: list[str] = strawberry.field(description="What was decided, one sentence each.")
    is_extractive: bool = strawberry.field(
        description="Whether it is made of the members' own sentences; else a language model wrote it."
    )
    written_by: str = strawberry.field(description="The language model that wrote it, or `extraction`.")
    tells_from: datetime = strawberry.field(description="The date of its oldest member.")
    tells_to: datetime = strawberry.field(description="The date of its newest member.")
    is_stale: bool = strawberry.field(
        description="Whether members joined, left or were changed since; the next run writes it anew."
    )


@strawberry.type(description="What became of a community at one time.")
class CommunityEvent:
    view: strawberry.Private[View]
    from_uuid: strawberry.Private[str]
    to_uuid: strawberry.Private[str]
    kind: CommunityChange = strawberry.field(description="What happened.")
    at: datetime = strawberry.field(description="When a run found it.")
    size: int = strawberry.field(description="How many members the community has to which this leads.")
    joined: int = strawberry.field(description="How many of these were not in the one it came from.")
    left: int = strawberry.field(description="How many of that one are not in it.")

    @nested("The community before; null when it was removed since.", name="from")
    async def from_(self, info: Info) -> Community | None:
        return await load_community(info, self.view, self.from_uuid)

    @nested("The community after; the same one unless it split or merged.")
    async def to(self, info: Info) -> Community | None:
        return await load_community(info, self.view, self.to_uuid)


@strawberry.type(description="A memory and its place in the order.")
class MemoryEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Memory = strawberry.field(description="The memory.")


@strawberry.type(description="A page of memories, newest first.")
class MemoryConnection(Counted):
    edges: list[MemoryEdge] = strawberry.field(description="The memories with their cursors.")
    nodes: list[Memory] = strawberry.field(description="The memories alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type(description="One recorded state in a history.")
class MemoryState:
    view: strawberry.Private[View]
    superseded_by_uuid: strawberry.Private[str | None]
    memory: Memory = strawberry.field(description="The memory in that state.")
    reason: str | None = strawberry.field(description="Why it was superseded.")

    @nested("The memory that superseded this one, as it was last recorded.")
    async def superseded_by(self, info: Info) -> Memory | None:
        if self.superseded_by_uuid is None:
            return None
        return await load_memory(info, View(self.view.scope), self.superseded_by_uuid)


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
        memory=memory_of(state.memory, view),
        reason=state.reason,
    )


def link_of(link: reading.Link, view: View) -> MemoryLink:
    """A link of the domain as the schema's type."""
    return mirror(
        MemoryLink,
        link,
        view=view,
        from_uuid=link.from_id,
        to_uuid=link.to_id,
        uuid=Uuid(link.id),
        kind=LinkKind(link.kind),
        reason=link.reason or "",
    )


def _sharing(view: View, shared: Shared) -> SharingMemory:
    return mirror(SharingMemory, shared, view=view, memory_uuid=shared.id)


def _supersedes(link: reading.Link) -> bool:
    return link.kind == "SUPERSEDES"


def stated_of(each: attribute_reading.Stated, view: View) -> StatedValue:
    return mirror(StatedValue, each, view=view, memory_uuid=each.memory_id, value_kind=each.kind)


def claim_of(claim: attribute_reading.Claim, view: View) -> Claim:
    return mirror(Claim, claim, view=view, entity_uuid=claim.entity_id, value_kind=claim.kind)


def entity_of(row: Row, view: View) -> Entity:
    """A row of the domain as the schema's type."""
    return Entity(
        view=view,
        id=strawberry.ID(to_global("Entity", row["id"])),
        uuid=Uuid(row["id"]),
        name=row["name"],
        type=row["type"],
        key=row["key"],
        discriminator=row["discriminator"],
        aliases=list(row["aliases"] or ()),
        alias_of=Uuid(row["alias_of"]) if row["alias_of"] else None,
        link_count=row["link_count"],
        first_seen=row["first_seen"],
        last_seen=row["last_seen"],
    )


async def load_entity(info: Info, view: View, uuid: str) -> Entity | None:
    """The entity, or None."""
    row = await info.context.loaders.entities_by_id.load((view, uuid))
    return None if row is None else entity_of(row, view)


def passage_of(found: passages.Passage, view: View) -> Passage:
    """A passage of the domain as the schema shows it."""
    return Passage(
        view=view,
        memory_ids=found.memory_ids,
        uuid=Uuid(found.id),
        text=found.text,
        speaker=found.speaker,
        at=found.at,
        role=found.role,
        ref=found.ref,
        session=found.session,
        segment_uuid=Uuid(found.segment_id),
        position=found.position,
    )


def community_of(found: community_reading.Community, view: View) -> Community:
    """A community of the domain as the schema's type."""
    return mirror(
        Community, found, view=view, id=strawberry.ID(to_global("Community", found.id)), uuid=Uuid(found.id)
    )


def summary_of(found: community_reading.CommunitySummary, view: View) -> CommunitySummary:
    """A summary of the domain as the schema's type."""
    return mirror(CommunitySummary, found, memory=memory_of(found.memory, view))


async def load_community(info: Info, view: View, uuid: str) -> Community | None:
    """The community, or None; all that are asked for together are read at once."""
    found = await info.context.loaders.communities.load((view, uuid))
    return None if found is None else community_of(found, view)

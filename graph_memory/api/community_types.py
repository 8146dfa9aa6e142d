"""The communities that memories are in. Nested fields keep to the scope and the moment of their root."""

from __future__ import annotations

from datetime import datetime

import strawberry

# Whole, since it imports this one.
from graph_memory.api import memory_types
from graph_memory.api.arguments import After, First
from graph_memory.api.context import Info
from graph_memory.api.fields import nested
from graph_memory.api.global_ids import to_global
from graph_memory.api.loaders import Pages, View
from graph_memory.api.mirror import mirror
from graph_memory.api.node import Node
from graph_memory.api.paging import DEFAULT, FEW, few, place, size
from graph_memory.api.references import MemoriesRef, MemoryRef
from graph_memory.api.scalars import Uuid
from graph_memory.memory import community_reading
from graph_memory.model.community import CommunityChange


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
    async def members(self, info: Info, first: First = DEFAULT, after: After = None) -> MemoriesRef:
        pages = Pages(self.view, size(first), place(after))
        found = await info.context.loaders.community_members.load((pages, self.uuid))
        return await memory_types.page_of(info, pages, found)

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
    memory: MemoryRef = strawberry.field(
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


async def load_community(info: Info, view: View, uuid: str) -> Community | None:
    """The community, or None; all that are asked for together are read at once."""
    found = await info.context.loaders.communities.load((view, uuid))
    return None if found is None else community_of(found, view)


def community_of(found: community_reading.Community, view: View) -> Community:
    """A community of the domain as the schema's type."""
    return mirror(
        Community, found, view=view, id=strawberry.ID(to_global("Community", found.id)), uuid=Uuid(found.id)
    )


def summary_of(found: community_reading.CommunitySummary, view: View) -> CommunitySummary:
    """A summary of the domain as the schema's type."""
    return mirror(CommunitySummary, found, memory=memory_types.memory_of(found.memory, view))

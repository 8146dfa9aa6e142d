"""What a memory is to others: its links, and what mentions the same."""

from __future__ import annotations

from datetime import datetime

import strawberry

# Whole, since it imports this one.
from graph_memory.api import memory_types
from graph_memory.api.context import Info
from graph_memory.api.fields import nested
from graph_memory.api.loaders import View
from graph_memory.api.mirror import mirror
from graph_memory.api.references import MemoryRef
from graph_memory.api.scalars import Uuid
from graph_memory.memory import reading
from graph_memory.memory.sharing import Shared
from graph_memory.model.link_kinds import LinkKind


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
    async def from_(self, info: Info) -> MemoryRef | None:
        return await memory_types.load_memory(info, self.view, self.from_uuid)

    @nested("The memory that it leads to; null when it was not yet known then.")
    async def to(self, info: Info) -> MemoryRef | None:
        return await memory_types.load_memory(info, self.view, self.to_uuid)


@strawberry.type(description="Another memory that mentions the same things.")
class SharingMemory:
    view: strawberry.Private[View]
    memory_uuid: strawberry.Private[str]
    weight: float = strawberry.field(
        description="How telling that is: the sum over the entities, the rarer the more."
    )
    names: list[str] = strawberry.field(description="What both mention.")

    @nested("The other memory.")
    async def memory(self, info: Info) -> MemoryRef | None:
        return await memory_types.load_memory(info, self.view, self.memory_uuid)


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


def sharing_of(shared: Shared, view: View) -> SharingMemory:
    """What shares an entity with a memory, as the schema's type."""
    return mirror(SharingMemory, shared, view=view, memory_uuid=shared.id)

"""Who and what memories mention, and what is stated of them. Nested fields keep to the scope and the moment of their root."""

from __future__ import annotations

from datetime import datetime

import strawberry

# Whole, since it imports this one.
from graph_memory.api import memory_types
from graph_memory.api.arguments import After, AsOf, First
from graph_memory.api.context import Info
from graph_memory.api.fields import nested
from graph_memory.api.global_ids import to_global
from graph_memory.api.loaders import Pages, View
from graph_memory.api.mirror import mirror
from graph_memory.api.node import Node
from graph_memory.api.paging import DEFAULT, FEW, few, place, size
from graph_memory.api.references import MemoriesRef, MemoryRef
from graph_memory.api.scalars import Uuid
from graph_memory.language.claim_reading import ValueKind
from graph_memory.memory import attribute_reading
from graph_memory.model.claim import Polarity
from graph_memory.store.service import Row


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
    async def memories(self, info: Info, first: First = DEFAULT, after: After = None) -> MemoriesRef:
        pages = Pages(self.view, size(first), place(after))
        found = await info.context.loaders.entity_memories.load((pages, self.uuid))
        return await memory_types.page_of(info, pages, found)

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

    @nested("What is, was and is to be so, latest first, of the latest 100.")
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
    async def memory(self, info: Info) -> MemoryRef | None:
        return await memory_types.load_memory(info, self.view, self.memory_uuid)


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
    async def memories(self, info: Info, first: First = FEW) -> list[MemoryRef]:
        return await memory_types.some_of(info, self.view, few(self.memory_uuids, first))


async def load_entity(info: Info, view: View, uuid: str) -> Entity | None:
    """The entity, or None."""
    row = await info.context.loaders.entities_by_id.load((view, uuid))
    return None if row is None else entity_of(row, view)


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


def claim_of(claim: attribute_reading.Claim, view: View) -> Claim:
    """A claim of the domain as the schema's type."""
    return mirror(Claim, claim, view=view, entity_uuid=claim.entity_id, value_kind=claim.kind)


def stated_of(each: attribute_reading.Stated, view: View) -> StatedValue:
    """A stated value of the domain as the schema's type."""
    return mirror(StatedValue, each, view=view, memory_uuid=each.memory_id, value_kind=each.kind)

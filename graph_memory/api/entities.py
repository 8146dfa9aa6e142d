"""Who and what memories are about: finding entities, and putting right which names mean whom."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import strawberry

from graph_memory.api.arguments import (
    After,
    AsOf,
    ChangeInput,
    First,
    KnownAt,
    Subject,
    check_reason_and_key,
)
from graph_memory.api.context import Info
from graph_memory.api.entity_types import Entity, entity_of, load_entity
from graph_memory.api.fields import Payload, nested, reads, writes
from graph_memory.api.global_ids import uuid_of, uuids_of
from graph_memory.api.loaders import View
from graph_memory.api.paging import DEFAULT, Counted, PageInfo, place, size
from graph_memory.base.gathered import Gathered
from graph_memory.curation import entity_edits
from graph_memory.ledger.changes import Call, check_key
from graph_memory.memory import entity_reading
from graph_memory.upkeep import entity_collection

EntityId = Annotated[strawberry.ID, strawberry.argument(description="An entity: its id or uuid.")]


@strawberry.input(description="Which entities are wanted.")
class EntityFilter:
    name: str | None = strawberry.field(default=None, description="What their name begins with, in any case.")
    type: str | None = strawberry.field(default=None, description="What they are: PERSON, ORG, ...")


@strawberry.type(description="An entity and its place in the order.")
class EntityEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Entity = strawberry.field(description="The entity.")


@strawberry.type(description="A page of entities, by name.")
class EntityConnection(Counted):
    edges: list[EntityEdge] = strawberry.field(description="The entities with their cursors.")
    nodes: list[Entity] = strawberry.field(description="The entities alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.input(description="Which two entities are one.")
class MergeEntitiesInput(ChangeInput):
    keep_id: strawberry.ID = strawberry.field(description="The entity that stays.")
    other_id: strawberry.ID = strawberry.field(
        description="The entity whose names mean that one from now on."
    )


@strawberry.input(description="Which memories of an entity mean another one, and what tells the two apart.")
class SplitEntityInput(ChangeInput):
    id: strawberry.ID = strawberry.field(description="The entity: its id or uuid.")
    memory_ids: list[strawberry.ID] = strawberry.field(
        description="The memories that mean the new one, 1 to 1000."
    )
    discriminator: str = strawberry.field(default="", description="What tells the new one from its namesake.")
    name: str | None = strawberry.field(
        default=None, description="The new one's name; the same when missing."
    )
    type: str | None = strawberry.field(
        default=None, description="The new one's type; the same when missing."
    )


@strawberry.input(description="What to change of an entity; what is missing stays.")
class RenameEntityInput(ChangeInput):
    id: strawberry.ID = strawberry.field(description="The entity: its id or uuid.")
    name: str | None = strawberry.field(
        default=None, description="Its name. The old one becomes an alias, unless aliases are given."
    )
    type: str | None = strawberry.field(default=None, description="What it is: PERSON, ORG, ...")
    discriminator: str | None = strawberry.field(default=None, description="What tells it from a namesake.")
    aliases: list[str] | None = strawberry.field(
        default=None, description="All its other names, at most 100."
    )


@strawberry.input(description="Which entity is no name of anything.")
class DeleteEntityInput(ChangeInput):
    id: strawberry.ID = strawberry.field(description="The entity: its id or uuid.")


@strawberry.type(description="The answer of mergeEntities.")
class MergeEntitiesPayload(Payload):
    entity: Entity | None = strawberry.field(default=None, description="The kept entity as it is now.")
    memories: int = strawberry.field(default=0, description="How many memories mention something else by it.")


@strawberry.type(description="The answer of splitEntity.")
class SplitEntityPayload(Payload):
    entity: Entity | None = strawberry.field(default=None, description="The old entity as it is now.")
    split: Entity | None = strawberry.field(default=None, description="The new entity.")
    memories: int = strawberry.field(default=0, description="How many memories mention something else by it.")


@strawberry.type(description="The answer of renameEntity.")
class RenameEntityPayload(Payload):
    entity: Entity | None = strawberry.field(default=None, description="The entity as it is now.")


@strawberry.type(description="The answer of deleteEntity.")
class DeleteEntityPayload(Payload):
    entity: Entity | None = strawberry.field(
        default=None, description="The entity, mentioned by nothing now."
    )
    memories: int = strawberry.field(default=0, description="How many memories mentioned it.")


@strawberry.type(description="Two entities that may be one and that nobody has merged.")
class EntityProposal:
    view: strawberry.Private[View]
    entity_uuid: strawberry.Private[str]
    target_uuid: strawberry.Private[str]
    likeness: float = strawberry.field(
        description="How alike they are, 0 to 1: by meaning, spelling and memories."
    )

    @nested("The entity that nothing new mentions.")
    async def entity(self, info: Info) -> Entity | None:
        return await load_entity(info, self.view, self.entity_uuid)

    @nested("What it may be.")
    async def target(self, info: Info) -> Entity | None:
        return await load_entity(info, self.view, self.target_uuid)


@strawberry.type
class EntityQuery:
    @reads("Who and what memories mention that answer then, by name.")
    async def entities(
        self,
        info: Info,
        filter: Annotated[
            EntityFilter | None, strawberry.argument(description="Which ones; all when missing.")
        ] = None,
        first: First = DEFAULT,
        after: After = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> EntityConnection | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        wanted = filter or EntityFilter()
        page = await context.call(
            entity_reading.page,
            context.service,
            view.scope,
            wanted.name or "",
            wanted.type,
            size(first),
            place(after),
            view.moment,
        )
        nodes = [entity_of(row, view) for row in page.items]
        edges = [EntityEdge(cursor=at, node=node) for at, node in zip(page.cursors, nodes, strict=True)]
        end = page.cursors[-1] if page.cursors else None
        return EntityConnection(
            counting=partial(
                entity_reading.count, context.service, view.scope, wanted.name or "", wanted.type, view.moment
            ),
            edges=edges,
            nodes=nodes,
            page_info=PageInfo(has_next_page=page.has_next, end_cursor=end),
        )

    @reads("An entity; null when it is missing or someone else's. What hangs on it is read as of the moment.")
    async def entity(
        self, info: Info, id: EntityId, as_of: AsOf = None, known_at: KnownAt = None, subject: Subject = None
    ) -> Entity | None:
        view = info.context.view(subject, as_of, known_at)
        return await load_entity(info, view, uuid_of("Entity", id))

    @reads(
        "Pairs of entities that may be one, the likeliest first, at most 200; merging them is up to a person."
    )
    async def entity_proposals(
        self, info: Info, subject: Subject = None, first: First = DEFAULT
    ) -> list[EntityProposal] | None:
        context, view = info.context, info.context.view(subject)
        found = await context.call(entity_collection.proposals, context.service, view.scope)
        return [
            EntityProposal(view=view, entity_uuid=each.id, target_uuid=each.target_id, likeness=each.likeness)
            for each in found[: size(first)]
        ]


@strawberry.type
class EntityMutation:
    @writes(
        "Makes two entities one. Taken back by `undo`.",
        MergeEntitiesPayload,
        renames={"id": "keepId"},
    )
    async def merge_entities(
        self,
        info: Info,
        input: Annotated[MergeEntitiesInput, strawberry.argument(description="Which two are one.")],
    ) -> MergeEntitiesPayload | None:
        faults = Gathered()
        keep = faults.of(uuid_of, "Entity", input.keep_id, "keepId")
        other = faults.of(uuid_of, "Entity", input.other_id, "otherId")
        faults.of(entity_edits.check, entity_edits.Rename(), input.reason)
        faults.of(check_key, input.idempotency_key)
        faults.refuse()
        call = await info.context.change_call(input, entity_reading.scope_of, keep)
        answer = await info.context.call(
            entity_edits.merge_entities, info.context.service, call, keep, other, input.reason
        )
        entity = await _after(info, call, keep)
        return MergeEntitiesPayload(
            entity=entity, memories=answer.value["memories"], replayed=answer.replayed
        )

    @writes(
        "Gives some of an entity's memories to a new one. Taken back by `undo`.",
        SplitEntityPayload,
    )
    async def split_entity(
        self,
        info: Info,
        input: Annotated[SplitEntityInput, strawberry.argument(description="Which memories mean another.")],
    ) -> SplitEntityPayload | None:
        faults, told = Gathered(), entity_edits.Rename(input.name, input.type, input.discriminator)
        id = faults.of(uuid_of, "Entity", input.id)
        memories = faults.of(uuids_of, "Memory", input.memory_ids, "memoryIds")
        faults.of(entity_edits.check, told, input.reason)
        faults.of(check_key, input.idempotency_key)
        faults.refuse()
        call = await info.context.change_call(input, entity_reading.scope_of, id)
        answer = await info.context.call(
            entity_edits.split_entity,
            info.context.service,
            call,
            id,
            memories,
            input.discriminator,
            input.name,
            input.type,
            input.reason,
        )
        entity, split = await _after(info, call, id), await _after(info, call, answer.value["split"])
        return SplitEntityPayload(
            entity=entity, split=split, memories=answer.value["memories"], replayed=answer.replayed
        )

    @writes(
        "Changes an entity's name, type, discriminator or aliases. Taken back by `undo`.",
        RenameEntityPayload,
        renames={"rename": ""},
    )
    async def rename_entity(
        self,
        info: Info,
        input: Annotated[RenameEntityInput, strawberry.argument(description="What to change.")],
    ) -> RenameEntityPayload | None:
        aliases = None if input.aliases is None else tuple(input.aliases)
        rename = entity_edits.Rename(input.name, input.type, input.discriminator, aliases)
        faults = Gathered()
        id = faults.of(uuid_of, "Entity", input.id)
        faults.of(entity_edits.check, rename, input.reason)
        faults.of(check_key, input.idempotency_key)
        faults.refuse()
        call = await info.context.change_call(input, entity_reading.scope_of, id)
        answer = await info.context.call(
            entity_edits.rename_entity, info.context.service, call, id, rename, input.reason
        )
        return RenameEntityPayload(entity=await _after(info, call, id), replayed=answer.replayed)

    @writes(
        "Lets no memory mention an entity any more; the memories stay. Taken back by `undo`.",
        DeleteEntityPayload,
    )
    async def delete_entity(
        self,
        info: Info,
        input: Annotated[DeleteEntityInput, strawberry.argument(description="Which one.")],
    ) -> DeleteEntityPayload | None:
        faults = Gathered()
        id = faults.of(uuid_of, "Entity", input.id)
        check_reason_and_key(faults, input)
        faults.refuse()
        call = await info.context.change_call(input, entity_reading.scope_of, id)
        answer = await info.context.call(
            entity_edits.delete_entity, info.context.service, call, id, input.reason
        )
        entity = await _after(info, call, id)
        return DeleteEntityPayload(entity=entity, memories=answer.value["memories"], replayed=answer.replayed)


async def _after(info: Info, call: Call, id: str) -> Entity | None:
    return await load_entity(info, View(call.scope.for_writing()), id)

"""Anything by its global id."""

from __future__ import annotations

import asyncio
from typing import Annotated

import strawberry

from graph_memory.api.arguments import AsOf, KnownAt, Subject
from graph_memory.api.batches import Batch, load_batch
from graph_memory.api.changes import Change, load_change
from graph_memory.api.community_types import Community, load_community
from graph_memory.api.context import Info
from graph_memory.api.entity_types import Entity, load_entity
from graph_memory.api.fields import reads
from graph_memory.api.global_ids import from_global
from graph_memory.api.jobs import Job, load_job
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Memory, load_memory
from graph_memory.api.node import Node
from graph_memory.api.reviews import Review, load_review
from graph_memory.api.subjects import Subject as SubjectNode
from graph_memory.api.subjects import load_subject
from graph_memory.base.errors import BadId, Invalid
from graph_memory.base.gathered import Gathered

_MOST = 100


@strawberry.type
class NodeQuery:
    @reads("The thing with this id, whatever its type; null when it is missing or someone else's.")
    async def node(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="A global id.")],
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> Node | None:
        return await _load(info, info.context.view(subject, as_of, known_at), id, "id")

    @reads("The things with these ids, in this order; null for each that is missing or someone else's.")
    async def nodes(
        self,
        info: Info,
        ids: Annotated[list[strawberry.ID], strawberry.argument(description="Global ids, at most 100.")],
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> list[Node | None] | None:
        if len(ids) > _MOST:
            raise Invalid(f"{len(ids)} ids were given, at most {_MOST} are allowed.", path="ids")
        view, faults = info.context.view(subject, as_of, known_at), Gathered()
        for place, id in enumerate(ids):
            faults.of(from_global, id, f"ids[{place}]")
        faults.refuse()
        return list(
            await asyncio.gather(*(_load(info, view, id, f"ids[{place}]") for place, id in enumerate(ids)))
        )


async def _load(info: Info, view: View, id: str, path: str) -> Node | None:
    type_name, uuid = from_global(id, path)
    if type_name == Memory.__name__:
        return await load_memory(info, view, uuid)
    if type_name == Job.__name__:
        return await load_job(info, view.scope, uuid)
    if type_name == Community.__name__:
        return await load_community(info, view, uuid)
    if type_name == Entity.__name__:
        return await load_entity(info, view, uuid)
    if type_name == Change.__name__:
        return await load_change(info, view, uuid)
    if type_name == Review.__name__:
        return await load_review(info, view, uuid)
    if type_name == Batch.__name__:
        return await load_batch(info, view.scope, uuid)
    if type_name == SubjectNode.__name__:
        return await load_subject(info, view, uuid)
    raise BadId(
        f"This is the id of a {type_name[:60]}; nothing of that type can be asked for by its id.", path=path
    )

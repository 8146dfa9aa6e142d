"""Surfacing: what should come to an agent's mind for a message, though nobody has asked for it."""

from __future__ import annotations

from typing import Annotated

import strawberry

from graph_memory.api.arguments import AsOf, First, KnownAt, MinTrust, Subject
from graph_memory.api.coarse import in_steps
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.loaders import View
from graph_memory.api.memory_link_types import MemoryLink, link_of
from graph_memory.api.memory_types import Memory, memory_of
from graph_memory.api.paging import size
from graph_memory.base.errors import BadId
from graph_memory.recall import surfacing
from graph_memory.store.api_keys import Right


@strawberry.type(description="A memory that links lead to from one that surfaced.")
class LinkedMemory:
    memory: Memory = strawberry.field(description="The memory.")
    score: float = strawberry.field(
        description="How much it matters there, 0 to 1: by the kind and confidence of the links, and the importance of both."
    )
    links: list[MemoryLink] = strawberry.field(description="The links on the way to it, one or two.")


@strawberry.type(description="A memory that should come to mind.")
class SurfacedMemory:
    memory: Memory = strawberry.field(description="The memory.")
    score: float | None = strawberry.field(
        description="How likely it is one that the message is about, as in a search; null where it is only kept."
    )
    similarity: float | None = strawberry.field(
        description="The cosine of message and memory; null without the right to admin, and where there is no vector."
    )
    is_kept: bool = strawberry.field(description="Whether `keep` names it.")
    is_new: bool = strawberry.field(
        description="Whether it is new and little linked, and stands ahead of its score for that."
    )
    linked: list[LinkedMemory] = strawberry.field(
        description="The memories that its links bring along, at most two; none stands in the answer twice."
    )


@strawberry.type(
    description="What should come to mind: what is kept or pinned first, then what the message brings up."
)
class SurfaceResult:
    memories: list[SurfacedMemory] = strawberry.field(description="The memories.")
    let_go: list[str] = strawberry.field(
        description="Those of `keep`, as they were given, that need not be named again: they are gone, hold no longer, or gave "
        "way to better ones."
    )
    note: str | None = strawberry.field(description="Why there may be more, or how far was looked.")


@strawberry.type
class SurfaceQuery:
    @reads(
        "The memories that should come to an agent's mind for a message, each with what its links bring along."
    )
    async def surface(
        self,
        info: Info,
        message: Annotated[
            str | None, strawberry.argument(description="What was just said; of a long one the end counts.")
        ] = None,
        vector: Annotated[
            list[float] | None,
            strawberry.argument(
                description="Its embedding by the same model, instead of or beside the text; nothing is embedded then."
            ),
        ] = None,
        keep: Annotated[
            list[str] | None,
            strawberry.argument(
                description="Memories from earlier answers that stay in mind: ids, uuids or the first eight signs of a uuid; "
                "at most 100."
            ),
        ] = None,
        first: First = surfacing.MEMORIES,
        automatic: Annotated[
            bool,
            strawberry.argument(
                description="Whether nobody asked, so that what comes up counts no access by default. What is kept counts."
            ),
        ] = True,
        min_trust: MinTrust = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> SurfaceResult | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        named = {_named(each): each for each in keep or ()}
        mind = await context.call(
            surfacing.surface,
            context.service,
            view.scope,
            message,
            vector,
            list(named),
            size(surfacing.MEMORIES if first is None else first),
            view.moment,
            min_trust,
        )
        surfacing.note(context.open.accesses, view.scope, mind, view.moment, automatic)
        sees_raw = Right.ADMIN in context.asker.rights
        return SurfaceResult(
            memories=[_surfaced(each, view, sees_raw=sees_raw) for each in mind.memories],
            let_go=[named[each] for each in mind.let_go],
            note=mind.note,
        )


def _named(given: str) -> str:
    """The uuid in a global id; anything else as it is."""
    try:
        return uuid_of("Memory", given, "keep")
    except BadId:
        return given


def _surfaced(each: surfacing.Surfaced, view: View, *, sees_raw: bool) -> SurfacedMemory:
    return SurfacedMemory(
        memory=memory_of(each.memory, view),
        score=each.score if sees_raw or each.score is None else in_steps(each.score),
        similarity=each.similarity if sees_raw else None,
        is_kept=each.is_kept,
        is_new=each.is_new,
        linked=[
            LinkedMemory(
                memory=memory_of(linked.memory, view),
                score=linked.score,
                links=[link_of(link, view) for link in linked.links],
            )
            for linked in each.linked
        ],
    )

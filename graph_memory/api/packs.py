"""Packs: a block of memories for a prompt, within a budget of tokens."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graph_memory.api.arguments import Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.global_ids import to_global
from graph_memory.api.memory_types import Memory, memory_of
from graph_memory.model.memory import Trust
from graph_memory.recall import packs
from graph_memory.recall.pack_versions import Difference
from graph_memory.recall.packs import Wanted


@strawberry.input(description="What a pack is made for. All may be missing.")
class PackInput:
    query: str | None = strawberry.field(
        default=None, description="What is asked or said; what a search finds for it fills the pack."
    )
    files: list[str] = strawberry.field(
        default_factory=list, description="Paths that a session is about, at most 100."
    )
    keywords: list[str] = strawberry.field(
        default_factory=list, description="Words that tell the session's project, at most 100."
    )
    budget: int | None = strawberry.field(
        default=None, description="Tokens of the whole block at most: 1 to 100,000. Missing: the setting's."
    )
    first: int | None = strawberry.field(
        default=None, description="Memories at most beside pinned and critical ones. Missing: the setting's."
    )
    min_trust: Trust | None = strawberry.field(default=None, description="What is trusted less is left out.")
    summaries: int | None = strawberry.field(
        default=None,
        description="Summaries of communities at most with which it begins: 0 to 10. Missing: the setting's.",
    )
    since: str | None = strawberry.field(
        default=None, description="The `version` of an earlier pack: what changed since is told."
    )
    automatic: bool | None = strawberry.field(
        default=None,
        description="Whether nobody asked, so that it counts no access by default. Missing: so without a query.",
    )


@strawberry.type(description="A memory that competed for its place in a pack, and why it has none.")
class PackLeftOut:
    memory: Memory = strawberry.field(description="The memory.")
    reason: packs.Reason = strawberry.field(description="Why it was left out.")


@strawberry.type(description="What is different from an earlier pack. Ids are global.")
class PackDifference:
    is_same: bool = strawberry.field(description="Whether the content is the same.")
    added: list[strawberry.ID] = strawberry.field(description="Memories that were not in it.")
    removed: list[strawberry.ID] = strawberry.field(description="Memories that are no longer in it.")
    changed: list[strawberry.ID] = strawberry.field(description="Memories whose line reads otherwise.")


@strawberry.type(description="Memories as a block for a prompt.")
class Pack:
    text: str = strawberry.field(description="The whole block; empty without a memory.")
    tokens: int = strawberry.field(description="Its tokens, as they are counted.")
    version: str = strawberry.field(
        description="Its content, as `since` takes it; the first eight signs stand in the block."
    )
    generated_at: datetime = strawberry.field(description="When it was made.")
    memories: list[Memory] = strawberry.field(description="The memories, in the order of the block.")
    summaries: list[Memory] = strawberry.field(
        description="The summaries of communities with which it begins, in the order of the block."
    )
    left_out: list[PackLeftOut] = strawberry.field(description="What competed and was left out.")
    note: str | None = strawberry.field(description="Why it is empty, or what may be missing.")
    difference: PackDifference | None = strawberry.field(
        description="What is different from the pack that `since` names; null when none was named."
    )


@strawberry.type
class PackQuery:
    @reads("Memories of a subject as one block for a prompt, within a budget of tokens.")
    async def pack(
        self,
        info: Info,
        input: Annotated[PackInput | None, strawberry.argument(description="What it is made for.")] = None,
        subject: Subject = None,
    ) -> Pack | None:
        context, given = info.context, input or PackInput()
        view = context.view(context.scope(subject).for_writing().subject_name)
        wanted = Wanted(
            query=given.query,
            files=tuple(given.files),
            keywords=tuple(given.keywords),
            budget=given.budget,
            limit=given.first,
            min_trust=given.min_trust,
            since=given.since,
            summaries=given.summaries,
        )
        made = await context.call(packs.pack, context.service, view.scope, wanted)
        is_automatic = given.query is None if given.automatic is None else given.automatic
        shown = [memory.id for memory in made.memories]
        context.open.accesses.note(view.scope, shown, is_automatic=is_automatic)
        return Pack(
            text=made.text,
            tokens=made.tokens,
            version=made.version,
            generated_at=made.generated_at,
            memories=[memory_of(memory, view) for memory in made.memories],
            summaries=[memory_of(memory, view) for memory in made.summaries],
            left_out=[
                PackLeftOut(memory=memory_of(each.memory, view), reason=each.reason) for each in made.left_out
            ],
            note=made.note,
            difference=_difference(made.difference) if made.difference else None,
        )


def _difference(found: Difference) -> PackDifference:
    return PackDifference(
        is_same=found.is_same,
        added=_global(found.added),
        removed=_global(found.removed),
        changed=_global(found.changed),
    )


def _global(ids: tuple[str, ...]) -> list[strawberry.ID]:
    return [strawberry.ID(to_global("Memory", id)) for id in ids]

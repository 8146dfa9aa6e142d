"""Changing memories that are there: revise, mark, archive, restore, retract, expire, merge."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any

import strawberry
from strawberry.scalars import JSON

from graph_memory.api.arguments import ChangeInput, check_reason_and_key
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, writes
from graph_memory.api.global_ids import uuid_of, uuids_of
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Memory, load_memory
from graph_memory.api.scalars import Uuid
from graph_memory.base.errors import Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.ledger.changes import Answer, Call
from graph_memory.memory import life
from graph_memory.memory.merge import merge
from graph_memory.store import subjects
from graph_memory.store.service import Service

MOST = 100

Move = Callable[[Service, Call, Sequence[str], str], Answer]


@strawberry.input(description="What to change of a memory in place. What is missing stays as it is.")
class ReviseMemoryInput(ChangeInput):
    id: strawberry.ID = strawberry.field(description="The memory: its id or uuid.")
    text: str | None = strawberry.field(default=None, description="The statement, said better.")
    kind: str | None = strawberry.field(default=None, description="What kind of statement it is: one word.")
    tags: list[str] | None = strawberry.field(default=None, description="All its tags; none takes them away.")
    metadata: JSON | None = strawberry.field(
        default=None, description="All its metadata: a flat map of texts, numbers and booleans."
    )
    confidence: float | None = strawberry.field(default=None, description="How sure it is, 0 to 1.")
    importance: float | None = strawberry.field(default=None, description="How much it matters, 0 to 1.")
    critical: bool | None = strawberry.field(
        default=None, description="Whether its importance keeps above a floor."
    )
    pinned: bool | None = strawberry.field(default=None, description="Whether it always stays near at hand.")
    happens_at: datetime | None = strawberry.field(
        default=None, description="When what it tells of takes place."
    )
    expires_at: datetime | None = strawberry.field(default=None, description="When it stops being of use.")
    feedback: float | None = strawberry.field(
        default=None, description="What people say of it: 1 it helped, -1 it was of no use, 0 nothing."
    )


@strawberry.input(description="Memories whose status changes, all or none.")
class MoveMemoriesInput(ChangeInput):
    ids: list[strawberry.ID] = strawberry.field(
        description=f"The memories, ids or uuids, 1 to {MOST}, of one subject."
    )


@strawberry.input(description="Memories that come back, all or none.")
class RestoreMemoriesInput(MoveMemoriesInput):
    cascade: bool = strawberry.field(
        default=False,
        description="Whether a memory that became live with the same words meanwhile is archived; else that is refused.",
    )
    expires_at: datetime | None = strawberry.field(
        default=None, description="A new end for all of them; needed by what has expired."
    )


@strawberry.input(description="Which memory ends to hold, and when.")
class ExpireMemoryInput(ChangeInput):
    id: strawberry.ID = strawberry.field(description="The memory: its id or uuid.")
    at: datetime | None = strawberry.field(default=None, description="When it ends; now when missing.")


@strawberry.input(description="Which memory is kept, and which is merged into it.")
class MergeMemoriesInput(ChangeInput):
    keep_id: strawberry.ID = strawberry.field(description="The memory that is kept: its id or uuid.")
    other_id: strawberry.ID = strawberry.field(description="The memory that goes into it: its id or uuid.")
    text: str | None = strawberry.field(
        default=None,
        description="What the kept one says then; every number and name of both must be in it. Both texts when missing.",
    )


@strawberry.type(description="The answer of reviseMemory.")
class ReviseMemoryPayload(Payload):
    memory: Memory | None = strawberry.field(default=None, description="The memory as it is now.")


@strawberry.type(description="The answer of archiveMemories.")
class ArchiveMemoriesPayload(Payload):
    memories: list[Memory] = strawberry.field(
        default_factory=list, description="The memories as they are now, in the order given."
    )


@strawberry.type(description="The answer of restoreMemories.")
class RestoreMemoriesPayload(Payload):
    memories: list[Memory] = strawberry.field(
        default_factory=list, description="The memories as they are now, in the order given."
    )


@strawberry.type(description="The answer of retractMemories.")
class RetractMemoriesPayload(Payload):
    memories: list[Memory] = strawberry.field(
        default_factory=list, description="The memories as they are now, in the order given."
    )


@strawberry.type(description="The answer of expireMemory.")
class ExpireMemoryPayload(Payload):
    memory: Memory | None = strawberry.field(default=None, description="The memory as it is now.")


@strawberry.type(description="The answer of mergeMemories.")
class MergeMemoriesPayload(Payload):
    memory: Memory | None = strawberry.field(default=None, description="The memory that was kept.")
    merged: Memory | None = strawberry.field(default=None, description="The memory that went into it.")
    dropped_links: list[Uuid] = strawberry.field(
        default_factory=list, description="Links of the other that said nothing new and were ended."
    )


_MOVE = {"id": "ids"}
What = Annotated[MoveMemoriesInput, strawberry.argument(description="Which memories, and why.")]


@strawberry.type
class ChangeMutation:
    @writes(
        "Changes a memory in place. It speaks for its whole interval; `knownAt` reads what it said before.",
        ReviseMemoryPayload,
        renames={"revision": ""},
    )
    async def revise_memory(
        self,
        info: Info,
        input: Annotated[ReviseMemoryInput, strawberry.argument(description="What to change.")],
    ) -> ReviseMemoryPayload | None:
        context, faults = info.context, Gathered()
        id, revision = faults.of(uuid_of, "Memory", input.id), _revision(faults, input)
        check_reason_and_key(faults, input)
        if faults.faults:
            await context.call(faults.of, life.check_revision, context.service, revision)
        faults.refuse()
        call = await context.change_call(input, subjects.of_memory, id)
        answer = await context.call(life.revise, context.service, call, id, revision, input.reason)
        return ReviseMemoryPayload(memory=await _after(info, call, id), replayed=answer.replayed)

    @writes(
        "Takes memories out of every default answer; they can be restored.", ArchiveMemoriesPayload, _MOVE
    )
    async def archive_memories(self, info: Info, input: What) -> ArchiveMemoriesPayload | None:
        memories, replayed = await _move(info, input, life.archive)
        return ArchiveMemoriesPayload(memories=memories, replayed=replayed)

    @writes(
        "Brings archived or retracted memories back with text, tags, links and vector as they were.",
        RestoreMemoriesPayload,
        renames={"id": "ids"},
    )
    async def restore_memories(
        self,
        info: Info,
        input: Annotated[
            RestoreMemoriesInput, strawberry.argument(description="Which memories come back, and why.")
        ],
    ) -> RestoreMemoriesPayload | None:
        memories, replayed = await _move(
            info, input, partial(life.restore, cascade=input.cascade, expires_at=input.expires_at)
        )
        return RestoreMemoriesPayload(memories=memories, replayed=replayed)

    @writes(
        "Says that memories should never have been believed. They stay in history only.",
        RetractMemoriesPayload,
        _MOVE,
    )
    async def retract_memories(self, info: Info, input: What) -> RetractMemoriesPayload | None:
        memories, replayed = await _move(info, input, life.retract)
        return RetractMemoriesPayload(memories=memories, replayed=replayed)

    @writes(
        "Ends the time in which a memory holds, now or at a moment of it.",
        ExpireMemoryPayload,
    )
    async def expire_memory(
        self,
        info: Info,
        input: Annotated[ExpireMemoryInput, strawberry.argument(description="What ends, and when.")],
    ) -> ExpireMemoryPayload | None:
        faults = Gathered()
        id = faults.of(uuid_of, "Memory", input.id)
        check_reason_and_key(faults, input)
        faults.refuse()
        call = await info.context.change_call(input, subjects.of_memory, id)
        answer = await info.context.call(life.expire, info.context.service, call, id, input.at, input.reason)
        return ExpireMemoryPayload(memory=await _after(info, call, id), replayed=answer.replayed)

    @writes(
        "Makes two memories one: the kept one has text, tags, links and mentions of both.",
        MergeMemoriesPayload,
        renames={"id": "keepId"},
    )
    async def merge_memories(
        self,
        info: Info,
        input: Annotated[MergeMemoriesInput, strawberry.argument(description="What becomes one.")],
    ) -> MergeMemoriesPayload | None:
        faults = Gathered()
        keep = faults.of(uuid_of, "Memory", input.keep_id, "keepId")
        other = faults.of(uuid_of, "Memory", input.other_id, "otherId")
        check_reason_and_key(faults, input)
        faults.refuse()
        call = await info.context.change_call(input, subjects.of_memory, keep)
        done, answer = await info.context.call(
            merge, info.context.service, call, keep, other, input.text, input.reason
        )
        kept, merged = await asyncio.gather(_after(info, call, done.id), _after(info, call, done.merged))
        return MergeMemoriesPayload(
            memory=kept,
            merged=merged,
            dropped_links=[Uuid(id) for id in done.dropped],
            replayed=answer.replayed,
        )


async def memories_after(info: Info, call: Call, ids: Sequence[str]) -> list[Memory]:
    """The memories as they are after a change."""
    found = await asyncio.gather(*(_after(info, call, id) for id in ids))
    return [memory for memory in found if memory is not None]


def ids_of(given: Sequence[str]) -> list[str]:
    """The uuids of 1 to 100 memories, each once."""
    if not 1 <= len(given) <= MOST:
        raise Invalid(f"{len(given)} ids were given; 1 to {MOST} are taken at once.", path="id")
    return list(dict.fromkeys(uuids_of("Memory", given, "id")))


async def _move(info: Info, input: MoveMemoriesInput, move: Move) -> tuple[list[Memory], bool]:
    faults = Gathered()
    ids = faults.of(ids_of, input.ids)
    check_reason_and_key(faults, input)
    faults.refuse()
    call = await info.context.change_call(input, subjects.of_memory, ids[0])
    answer = await info.context.call(move, info.context.service, call, ids, input.reason)
    return await memories_after(info, call, ids), answer.replayed


async def _after(info: Info, call: Call, id: str) -> Memory | None:
    return await load_memory(info, View(call.scope.for_writing()), id)


def _revision(faults: Gathered, input: ReviseMemoryInput) -> life.Revision:
    given: dict[str, Any] = {name: getattr(input, name) for name in life.Revision.__dataclass_fields__}
    if given["tags"] is not None:
        given["tags"] = tuple(given["tags"])
    given["metadata"] = faults.of(_object, given["metadata"])
    return life.Revision(**given)


def _object(metadata: Any) -> dict[str, Any] | None:
    if metadata is not None and not isinstance(metadata, dict):
        raise Invalid("metadata must be an object of texts, numbers and booleans.", path="revision.metadata")
    return metadata

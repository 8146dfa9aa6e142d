"""Confirming: a person stands for what a tool, an agent or the web has said."""

from __future__ import annotations

from typing import Annotated

import strawberry

from graph_memory.api.arguments import ChangeInput, check_reason_and_key
from graph_memory.api.changing import MOST, ids_of, memories_after
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, writes
from graph_memory.api.memory_types import Memory
from graph_memory.base.gathered import Gathered
from graph_memory.memory import trust
from graph_memory.store import subjects
from graph_memory.store.api_keys import Right


@strawberry.input(description="Which memories a person stands for, all or none.")
class ConfirmMemoriesInput(ChangeInput):
    ids: list[strawberry.ID] = strawberry.field(
        description=f"The memories, ids or uuids, 1 to {MOST}, of one subject."
    )
    withdraw: bool = strawberry.field(
        default=False, description="Whether an earlier confirmation is taken back instead."
    )


@strawberry.type(description="The answer of confirmMemories.")
class ConfirmMemoriesPayload(Payload):
    memories: list[Memory] = strawberry.field(
        default_factory=list, description="The memories as they are now, in the order given."
    )


@strawberry.type
class TrustMutation:
    @writes(
        "A person stands for these memories: they are trusted as if a person had said them, and suspicious no longer. It needs "
        "the right to admin, so that an agent with a key to write cannot vouch for what it has read.",
        ConfirmMemoriesPayload,
        renames={"id": "ids"},
        right=Right.ADMIN,
    )
    async def confirm_memories(
        self,
        info: Info,
        input: Annotated[ConfirmMemoriesInput, strawberry.argument(description="Which memories, and why.")],
    ) -> ConfirmMemoriesPayload | None:
        context, faults = info.context, Gathered()
        ids = faults.of(ids_of, input.ids)
        check_reason_and_key(faults, input)
        faults.refuse()
        call = await context.change_call(input, subjects.of_memory, ids[0])
        verdict = trust.Verdict.WITHDRAW if input.withdraw else trust.Verdict.CONFIRM
        answer = await context.call(trust.confirm, context.service, call, ids, input.reason, verdict)
        return ConfirmMemoriesPayload(
            memories=await memories_after(info, call, ids), replayed=answer.replayed
        )

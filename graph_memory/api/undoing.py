"""Taking changes back: some by their numbers, or all that a run made."""

from __future__ import annotations

from typing import Annotated

import strawberry

from graph_memory.api.arguments import ChangeInput, check_reason_and_key
from graph_memory.api.changing import memories_after
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, writes
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.memory_types import Memory
from graph_memory.base.errors import Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.ledger.changes import Answer, Call
from graph_memory.memory import undo as undoing
from graph_memory.store import subjects

_MOST = 100
_LARGEST = 2**31 - 1
_CASCADE = (
    "Whether what stands on them goes along, and a live memory of the same words as one that comes back is archived; "
    "without it they are refused, naming it."
)


@strawberry.input(description="Which changes to take back.")
class UndoInput(ChangeInput):
    changes: list[int] = strawberry.field(
        description=f"Their sequence numbers, 1 to {_MOST}, of one subject."
    )
    cascade: bool = strawberry.field(default=False, description=_CASCADE)


@strawberry.input(description="Which run's changes to take back, of one subject.")
class RevertRunInput(ChangeInput):
    id: strawberry.ID = strawberry.field(description="The run: its job's id or uuid.")
    cascade: bool = strawberry.field(default=False, description=_CASCADE)


@strawberry.type(description="The answer of undo.")
class UndoPayload(Payload):
    undone: list[int] = strawberry.field(
        default_factory=list, description="The sequence numbers that were taken back, newest first."
    )
    memories: list[Memory] = strawberry.field(
        default_factory=list, description="The memories that changed by it, as they are now; at most 100."
    )


@strawberry.type(description="The answer of revertRun.")
class RevertRunPayload(Payload):
    undone: list[int] = strawberry.field(
        default_factory=list, description="The sequence numbers that were taken back, newest first."
    )
    memories: list[Memory] = strawberry.field(
        default_factory=list, description="The memories that changed by it, as they are now; at most 100."
    )


@strawberry.type
class UndoMutation:
    @writes(
        "Takes changes back, newest first. It is itself a change, so it can be taken back too.",
        UndoPayload,
    )
    async def undo(
        self, info: Info, input: Annotated[UndoInput, strawberry.argument(description="Which changes.")]
    ) -> UndoPayload | None:
        context, faults = info.context, Gathered()
        sequences = faults.of(_sequences, input.changes)
        check_reason_and_key(faults, input)
        faults.refuse()
        call = await context.change_call(input, subjects.of_change, sequences[0])
        done = await context.call(undoing.undo, context.service, call, sequences, input.cascade, input.reason)
        undone, memories, replayed = await _told(info, call, *done)
        return UndoPayload(undone=undone, memories=memories, replayed=replayed)

    @writes("Takes back all that a run did to a subject.", RevertRunPayload)
    async def revert_run(
        self, info: Info, input: Annotated[RevertRunInput, strawberry.argument(description="Which run.")]
    ) -> RevertRunPayload | None:
        context, faults = info.context, Gathered()
        run = faults.of(uuid_of, "Job", input.id)
        check_reason_and_key(faults, input)
        faults.refuse()
        call = await context.change_call(input, subjects.of_run, run)
        done = await context.call(undoing.revert, context.service, call, run, input.cascade, input.reason)
        undone, memories, replayed = await _told(info, call, *done)
        return RevertRunPayload(undone=undone, memories=memories, replayed=replayed)


async def _told(
    info: Info, call: Call, undone: undoing.Undone, answer: Answer
) -> tuple[list[int], list[Memory], bool]:
    memories = await memories_after(info, call, undone.memories[:_MOST])
    return list(undone.changes), memories, answer.replayed


def _sequences(given: list[int]) -> list[int]:
    if not 1 <= len(given) <= _MOST or not all(1 <= number <= _LARGEST for number in given):
        raise Invalid(f"Give 1 to {_MOST} sequence numbers of changes.", path="changes")
    return given

"""Reasoned recall: the answer to a question, with the memories that prove it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated

import strawberry

from graph_memory.api.arguments import AsOf, First, KnownAt, MinTrust, Subject
from graph_memory.api.coarse import in_steps
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.global_ids import to_global
from graph_memory.api.memory_types import Memory, memory_of
from graph_memory.api.mirror import mirror
from graph_memory.api.paging import MOST
from graph_memory.api.search_types import Interpreted
from graph_memory.base.errors import Invalid
from graph_memory.recall import reasoned
from graph_memory.recall.modes import Mode


@strawberry.type(description="Words for a time in a memory, and what they come to as that memory was said.")
class TimeResolution:
    original_text: str = strawberry.field(description="The words, as they stand in the memory.")
    memory: strawberry.ID = strawberry.field(description="The global id of the memory.")
    said_at: datetime = strawberry.field(
        description="When it was said, or where that is not known from when on the memory holds: what is counted from."
    )
    resolved: str = strawberry.field(description="The time, as precise as it was told.")
    confidence: float = strawberry.field(description="How sure that is, 0 to 1.")


@strawberry.type(description="A memory that an answer may rest on.")
class AnswerSource:
    memory: Memory = strawberry.field(description="The memory; `validFrom` and `validTo` tell when it held.")
    score: float = strawberry.field(description="How likely it is one that was asked for, as in a search.")
    is_used: bool = strawberry.field(description="Whether the answer rests on it.")


@strawberry.type(description="The answer to a question, and what it rests on.")
class AskResult:
    answer: str | None = strawberry.field(
        description="The answer; null where nothing that is stored proves one, and for what asks for a list. Where no memory is "
        "found it is always the same sentence, with confidence 0."
    )
    confidence: float = strawberry.field(description="How sure it is, 0 to 1; 0 without an answer.")
    reasoning: str = strawberry.field(description="Why, in one sentence; empty without an answer.")
    resolutions: list[TimeResolution] = strawberry.field(description="The times that were worked out.")
    sources: list[AnswerSource] = strawberry.field(
        description="The memories that were looked at, the likeliest first."
    )
    requires_inference: bool = strawberry.field(
        description="Whether the answer follows from a memory without standing in it."
    )
    model: str | None = strawberry.field(
        description="The language model that told it; null where it was read from what is stored."
    )
    note: str | None = strawberry.field(description="Why there is no answer, or what failed.")
    interpreted: Interpreted | None = strawberry.field(
        description="The past moment that the question was taken to ask for; null where a moment was given or none was meant."
    )


@strawberry.type
class ReasoningQuery:
    @reads("Answers a question from memories, with its sources; what nothing proves is not answered.")
    async def ask(
        self,
        info: Info,
        question: Annotated[str, strawberry.argument(description="The question, in plain words.")],
        first: First = 10,
        mode: Annotated[Mode, strawberry.argument(description="How far the search reaches.")] = Mode.STANDARD,
        reason: Annotated[
            bool | None,
            strawberry.argument(
                description="Whether an answer is worked out. Missing: for a question it is, for what asks for a list it is not."
            ),
        ] = None,
        min_trust: MinTrust = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> AskResult | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        if first is not None and not 1 <= first <= MOST:
            raise Invalid(f"first is {first}; it must lie between 1 and {MOST}.", path="first")
        told = await context.call(
            reasoned.ask, context.service, view.scope, question, first, view.moment, mode, min_trust, reason
        )
        if told.interpreted:
            view = replace(view, moment=replace(view.moment, as_of=told.interpreted.as_of))
        context.open.accesses.note(view.scope, [hit.memory.id for hit in told.sources], (), view.moment)
        return mirror(
            AskResult,
            told,
            resolutions=[
                mirror(TimeResolution, each, memory=strawberry.ID(to_global("Memory", each.memory_id)))
                for each in told.resolutions
            ],
            sources=[
                AnswerSource(
                    memory=memory_of(hit.memory, view), score=in_steps(hit.score), is_used=at in told.used
                )
                for at, hit in enumerate(told.sources)
            ],
            interpreted=mirror(Interpreted, told.interpreted) if told.interpreted else None,
        )

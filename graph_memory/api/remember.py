"""Remembering statements: each is compared with what is known, and the answer says what was done and why."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated

import strawberry

from graph_memory.api.arguments import KEY, SUBJECT
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, nested, reads, writes
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Memory, load_memory
from graph_memory.api.mirror import mirror
from graph_memory.api.remembering import FactInput, fact_of, keyed_facts_of, session_of
from graph_memory.api.reviews import Review, load_review
from graph_memory.ingest import outcome as domain
from graph_memory.ingest.pipeline import plan, remember, remember_many
from graph_memory.ingest.trace import State
from graph_memory.model.change import Operation
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action
from graph_memory.models.registry import Providers
from graph_memory.store.api_keys import Right

# Statements of one call: each may take a call of a judge, and all must be done within the time of a request.
MOST = 100


@strawberry.input(description="One statement to remember, for whom, and who judges.")
class RememberInput(FactInput):
    subject: str | None = strawberry.field(default=None, description=SUBJECT)
    mode: domain.Mode = strawberry.field(default=domain.Mode.DECIDE, description="Who judges.")
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.input(description="Statements to remember in their order, for whom, and who judges.")
class RememberManyInput:
    memories: list[FactInput] = strawberry.field(description=f"The statements, at most {MOST}.")
    subject: str | None = strawberry.field(default=None, description=SUBJECT)
    mode: domain.Mode = strawberry.field(default=domain.Mode.DECIDE, description="Who judges.")
    idempotency_key: str | None = strawberry.field(
        default=None,
        description="Makes repeating safe: the first statement has this key, the second the key with `:2` after it.",
    )


@strawberry.type(description="A known memory that the statement was compared with.")
class ConsideredMemory:
    view: strawberry.Private[View]
    memory_uuid: strawberry.Private[str]
    similarity: float = strawberry.field(description="Cosine of the two, in steps of a hundredth.")
    action: Action | None = strawberry.field(description="What the judge said; null when nobody judged.")
    confidence: float | None = strawberry.field(description="How sure the judge was, 0 to 1.")
    link: LinkKind | None = strawberry.field(
        description="The link that the judge named, from the statement to this memory unless `linkFromMemory`."
    )
    link_from_memory: bool = strawberry.field(
        description="Whether the link leads from this memory to the statement."
    )
    abstained: bool = strawberry.field(description="Whether the judge could not say.")
    hindrance: str | None = strawberry.field(description="Why what the judge said was not done by itself.")

    @nested("The known memory as it is now.")
    async def memory(self, info: Info) -> Memory | None:
        return await load_memory(info, self.view, self.memory_uuid)


@strawberry.type(description="What was done with a statement, and why.")
class RememberOutcome:
    operation: Operation = strawberry.field(description="What was done.")
    classification: Action | None = strawberry.field(
        description="How it stands to what is known; null when nothing known comes near it."
    )
    confidence: float | None = strawberry.field(description="How sure the judge was, 0 to 1.")
    reason: str = strawberry.field(description="Why; empty when nothing known comes near it.")
    text: str | None = strawberry.field(description="The merged text.")
    provider: str | None = strawberry.field(description="Which judge said so.")
    proposed: Action | None = strawberry.field(
        description="What the judge wanted, when it was not done by itself."
    )
    trace: list[State] = strawberry.field(description="The steps it went through, in order.")


@strawberry.type(description="The answer of remember.")
class RememberPayload(Payload):
    outcome: RememberOutcome | None = strawberry.field(default=None, description="What was done, and why.")
    memory: Memory | None = strawberry.field(
        default=None, description="The memory that holds the statement now."
    )
    target: Memory | None = strawberry.field(
        default=None, description="The known memory that was touched, merged into, or ended."
    )
    candidates: list[ConsideredMemory] = strawberry.field(
        default_factory=list, description="What it was compared with, nearest first."
    )
    review: Review | None = strawberry.field(
        default=None, description="The question to a person about what was not done by itself."
    )


@strawberry.type(description="What was done with one of many statements.")
class RememberedStatement:
    outcome: RememberOutcome = strawberry.field(description="What was done, and why.")
    memory: Memory | None = strawberry.field(description="The memory that holds the statement now.")
    target: Memory | None = strawberry.field(
        description="The known memory that was touched, merged into, or ended."
    )
    candidates: list[ConsideredMemory] = strawberry.field(
        description="What it was compared with, nearest first."
    )
    review: Review | None = strawberry.field(
        description="The question to a person about what was not done by itself."
    )
    replayed: bool = strawberry.field(description="Whether this is the answer of an earlier request.")


@strawberry.type(description="The answer of rememberMany.")
class RememberManyPayload(Payload):
    results: list[RememberedStatement] = strawberry.field(
        default_factory=list, description="What was done with each statement, in their order."
    )


@strawberry.type(description="What remember would do now.")
class RememberPlan:
    outcome: RememberOutcome = strawberry.field(
        description="What would be done, and why; its trace ends before anything is written."
    )
    target: Memory | None = strawberry.field(
        description="The known memory that would be touched, merged into, or ended."
    )
    candidates: list[ConsideredMemory] = strawberry.field(
        description="What it was compared with, nearest first."
    )


@strawberry.type
class RememberQuery:
    @reads(
        "What remember would do with this statement now; nothing is written. To a key that may only read the embedded "
        "judge answers, so that reading costs nothing.",
        renames={"facts[0]": ""},
    )
    async def remember_plan(
        self,
        info: Info,
        input: Annotated[RememberInput, strawberry.argument(description="What would be remembered.")],
    ) -> RememberPlan | None:
        context = info.context
        scope, mode = context.scope(input.subject), input.mode
        may_ask = Right.WRITE in context.asker.rights
        service = context.service if may_ask else replace(context.service, providers=Providers())
        fact = await context.call(fact_of, service, input)
        outcome = await context.call(plan, service, scope, fact, mode)
        view = View(scope.for_writing())
        return RememberPlan(
            outcome=_outcome(outcome),
            target=await load_memory(info, view, outcome.target_id) if outcome.target_id else None,
            candidates=[_considered(view, each) for each in outcome.candidates],
        )


@strawberry.type
class RememberMutation:
    @writes(
        "Remembers one statement as what is known wants it: added, merged, in place of an older one, or left out.",
        RememberPayload,
        renames={"facts[0]": ""},
    )
    async def remember(
        self,
        info: Info,
        input: Annotated[RememberInput, strawberry.argument(description="What to remember.")],
    ) -> RememberPayload | None:
        context = info.context
        [fact] = await context.call(keyed_facts_of, context.service, [input], 1, input.idempotency_key)
        call = context.write_call(input.subject, input.idempotency_key, input.session_id)
        outcome, answer = await context.call(remember, context.service, call, fact, input.mode)
        view = View(call.scope.for_writing())
        memory, target, review = await _named(info, view, outcome)
        return RememberPayload(
            outcome=_outcome(outcome),
            memory=memory,
            target=target,
            candidates=[_considered(view, each) for each in outcome.candidates],
            review=review,
            replayed=answer.replayed,
        )

    @writes(
        "Remembers statements one after the other, each in view of those before it. Each is a request of its own: after a "
        "fault those before it stay, and the same input with the same key goes on from there.",
        RememberManyPayload,
        renames={"facts": "memories"},
    )
    async def remember_many(
        self,
        info: Info,
        input: Annotated[RememberManyInput, strawberry.argument(description="What to remember.")],
    ) -> RememberManyPayload | None:
        context = info.context
        facts = await context.call(
            keyed_facts_of, context.service, input.memories, MOST, input.idempotency_key
        )
        call = context.write_call(input.subject, input.idempotency_key, session_of(input.memories))
        made = await context.call(remember_many, context.service, call, facts, input.mode)
        view = View(call.scope.for_writing())
        results = await asyncio.gather(
            *(_remembered(info, view, outcome, answer.replayed) for outcome, answer in made)
        )
        return RememberManyPayload(results=list(results), replayed=all(each.replayed for each in results))


async def _remembered(info: Info, view: View, outcome: domain.Outcome, replayed: bool) -> RememberedStatement:
    memory, target, review = await _named(info, view, outcome)
    return RememberedStatement(
        outcome=_outcome(outcome),
        memory=memory,
        target=target,
        candidates=[_considered(view, each) for each in outcome.candidates],
        review=review,
        replayed=replayed,
    )


async def _named(
    info: Info, view: View, outcome: domain.Outcome
) -> tuple[Memory | None, Memory | None, Review | None]:
    """The memory, the target and the review that an outcome names."""
    return (
        await load_memory(info, view, outcome.id) if outcome.id else None,
        await load_memory(info, view, outcome.target_id) if outcome.target_id else None,
        await load_review(info, view, outcome.review_id) if outcome.review_id else None,
    )


def _outcome(given: domain.Outcome) -> RememberOutcome:
    return mirror(RememberOutcome, given)


def _considered(view: View, given: domain.Weighed) -> ConsideredMemory:
    return mirror(
        ConsideredMemory,
        given,
        view=view,
        memory_uuid=given.id,
        similarity=round(given.cosine, 2),
        link_from_memory=given.link_from_candidate,
    )

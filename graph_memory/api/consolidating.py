"""Merging memories that say the same: asking for a run, reading a plan, carrying it out, taking a run back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

import strawberry

from graph_memory.api.arguments import KEY, After, First, Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, nested, reads, writes
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.jobs import Job, job_of, send
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Memory, memory_of
from graph_memory.api.mirror import mirror
from graph_memory.api.paging import DEFAULT, few, size
from graph_memory.api.scalars import Uuid
from graph_memory.base.errors import Invalid
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.ticks import Publish
from graph_memory.ledger.changes import Answer, Call
from graph_memory.model.planned_merge import PlannedMerge, PlanStatus
from graph_memory.store.service import Service
from graph_memory.upkeep import consolidation, merge_plans, merge_reverts
from graph_memory.upkeep.settings import Strategy

_LONGEST_POSITION = 9
_WHOSE = "Whose. Missing: the key's subject, else everybody's of the account."
_RUN = "The run that does it; ask for it again by its id to see how far it has come."


@strawberry.input(description="What is looked at, and how much may be merged.")
class ConsolidateInput:
    full: bool = strawberry.field(
        default=False,
        description="Whether to look at all memories, not only round what is new since the last run.",
    )
    dry_run: bool = strawberry.field(
        default=False,
        description="Whether only a plan is made: `consolidationPlan` reads it by the run's id.",
    )
    strategy: Strategy | None = strawberry.field(
        default=None, description="How memories are clustered. Missing: as the settings say."
    )
    cap: int | None = strawberry.field(
        default=None,
        description="How many memories may be merged, two at least. Missing: as many as there are.",
    )
    subject: str | None = strawberry.field(default=None, description=_WHOSE)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.input(description="Which plan is carried out.")
class PromoteConsolidationInput:
    id: strawberry.ID = strawberry.field(description="The run that rehearsed: its job's id or uuid.")
    subject: str | None = strawberry.field(default=None, description=_WHOSE)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.input(description="Which run is taken back.")
class RevertConsolidationInput:
    id: strawberry.ID = strawberry.field(description="The run that merged: its job's id or uuid.")
    subject: str | None = strawberry.field(default=None, description=_WHOSE)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(
    description="The answer of consolidate. The job's `result` counts what was merged, or would be."
)
class ConsolidatePayload(Payload):
    job: Job | None = strawberry.field(default=None, description=_RUN)


@strawberry.type(
    description="The answer of promoteConsolidation. `left` of the job's `result` have changed since."
)
class PromoteConsolidationPayload(Payload):
    job: Job | None = strawberry.field(default=None, description=_RUN)


@strawberry.type(
    description="The answer of revertConsolidation. `left` of the job's `result` were built upon, `why_left` names them."
)
class RevertConsolidationPayload(Payload):
    job: Job | None = strawberry.field(default=None, description=_RUN)


@strawberry.type(description="How much of one subject a plan would change.")
class ConsolidationExtent:
    subject: str = strawberry.field(description="Whose memories.")
    groups: int = strawberry.field(description="How many memories there would be in their place.")
    memories: int = strawberry.field(description="How many memories would be merged.")
    links: int = strawberry.field(description="How many links would move.")


@strawberry.type(description="Memories that would become one, or one that would be said anew.")
class ConsolidationGroup:
    members: list[Memory | None] = strawberry.field(description="They, as they are now.")
    text: str = strawberry.field(description="What the one would say.")
    statements: list[str] = strawberry.field(
        description="What a single member would be split into, or the one that says it in fewer words. Empty: they are merged."
    )
    reason: str = strawberry.field(description="Why.")
    confidence: float = strawberry.field(description="How sure that is, 0 to 1.")
    provider: str = strawberry.field(description="Which judge said so.")
    status: PlanStatus = strawberry.field(description="How it stands.")
    product: Uuid | None = strawberry.field(description="The memory that was made of them.")
    fault: str | None = strawberry.field(description="Why it was left.")
    settled_at: datetime | None = strawberry.field(description="When it was carried out or left.")
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")


@strawberry.type(description="What a rehearsed consolidation would do.")
class ConsolidationPlan:
    view: strawberry.Private[View]
    run_id: strawberry.Private[str]
    job: Job = strawberry.field(description="The run that rehearsed.")

    @nested("What it comes to, by subject, the largest first.")
    async def extents(self, info: Info, first: First = DEFAULT) -> list[ConsolidationExtent]:
        context = info.context
        found = await context.call(merge_plans.plan_extents, context.service, self.view.scope, self.run_id)
        return [mirror(ConsolidationExtent, each) for each in few(found, first)]

    @nested("The groups, in the order of the plan.")
    async def groups(
        self, info: Info, first: First = DEFAULT, after: After = None
    ) -> list[ConsolidationGroup]:
        context, begin = info.context, _position(after)
        found = await context.call(
            merge_plans.plan_groups, context.service, self.view.scope, self.run_id, size(first), begin
        )
        return [_group(each, members, self.view) for each, members in found]


@strawberry.type
class ConsolidationQuery:
    @reads("What a rehearsed consolidation would do; null when there is no such plan.", missing_is_null=True)
    async def consolidation_plan(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The run that rehearsed.")],
        subject: Subject = None,
    ) -> ConsolidationPlan | None:
        context, view = info.context, info.context.view(subject)
        run = await context.call(merge_plans.plan_run, context.service, view.scope, uuid_of("Job", id))
        return ConsolidationPlan(view=view, run_id=run.id, job=job_of(run))


@strawberry.type
class ConsolidationMutation:
    @writes(
        "Merges memories that say the same into one each, or with `dryRun` plans it. A worker does it; each merge can be "
        "undone, and the run taken back.",
        ConsolidatePayload,
    )
    async def consolidate(
        self,
        info: Info,
        input: Annotated[ConsolidateInput, strawberry.argument(description="What is looked at, and how.")],
    ) -> ConsolidatePayload | None:
        context = info.context
        call = context.write_call(input.subject, input.idempotency_key)
        wish = consolidation.Wish(input.full, input.dry_run, input.strategy, input.cap)
        run, answer = await context.call(
            _ask, consolidation.consolidate, context.service, call, wish, context.open.publish
        )
        return ConsolidatePayload(job=job_of(run), replayed=answer.replayed)

    @writes(
        "Carries out exactly the plan of a rehearsed consolidation; groups that have changed since are left.",
        PromoteConsolidationPayload,
    )
    async def promote_consolidation(
        self,
        info: Info,
        input: Annotated[PromoteConsolidationInput, strawberry.argument(description="Which plan.")],
    ) -> PromoteConsolidationPayload | None:
        context = info.context
        call = context.write_call(input.subject, input.idempotency_key)
        plan = uuid_of("Job", input.id, "input.id")
        run, answer = await context.call(
            _ask, merge_plans.promote_plan, context.service, call, plan, context.open.publish
        )
        return PromoteConsolidationPayload(job=job_of(run), replayed=answer.replayed)

    @writes(
        "Takes back all that a consolidation has merged, newest first; what was built upon since is left and named.",
        RevertConsolidationPayload,
    )
    async def revert_consolidation(
        self,
        info: Info,
        input: Annotated[RevertConsolidationInput, strawberry.argument(description="Which run.")],
    ) -> RevertConsolidationPayload | None:
        context = info.context
        call = context.write_call(input.subject, input.idempotency_key)
        merger = uuid_of("Job", input.id, "input.id")
        run, answer = await context.call(
            _ask, merge_reverts.revert_run, context.service, call, merger, context.open.publish
        )
        return RevertConsolidationPayload(job=job_of(run), replayed=answer.replayed)


def _ask(
    asking: Callable[[Service, Call, Any], tuple[runs.Run, Answer]],
    service: Service,
    call: Call,
    what: Any,
    publish: Publish,
) -> tuple[runs.Run, Answer]:
    run, answer = asking(service, call, what)
    if not answer.replayed:
        send(schedule.job(run.job), call.scope, run.id, publish)
    return run, answer


def _position(after: str | None) -> int:
    """The place in a plan that a cursor names; before the first without one."""
    if after is None:
        return -1
    if not after.isdecimal() or len(after) > _LONGEST_POSITION:
        raise Invalid(
            "This cursor was not made by us; give one that a page ended with, or leave it out.", path="after"
        )
    return int(after)


def _group(planned: PlannedMerge, members: merge_plans.Members, view: View) -> ConsolidationGroup:
    return mirror(
        ConsolidationGroup,
        planned,
        cursor=str(planned.position),
        members=[memory_of(each, view) if each else None for each in members],
        product=Uuid(planned.product_id) if planned.product_id else None,
    )

"""Taking all that a source has said out of answers, deciding it, and finding memories that come up far too often."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graph_memory.api.arguments import KEY, REASON, Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, reads, writes
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.jobs import Job, job_of, send
from graph_memory.api.memory_types import Memory, memory_of
from graph_memory.api.paging import DEFAULT, size
from graph_memory.curation import quarantine, settlement
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.ticks import Publish
from graph_memory.ledger.changes import Answer, Call
from graph_memory.model.memory import SourceKind
from graph_memory.recall import hubs as finding
from graph_memory.store.service import Service

_WHOSE = "Whose. Missing: the key's subject, else everybody's of the account."


@strawberry.input(
    description="What is in doubt: all that is given must fit, and one beside `since` is needed."
)
class QuarantineSourceInput:
    reason: str = strawberry.field(description="Why it is in doubt, for whoever decides it.")
    source_kind: SourceKind | None = strawberry.field(default=None, description="The kind of source.")
    source_ref: str | None = strawberry.field(default=None, description="Your own name for the source.")
    session_id: str | None = strawberry.field(default=None, description="Your session in which it was said.")
    author: str | None = strawberry.field(default=None, description="Who said it, in capitals or not.")
    since: datetime | None = strawberry.field(default=None, description="Only what was stored since.")
    subject: str | None = strawberry.field(default=None, description=_WHOSE)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(description="The answer of quarantineSource.")
class QuarantineSourcePayload(Payload):
    job: Job | None = strawberry.field(
        default=None,
        description="The run that does it; `result` tells how many it took, and how many came back.",
    )


@strawberry.input(description="Which quarantine is decided, and how.")
class SettleQuarantineInput:
    id: strawberry.ID = strawberry.field(description="The run that did it: its job's id or uuid.")
    verdict: settlement.Verdict = strawberry.field(description="How it ends.")
    cascade: bool = strawberry.field(
        default=False,
        description="With RELEASE: whether later changes on what came back go along; else they refuse it, by name.",
    )
    reason: str = strawberry.field(default="", description=REASON)
    subject: str | None = strawberry.field(default=None, description=_WHOSE)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(description="The answer of settleQuarantine.")
class SettleQuarantinePayload(Payload):
    memories: int = strawberry.field(default=0, description="How many memories changed by it.")
    left: int = strawberry.field(
        default=0,
        description="With RETRACT: how many of what it took had been brought back before, and stay as they are.",
    )


@strawberry.type(description="A memory that is among the nearest of too much.")
class Hub:
    memory: Memory = strawberry.field(description="The memory.")
    near: int = strawberry.field(description="How many of the sample have it among their five nearest.")
    sampled: int = strawberry.field(description="How many were looked at.")
    share: float = strawberry.field(description="The one by the other.")


@strawberry.type
class HubQuery:
    @reads(
        "Memories that come up far too often: perhaps planted to be read always, or to hide others. For a person to "
        "look at; an ordinary memory may be among them."
    )
    async def hubs(
        self,
        info: Info,
        queries: Annotated[
            list[str] | None,
            strawberry.argument(
                description="What was asked lately, at most 1000. Missing: memories are drawn."
            ),
        ] = None,
        sample: Annotated[
            int, strawberry.argument(description="How many memories are drawn at random, 1 to 1000.")
        ] = finding.SAMPLE,
        share: Annotated[
            float, strawberry.argument(description="What is near more than this share of them is told.")
        ] = finding.SHARE,
        first: Annotated[int, strawberry.argument(description="How many at most: 1 to 100.")] = DEFAULT,
        subject: Subject = None,
    ) -> list[Hub] | None:
        context, view = info.context, info.context.view(subject)
        found = await context.call(
            finding.hubs, context.service, view.scope, queries or (), sample, size(first), share
        )
        return [
            Hub(memory=memory_of(hub.memory, view), near=hub.near, sampled=hub.sampled, share=hub.share)
            for hub in found
        ]


@strawberry.type
class SourceMutation:
    @writes(
        "Takes all that a source has said out of answers. A worker does it; what it had superseded or merged comes "
        "back. `settleQuarantine` decides it, and until then all can be as it was.",
        QuarantineSourcePayload,
        renames={"kind": "sourceKind", "ref": "sourceRef", "session": "sessionId", "source": ""},
    )
    async def quarantine_source(
        self,
        info: Info,
        input: Annotated[
            QuarantineSourceInput, strawberry.argument(description="What is in doubt, and why.")
        ],
    ) -> QuarantineSourcePayload | None:
        context = info.context
        call = context.write_call(input.subject, input.idempotency_key)
        suspect = quarantine.Suspect(
            input.source_kind, input.source_ref, input.session_id, input.author, input.since
        )
        run, answer = await context.call(
            _quarantine, context.service, call, suspect, input.reason, context.open.publish
        )
        return QuarantineSourcePayload(job=job_of(run), replayed=answer.replayed)

    @writes(
        "Decides what a quarantine took: all is as it was, or what it took stays in history only.",
        SettleQuarantinePayload,
    )
    async def settle_quarantine(
        self,
        info: Info,
        input: Annotated[SettleQuarantineInput, strawberry.argument(description="Which one, and how.")],
    ) -> SettleQuarantinePayload | None:
        context = info.context
        call = context.write_call(input.subject, input.idempotency_key)
        done = await context.call(
            settlement.settle,
            context.service,
            call,
            uuid_of("Job", input.id),
            input.verdict,
            input.reason,
            input.cascade,
        )
        return SettleQuarantinePayload(memories=done.memories, left=done.left, replayed=done.replayed)


def _quarantine(
    service: Service, call: Call, suspect: quarantine.Suspect, reason: str, publish: Publish
) -> tuple[runs.Run, Answer]:
    run, answer = quarantine.quarantine(service, call, suspect, reason)
    if not answer.replayed:
        send(schedule.job(run.job), call.scope, run.id, publish)
    return run, answer

"""Batches: many questions for a language model at once, how they stand, stopping one and putting it back in line."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated

import strawberry

from graph_memory.api.arguments import KEY, After, First, Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, reads, writes
from graph_memory.api.global_ids import to_global, uuid_of
from graph_memory.api.mirror import mirror
from graph_memory.api.node import Node
from graph_memory.api.paging import DEFAULT, Counted, PageInfo, place, size
from graph_memory.api.scalars import Uuid
from graph_memory.base.errors import NotFound
from graph_memory.base.scope import Scope
from graph_memory.batches import decisions, records
from graph_memory.model import batch as model


@strawberry.type(description="Questions for a language model that are answered together. It holds no text.")
class Batch(Node):
    uuid: Uuid = strawberry.field(description="Its id as the store and the command line know it.")
    kind: model.Kind = strawberry.field(description="What it asks about.")
    status: model.Status = strawberry.field(description="How it stands.")
    reason: str | None = strawberry.field(description="Why it stands so, or the last fault.")
    provider: str | None = strawberry.field(
        description="Who answers it; null where the questions are asked one by one."
    )
    items: int = strawberry.field(description="How many questions it has.")
    applied: int = strawberry.field(description="Questions that were answered and applied.")
    failed: int = strawberry.field(description="Questions that were given up.")
    waiting: int = strawberry.field(description="Questions that are neither.")
    attempts: int = strawberry.field(description="How often it was sent to a provider.")
    created_at: datetime = strawberry.field(description="When it was recorded.")
    submitted_at: datetime = strawberry.field(description="When it was last put in line or sent.")
    expires_at: datetime | None = strawberry.field(description="When the provider gives it up.")
    ended_at: datetime | None = strawberry.field(description="When it came to its end.")


@strawberry.type(description="A batch and its place in the list.")
class BatchEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Batch = strawberry.field(description="The batch.")


@strawberry.type(description="A page of batches, newest first.")
class BatchConnection(Counted):
    edges: list[BatchEdge] = strawberry.field(description="The batches with their cursors.")
    nodes: list[Batch] = strawberry.field(description="The batches alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.input(description="Which batch.")
class BatchInput:
    id: strawberry.ID = strawberry.field(description="The batch: its id or uuid.")
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(description="The answer of cancelBatch.")
class CancelBatchPayload(Payload):
    batch: Batch | None = strawberry.field(default=None, description="The batch as it stands now.")


@strawberry.type(description="The answer of retryBatch.")
class RetryBatchPayload(Payload):
    batch: Batch | None = strawberry.field(default=None, description="The batch as it stands now.")


@strawberry.type
class BatchQuery:
    @reads("Batches, the newest first, of one status or of all. They are removed two days after their end.")
    async def batches(
        self,
        info: Info,
        status: Annotated[
            model.Status | None, strawberry.argument(description="Only of this status; null for all.")
        ] = None,
        first: First = DEFAULT,
        after: After = None,
        subject: Subject = None,
    ) -> BatchConnection | None:
        context, scope = info.context, info.context.scope(subject)
        page = await context.call(records.page, context.service, scope, size(first), place(after), status)
        nodes = [_batch(each) for each in page.items]
        edges = [BatchEdge(cursor=at, node=node) for at, node in zip(page.cursors, nodes, strict=True)]
        end = page.cursors[-1] if page.cursors else None
        return BatchConnection(
            counting=partial(records.count, context.service, scope, status),
            edges=edges,
            nodes=nodes,
            page_info=PageInfo(has_next_page=page.has_next, end_cursor=end),
        )


@strawberry.type
class BatchMutation:
    @writes(
        "Stops a batch, here and with its provider. What was applied stays.",
        CancelBatchPayload,
    )
    async def cancel_batch(
        self, info: Info, input: Annotated[BatchInput, strawberry.argument(description="Which batch.")]
    ) -> CancelBatchPayload | None:
        context, id = info.context, uuid_of("Batch", input.id)
        call = context.write_call(None, input.idempotency_key)
        batch, answer = await context.call(decisions.cancel, context.service, call, id)
        return CancelBatchPayload(batch=_batch(batch), replayed=answer.replayed)

    @writes(
        "Puts a batch that failed, expired or was cancelled back in line, for what has no answer.",
        RetryBatchPayload,
    )
    async def retry_batch(
        self, info: Info, input: Annotated[BatchInput, strawberry.argument(description="Which batch.")]
    ) -> RetryBatchPayload | None:
        context, id = info.context, uuid_of("Batch", input.id)
        call = context.write_call(None, input.idempotency_key)
        batch, answer = await context.call(decisions.retry, context.service, call, id)
        return RetryBatchPayload(batch=_batch(batch), replayed=answer.replayed)


async def load_batch(info: Info, scope: Scope, uuid: str) -> Batch | None:
    """The batch, or None when it is missing or someone else's."""
    try:
        return _batch(await info.context.call(records.get, info.context.service, scope, uuid))
    except NotFound:
        return None


def _batch(given: model.Batch) -> Batch:
    return mirror(Batch, given, id=strawberry.ID(to_global("Batch", given.id)), uuid=Uuid(given.id))

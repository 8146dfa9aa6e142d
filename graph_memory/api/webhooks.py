"""Webhooks: addresses to which the account's changes are sent. For admins alone."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graph_memory.api.arguments import KEY
from graph_memory.api.changes import sequence
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, reads, writes
from graph_memory.api.global_ids import to_global, uuid_of
from graph_memory.api.mirror import mirror
from graph_memory.api.paging import place
from graph_memory.api.scalars import Uuid
from graph_memory.base.gathered import Gathered
from graph_memory.model import webhook as model
from graph_memory.model.change import Operation
from graph_memory.store.api_keys import Right
from graph_memory.webhooks import hooks


@strawberry.type(description="An address to which changes are sent in their order, as they are made.")
class Webhook:
    id: strawberry.ID = strawberry.field(description="Its id.")
    uuid: Uuid = strawberry.field(description="Its id as the store and the command line know it.")
    url: str = strawberry.field(description="Where changes go.")
    subject_name: str | None = strawberry.field(
        name="subject", description="Only changes of this subject; null for those of all."
    )
    operations: list[Operation] = strawberry.field(description="Only what did one of these; empty for all.")
    with_content: bool = strawberry.field(
        description="Whether it gets the words too: reason, before and after of each change."
    )
    status: model.WebhookStatus = strawberry.field(description="How it stands.")
    after: int = strawberry.field(
        description="The sequence number of the last change that is dealt with: taken by the receiver, or of no interest."
    )
    lag: int = strawberry.field(description="How many changes the account has made since.")
    failures: int = strawberry.field(description="How often in a row the next change was not taken.")
    failing_since: datetime | None = strawberry.field(description="Since when it is not taken.")
    last_error: str | None = strawberry.field(description="Why it was not taken, the last time.")
    last_sent_at: datetime | None = strawberry.field(description="When a change was last taken.")
    next_try_at: datetime | None = strawberry.field(description="When it is tried again.")
    created_at: datetime = strawberry.field(description="When it was added.")
    created_by: str = strawberry.field(description="Who added it.")


@strawberry.input(description="Where changes shall be sent, and which.")
class AddWebhookInput:
    url: str = strawberry.field(description="The address: https, and a public one.")
    subject: str | None = strawberry.field(default=None, description="Only changes of this subject.")
    operations: list[Operation] = strawberry.field(
        default_factory=list, description="Only what did one of these; empty for all."
    )
    with_content: bool = strawberry.field(
        default=False,
        description="Whether to send the words too: reason, before and after of each change. Without, ids only, so that "
        "what is forgotten here is not kept there.",
    )
    after: str | None = strawberry.field(
        default=None,
        description='The sequence number after which it begins; "0" from the start. With the next change when missing.',
    )
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.input(description="Which webhook.")
class WebhookInput:
    id: strawberry.ID = strawberry.field(description="The webhook: its id or uuid.")
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(description="The answer of addWebhook.")
class AddWebhookPayload(Payload):
    webhook: Webhook | None = strawberry.field(default=None, description="The new webhook.")
    secret: str | None = strawberry.field(
        default=None,
        description="With what its requests are signed. Keep it: only this request, repeated with its key, answers it again.",
    )


@strawberry.type(description="The answer of resumeWebhook.")
class ResumeWebhookPayload(Payload):
    webhook: Webhook | None = strawberry.field(default=None, description="The webhook as it stands now.")


@strawberry.type(description="The answer of removeWebhook.")
class RemoveWebhookPayload(Payload):
    uuid: Uuid | None = strawberry.field(default=None, description="The webhook that is there no more.")


@strawberry.type
class WebhookQuery:
    @reads(
        "The account's webhooks, the oldest first, with how far each is behind and why it failed last. It needs the right "
        "ADMIN.",
        right=Right.ADMIN,
    )
    async def webhooks(self, info: Info) -> list[Webhook] | None:
        context = info.context
        found = await context.call(hooks.every, context.service, context.asker.scope)
        return [_webhook(each) for each in found]


@strawberry.type
class WebhookMutation:
    @writes(
        "Adds a webhook: every change is sent there, signed, in order and at least once. It needs the right ADMIN.",
        AddWebhookPayload,
        right=Right.ADMIN,
    )
    async def add_webhook(
        self,
        info: Info,
        input: Annotated[AddWebhookInput, strawberry.argument(description="Where to, and which.")],
    ) -> AddWebhookPayload | None:
        context, faults = info.context, Gathered()
        after = None if input.after is None else faults.of(_after, input.after)
        wanted = hooks.Wanted(input.url, input.subject, tuple(input.operations), input.with_content, after)
        if faults.faults:
            await context.call(faults.of, hooks.check, context.service, context.asker.scope, wanted)
        faults.refuse()
        call = context.write_call(None, input.idempotency_key)
        made, secret, answer = await context.call(hooks.add, context.service, call, wanted)
        return AddWebhookPayload(webhook=_webhook(made), secret=secret, replayed=answer.replayed)

    @writes(
        "Makes a webhook that was set aside active again: it goes on where it stopped, at once. It needs the right ADMIN.",
        ResumeWebhookPayload,
        right=Right.ADMIN,
    )
    async def resume_webhook(
        self, info: Info, input: Annotated[WebhookInput, strawberry.argument(description="Which webhook.")]
    ) -> ResumeWebhookPayload | None:
        context, id = info.context, uuid_of("Webhook", input.id)
        call = context.write_call(None, input.idempotency_key)
        hook, answer = await context.call(hooks.resume, context.service, call, id)
        return ResumeWebhookPayload(webhook=_webhook(hook), replayed=answer.replayed)

    @writes(
        "Removes a webhook for good: nothing more is sent there. It needs the right ADMIN.",
        RemoveWebhookPayload,
        right=Right.ADMIN,
    )
    async def remove_webhook(
        self, info: Info, input: Annotated[WebhookInput, strawberry.argument(description="Which webhook.")]
    ) -> RemoveWebhookPayload | None:
        context, id = info.context, uuid_of("Webhook", input.id)
        call = context.write_call(None, input.idempotency_key)
        answer = await context.call(hooks.remove, context.service, call, id)
        return RemoveWebhookPayload(uuid=Uuid(id), replayed=answer.replayed)


def _after(given: str) -> int:
    return sequence(place(given))


def _webhook(given: model.Webhook) -> Webhook:
    return mirror(Webhook, given, id=strawberry.ID(to_global("Webhook", given.id)), uuid=Uuid(given.id))

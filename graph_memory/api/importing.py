"""Bringing in a conversation that is sent along: its messages are stored at once, a job extracts what they say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import strawberry

from graph_memory.api.arguments import KEY, SUBJECT
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, writes
from graph_memory.api.jobs import Job, job_of, send
from graph_memory.base.errors import Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.ingest import json_lines
from graph_memory.ingest.faults import MAX_NAME, Faults
from graph_memory.ingest.receipt import Received, receive
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.ticks import Publish
from graph_memory.ledger.changes import Call
from graph_memory.memory.settings import TextsSettings
from graph_memory.model.message import Conversation
from graph_memory.store.service import Service

_MOST = 5000


@strawberry.input(description="One turn of a conversation.")
class MessageInput:
    speaker: str = strawberry.field(description="Who said it.")
    at: datetime = strawberry.field(description="When it was said.")
    text: str = strawberry.field(description="What was said.")
    ref: str | None = strawberry.field(default=None, description="Your own name for it, unlike all others.")
    session: str | None = strawberry.field(default=None, description="Which sitting it belongs to.")
    caption: str | None = strawberry.field(default=None, description="What a shared picture shows.")
    role: str | None = strawberry.field(
        default=None,
        description="user, assistant or tool; missing: a person. What others say is context only.",
    )


@strawberry.input(description="A conversation. Sent again, or sent longer, only what is new is stored.")
class ImportConversationInput:
    ref: str = strawberry.field(description="Your own name for the conversation; keep it when you send more.")
    messages: list[MessageInput] = strawberry.field(description=f"Its turns, 1 to {_MOST}.")
    subject: str | None = strawberry.field(default=None, description=SUBJECT)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(description="The answer of importConversation.")
class ImportConversationPayload(Payload):
    job: Job | None = strawberry.field(
        default=None, description="The run that extracts memories; ask again to see how far it has come."
    )
    messages: int = strawberry.field(default=0, description="How many messages the conversation has.")
    segments: int = strawberry.field(default=0, description="How many sittings it has.")


@strawberry.type
class ImportMutation:
    @writes(
        "Stores a conversation and asks for the job that extracts memories from it.",
        ImportConversationPayload,
    )
    async def import_conversation(
        self,
        info: Info,
        input: Annotated[ImportConversationInput, strawberry.argument(description="The conversation.")],
    ) -> ImportConversationPayload | None:
        context = info.context
        most = context.settings[TextsSettings].max_message
        conversation = await context.call(conversation_of, input.ref, input.messages, most)
        call = context.write_call(input.subject, input.idempotency_key)
        run, received = await context.call(
            _receive, context.service, call, conversation, context.open.publish
        )
        context.open.arrivals.note(call.scope)
        return ImportConversationPayload(
            job=job_of(run),
            messages=received.messages,
            segments=received.segments,
            replayed=received.replayed,
        )


def _receive(
    service: Service, call: Call, conversation: Conversation, publish: Publish
) -> tuple[runs.Run, Received]:
    received = receive(service, call, conversation)
    run = runs.get(service, call.scope, received.run_id)
    if not received.replayed:
        send(schedule.job(run.job), call.scope, run.id, publish)
    return run, received


def conversation_of(
    ref: str, messages: Sequence[MessageInput], max_message: int, most: int = _MOST, named: str = "ref"
) -> Conversation:
    """The messages by the rules of a file, one line each; at most so many. `named`: what the caller calls its `ref`."""
    if not 1 <= len(messages) <= most:
        raise Invalid(f"{len(messages)} messages were given; 1 to {most} are taken at once.", path="messages")
    faults, broken = Gathered(), Faults()
    faults.of(_check_name, ref, named)
    lines = "\n".join(_line(message) for message in messages)
    conversation = json_lines.parse(lines, ref.strip(), max_message, broken)
    for line, fault in broken.found:
        faults.of(_refuse_message, line - 1, fault)
    faults.refuse()
    return conversation


def _check_name(ref: str, named: str) -> None:
    if not 1 <= len(ref.strip()) <= MAX_NAME:
        raise Invalid(f"{named} must have 1 to {MAX_NAME} characters.", path=named)


def _refuse_message(place: int, fault: str) -> None:
    """A fault of a line begins with the field that it is about."""
    raise Invalid(
        f"messages[{place}].{fault.rstrip('.')}.", path=f"messages[{place}].{fault.partition(' ')[0]}"
    )


def _line(message: MessageInput) -> str:
    given = {name: value for name, value in vars(message).items() if value is not None}
    return json.dumps({**given, "at": message.at.isoformat()})

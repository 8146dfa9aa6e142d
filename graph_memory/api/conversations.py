"""Conversations as they go on: messages are taken in at once, a segment is closed and extracted, both can be read."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated

import strawberry

from graph_memory.api.arguments import KEY, SUBJECT, After, First, Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, nested, reads, writes
from graph_memory.api.global_ids import uuids_of
from graph_memory.api.importing import MessageInput, conversation_of
from graph_memory.api.jobs import Job, job_of, send
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Memory, load_memory
from graph_memory.api.mirror import mirror
from graph_memory.api.paging import DEFAULT, FEW, Counted, PageInfo, few, place, size
from graph_memory.api.scalars import Uuid
from graph_memory.base.gathered import Gathered
from graph_memory.ingest import segments, submission, tries
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.ticks import Publish
from graph_memory.ledger.changes import Call, check_key
from graph_memory.memory import conversation_counts
from graph_memory.memory.settings import TextsSettings
from graph_memory.model.message import Conversation, check_said_at
from graph_memory.store.service import Service


@strawberry.type(description="A stretch of conversation.")
class Segment:
    uuid: Uuid = strawberry.field(description="Its id.")
    session: str | None = strawberry.field(description="Your name for the session.")
    status: segments.SegmentStatus = strawberry.field(description="How it stands.")
    started_at: datetime = strawberry.field(description="When its first message was said.")
    ended_at: datetime | None = strawberry.field(description="When its last message was said.")
    message_count: int = strawberry.field(description="How many messages it has.")
    extracted_count: int = strawberry.field(description="How many of them were extracted.")
    left_out_count: int = strawberry.field(description="How many of those that people said became no memory.")
    set_aside_count: int = strawberry.field(
        description="How many of those could not be read; `retryMessages` has them read again."
    )


@strawberry.type(description="A stored message. Of an erased one the text is empty.")
class Message:
    view: strawberry.Private[View]
    memory_ids: strawberry.Private[tuple[str, ...]]
    uuid: Uuid = strawberry.field(description="Its id.")
    speaker: str = strawberry.field(description="Who said it.")
    role: str | None = strawberry.field(description="user, assistant or tool; null for a person.")
    at: datetime = strawberry.field(description="When it was said.")
    text: str = strawberry.field(description="What was said.")
    ref: str | None = strawberry.field(description="Your own name for it.")
    is_extracted: bool = strawberry.field(description="Whether it was read for memories.")
    is_erased: bool = strawberry.field(description="Whether its text was erased.")
    set_aside: str | None = strawberry.field(
        description="Why it was set aside: it could not be read in several tries. Null for all others."
    )

    @nested("The memories that were extracted from it.")
    async def memories(self, info: Info, first: First = FEW) -> list[Memory]:
        found = [await load_memory(info, self.view, id) for id in few(self.memory_ids, first)]
        return [each for each in found if each is not None]


@strawberry.type(description="A segment and its place in the list.")
class SegmentEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Segment = strawberry.field(description="The segment.")


@strawberry.type(description="A page of segments, latest first.")
class SegmentConnection(Counted):
    edges: list[SegmentEdge] = strawberry.field(description="The segments with their cursors.")
    nodes: list[Segment] = strawberry.field(description="The segments alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type(description="A message and its place in the segment.")
class MessageEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Message = strawberry.field(description="The message.")


@strawberry.type(description="A page of messages, in the order in which they were said.")
class MessageConnection(Counted):
    edges: list[MessageEdge] = strawberry.field(description="The messages with their cursors.")
    nodes: list[Message] = strawberry.field(description="The messages alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.input(description="New messages of a session, and what the agent had before it.")
class SubmitMessagesInput:
    session: str = strawberry.field(description="Your name for the session; its open segment takes them.")
    messages: list[MessageInput] = strawberry.field(description="What was said, 1 to 500, in order.")
    context_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="The memories that stood in the agent's prompt, at most 100."
    )
    subject: str | None = strawberry.field(default=None, description=SUBJECT)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(description="The answer of submitMessages.")
class SubmitMessagesPayload(Payload):
    segment_uuid: Uuid | None = strawberry.field(default=None, description="The segment that holds them.")
    stored: int = strawberry.field(
        default=0, description="How many are new; those with a known ref were there."
    )
    length: int = strawberry.field(default=0, description="How many messages the segment has taken.")
    masked: list[str] = strawberry.field(
        default_factory=list,
        description="The kinds of secrets that were taken out, as password; never a value.",
    )


@strawberry.input(description="Whose session is closed.")
class CloseSegmentInput:
    session: str = strawberry.field(description="Your name for the session.")
    subject: str | None = strawberry.field(default=None, description=SUBJECT)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(description="The answer of closeSegment.")
class CloseSegmentPayload(Payload):
    segment_uuid: Uuid | None = strawberry.field(default=None, description="The segment that was closed.")
    messages: int = strawberry.field(default=0, description="How many messages it has.")
    job: Job | None = strawberry.field(
        default=None, description="The run that extracts it; ask again to see how far it has come."
    )


@strawberry.input(description="Of which session what was set aside is read again.")
class RetryMessagesInput:
    session: str = strawberry.field(description="Your name for the session.")
    subject: str | None = strawberry.field(default=None, description=SUBJECT)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(description="The answer of retryMessages.")
class RetryMessagesPayload(Payload):
    messages: int = strawberry.field(default=0, description="How many messages are read again.")
    job: Job | None = strawberry.field(
        default=None, description="The run that reads them; ask again to see how far it has come."
    )


@strawberry.type
class ConversationQuery:
    @reads("Stretches of conversation, latest first.")
    async def segments(
        self,
        info: Info,
        first: First = DEFAULT,
        after: After = None,
        status: Annotated[
            segments.SegmentStatus | None, strawberry.argument(description="Only of this status.")
        ] = None,
        session: Annotated[str | None, strawberry.argument(description="Only of this session.")] = None,
        subject: Subject = None,
    ) -> SegmentConnection | None:
        context, scope = info.context, info.context.scope(subject)
        items, has_next = await context.call(
            segments.segments, context.service, scope, size(first), place(after), status, session
        )
        edges = [SegmentEdge(cursor=segments.cursor_of(each), node=_segment(each)) for each in items]
        return SegmentConnection(
            counting=partial(conversation_counts.segments, context.service, scope, status, session),
            edges=edges,
            nodes=[edge.node for edge in edges],
            page_info=PageInfo(has_next_page=has_next, end_cursor=edges[-1].cursor if edges else None),
        )

    @reads("The messages of a segment, in the order in which they were said.")
    async def messages(
        self,
        info: Info,
        segment: Annotated[Uuid, strawberry.argument(description="The segment's uuid.")],
        first: First = DEFAULT,
        after: After = None,
        left_out: Annotated[
            bool,
            strawberry.argument(
                description="Only those that were read and became no memory, or could not be read (`Message.setAside`)."
            ),
        ] = False,
        subject: Subject = None,
    ) -> MessageConnection | None:
        context, scope = info.context, info.context.scope(subject)
        items, has_next = await context.call(
            segments.messages, context.service, scope, str(segment), size(first), place(after), left_out
        )
        view = View(scope)
        edges = [MessageEdge(cursor=segments.cursor_of(each), node=message_of(view, each)) for each in items]
        return MessageConnection(
            counting=partial(conversation_counts.messages, context.service, scope, str(segment), left_out),
            edges=edges,
            nodes=[edge.node for edge in edges],
            page_info=PageInfo(has_next_page=has_next, end_cursor=edges[-1].cursor if edges else None),
        )


@strawberry.type
class ConversationMutation:
    @writes(
        "Takes messages into the open segment of a session and answers at once; they are extracted when it is closed.",
        SubmitMessagesPayload,
    )
    async def submit_messages(
        self,
        info: Info,
        input: Annotated[SubmitMessagesInput, strawberry.argument(description="The messages.")],
    ) -> SubmitMessagesPayload | None:
        context = info.context
        conversation, shown = await context.call(_taken, context.service, input)
        call = context.write_call(input.subject, input.idempotency_key)
        done = await context.call(
            submission.submit, context.service, call, input.session, conversation.messages, shown
        )
        context.open.arrivals.note(call.scope)
        return SubmitMessagesPayload(
            segment_uuid=Uuid(done.segment_id),
            stored=done.stored,
            length=done.length,
            masked=list(done.masked),
            replayed=done.replayed,
        )

    @writes(
        "Closes the open segment of a session and asks for the job that extracts it.",
        CloseSegmentPayload,
    )
    async def close_segment(
        self,
        info: Info,
        input: Annotated[CloseSegmentInput, strawberry.argument(description="Which session.")],
    ) -> CloseSegmentPayload | None:
        context, call = info.context, _call(info, input)
        run, done = await context.call(_close, context.service, call, input.session, context.open.publish)
        return CloseSegmentPayload(
            segment_uuid=Uuid(done.segment_id),
            messages=done.messages,
            job=job_of(run),
            replayed=done.replayed,
        )

    @writes(
        "Has the messages of a session that were set aside, as they could not be read, read again by a job.",
        RetryMessagesPayload,
    )
    async def retry_messages(
        self,
        info: Info,
        input: Annotated[RetryMessagesInput, strawberry.argument(description="Which session.")],
    ) -> RetryMessagesPayload | None:
        context, call = info.context, _call(info, input)
        run, done = await context.call(_retry, context.service, call, input.session, context.open.publish)
        return RetryMessagesPayload(messages=done.messages, job=job_of(run), replayed=done.replayed)


def _call(info: Info, input: CloseSegmentInput | RetryMessagesInput) -> Call:
    """The request about a session; all that is wrong with it is told at once."""
    faults = Gathered()
    faults.of(submission.check_session, input.session)
    faults.of(check_key, input.idempotency_key)
    faults.refuse()
    return info.context.write_call(input.subject, input.idempotency_key)


def _taken(service: Service, input: SubmitMessagesInput) -> tuple[Conversation, list[str]]:
    """The messages and what stood in the prompt; all that is wrong with either is told at once."""
    faults, most = Gathered(), service.settings[TextsSettings].max_message
    conversation = faults.of(
        conversation_of, input.session, input.messages, most, submission.MOST_MESSAGES, "session"
    )
    for number, message in enumerate(input.messages[: submission.MOST_MESSAGES]):
        faults.of(check_said_at, message.at, service.clock(), f"messages[{number}]")
    shown = faults.of(uuids_of, "Memory", input.context_ids, "contextIds")
    faults.of(check_key, input.idempotency_key)
    faults.refuse()
    return conversation, shown


def message_of(view: View, given: segments.Said) -> Message:
    """A message of the domain as the schema shows it."""
    said = given.message
    return Message(
        view=view,
        memory_ids=given.memory_ids,
        uuid=Uuid(given.id),
        speaker=said.speaker,
        role=said.role,
        at=said.at,
        text=said.text,
        ref=said.ref,
        is_extracted=given.is_extracted,
        is_erased=given.is_erased,
        set_aside=given.set_aside,
    )


def _close(
    service: Service, call: Call, session: str, publish: Publish
) -> tuple[runs.Run, submission.Closed]:
    done = submission.close(service, call, session)
    return _sent(service, call, done.run_id, publish, is_new=not done.replayed), done


def _retry(service: Service, call: Call, session: str, publish: Publish) -> tuple[runs.Run, tries.Retried]:
    done = tries.retry(service, call, session)
    return _sent(service, call, done.run_id, publish, is_new=not done.replayed), done


def _sent(service: Service, call: Call, run_id: str, publish: Publish, *, is_new: bool) -> runs.Run:
    run = runs.get(service, call.scope, run_id)
    if is_new:
        send(schedule.job(run.job), call.scope, run.id, publish)
    return run


def _segment(given: segments.Segment) -> Segment:
    return mirror(
        Segment,
        given,
        uuid=Uuid(given.id),
        message_count=given.messages,
        extracted_count=given.extracted,
        left_out_count=given.left_out,
        set_aside_count=given.set_aside,
    )

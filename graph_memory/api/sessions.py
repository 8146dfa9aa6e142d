"""The conversations of a subject, page by page."""

from __future__ import annotations

from datetime import datetime
from functools import partial

import strawberry

from graph_memory.api.arguments import After, First, Subject
from graph_memory.api.context import Info
from graph_memory.api.conversations import Message, message_of
from graph_memory.api.fields import reads
from graph_memory.api.loaders import View
from graph_memory.api.paging import DEFAULT, Counted, PageInfo, place, size
from graph_memory.ingest import sessions
from graph_memory.memory import conversation_counts


@strawberry.type(
    description="A conversation of a subject: all segments of one session, or one that belongs to none."
)
class Session:
    name: str | None = strawberry.field(
        description="Your name for it, as `segments` and `passages` take it; null where it was given none."
    )
    subject: str = strawberry.field(description="Whose conversation it is.")
    started_at: datetime = strawberry.field(description="When its first message was said.")
    ended_at: datetime = strawberry.field(description="When its last message was said.")
    is_open: bool = strawberry.field(description="Whether it has a segment that takes messages.")
    segment_count: int = strawberry.field(description="How many stretches it was cut into.")
    message_count: int = strawberry.field(description="How many messages it has.")
    extracted_count: int = strawberry.field(description="How many of them were extracted.")
    left_out_count: int = strawberry.field(description="How many of those that people said became no memory.")
    set_aside_count: int = strawberry.field(
        description="How many of those could not be read; `retryMessages` has them read again."
    )
    first_message: Message | None = strawberry.field(description="The first that was said in it.")
    last_message: Message | None = strawberry.field(description="The last that was said in it.")


@strawberry.type(description="A session and its place in the list.")
class SessionEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Session = strawberry.field(description="The session.")


@strawberry.type(description="A page of sessions, the latest begun first.")
class SessionConnection(Counted):
    edges: list[SessionEdge] = strawberry.field(description="The sessions with their cursors.")
    nodes: list[Session] = strawberry.field(description="The sessions alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type
class SessionQuery:
    @reads("The conversations of a subject, or of all of the account, the latest begun first.")
    async def sessions(
        self, info: Info, first: First = DEFAULT, after: After = None, subject: Subject = None
    ) -> SessionConnection | None:
        context, scope = info.context, info.context.scope(subject)
        page = await context.call(sessions.sessions, context.service, scope, size(first), place(after))
        view = View(scope)
        edges = [
            SessionEdge(cursor=sessions.cursor_of(each), node=_session(view, each)) for each in page.items
        ]
        return SessionConnection(
            counting=partial(conversation_counts.sessions, context.service, scope),
            edges=edges,
            nodes=[edge.node for edge in edges],
            page_info=PageInfo(has_next_page=page.has_next, end_cursor=edges[-1].cursor if edges else None),
        )


def _session(view: View, given: sessions.Session) -> Session:
    return Session(
        name=given.name,
        subject=given.subject,
        started_at=given.started_at,
        ended_at=given.ended_at,
        is_open=given.is_open,
        segment_count=given.segments,
        message_count=given.messages,
        extracted_count=given.extracted,
        left_out_count=given.left_out,
        set_aside_count=given.set_aside,
        first_message=message_of(view, given.first) if given.first else None,
        last_message=message_of(view, given.last) if given.last else None,
    )

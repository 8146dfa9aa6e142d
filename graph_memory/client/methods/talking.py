"""Conversations: taking them in, and reading what was said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from graph_memory.base.errors import Forbidden, NotFound, UserError
from graph_memory.client.answers.decoding import read
from graph_memory.client.answers.listed import Page
from graph_memory.client.answers.of_conversations import Closed, Message, Retried, Segment, Session, Submitted
from graph_memory.client.answers.words import SegmentStatus
from graph_memory.client.exchange import Asker, Steps
from graph_memory.client.methods.calls import awaited, reads, there, writes
from graph_memory.client.sending import PAGE, spoken


def add_messages(
    asker: Asker,
    messages: Iterable[Mapping[str, Any]],
    *,
    user: str | None = None,
    session: str | None = None,
    close: bool = False,
    wait: float = 0.0,
    context_ids: Sequence[str] = (),
    subject: str | None = None,
    key: str | None = None,
) -> Steps[Submitted]:
    """Takes in messages `{"role", "content", "at"?, "name"?, "ref"?}`, which are read for memories when the session is closed.

    `content` is text, or a list of parts of which those of text are taken; a message in which nothing is said is left out.
    `user` is who speaks as `user`, whom memories call "User" else, and whose they are where neither `subject`, the client nor
    the key says so. Without `session` the messages are a conversation by themselves and closed at once; with it, `close` says
    that no more will come. With `wait` it is closed, and the answer comes when it was read, or after so many seconds: `job`
    tells which.
    """
    whose, said = subject or asker.subject, spoken(messages, user)
    name, key = session or f"messages-{uuid4()}", key or str(uuid4())
    given = {"session": name, "messages": said.messages, "context_ids": list(context_ids)}
    try:
        if whose:
            answer = yield from writes(asker, "submit-messages", given, key, whose)
        else:
            answer, whose = yield from _submitted_of(asker, given, key, user)
    except UserError as fault:
        raise said.at_their_places(fault) from None
    taken = read(Submitted, answer)
    if session is not None and not close and not wait:
        return taken
    try:
        closed = yield from close_session(asker, name, wait=wait, subject=whose, key=f"{key}:close")
    except NotFound:
        # Each of them was known by its `ref` and read before.
        if taken.stored:
            raise
        return taken
    return replace(taken, job=closed.job)


def close_session(
    asker: Asker, session: str, *, wait: float = 0.0, subject: str | None = None, key: str | None = None
) -> Steps[Closed]:
    """Says that a session is over, so that its messages are read for memories; with `wait`, until they were.

    One that is closed already stays as it is; NotFound when there is none of that name.
    """
    given, whose = {"session": session}, subject or asker.subject
    try:
        closed: Closed = read(Closed, (yield from writes(asker, "close-segment", given, key, whose)))
    except NotFound:
        known = yield from segments(asker, session=session, first=1, subject=whose)
        if not known.nodes:
            raise
        return Closed(known.nodes[0].uuid, 0, None, replayed=True)
    if closed.job is None or not wait:
        return closed
    return replace(closed, job=(yield from awaited(asker, closed.job, wait)))


def retry_messages(
    asker: Asker, session: str, *, subject: str | None = None, key: str | None = None
) -> Steps[Retried]:
    """Has the messages of a session that were set aside, as they could not be read, read again; NotFound when none was."""
    given, whose = {"session": session}, subject or asker.subject
    return read(Retried, (yield from writes(asker, "retry-messages", given, key, whose)))


def sessions(
    asker: Asker, *, first: int = 20, after: str | None = None, subject: str | None = None
) -> Steps[Page[Session]]:
    """A page of conversations with their first and last message, the latest begun first."""
    given = {"first": first, "after": after}
    return read(Page[Session], (yield from reads(asker, "sessions", given, subject or asker.subject)))


def segments(
    asker: Asker,
    *,
    session: str | None = None,
    status: SegmentStatus | None = None,
    first: int = 20,
    after: str | None = None,
    subject: str | None = None,
) -> Steps[Page[Segment]]:
    """A page of stretches of conversation, latest first."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject")}
    return read(Page[Segment], (yield from reads(asker, "segments", given, subject or asker.subject)))


def messages(
    asker: Asker, segment: str, *, first: int = PAGE, after: str | None = None, left_out: bool = False
) -> Steps[Page[Message]]:
    """A page of what was said in a segment, oldest first; with `left_out` only what was read and became no memory."""
    given = {"segment": segment, "first": first, "after": after, "left_out": left_out}
    return read(Page[Message], there(segment, (yield from reads(asker, "messages", given))))


def _submitted_of(
    asker: Asker, given: Mapping[str, Any], key: str, user: str | None
) -> Steps[tuple[Any, str | None]]:
    """The answer to messages of the one who speaks, and whose they are: a key that is bound to a subject says so itself."""
    try:
        return (yield from writes(asker, "submit-messages", given, key, user)), user
    except Forbidden:
        return (yield from writes(asker, "submit-messages", given, key)), None

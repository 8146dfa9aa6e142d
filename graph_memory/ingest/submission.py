"""Conversation as it goes on: messages are stored in the open segment of their session and answered for at once.

A segment is closed by its caller, or by the sweep when nobody has added to it for a while; then it is extracted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.base.errors import Conflict, Invalid, NotFound
from graph_memory.base.ids import check_id, derived_id, new_id
from graph_memory.ingest.faults import MAX_NAME
from graph_memory.ingest.message_screening import screened_messages
from graph_memory.jobs import runs, schedule
from graph_memory.language import texts
from graph_memory.ledger.changes import Call, Decision, Writing, carry_out
from graph_memory.memory.settings import ScreeningSettings
from graph_memory.model.change import Operation
from graph_memory.model.memory import SourceKind
from graph_memory.model.message import Message, check_said_at
from graph_memory.model.run import Kind as RunKind
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction

APPEND = query("understanding/append")
CLOSE = query("understanding/close")
CLOSED = query("understanding/closed")
UNDER_WAY = query("understanding/under_way")
ASSIGN_RUN = query("understanding/assign_run")

MOST_MESSAGES = 500
MOST_CONTEXT = 100

_SOURCES = {"assistant": SourceKind.AGENT, "tool": SourceKind.TOOL}


@dataclass(frozen=True)
class Submitted:
    """The segment that holds the messages, how many of them are new in it, and how many it has now.

    `masked` names the kinds of secrets that were taken out of them.
    """

    segment_id: str
    stored: int
    length: int
    replayed: bool
    masked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Closed:
    """The closed segment, how many messages it has, and the Run that extracts it."""

    segment_id: str
    messages: int
    run_id: str
    replayed: bool


def submit(
    service: Service, call: Call, session: str, messages: Sequence[Message], context_ids: Sequence[str] = ()
) -> Submitted:
    """Appends messages to the open segment of a session; nothing is extracted yet.

    `context_ids` are the memories that stood in the agent's prompt; foreign ones are left out as if they were missing.
    A message with the `ref` of one that the session has already is not stored twice. Raises Conflict for such a `ref`
    with another text, and Invalid; nothing is stored then.
    """
    name = check_session(session)
    if not 1 <= len(messages) <= MOST_MESSAGES:
        raise Invalid(
            f"{len(messages)} messages were given; 1 to {MOST_MESSAGES} are taken at once.", path="messages"
        )
    for place, message in enumerate(messages):
        _check(service, name, message, f"messages[{place}]")
    refs = [message.ref for message in messages if message.ref is not None]
    if len(set(refs)) < len(refs):
        raise Invalid("Two of the messages have one ref; each needs its own.", path="messages")
    if len(context_ids) > MOST_CONTEXT:
        raise Invalid(
            f"{len(context_ids)} memories were given as context; at most {MOST_CONTEXT} are taken.",
            path="contextIds",
        )
    shown = [check_id(id, path=f"contextIds[{place}]") for place, id in enumerate(dict.fromkeys(context_ids))]
    said, masked = screened_messages(service.settings[ScreeningSettings], messages)
    rows = [_row(call, name, message, offset) for offset, message in enumerate(said)]
    body = {"session": name, "messages": [_body(row) for row in rows], "context": shown}
    answer = carry_out(
        service, call, "submitMessages", body, lambda writing: _append(writing, name, rows, shown)
    )
    return Submitted(**answer.value, replayed=answer.replayed, masked=masked)


def close(service: Service, call: Call, session: str) -> Closed:
    """Closes the open segment of a session and opens the Run that extracts it.

    Where none is open, one that was closed and still waits is told with the Run that is at it, or gets another. NotFound
    when there is neither.
    """
    name = check_session(session)
    answer = carry_out(service, call, "closeSegment", name, lambda writing: _close(service, writing, name))
    return Closed(**answer.value, replayed=answer.replayed)


def check_session(given: str) -> str:
    """The name of a session as it is kept."""
    return texts.clean(given, MAX_NAME, "session")


def open_run(service: Service, tx: Transaction, subject: str | None, *, by_rules: bool = False) -> runs.Run:
    """The Run that extracts what a subject has stored, in a transaction of the caller; `by_rules` asks no model."""
    job = schedule.job(schedule.EXTRACT)
    run = runs.fresh(service, job, RunKind.REQUESTED, at=service.clock(), args=_args(subject, by_rules))
    return runs.open_in(tx, run)


def _append(writing: Writing, session: str, rows: Sequence[Row], context_ids: Sequence[str]) -> Row:
    [found] = writing.run(
        APPEND,
        session=session,
        segment_id=new_id(),
        started_at=min(row["at"] for row in rows),
        rows=list(rows),
        context_ids=list(context_ids),
        now=writing.now,
    )
    if found["changed"]:
        raise Conflict(
            f"Session {session!r} has a message {found['changed'][0]!r} with another text already; nothing was stored. "
            "Give what corrects it a ref of its own.",
            path="messages",
        )
    reason = f"{found['stored']} messages"
    writing.decide(Decision(Operation.ADD, [found["id"]], classification="MESSAGES", reason=reason))
    return {"segment_id": found["id"], "stored": found["stored"], "length": found["length"]}


def _close(service: Service, writing: Writing, session: str) -> Row:
    closed = writing.run(CLOSE, session=session)
    rows = closed or writing.run(CLOSED, session=session)
    if not rows:
        raise NotFound(
            f"Session {session!r} has nothing that is open: nothing was submitted yet, or all of it is extracted.",
            path="session",
        )
    [found] = rows
    subject = writing.scope.subject_name
    run = (None if closed else _under_way(writing, subject)) or open_run(service, writing.tx, subject)
    writing.run(ASSIGN_RUN, segments=[found["id"]], run=run.id)
    writing.decide(Decision(Operation.NOOP, [found["id"]], classification="CLOSED"))
    return {"segment_id": found["id"], "messages": found["messages"], "run_id": run.id}


def _under_way(writing: Writing, subject: str | None) -> runs.Run | None:
    """The Run that is extracting what the subject has stored, which is to be waited for."""
    rows = writing.run(UNDER_WAY, job=schedule.EXTRACT, args=runs.args_of(_args(subject)))
    return runs.Run.from_row(rows[0]["run"]) if rows else None


def _args(subject: str | None, by_rules: bool = False) -> Row:
    return {"subject": subject, "by_rules": by_rules}


def _check(service: Service, session: str, message: Message, path: str) -> None:
    check_said_at(message.at, service.clock(), path)
    if message.session is not None and message.session.strip() != session:
        raise Invalid(
            f"The message belongs to session {message.session[:60]!r}, the others to {session!r}; submit each session's "
            "messages by themselves, or leave it out.",
            path=f"{path}.session",
        )


def _row(call: Call, session: str, message: Message, offset: int) -> Row:
    scope = call.scope.for_writing()
    named = ("session", session, message.ref) if message.ref is not None else ("new", new_id(), "")
    id = derived_id(scope.tenant, scope.subject or "", "message", *named)
    return {
        "id": id,
        "offset": offset,
        "speaker": message.speaker,
        "at": message.at,
        "text": message.text,
        "picture": message.caption,
        "ref": message.ref,
        "role": message.role,
        "source_kind": _SOURCES.get(message.role or "", SourceKind.USER).value,
        "caption": texts.caption(f"{message.speaker}: {message.text}"),
    }


def _body(row: Row) -> Row:
    """What tells one request from another: all but the ids, which are new at each try."""
    return {name: value for name, value in row.items() if name not in ("id", "caption")}

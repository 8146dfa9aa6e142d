"""Receiving a conversation: its messages are stored first, in segments, and answered for; extraction follows.

The ids of segments and messages are derived from what was said, so that receiving the same again, or a longer
version of it, adds only what is new.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph_memory.base.ids import derived_id
from graph_memory.ingest.conversation_file import Conversation, Message, sessions
from graph_memory.ingest.message_screening import screened_messages
from graph_memory.ingest.submission import ASSIGN_RUN, open_run
from graph_memory.language import texts
from graph_memory.ledger.changes import Call, Decision, Writing, carry_out
from graph_memory.memory.settings import ScreeningSettings
from graph_memory.model.change import Operation
from graph_memory.model.message import check_said_at
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

STORE = query("understanding/store_messages")
# Messages stored, or statements taken in, in one transaction.
AT_ONCE = 500


@dataclass(frozen=True)
class Received:
    """The Run that extracts a conversation, how many segments and messages it has, and whether it was here before."""

    run_id: str
    segments: int
    messages: int
    replayed: bool


def receive(service: Service, call: Call, conversation: Conversation) -> Received:
    """Stores a conversation of one subject and opens the Run that will extract it, all in one transaction.

    The same conversation again answers with the same Run and stores nothing twice.
    """
    for place, message in enumerate(conversation.messages):
        check_said_at(message.at, service.clock(), f"messages[{place}]")
    said, _ = screened_messages(service.settings[ScreeningSettings], conversation.messages)
    conversation = replace(conversation, messages=said)
    rows = [row for sitting in sessions(conversation) for row in _rows(call, conversation, sitting)]
    body = {"ref": conversation.ref, "messages": _digest(rows)}
    keyed = Call(call.scope, call.actor, call.key or body["messages"], call.session_id)
    answer = carry_out(
        service, keyed, "importConversation", body, lambda writing: _store(service, writing, rows)
    )
    return Received(answer.value["run_id"], answer.value["segments"], len(rows), answer.replayed)


def _store(service: Service, writing: Writing, rows: Sequence[Row]) -> Row:
    for start in range(0, len(rows), AT_ONCE):
        batch = rows[start : start + AT_ONCE]
        writing.run(STORE, rows=batch, now=writing.now)
    run = open_run(service, writing.tx, writing.scope.subject_name)
    segments = sorted({row["segment_id"] for row in rows})
    writing.run(ASSIGN_RUN, segments=segments, run=run.id)
    stored = f"{len(rows)} messages"
    writing.decide(Decision(Operation.ADD, targets=segments, classification="CONVERSATION", reason=stored))
    return {"run_id": run.id, "segments": len(segments)}


def _rows(call: Call, conversation: Conversation, sitting: Sequence[Message]) -> list[Row]:
    scope = call.scope.for_writing()
    seen: Counter[str] = Counter()
    ids = [_message_id(scope.tenant, scope.subject or "", conversation, message, seen) for message in sitting]
    first = sitting[0]
    name = f"session:{conversation.ref}:{first.session}" if first.session is not None else f"from:{ids[0]}"
    segment_id = derived_id(scope.tenant, scope.subject or "", "segment", name)
    return [
        {
            "id": id,
            "segment_id": segment_id,
            "segment_ref": first.session,
            "started_at": first.at,
            "speaker": message.speaker,
            "at": message.at,
            "text": message.text,
            "picture": message.caption,
            "ref": message.ref,
            "session": message.session,
            "role": message.role,
            "caption": texts.caption(f"{message.speaker}: {message.text}"),
            "position": position,
        }
        for position, (id, message) in enumerate(zip(ids, sitting, strict=True))
    ]


def _message_id(
    tenant: str, subject: str, conversation: Conversation, message: Message, seen: Counter[str]
) -> str:
    said = "\x1f".join([message.speaker, message.at.isoformat(), message.text, message.caption or ""])
    seen[said] += 1
    named = f"{conversation.ref}\x1f{message.ref}" if message.ref is not None else f"{seen[said]}"
    return derived_id(tenant, subject, "message", named, said)


def _digest(rows: Sequence[Row]) -> str:
    return hashlib.sha256("\n".join(row["id"] for row in rows).encode()).hexdigest()


def as_message(row: Row) -> Message:
    """A stored message as it was given."""
    at: datetime = row["at"]
    return Message(
        row["speaker"],
        at,
        row["text"],
        row.get("ref"),
        row.get("session"),
        row.get("picture"),
        row.get("role"),
    )

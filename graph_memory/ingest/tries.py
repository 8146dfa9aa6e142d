"""Messages that cannot be read: each try is counted before it begins, and after some the message is set aside.

`retry` has those of a session read again.

A try that ends its process leaves only the count behind. What was tried in vain is tried alone, so that it shows which
message it was, and the others go on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from graph_memory.base.errors import NotFound, SystemFault, UserError
from graph_memory.base.scope import Scope
from graph_memory.ingest.submission import ASSIGN_RUN, check_session, open_run
from graph_memory.ledger.changes import Call, Decision, Writing, carry_out
from graph_memory.model.change import Operation
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

log = logging.getLogger(__name__)

BEGIN = query("understanding/begin_messages")
END = query("understanding/end_try")
SET_ASIDE = query("understanding/set_aside")
RETRY = query("understanding/retry")
CLOSE = query("understanding/close_segments")

# What a text brings about. A limit of time or memory ends the run's try instead.
_BY_THE_TEXT = (
    UserError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
_SILENT = "Every try to read it ended without a word, as if its process was killed."


@dataclass(frozen=True)
class Retried:
    """How many messages, in how many segments, wait to be read again, and the Run that reads them."""

    messages: int
    segments: int
    run_id: str
    replayed: bool


def retry(service: Service, call: Call, session: str) -> Retried:
    """Has the messages of a session that were set aside read again, by a new Run. NotFound when none was."""
    name = check_session(session)
    answer = carry_out(service, call, "retryMessages", name, lambda writing: _retry(service, writing, name))
    return Retried(**answer.value, replayed=answer.replayed)


def in_hand(rows: Sequence[Row], run_id: str) -> list[Row]:
    """Those to read at once: one alone that this run tried before, else all before the next such one."""
    tried = [place for place, row in enumerate(rows) if tries_of(row, run_id)]
    return list(rows[: max(1, tried[0])] if tried else rows)


def tries_of(row: Row, run_id: str) -> int:
    """How often this run tried the message. Another may be reading it at this moment, so its tries tell nothing."""
    return (row["message"].get("tries") or []).count(run_id)


@contextmanager
def tried(service: Service, scope: Scope, rows: Sequence[Row], run_id: str) -> Iterator[None]:
    """Counts a try, and goes on where a text is at fault; what failed for want of a server counts for nothing."""
    ids = [row["message"]["id"] for row in rows]

    def end(fault: str | None) -> None:
        service.write(scope, lambda tx: tx.run(END, ids=ids, fault=fault))

    service.write(scope, lambda tx: tx.run(BEGIN, ids=ids, run=run_id))
    try:
        yield
    except SystemFault:
        end(None)
        raise
    except _BY_THE_TEXT as error:
        fault = type(error).__name__
        log.error("messages_not_read", extra={"messages": len(ids), "fault": fault}, exc_info=True)
        end(fault)
    except Exception as error:
        end(type(error).__name__)
        raise


def set_aside(service: Service, scope: Scope, message: Row, fence: Callable[[Writing], None]) -> None:
    """Leaves a message out until somebody has it retried. It stays stored, with the reason."""

    def work(writing: Writing) -> None:
        fence(writing)
        rows = writing.run(SET_ASIDE, id=message["id"], reason=_SILENT, now=writing.now)
        if rows:
            segments = [row["segment_id"] for row in rows]
            writing.run(CLOSE, segments=segments, now=writing.now)
            reason = message.get("fault") or _SILENT
            writing.decide(Decision(Operation.NOOP, segments, [message["id"]], reason, "SET_ASIDE"))

    carry_out(service, Call(scope, "extractor"), "setMessageAside", message["id"], work)
    log.warning("message_set_aside", extra={"id": message["id"]})


def _retry(service: Service, writing: Writing, session: str) -> Row:
    rows = writing.run(RETRY, session=session)
    if not rows:
        raise NotFound(f"Session {session!r} has no message that was set aside.", path="session")
    segments, messages = [row["segment_id"] for row in rows], [id for row in rows for id in row["messages"]]
    run = open_run(service, writing.tx, writing.scope.subject_name)
    writing.run(ASSIGN_RUN, segments=segments, run=run.id)
    writing.decide(Decision(Operation.NOOP, segments, messages, classification="RETRIED"))
    return {"messages": len(messages), "segments": len(segments), "run_id": run.id}

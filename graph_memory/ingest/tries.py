"""Messages that cannot be read: each try is counted before it begins, and after some the message is set aside.

A try that ends its process leaves only the count behind. What was tried in vain is tried alone, so that it shows which
message it was, and the others go on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from graph_memory.base.errors import SystemFault, UserError
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call, Decision, Writing, carry_out
from graph_memory.model.change import Operation
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

log = logging.getLogger(__name__)

BEGIN = query("understanding/begin_messages")
END = query("understanding/end_try")
SET_ASIDE = query("understanding/set_aside")
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
    """Leaves a message out for good. It stays stored, with the reason."""

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

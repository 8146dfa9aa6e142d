"""Why a memory is no longer current, told from its state, its links and the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.errors import NotFound
from graph_memory.base.ids import check_id
from graph_memory.base.scope import Scope
from graph_memory.ledger import changes
from graph_memory.model.memory import Memory, Status
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

WHY = query("memory/why_retired")


@dataclass(frozen=True)
class Retirement:
    """Whether a memory is retired, by what, why, when and by whom; `change_sequence` leads to the ledger."""

    memory: Memory
    is_retired: bool
    explanation: str
    by: Memory | None
    reason: str | None
    at: datetime | None
    actor: str | None
    change_sequence: int | None


def why_retired(service: Service, scope: Scope, id: str) -> Retirement:
    """What retired this memory; NotFound when it is missing or foreign."""
    check_id(id)
    rows = service.read(scope, WHY, id=id)
    if not rows:
        raise NotFound(f"There is no memory {id}, or it belongs to someone else.")
    row = rows[0]
    memory = Memory.from_row(row["state"])
    by = Memory.from_row(row["newer"]) if row["newer"] else None
    now = service.clock()
    ended = memory.valid_to is not None and memory.valid_to <= now
    expired = not ended and memory.holds_to is not None and memory.holds_to <= now
    change = row["change"] or {}
    return Retirement(
        memory=memory,
        is_retired=ended or expired or memory.status is not Status.ACTIVE,
        explanation=_explanation(memory, by, ended, expired, row),
        by=by,
        reason=row["reason"] or None,
        at=row["at"],
        actor=change.get("actor"),
        change_sequence=changes.number(scope, change) if change else None,
    )


def _explanation(memory: Memory, by: Memory | None, ended: bool, expired: bool, row: Row) -> str:
    if memory.status is not Status.ACTIVE:
        return f"It was {memory.status.lower()}. {row['state'].get('archive_reason') or ''}".rstrip()
    if expired:
        return f"It expired on {memory.expires_at:%-d %B %Y}."
    until = f"{memory.valid_to:%-d %B %Y}" if memory.valid_to else ""
    if by is not None and memory.never_held:
        return f"It was believed until {row['at']:%-d %B %Y}, then it was corrected: “{by.text}” takes its place."
    if by is not None:
        why = f": {row['reason']}" if row["reason"] else ""
        lead = "It held until" if ended else "It will hold until"
        return f"{lead} {until}, then it was superseded by “{by.text}”{why}"
    return (
        f"It held until {until}, as it was said when it was stored."
        if ended
        else "It is not retired; it is current."
    )

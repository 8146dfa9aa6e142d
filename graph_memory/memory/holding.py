"""Statements that wait for a person before they are believed: stored as archived, with a review that lets them in.

Such a review has one memory: its target is the new memory itself. Nothing of it was compared with what is known; who
lets it in puts it beside the rest.
"""

from __future__ import annotations

from graph_memory.ledger.changes import Decision, Writing
from graph_memory.memory.addition import Prepared
from graph_memory.memory.properties import for_ledger
from graph_memory.memory.review_opening import Proposal, open_review
from graph_memory.memory.states import Edit, load, moved, require_move, rewrite
from graph_memory.model.change import Operation
from graph_memory.model.memory import Status
from graph_memory.model.verdict import Action


def hold(writing: Writing, prepared: Prepared) -> str:
    """Opens the review of a statement that is held; also where reviews are off, since nothing else would tell of it."""
    return open_review(
        writing,
        Proposal(
            action=Action.COEXIST,
            memory_id=prepared.id,
            target_id=prepared.id,
            candidate_ids=(),
            confidence=float(prepared.properties["confidence"]),
            reason="",
            hindrance=prepared.reason,
            # "screening: ..." and "capture: ..." say who holds it.
            provider=prepared.reason.partition(":")[0],
            text=None,
        ),
    )


def let_in(writing: Writing, id: str, reason: str) -> None:
    """Makes a held memory live. Raises LiveTwin when the same statement is live already."""
    _move(writing, id, Status.ACTIVE, Operation.RESTORE, "LET_IN", reason)


def turn_away(writing: Writing, id: str, reason: str) -> None:
    """Retracts a held memory, so that the same words are not extracted again."""
    _move(writing, id, Status.RETRACTED, Operation.DELETE, "TURNED_AWAY", reason)


def put_aside(writing: Writing, id: str, reason: str) -> None:
    """Retracts a known memory that somebody asked to forget."""
    _move(writing, id, Status.RETRACTED, Operation.DELETE, "FORGOTTEN", reason)


def _move(writing: Writing, id: str, to: Status, operation: Operation, called: str, reason: str) -> None:
    rows = load(writing, [id])
    require_move(rows[id], to)
    edit = Edit(id, moved(to, archived_at=None, archive_reason=None))
    before = rewrite(writing, rows, [edit])
    decision = Decision(
        operation,
        [id],
        reason=reason,
        classification=called,
        before={id: for_ledger(before[id])},
        after={id: for_ledger(edit.set)},
    )
    writing.decide(decision, touched=[id])

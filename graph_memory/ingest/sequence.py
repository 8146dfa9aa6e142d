"""Carrying out the decisions of one call in their order, in its open transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_memory.base.errors import Conflict, Erased, IdempotencyMismatch
from graph_memory.ingest.application import Decided, add_all, apply
from graph_memory.ingest.choice import ACTING
from graph_memory.ingest.outcome import Outcome, still_told
from graph_memory.ledger.changes import Writing
from graph_memory.memory.addition import Prepared
from graph_memory.model.change import Operation


class Refused(Exception):  # noqa: N818 - it is no error
    """What was decided about one statement cannot be done."""

    def __init__(self, index: int, conflict: Conflict) -> None:
        self.index = index
        self.conflict = conflict


def carry_out_all(
    writing: Writing, prepared: Sequence[Prepared], decided: Sequence[Decided]
) -> list[Outcome]:
    """One outcome for each decision, in order; those that only add are written together. Raises Refused."""
    outcomes: dict[str, Outcome] = {}
    waiting: list[tuple[Prepared, Decided]] = []

    def flush() -> None:
        if waiting:
            held = {id: outcome.id for id, outcome in outcomes.items()}
            made = add_all(writing, waiting, held)
            outcomes.update({item.id: outcome for (item, _), outcome in zip(waiting, made, strict=True)})
            waiting.clear()

    for index, (item, one) in enumerate(zip(prepared, decided, strict=True)):
        if item.told_in and not _was_superseded(item.told_in, outcomes):
            outcomes[item.id] = still_told(one.choice, one.candidates, item.told_in)
            continue
        if one.choice.action not in ACTING:
            waiting.append((item, one))
            continue
        flush()
        try:
            outcomes[item.id] = apply(writing, item, _held(one, outcomes))
        except (Erased, IdempotencyMismatch):
            raise
        except Conflict as conflict:
            raise Refused(index, conflict) from None
    flush()
    return [outcomes[item.id] for item in prepared]


def _was_superseded(id: str, outcomes: dict[str, Outcome]) -> bool:
    return any(each.target_id == id and each.operation is Operation.SUPERSEDE for each in outcomes.values())


def _held(decided: Decided, outcomes: dict[str, Outcome]) -> Decided:
    """The decision with the memory that really holds the statement it acts on; Conflict when none does."""
    chosen = decided.choice.chosen
    if chosen is None or chosen.candidate.id not in outcomes:
        return decided
    holder = outcomes[chosen.candidate.id].id
    if holder is None:
        raise Conflict(
            "The statement that it was compared with was not stored after all; send this one again."
        )
    if holder == chosen.candidate.id:
        return decided
    held = replace(chosen, candidate=replace(chosen.candidate, id=holder))
    return replace(decided, choice=replace(decided.choice, chosen=held))

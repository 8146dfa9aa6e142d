"""Carrying out a choice in the open transaction of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from graph_memory.base.errors import Erased, Invalid
from graph_memory.ingest.choice import Choice, Join, Judged
from graph_memory.ingest.outcome import Outcome, Weighed, told, with_review
from graph_memory.ingest.told_ahead import told_ahead
from graph_memory.ingest.trace import Trace, trace
from graph_memory.language import texts
from graph_memory.ledger.activity import zone_in
from graph_memory.ledger.changes import Decision, Writing
from graph_memory.memory import addition as adding
from graph_memory.memory.addition import Prepared
from graph_memory.memory.holding import hold
from graph_memory.memory.links import make
from graph_memory.memory.merge import unite
from graph_memory.memory.repetition import repeat
from graph_memory.memory.review_opening import Proposal, open_review
from graph_memory.memory.settings import ReviewsSettings, TextsSettings
from graph_memory.memory.states import load, require_move
from graph_memory.memory.supersession import enter, join_chain
from graph_memory.model.change import Operation
from graph_memory.model.link_kinds import stored_as
from graph_memory.model.memory import Status
from graph_memory.model.verdict import Action
from graph_memory.store.service import Row

_MAX_REASON = 1000


@dataclass(frozen=True)
class Decided:
    """A choice ready to be carried out: the candidates as they are told, and for a MERGE what its text leads to."""

    choice: Choice
    candidates: tuple[Weighed, ...]
    merged: Row | None = None


def apply(writing: Writing, prepared: Prepared, decided: Decided) -> Outcome:
    """Writes what was decided, and its Change. Raises a Conflict where the state does not allow it."""
    action = decided.choice.action
    if action is Action.DUPLICATE:
        return _duplicate(writing, prepared, decided)
    if action is Action.SUPERSEDE:
        return _supersede(writing, prepared, decided)
    if action is Action.MERGE:
        return _merge(writing, prepared, decided)
    [outcome] = add_all(writing, [(prepared, decided)])
    return outcome


def _duplicate(writing: Writing, prepared: Prepared, decided: Decided) -> Outcome:
    choice = decided.choice
    assert choice.chosen is not None
    if adding.erased_before(writing, [prepared]):
        return _not_added(choice, decided, None)
    target = choice.chosen.candidate.id
    [lends] = repeat(writing, [adding.repetition(_judged(prepared, choice), target)])
    operation = Operation.UPDATE if lends else Operation.NOOP
    return told(choice, decided.candidates, operation, target, trace(Action.DUPLICATE, lends))


def _supersede(writing: Writing, prepared: Prepared, decided: Decided) -> Outcome:
    choice = decided.choice
    assert choice.chosen is not None
    try:
        new = enter(writing, _judged(prepared, choice))
    except Erased:
        return _not_added(choice, decided, None)
    start = _holds_from(writing, prepared, choice.chosen)
    join_chain(
        writing, choice.chosen.candidate.id, new, start, choice.reason[:_MAX_REASON], choice.confidence
    )
    return told(choice, decided.candidates, Operation.SUPERSEDE, new, trace(Action.SUPERSEDE, True))


def _holds_from(writing: Writing, new: Prepared, judged: Judged) -> datetime | None:
    """From when on it holds in the place of the known one; None from its own start."""
    if judged.has_read_the_talk:
        return None
    id = judged.candidate.id
    return told_ahead(new.properties, load(writing, [id])[id], zone_in(writing))


def _merge(writing: Writing, prepared: Prepared, decided: Decided) -> Outcome:
    choice = decided.choice
    assert choice.chosen is not None
    assert decided.merged is not None
    target = choice.chosen.candidate.id
    # It is stored in its own right first, so that undo and history find what was said, and when. Its key stays free.
    try:
        new = enter(writing, _judged(prepared, choice))
    except Erased:
        return _not_added(choice, decided, None)
    rows = load(writing, [target, new])
    require_move(rows[target], Status.ARCHIVED)
    unite(
        writing,
        rows[target],
        rows[new],
        decided.merged,
        choice.reason[:_MAX_REASON],
        (Action.MERGE.value, choice.confidence),
    )
    outcome = told(choice, decided.candidates, Operation.MERGE, target, trace(Action.MERGE, True))
    return replace(outcome, text=decided.merged["text"])


def add_all(
    writing: Writing,
    decided: Sequence[tuple[Prepared, Decided]],
    held: Mapping[str, str | None] = MappingProxyType({}),
) -> list[Outcome]:
    """Stores statements that change nothing known, with their links and reviews, in few statements for all.

    `held` tells which memory holds a statement that the transaction took in before; None for none.
    """
    made = adding.write(writing, [_judged(prepared, each.choice) for prepared, each in decided])
    holders = {**held, **{one.id: row["id"] for (one, _), row in zip(decided, made, strict=True)}}
    joins = [
        row
        for prepared, each in decided
        if holders[prepared.id] == prepared.id
        for join in each.choice.joins
        # A statement of the same call may be held by another memory, or by none.
        if (row := _row(join, prepared.id, holders)) is not None
    ]
    if joins:
        make(writing, joins)
    return [_added(writing, prepared, each, holders) for prepared, each in decided]


def apply_to_stored(writing: Writing, stored: Prepared, decided: Decided) -> Outcome:
    """Carries out a choice about a memory that stands already; as a duplicate it becomes part of the known one."""
    choice = decided.choice
    reason = choice.reason[:_MAX_REASON]
    if choice.chosen is None or choice.action in (None, Action.COEXIST):
        rows = [row for join in choice.joins if (row := _row(join, stored.id, {})) is not None]
        if rows:
            make(writing, rows)
        writing.decide(
            Decision(
                Operation.NOOP,
                [stored.id],
                reason=reason,
                classification=Action.COEXIST.value,
                confidence=choice.confidence,
            )
        )
        outcome = told(choice, decided.candidates, Operation.NOOP, stored.id, _trace(choice, True))
        return with_review(outcome, _ask(writing, stored, decided, {}))
    target = choice.chosen.candidate.id
    if choice.action is Action.SUPERSEDE:
        start = _holds_from(writing, stored, choice.chosen)
        join_chain(writing, target, stored.id, start, reason, choice.confidence)
        return told(choice, decided.candidates, Operation.SUPERSEDE, stored.id, _trace(choice, True))
    rows_of = load(writing, [target, stored.id])
    require_move(rows_of[stored.id], Status.MERGED)
    merged = decided.merged or {"text": rows_of[target]["text"]}
    judged = (choice.action.value, choice.confidence)
    unite(writing, rows_of[target], rows_of[stored.id], merged, reason, judged)
    return told(choice, decided.candidates, Operation.MERGE, target, trace(choice.action, True))


def _added(
    writing: Writing, prepared: Prepared, decided: Decided, holders: Mapping[str, str | None]
) -> Outcome:
    choice, holder = decided.choice, holders[prepared.id]
    if holder != prepared.id:
        return _not_added(choice, decided, holder)
    outcome = told(choice, decided.candidates, Operation.ADD, prepared.id, _trace(choice, True))
    return with_review(outcome, _ask(writing, prepared, decided, holders))


def _not_added(choice: Choice, decided: Decided, holder: str | None) -> Outcome:
    """The very words are live already, or were erased and come back by an import; the ledger says so."""
    outcome = told(choice, decided.candidates, Operation.NOOP, holder, _trace(choice, False))
    if holder is None:
        return replace(outcome, reason="It was erased before; an import does not bring it back.")
    return replace(
        outcome, target_id=holder, classification=Action.DUPLICATE, reason="The same words are live already."
    )


def _trace(choice: Choice, is_committed: bool) -> Trace:
    """Of a statement that is stored beside others; a repetition or a merge that was not carried out coexists."""
    kept = choice.action in (None, Action.SUPERSEDE)
    return trace(choice.action if kept else Action.COEXIST, is_committed)


def _ask(
    writing: Writing, prepared: Prepared, decided: Decided, holders: Mapping[str, str | None]
) -> str | None:
    """Opens the review of what was wanted and not done, or of a statement that is not believed by itself."""
    proposal = decided.choice.proposal if writing.settings[ReviewsSettings].enabled else None
    target = holders.get(proposal.candidate.id, proposal.candidate.id) if proposal else None
    if proposal is None or target is None or not decided.choice.asks:
        return hold(writing, prepared) if prepared.is_held else None
    verdict = proposal.verdict
    return open_review(
        writing,
        Proposal(
            action=proposal.wanted,
            memory_id=prepared.id,
            target_id=target,
            candidate_ids=tuple(each.id for each in decided.candidates),
            confidence=verdict.confidence,
            reason=verdict.reason[:_MAX_REASON],
            hindrance=proposal.hindrance or "",
            provider=proposal.provider,
            text=_kept(writing, verdict.text),
        ),
    )


def _kept(writing: Writing, text: str | None) -> str | None:
    """The text that a judge words, as it may be stored; None for one that may not."""
    try:
        return texts.clean(text, writing.settings[TextsSettings].max_length, "text") if text else None
    except Invalid:
        return None


def _judged(prepared: Prepared, choice: Choice) -> Prepared:
    """The fact with what its ADD says in the ledger."""
    if choice.action is None:
        return prepared
    return replace(
        prepared,
        classification=choice.action.value,
        confidence=choice.confidence,
        reason=choice.reason[:_MAX_REASON],
    )


def _row(join: Join, new: str, holders: Mapping[str, str | None]) -> Row | None:
    other = holders.get(join.candidate.id, join.candidate.id)
    if other is None or other == new:
        return None
    start, end = stored_as(join.kind, *((other, new) if join.from_candidate else (new, other)))
    return {
        "kind": join.kind.value,
        "from": start,
        "to": end,
        "confidence": join.confidence,
        "strength": join.strength,
        "reason": join.reason[:_MAX_REASON],
    }

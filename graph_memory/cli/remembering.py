"""What `remember` tells people: what was done, why, and how to take it back."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from graph_memory.judging.verdict import Action
from graph_memory.ledger import Operation
from graph_memory.remembering.outcome import Outcome


def told(outcome: Outcome, texts: dict[str, str], changes: Sequence[int], tenant: str) -> str:
    """An outcome in words; `texts` are those of the memories that it names, `changes` the sequence numbers of its own."""
    named = "" if tenant == "default" else f" --tenant {shlex.quote(tenant)}"
    return "\n".join(_lines(outcome, texts, changes, named))


def _lines(outcome: Outcome, texts: dict[str, str], changes: Sequence[int], named: str) -> Iterator[str]:
    yield _done(outcome, texts) if changes else _planned(outcome, texts)
    if outcome.reason and outcome.proposed is None:
        sure = f", confidence {outcome.confidence:.2f}" if outcome.confidence is not None else ""
        yield f"  why: {outcome.reason}{_by(outcome)}{sure}"
    if outcome.proposed is not None:
        yield f"  {outcome.reason}{_by(outcome)}"
    if outcome.review_id:
        yield f"  a person may decide: graph-memory review show {outcome.review_id}{named}"
    if changes and outcome.operation is not Operation.NOOP:
        yield f"  to take it back: graph-memory undo {' '.join(map(str, changes))}{named}"


def _done(outcome: Outcome, texts: dict[str, str]) -> str:
    target = texts.get(outcome.target_id or "", outcome.target_id or "")
    if outcome.operation is Operation.SUPERSEDE:
        return f"Kept as a new version: {outcome.id}\n  instead of: “{target}”"
    if outcome.operation is Operation.MERGE:
        return f"Merged into {outcome.id}\n  it now says: “{outcome.text}”"
    if outcome.classification is Action.DUPLICATE:
        return f"It is here already: {outcome.id}\n  as: “{texts.get(outcome.id or '', '')}”"
    if outcome.id is None:
        return "Nothing was kept."
    beside = " beside what is known" if outcome.classification is Action.COEXIST else ""
    return f"Kept{beside}: {outcome.id}"


def _planned(outcome: Outcome, texts: dict[str, str]) -> str:
    target = texts.get(outcome.target_id or "")
    called = outcome.classification.value if outcome.classification else "ADD"
    return f"It would be: {called}" + (f" of “{target}”" if target else "")


def _by(outcome: Outcome) -> str:
    return f" (judge: {outcome.provider})" if outcome.provider and outcome.provider != "none" else ""

"""What the embedded judge may do to statements out of talk: less than to statements that were written for it.

In talk a sentence leans on others, most sentences tell what happened, and a message comes beside everything that was said
before. So nothing is merged, and only what the judge is surer of than it need be elsewhere is done: in chats that it has
not learnt from, of the changes above the confidence SURE nine in ten were right. A change it is less sure of is left to a
person; what else it guesses is no question worth asking: both stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_memory.base.scope import Scope
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.judges import Classify
from graph_memory.judge.panel import Judgement
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

SURE = 0.94
_ACTS = frozenset({Action.DUPLICATE, Action.SUPERSEDE})


def cautious(classify: Classify) -> Classify:
    """The same judges, with the verdicts of the embedded one held back where talk misleads it."""

    def judged(
        service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
    ) -> Judgement:
        judgement = classify(service, scope, new, candidates, within)
        if judgement.provider != EmbeddedJudge.name:
            return judgement
        pairs = zip(candidates, judgement.verdicts, strict=True)
        return replace(judgement, verdicts=tuple(_held_back(new, old, verdict) for old, verdict in pairs))

    return judged


def _held_back(new: Statement, old: Statement, verdict: Verdict) -> Verdict:
    if verdict.action is Action.COEXIST:
        return _beside(verdict) if verdict.abstained else verdict
    is_sure = verdict.action in _ACTS and verdict.confidence >= SURE
    if verdict.action is Action.SUPERSEDE:
        return verdict if is_sure and not _is_same_sitting(new, old) else _asked(verdict)
    return verdict if is_sure else _beside(verdict)


def _asked(verdict: Verdict) -> Verdict:
    """Both stand, and a person is asked whether the new one takes the place of the old."""
    return replace(verdict, action=Action.COEXIST, abstained=True, proposal=Action.SUPERSEDE, link=None)


def _beside(verdict: Verdict) -> Verdict:
    """Both stand, and nobody is asked."""
    return replace(verdict, action=Action.COEXIST, confidence=0.0, abstained=False, proposal=None, link=None)


def _is_same_sitting(new: Statement, old: Statement) -> bool:
    """Whether one person said both on one day."""
    return new.heading == old.heading

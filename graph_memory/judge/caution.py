"""What the embedded judge may do to statements out of a conversation: less than to statements that were written for it.

In talk a sentence leans on others, and the linker has read it beside what it may be about. So of pairs alone nothing is
merged, a change is left to a person, and what it merely guesses is no question worth asking: both stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_memory.base.scope import Scope
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.judges import Classify
from graph_memory.judge.likeness import cosine
from graph_memory.judge.panel import Judgement
from graph_memory.language.kind_cues import EVENT, PICTURE
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

_ONCE_EACH = frozenset({EVENT, PICTURE})
# Raw cosine from which the judge is believed that one says the other again: in chats not learnt from it was right in 18 and wrong
# in 7 above it, right in 8 and wrong in 14 below.
ALIKE = 0.5


def cautious(classify: Classify) -> Classify:
    """The same judges, with the verdicts of the embedded one held back where talk may mislead it."""

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
    if verdict.action is Action.SUPERSEDE:
        return replace(verdict, action=Action.COEXIST, abstained=True, proposal=Action.SUPERSEDE, link=None)
    # What happens or is shown once may happen and be shown again.
    is_once = bool({new.kind, old.kind} & _ONCE_EACH)
    is_said_again = verdict.action is Action.DUPLICATE and not is_once and cosine(new, old) >= ALIKE
    if is_said_again or (verdict.action is Action.COEXIST and not verdict.abstained):
        return verdict
    return replace(verdict, action=Action.COEXIST, confidence=0.0, abstained=False, proposal=None, link=None)

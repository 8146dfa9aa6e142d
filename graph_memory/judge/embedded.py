"""The judge that needs no service: a small trained model reads each pair (`pair_model.py`).

What it can and cannot do: docs/explanation/judges.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_memory.judge.decision import decide
from graph_memory.judge.explanation import SAME_WORDS, reason
from graph_memory.judge.pair_model import Likely, PairModel, opened
from graph_memory.judge.settings import JudgeSettings
from graph_memory.language.coverage import is_readable
from graph_memory.language.texts import normalised
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

# From this chance on it is sure that both statements stand.
_SURE = 0.9
# From this one it tells that they are linked.
_LINKS = 0.7
_ENDS = ".!"
UNREAD = "the embedded judge reads English only, and not so long a text"


class EmbeddedJudge:
    """Classifies at once and without any service. Abstains to COEXIST when unsure."""

    name = "embedded"

    def __init__(self, model: PairModel | None = None) -> None:
        self._model = model or opened()

    @classmethod
    def of(cls, service: Service) -> EmbeddedJudge:
        """The one that the settings name."""
        return cls(opened(service.settings[JudgeSettings].model))

    def classify(self, new: Statement, candidates: Sequence[Statement]) -> list[Verdict]:
        """One verdict for each candidate, in order. The same pair gives the same verdict in any company."""
        return [self._verdict(new, old) for old in candidates]

    def tells_apart(self, new: Statement, old: Statement) -> bool:
        """Whether it is sure that both stand. Never of what it cannot read."""
        likely = self._read(new, old)
        return likely is not None and likely.actions[Action.COEXIST] >= _SURE

    def _read(self, new: Statement, old: Statement) -> Likely | None:
        return self._model.read(new, old) if is_readable(new.text) and is_readable(old.text) else None

    def _verdict(self, new: Statement, old: Statement) -> Verdict:
        if _words(new.text) == _words(old.text):
            return Verdict(old.id or "", Action.DUPLICATE, 1.0, SAME_WORDS)
        likely = self._read(new, old)
        if likely is None:
            return Verdict(old.id or "", Action.COEXIST, 0.0, UNREAD, abstained=True)
        link = likely.link if likely.link_chance >= _LINKS else None
        decision = decide(likely.actions, self._model.thresholds)
        said = Verdict(
            candidate=old.id or "",
            action=decision.action,
            confidence=decision.confidence,
            reason=reason(old.text, new.text, decision.proposal or decision.action, link),
            abstained=decision.proposal is not None,
            proposal=decision.proposal,
        )
        if decision.action is Action.SUPERSEDE:
            return replace(said, link=LinkKind.SUPERSEDES)
        if link is None or decision.action is not Action.COEXIST or said.abstained:
            return said
        sure = min(said.confidence, likely.link_chance)
        return replace(said, link=link.kind, link_from_candidate=link.from_known, confidence=sure)


def _words(text: str) -> str:
    return normalised(text).rstrip(_ENDS)

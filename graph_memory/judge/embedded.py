"""The judge that needs no service: a small model that has learnt to read pairs of statements (`pair_model.py`).

It acts from the chances on that the model's card names, proposes below them, and reads English only. What it can and
cannot do: docs/explanation/judges.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.judge.pair_model import Joined, Likely, PairModel, opened
from graph_memory.judge.settings import JudgeSettings
from graph_memory.language.coverage import is_readable
from graph_memory.language.texts import normalised
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

# What acts by itself has a confidence above this.
ACTS = 0.8
# From this chance on a link joins two statements that both stand.
LINKS = 0.7
SAME_WORDS = "The same words."
_UNREAD = "The built-in judge reads English only, and no long texts."
_REASONS = {
    Action.DUPLICATE: "It says the same.",
    Action.SUPERSEDE: "It tells what holds now.",
    Action.MERGE: "It tells more of the same.",
    Action.COEXIST: "Both stand.",
}
_LINKED = {
    LinkKind.CONFLICTS: "They say different things of the same.",
    LinkKind.CAUSES: "The one brought about the other.",
    LinkKind.INSTANCE_OF: "The one is an example of the other.",
    LinkKind.INVALIDATED_BY: "The one shows that the other was not so.",
    LinkKind.MOTIVATED_BY: "The one is the reason for the other.",
}


class EmbeddedJudge:
    """Classifies pairs in milliseconds each, without any service. Abstains to COEXIST when unsure."""

    name = "embedded"

    def __init__(self, model: PairModel | None = None) -> None:
        """`model` reads the pairs; the packaged one without."""
        self._model = model or opened()

    @classmethod
    def of(cls, service: Service) -> EmbeddedJudge:
        """With the pair model that a service's settings name."""
        return cls(opened(service.settings[JudgeSettings].model))

    def classify(self, new: Statement, candidates: Sequence[Statement]) -> list[Verdict]:
        """One verdict for each candidate, in order. The same pair gives the same verdict in any company."""
        return [self._verdict(new, old) for old in candidates]

    def _verdict(self, new: Statement, old: Statement) -> Verdict:
        id = old.id or ""
        if normalised(new.text) == normalised(old.text):
            return Verdict(id, Action.DUPLICATE, 1.0, SAME_WORDS)
        likely = self._model.read(new, old) if is_readable(new.text) and is_readable(old.text) else None
        if likely is None:
            return Verdict(id, Action.COEXIST, 0.0, _UNREAD, abstained=True)
        action = max(likely.actions, key=lambda each: likely.actions[each])
        chance = likely.actions[action]
        if action is Action.COEXIST:
            return _beside(id, likely, chance)
        least = self._model.thresholds[action]
        if chance < least:
            confidence = round(ACTS * chance / least, 4)
            return Verdict(id, Action.COEXIST, confidence, _REASONS[action], abstained=True, proposal=action)
        link = LinkKind.SUPERSEDES if action is Action.SUPERSEDE else None
        return Verdict(id, action, _above(chance, least), _REASONS[action], link)


def _beside(id: str, likely: Likely, chance: float) -> Verdict:
    """Both stand, and a link joins them where the model is sure of it."""
    joined: Joined | None = likely.link if likely.link_chance >= LINKS else None
    if joined is None:
        return Verdict(id, Action.COEXIST, round(chance, 4), _REASONS[Action.COEXIST])
    return Verdict(
        id,
        Action.COEXIST,
        round(likely.link_chance, 4),
        _LINKED[joined.kind],
        joined.kind,
        link_from_candidate=joined.from_known,
    )


def _above(chance: float, least: float) -> float:
    """The confidence of what has reached its least chance: above ACTS, and 1 where it is certain."""
    return min(1.0, round(ACTS + 0.01 + (0.99 - ACTS) * (chance - least) / (1 - least), 4))

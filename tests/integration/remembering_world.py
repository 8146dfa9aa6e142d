"""A judge that says what a test wants, and short words for remembering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.ingest.outcome import Outcome
from graph_memory.ingest.pipeline import remember
from graph_memory.judge.panel import Judgement
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.model.memory import Fact, Memory
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

Says = Callable[[Statement, Statement], Verdict]


class Judge:
    """Answers by rule, and remembers how often it was called and with how many candidates."""

    name = "scripted"

    def __init__(self, says: Says | Action = Action.COEXIST, confidence: float = 0.9, **more: Any) -> None:
        self._says = says
        self._confidence = confidence
        self._more = more
        self.calls: list[int] = []

    def __call__(
        self, service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
    ) -> Judgement:
        assert 0 < within <= service.settings.pipeline.timeout
        self.calls.append(len(candidates))
        return Judgement(tuple(self._verdict(new, each) for each in candidates), self.name)

    def _verdict(self, new: Statement, old: Statement) -> Verdict:
        if callable(self._says) and not isinstance(self._says, Action):
            return self._says(new, old)
        return Verdict(old.id or "", Action(self._says), self._confidence, "the test says so", **self._more)


def says(old: Statement, action: Action, confidence: float = 0.9, **more: Any) -> Verdict:
    """A verdict on a candidate."""
    return Verdict(old.id or "", action, confidence, "the test says so", **more)


def keep(service: Service, scope: Scope, text: str, judge: Judge | None = None, **fields: Any) -> Outcome:
    """What became of a statement."""
    outcome, _ = remember(service, Call(scope, "test"), Fact(text, **fields), classify=judge or Judge())
    return outcome


def live(service: Service, scope: Scope) -> list[Memory]:
    """The memories that are live, newest first."""
    return reading.browse(service, scope, 100).items

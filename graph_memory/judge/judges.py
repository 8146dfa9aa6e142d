"""The judges of one request: each pair is judged once, outside the transaction or at once under the lock.

Which of two statements takes the other's place is a matter of the order of time. A judge is asked about the statement
that comes in; where that is the older one, it goes behind the known one into history only if the embedded judge, shown
the pair the other way round, says that the known one ended it. Otherwise that is left to a person. So is what was said
before the known one and is to hold later or as long: it has no place in history that nobody doubts.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from graph_memory.base.scope import Scope
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.likeness import tells_of_another_day
from graph_memory.judge.panel import Judgement
from graph_memory.language.texts import normalised
from graph_memory.memory.settings import PipelineSettings
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

# The judgement on a new statement and its candidates, given within so many seconds.
Classify = Callable[[Service, Scope, Statement, Sequence[Statement], float], Judgement]
# A verdict and the name of who gave it.
Said = tuple[Verdict, str]

_Pair = tuple[str, datetime, str | None, str]


def at_once(
    service: Service, _: Scope, new: Statement, candidates: Sequence[Statement], __: float
) -> Judgement:
    """The embedded judge alone: in milliseconds."""
    judge = EmbeddedJudge.of(service)
    return Judgement(tuple(judge.classify(new, candidates)), judge.name)


def is_among(said: Verdict, candidates: Sequence[Statement]) -> bool:
    """Whether what a verdict is about is one of these."""
    return any(each.id == said.candidate for each in candidates)


class Judges:
    """Who judges for one request: `classify` may take its time, `hurried` is asked under the lock."""

    def __init__(
        self, service: Service, scope: Scope, classify: Classify, hurried: Classify = at_once
    ) -> None:
        self._service = service
        self._scope = scope
        self._classify = classify
        self._hurried = hurried
        self._said: dict[_Pair, Said] = {}
        self._spent: defaultdict[tuple[str, datetime], float] = defaultdict(float)

    def outside(self, new: Statement, candidates: Sequence[Statement]) -> list[Said]:
        """What is said of each candidate; those not judged before are asked about in one call.

        The calls about one statement take `pipeline.timeout` seconds together.
        """
        begun, key = time.monotonic(), (new.text, new.at)
        left = max(0.0, self._service.settings[PipelineSettings].timeout - self._spent[key])
        said = self._ask(self._classify, left, new, candidates)
        self._spent[key] += time.monotonic() - begun
        return said

    def under_lock(self, new: Statement, candidates: Sequence[Statement]) -> list[Said]:
        """The same in milliseconds; what was judged outside holds."""
        return self._ask(self._hurried, 0.0, new, candidates)

    def _ask(
        self, classify: Classify, within: float, new: Statement, candidates: Sequence[Statement]
    ) -> list[Said]:
        unasked = [each for each in candidates if _pair(new, each) not in self._said]
        if unasked:
            judgement = classify(self._service, self._scope, new, unasked, within)
            for old, verdict in zip(unasked, judgement.verdicts, strict=True):
                self._said[_pair(new, old)] = (verdict, judgement.provider)
        return [self._held(new, each, *self._said[_pair(new, each)]) for each in candidates]

    def _held(self, new: Statement, old: Statement, verdict: Verdict, provider: str) -> Said:
        """What was said, as far as the times of both let it be so."""
        return _of_its_day(new, old, self._in_time(new, old, verdict)), provider

    def _in_time(self, new: Statement, old: Statement, verdict: Verdict) -> Verdict:
        """The verdict, held back where it would put an older statement in the place of a younger one, or behind one that did
        not end it."""
        if verdict.action is not Action.SUPERSEDE or not _is_older(new, old) or self._ended(new, old):
            return verdict
        return _held_back(verdict, "what it would replace is younger")

    def _ended(self, new: Statement, old: Statement) -> bool:
        """Whether what comes in goes behind the known one, as that one ended it."""
        if new.at >= old.at:
            return False
        [turned] = EmbeddedJudge.of(self._service).classify(old, [new])
        return turned.action is Action.SUPERSEDE


def _is_older(new: Statement, old: Statement) -> bool:
    """Whether it holds from an earlier time on than the known one, or was said before that."""
    if new.at < old.at:
        return True
    return new.said_at is not None and old.said_at is not None and new.said_at < old.said_at


def _of_its_day(new: Statement, old: Statement, verdict: Verdict) -> Verdict:
    """The verdict, but for a repetition of what tells of another day. In the same words it surely happened again."""
    is_said_again = Action.DUPLICATE in (verdict.action, verdict.proposal)
    if not is_said_again or not tells_of_another_day(new, old):
        return verdict
    if normalised(new.text) == normalised(old.text):
        return Verdict(verdict.candidate, Action.COEXIST, 1.0, "It happens on another day.")
    return _held_back(verdict, "they tell of different days")


def _held_back(verdict: Verdict, why: str) -> Verdict:
    """The verdict as a proposal to a person."""
    wanted = verdict.proposal or verdict.action
    return replace(verdict, action=Action.COEXIST, abstained=True, proposal=wanted, link=None, held_back=why)


def _pair(new: Statement, old: Statement) -> _Pair:
    return new.text, new.at, old.id, old.text

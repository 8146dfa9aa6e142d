"""The judges in their order of fallback: the first that answers decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.judging.embedded import EmbeddedJudge
from graph_memory.judging.verdict import Statement, Verdict
from graph_memory.service import Service
from graph_memory.tenancy import Scope


@dataclass(frozen=True)
class Judgement:
    """What was said of each candidate, in order, and who said it. `failed` names those that could not answer."""

    verdicts: tuple[Verdict, ...]
    provider: str
    failed: tuple[str, ...] = ()


def classify(
    service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
) -> Judgement:
    """The verdicts of the first judge that answers within `within` seconds; the embedded one always does."""
    judge = EmbeddedJudge()
    return Judgement(tuple(judge.classify(new, candidates)), judge.name)

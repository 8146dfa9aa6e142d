"""The judge that is a language model: all candidates in one question, and no verdict that it did not give."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.base.scope import Scope
from graph_memory.judge import classify_prompt as question
from graph_memory.ledger.activity import zone_of
from graph_memory.model.verdict import Statement, Verdict
from graph_memory.models.chat import ask
from graph_memory.models.prompt import Reply
from graph_memory.store.service import Service


def classify(
    service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
) -> Reply[tuple[Verdict, ...]]:
    """One verdict for each candidate, in order; all candidates are stored and of this scope.

    NoAnswer when no language model gave an answer that could be read within so many seconds.
    """
    return ask(service, scope, question.prompt(new, candidates, zone_of(service, scope)), within)

"""A memory's scores with the parts that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import strawberry

from graph_memory.api.mirror import mirror
from graph_memory.scoring.scores import Explained, Tier
from graph_memory.scoring.terms import Operation, Policy, Term


@strawberry.type(description="One part of a score. One after the other the parts come to the score.")
class ScoreTerm:
    name: str = strawberry.field(description="Which part.")
    value: float = strawberry.field(description="What it adds, or by what it multiplies, and so on.")
    operation: Operation = strawberry.field(description="What it does to what came before.")
    explanation: str = strawberry.field(description="The inputs that it comes from.")


@strawberry.type(description="A memory's scores as of now, and why they are what they are.")
class MemoryScore:
    policy: Policy = strawberry.field(description="What makes the importance.")
    at: datetime = strawberry.field(
        description="The moment that they hold for; what is stored is of the last rescoring."
    )
    importance: float = strawberry.field(description="How much it matters, 0 to 1.")
    retention: float = strawberry.field(description="How well it is kept, 0 to 1.")
    tier: Tier = strawberry.field(description="The tier that follows from the retention.")
    terms: list[ScoreTerm] = strawberry.field(description="The parts of the importance.")
    retention_terms: list[ScoreTerm] = strawberry.field(description="The parts of the retention.")
    arithmetic: str = strawberry.field(description="How the parts come to the importance, as one line.")
    retention_arithmetic: str = strawberry.field(
        description="How the parts come to the retention, as one line."
    )


def score_of(told: Explained) -> MemoryScore:
    """Scores of the domain as the schema's type."""
    return MemoryScore(
        policy=told.policy,
        at=told.at,
        importance=told.scores.importance,
        retention=told.scores.retention,
        tier=told.scores.tier,
        terms=_terms(told.importance_terms),
        retention_terms=_terms(told.retention_terms),
        arithmetic=told.importance_line,
        retention_arithmetic=told.retention_line,
    )


def _terms(terms: Sequence[Term]) -> list[ScoreTerm]:
    return [mirror(ScoreTerm, term) for term in terms]

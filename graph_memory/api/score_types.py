"""A memory's scores with the parts that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import Enum

import strawberry

from graph_memory.scoring.scores import Explained
from graph_memory.scoring.terms import Term


@strawberry.enum(description="How near at hand a memory is kept, nearest first.")
class Tier(Enum):
    HOT = strawberry.enum_value("HOT", description="At hand without being asked for.")
    WARM = strawberry.enum_value("WARM", description="Found by usual searches.")
    COLD = strawberry.enum_value("COLD", description="Found by deep searches.")
    ARCHIVED = strawberry.enum_value("ARCHIVED", description="Found by exhaustive searches only.")


@strawberry.enum(description="What makes a memory's importance.")
class DecayPolicy(Enum):
    EARNING = strawberry.enum_value("earning", description="Earned by use and links, lost by disuse.")
    LINEAR = strawberry.enum_value("linear", description="A weighted sum, less each idle day.")
    RETENTION = strawberry.enum_value("retention", description="Recency, activation and worth.")


@strawberry.enum(description="What a part does to what the parts before it came to; the first finds 0.")
class TermOperation(Enum):
    ADDS = strawberry.enum_value("ADDS", description="Its value is added.")
    MULTIPLIES = strawberry.enum_value("MULTIPLIES", description="Its value is a factor.")
    FLOOR = strawberry.enum_value("FLOOR", description="It is its value at least.")
    SIGMOID = strawberry.enum_value("SIGMOID", description="1 / (1 + e^-(value x)), which lies in 0 to 1.")
    ROUNDS = strawberry.enum_value(
        "ROUNDS", description="Rounded to as many decimals as its value says, halves upwards."
    )


@strawberry.type(description="One part of a score. One after the other the parts come to the score.")
class ScoreTerm:
    name: str = strawberry.field(description="Which part.")
    value: float = strawberry.field(description="What it adds, or by what it multiplies, and so on.")
    operation: TermOperation = strawberry.field(description="What it does to what came before.")
    explanation: str = strawberry.field(description="The inputs that it comes from.")


@strawberry.type(description="A memory's scores as of now, and why they are what they are.")
class MemoryScore:
    policy: DecayPolicy = strawberry.field(description="What makes the importance.")
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
        policy=DecayPolicy(told.policy.value),
        at=told.at,
        importance=told.scores.importance,
        retention=told.scores.retention,
        tier=Tier(told.scores.tier.value),
        terms=_terms(told.importance_terms),
        retention_terms=_terms(told.retention_terms),
        arithmetic=told.importance_line,
        retention_arithmetic=told.retention_line,
    )


def _terms(terms: Sequence[Term]) -> list[ScoreTerm]:
    return [
        ScoreTerm(
            name=term.name,
            value=term.value,
            operation=TermOperation(term.operation.value),
            explanation=term.explanation,
        )
        for term in terms
    ]

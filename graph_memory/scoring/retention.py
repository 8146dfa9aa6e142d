"""How well a memory is kept: what tiers follow, whichever policy makes its importance; and a policy of its own.

    retention = w_recency 2^(-since / half-life) + w_activation activation + w_worth worth
    since      = the smaller of the ages since it was made and since it was last recalled
    activation = min(1, ln(1 + accesses) / ln(1 + saturation))

Features 184-189. Then, in this order: feedback; the floor of a critical memory, which also keeps its recency at 1;
the factor of a superseded one; the end of an expired one; and a pinned memory that holds stays hot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.errors import Invalid
from graph_memory.base.sections import Sections
from graph_memory.scoring.settings import DecaySettings, RetentionSettings, TiersSettings
from graph_memory.scoring.terms import (
    Facts,
    Policy,
    Term,
    ages,
    clamped,
    common_terms,
    factor,
    left_after_expiry,
    with_feedback,
)
from graph_memory.scoring.terms import Operation as Does


@dataclass(frozen=True)
class Parts:
    """The parts of one retention. Those after the half-life lie in [0, 1]; Invalid for one that does not (case 42)."""

    since: float
    half_life: float
    recency: float
    activation: float
    worth: float
    superseded: float
    expiry: float

    def __post_init__(self) -> None:
        for name in ("recency", "activation", "worth", "superseded", "expiry"):
            value = getattr(self, name)
            if not 0.0 <= value <= 1.0:
                raise Invalid(
                    f"The {name} of a retention is {value:g}; it must lie between 0 and 1.", path=name
                )


def retention(facts: Facts, at: datetime, settings: Sections) -> float:
    """The retention at a moment, in [0, 1], not rounded."""
    weights, found = settings[RetentionSettings], parts(facts, at, settings)
    kept = (
        weights.recency_weight * found.recency
        + weights.activation_weight * found.activation
        + weights.worth_weight * found.worth
    )
    kept = with_feedback(kept, facts, settings)
    kept = clamped(max(kept, settings[DecaySettings].critical_floor) if facts.critical else kept)
    kept *= found.superseded * found.expiry
    holds = found.superseded == found.expiry == 1.0
    return max(kept, settings[TiersSettings].hot) if facts.pinned and holds else kept


def parts(facts: Facts, at: datetime, settings: Sections) -> Parts:
    """The parts of the retention at a moment."""
    chosen, spent = settings[RetentionSettings], ages(facts, at, Policy.RETENTION, settings)
    since, half_life = min(spent.age, spent.idle), chosen.half_lives.get(facts.kind, chosen.half_life_days)
    is_superseded = facts.superseded_at is not None and facts.superseded_at <= at
    return Parts(
        since=since,
        half_life=half_life,
        recency=1.0 if facts.critical else math.exp(-math.log(2.0) * since / half_life),
        activation=activation(facts.access_count, chosen),
        worth=max(facts.base_importance, chosen.worths.get(facts.kind, 0.0)),
        superseded=chosen.superseded_penalty if is_superseded else 1.0,
        expiry=left_after_expiry(facts, at, settings),
    )


def activation(accesses: int, chosen: RetentionSettings) -> float:
    """How much the recalls of a memory count, in [0, 1] (X49)."""
    if chosen.activation == "boost":
        return min(1.0, chosen.activation_boost * accesses)
    return min(1.0, math.log(1.0 + accesses) / math.log(1.0 + chosen.saturation))


def terms(facts: Facts, at: datetime, settings: Sections) -> list[Term]:
    """The parts with what they come from, in the order in which they count."""
    weights, found = settings[RetentionSettings], parts(facts, at, settings)
    holds, hot = found.superseded == found.expiry == 1.0, settings[TiersSettings].hot
    stays = [Term("pinned", hot, "a pinned memory that holds stays hot", Does.FLOOR)]
    fades = f"{found.since:.1f} days since it was made or recalled, half-life {found.half_life:g}"
    return [
        Term(
            "recency",
            weights.recency_weight * found.recency,
            "a critical memory does not fade" if facts.critical else fades,
        ),
        Term("activation", weights.activation_weight * found.activation, f"{facts.access_count} accesses"),
        Term(
            "worth",
            weights.worth_weight * found.worth,
            f"assigned {facts.base_importance:g}, kind {facts.kind}",
        ),
        *common_terms(facts, settings),
        factor("superseded", found.superseded, "factor; 1 while nothing has taken its place"),
        factor("expiry", found.expiry, "factor; 1 until it expires"),
        *(stays if facts.pinned and holds else []),
    ]

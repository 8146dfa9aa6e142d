"""The `linear` policy for one memory.

`cypher/queries/scoring/rescore_linear.cypher` is the same for a whole tenant.

    fresh = w_base base + w_access min(accesses / max_access, 1)
            + w_recency exp(-age / tau) + w_confidence confidence
    score = fresh rate^idle;  of a critical memory: max(fresh, critical_floor)

Age and idleness are days with fractions. The sources give the sum (feature 218) and the decay (feature 219)
apart and cut ages to whole days; they are joined here without the cut, and computed from stored facts each
time, never from the score before. tau is no half-life: that would be tau ln 2.
"""

from __future__ import annotations

import math
from datetime import datetime

from graph_memory.base.sections import Sections
from graph_memory.scoring.settings import DecaySettings, LinearSettings
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


def importance(facts: Facts, at: datetime, settings: Sections) -> float:
    """The importance at a moment, in [0, 1], not rounded."""
    whole = before_decay(facts, at, settings)
    if not facts.critical:
        whole = decayed(whole, ages(facts, at, Policy.LINEAR, settings).idle, settings[LinearSettings].rate)
    return whole * left_after_expiry(facts, at, settings)


def before_decay(facts: Facts, at: datetime, settings: Sections) -> float:
    """The weighted sum of feature 218, its critical floor included."""
    fresh = with_feedback(sum(term.value for term in _sum(facts, at, settings)), facts, settings)
    return clamped(max(fresh, settings[DecaySettings].critical_floor) if facts.critical else fresh)


def decayed(value: float, idle_days: float, rate: float) -> float:
    """What is left of a value after some days without use."""
    return value * math.pow(rate, idle_days)


def terms(facts: Facts, at: datetime, settings: Sections) -> list[Term]:
    """The parts with what they come from, in the order in which they count."""
    idle = ages(facts, at, Policy.LINEAR, settings).idle
    decay = 1.0 if facts.critical else decayed(1.0, idle, settings[LinearSettings].rate)
    why = "a critical memory does not decay" if facts.critical else f"factor for {idle:.1f} idle days"
    left = left_after_expiry(facts, at, settings)
    return [
        *_sum(facts, at, settings),
        *common_terms(facts, settings),
        factor("decay", decay, why),
        factor("expiry", left, "factor for its end"),
    ]


def _sum(facts: Facts, at: datetime, settings: Sections) -> list[Term]:
    linear, age = settings[LinearSettings], ages(facts, at, Policy.LINEAR, settings).age
    return [
        Term("base", linear.base_weight * facts.base_importance, f"assigned {facts.base_importance:g}"),
        Term(
            "access",
            linear.access_weight * min(facts.access_count / linear.max_access, 1.0),
            f"{facts.access_count} of {linear.max_access} accesses",
        ),
        Term(
            "recency",
            linear.recency_weight * math.exp(-age / linear.recency_tau_days),
            f"{age:.1f} days old",
        ),
        Term("confidence", linear.confidence_weight * facts.confidence, f"confidence {facts.confidence:g}"),
    ]

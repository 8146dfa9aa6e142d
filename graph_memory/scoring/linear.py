"""The `linear` policy.

`cypher/queries/scoring/rescore_linear.cypher` is the same for a whole tenant.

    fresh = w_base base + w_access min(accesses / max_access, 1)
            + w_recency exp(-age / tau) + w_confidence confidence
    score = fresh rate^idle;  of a critical memory: max(fresh, critical_floor)

Age and idleness are days with fractions. The sources give the sum (feature 218) and the decay (feature 219)
apart and cut ages to whole days; they are joined here without the cut, and computed from stored facts each
time, never from the score before. tau is no half-life: that would be tau ln 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from graph_memory.base.sections import Sections
from graph_memory.scoring.columns import Now, now_of, single
from graph_memory.scoring.settings import LinearSettings
from graph_memory.scoring.terms import Facts, Floats, Policy, Term, common_terms, factor


@dataclass(frozen=True)
class Parts:
    """The parts of each importance: what is added up, and what the sum is multiplied by."""

    age: Floats
    idle: Floats
    base: Floats
    access: Floats
    recency: Floats
    confidence: Floats
    decay: Floats
    expiry: Floats


def importance(now: Now) -> Floats:
    """The importance of each, in [0, 1], not rounded."""
    found = parts(now)
    return before_decay(now, found) * found.decay * found.expiry


def before_decay(now: Now, found: Parts) -> Floats:
    """The weighted sum of feature 218, the floor of a critical memory included."""
    return now.with_floor(now.with_feedback(found.base + found.access + found.recency + found.confidence))


def parts(now: Now) -> Parts:
    """The parts of the importance of each."""
    of, linear = now.of, now.settings[LinearSettings]
    age, idle = now.ages(Policy.LINEAR)
    return Parts(
        age=age,
        idle=idle,
        base=linear.base_weight * of.base,
        access=linear.access_weight * np.minimum(of.accesses / linear.max_access, 1.0),
        recency=linear.recency_weight * np.exp(-age / linear.recency_tau_days),
        confidence=linear.confidence_weight * of.confidence,
        decay=np.where(of.critical, 1.0, linear.rate**idle),
        expiry=now.left_after_expiry,
    )


def terms(facts: Facts, at: datetime, settings: Sections) -> list[Term]:
    """The parts of one importance with what they come from, in the order in which they count."""
    found, most = single(parts(now_of([facts], at, settings))), settings[LinearSettings].max_access
    fades = f"factor for {found['idle']:.1f} idle days"
    return [
        Term("base", found["base"], f"assigned {facts.base_importance:g}"),
        Term("access", found["access"], f"{facts.access_count} of {most} accesses"),
        Term("recency", found["recency"], f"{found['age']:.1f} days old"),
        Term("confidence", found["confidence"], f"confidence {facts.confidence:g}"),
        *common_terms(facts, settings),
        factor("decay", found["decay"], "a critical memory does not decay" if facts.critical else fades),
        factor("expiry", found["expiry"], "factor for its end"),
    ]

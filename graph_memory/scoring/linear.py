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
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graph_memory.settings import Decay

_DAY_MS = 86_400_000.0
_HOW = ("batch", "concurrency")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Facts:
    """What the policy reads of a memory.

    `feedback` from -1 to 1, `base_importance` and `confidence` from 0 to 1.
    """

    created_at: datetime
    last_accessed_at: datetime | None = None
    base_importance: float = 0.5
    access_count: int = 0
    confidence: float = 1.0
    critical: bool = False
    feedback: float = 0.0


def score(facts: Facts, at: datetime, decay: Decay) -> float:
    """The importance at a moment, in [0, 1]."""
    fresh = _fresh(facts, days(facts.created_at, at), decay)
    if facts.critical:
        return _clamped(max(fresh, decay.critical_floor))
    return _clamped(decayed(fresh, days(facts.last_accessed_at or facts.created_at, at), decay.rate))


def importance(facts: Facts, at: datetime, decay: Decay) -> float:
    """The importance before decay: feature 218, its critical floor included."""
    fresh = _fresh(facts, days(facts.created_at, at), decay)
    return _clamped(max(fresh, decay.critical_floor) if facts.critical else fresh)


def decayed(value: float, idle_days: float, rate: float) -> float:
    """What is left of a value after some days without use."""
    return value * math.pow(rate, idle_days)


def days(since: datetime, until: datetime) -> float:
    """Days with fractions, to the millisecond; 0 when `since` lies ahead."""
    return max(epoch_ms(until) - epoch_ms(since), 0) / _DAY_MS


def epoch_ms(at: datetime) -> int:
    """Whole milliseconds since 1970, as the database counts them."""
    return (at - _EPOCH) // timedelta(milliseconds=1)


def terms(decay: Decay) -> dict[str, float]:
    """The constants of the formula, by the names that the query gives them."""
    return {name: getattr(decay, name) for name in type(decay).model_fields if name not in _HOW}


def _fresh(facts: Facts, age: float, decay: Decay) -> float:
    known = (
        decay.base_weight * facts.base_importance
        + decay.access_weight * min(facts.access_count / decay.max_access, 1.0)
        + decay.recency_weight * math.exp(-age / decay.recency_tau_days)
        + decay.confidence_weight * facts.confidence
    )
    return (1.0 - decay.feedback_weight) * known + decay.feedback_weight * (facts.feedback + 1.0) / 2.0


def _clamped(value: float) -> float:
    return min(max(value, 0.0), 1.0)

"""Is a statement worth keeping? A language model that extracts it gives five factors, and their weighted sum decides.

The weights are those of implicit capture in git-notes memory: .25 relevance, .30 actionability, .20 novelty, .15
specificity, .10 coherence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graph_memory.ingest.settings import CaptureSettings

_WEIGHTS = {
    "relevance": 0.25,
    "actionability": 0.30,
    "novelty": 0.20,
    "specificity": 0.15,
    "coherence": 0.10,
}


@dataclass(frozen=True)
class Factors:
    """What speaks for keeping a statement, each from 0 to 1; what lies outside counts as the nearest of these."""

    relevance: float
    actionability: float
    novelty: float
    specificity: float
    coherence: float


class Gate(StrEnum):
    """What is done with a statement of some confidence."""

    APPROVED = "APPROVED"
    QUEUED = "QUEUED"
    DROPPED = "DROPPED"


def confidence(factors: Factors) -> float:
    """The weighted sum of the factors, from 0 to 1, to six decimals."""
    weighed = sum(weight * _clamped(getattr(factors, name)) for name, weight in _WEIGHTS.items())
    return round(_clamped(weighed), 6)


def gate(settings: CaptureSettings, found: float) -> Gate:
    """From `approve_at` on it is kept, from `queue_at` on it waits for a person, below it is left out."""
    if found >= settings.approve_at:
        return Gate.APPROVED
    return Gate.QUEUED if found >= settings.queue_at else Gate.DROPPED


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))

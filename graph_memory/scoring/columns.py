"""Memories as columns, a place for each, and what every policy reads of them at a moment.

The formulas are written once, over columns; a single memory is a column of length 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from graph_memory.base.sections import Sections
from graph_memory.scoring.settings import DecaySettings, RetentionSettings
from graph_memory.scoring.terms import DAY_MS, Facts, Floats, Policy, by_activity, epoch_ms

Bools = NDArray[np.bool_]
Ranks = NDArray[np.int64]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Columns:
    """What the policies read of memories. Times in milliseconds, NaN where there is none."""

    created: Floats
    used: Floats
    base: Floats
    accesses: Floats
    confidence: Floats
    half_life: Floats
    worth: Floats
    critical: Bools
    pinned: Bools
    feedback: Floats
    happens: Floats
    expires: Floats
    active_days: Floats
    created_day: Floats
    used_day: Floats
    links: Floats
    superseded: Floats

    def of(self, places: Places) -> Columns:
        """Only the memories at these places."""
        return Columns(**{name: column[places] for name, column in vars(self).items()})


def columns(facts: Sequence[Facts], settings: Sections) -> Columns:
    """The facts as columns."""
    keeping = settings[RetentionSettings]
    return Columns(
        created=_numbers(epoch_ms(each.created_at) for each in facts),
        used=_numbers(epoch_ms(each.last_accessed_at or each.created_at) for each in facts),
        base=_numbers(each.base_importance for each in facts),
        accesses=_numbers(each.access_count for each in facts),
        confidence=_numbers(each.confidence for each in facts),
        half_life=_numbers(keeping.half_lives.get(each.kind, keeping.half_life_days) for each in facts),
        worth=_numbers(max(each.base_importance, keeping.worths.get(each.kind, 0.0)) for each in facts),
        critical=np.array([each.critical for each in facts], dtype=np.bool_),
        pinned=np.array([each.pinned for each in facts], dtype=np.bool_),
        feedback=_numbers(each.feedback for each in facts),
        happens=_numbers(_moment(each.happens_at) for each in facts),
        expires=_numbers(_moment(each.expires_at) for each in facts),
        active_days=_numbers(each.activity_days for each in facts),
        created_day=_numbers(each.created_day for each in facts),
        used_day=_numbers(
            each.created_day if each.accessed_day is None else each.accessed_day for each in facts
        ),
        links=_numbers(each.hub_links for each in facts),
        superseded=_numbers(_moment(each.superseded_at) for each in facts),
    )


@dataclass(frozen=True)
class Now:
    """Memories at a moment, in milliseconds, the person having been active on so many more days."""

    of: Columns
    at: float
    settings: Sections
    active_days: float = 0.0

    def ages(self, policy: Policy) -> tuple[Floats, Floats]:
        """Since each was made and since it was last used, by the clock of a policy, never below 0.

        Days of activity, or calendar days with fractions (X11, X50).
        """
        of = self.of
        if by_activity(policy, self.settings):
            active = of.active_days + self.active_days
            return np.maximum(active - of.created_day, 0.0), np.maximum(active - of.used_day, 0.0)
        return self.since(of.created), self.since(of.used)

    def since(self, moments: Floats) -> Floats:
        """Days with fractions since these moments; 0 where they lie ahead."""
        return np.maximum(self.at - moments, 0.0) / DAY_MS

    def until(self, moments: Floats) -> Floats:
        """Days with fractions until these moments, below 0 once they are past; NaN where there is none."""
        return (moments - self.at) / DAY_MS

    def is_superseded(self) -> Bools:
        """Whether another memory has taken the place."""
        return self.of.superseded <= self.at

    @cached_property
    def left_after_expiry(self) -> Floats:
        """1 until a memory expires, 0 afterwards; in days of grace what lies between (X31)."""
        of, decay = self.of, self.settings[DecaySettings]
        late = self.since(np.where(np.isnan(of.expires), np.inf, of.expires))
        left = np.where(late < decay.expiry_grace_days, 1.0 - late / (decay.expiry_grace_days or 1.0), 0.0)
        spared = of.critical & decay.critical_overrides_expiry
        return np.where((late == 0.0) | spared, 1.0, left)

    def with_feedback(self, scores: Floats) -> Floats:
        """The scores with what people said mixed in; all else keeps its proportions (X44)."""
        weight = self.settings[DecaySettings].feedback_weight
        return (1.0 - weight) * scores + weight * (self.of.feedback + 1.0) / 2.0

    def with_floor(self, scores: Floats) -> Floats:
        """The scores, moved into [0, 1]; that of a critical memory is never below its floor."""
        floor = np.where(self.of.critical, self.settings[DecaySettings].critical_floor, 0.0)
        return np.clip(scores, floor, 1.0)


def now_of(facts: Sequence[Facts], at: datetime, settings: Sections) -> Now:
    """The facts at a moment."""
    return Now(columns(facts, settings), float(epoch_ms(at)), settings)


def left_after_expiry(facts: Facts, at: datetime, settings: Sections) -> float:
    """What is left of one memory at a moment."""
    return float(now_of([facts], at, settings).left_after_expiry[0])


def single(parts: object) -> dict[str, float]:
    """The parts of a score of one memory, by their names."""
    return {name: float(column[0]) for name, column in vars(parts).items()}


def _numbers(values: Iterable[float]) -> Floats:
    return np.fromiter(values, dtype=np.float64)


def _moment(at: datetime | None) -> float:
    return np.nan if at is None else float(epoch_ms(at))

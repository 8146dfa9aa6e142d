"""The scores of many memories at once: the functions of the policies over columns, for forecasts that ask every day.

The formulas are those of `earning`, `linear` and `retention`, and a property test holds them to those.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from graph_memory.base.sections import Sections
from graph_memory.scoring.scores import TIERS, Rule, Tier, decimals_of
from graph_memory.scoring.settings import (
    ArchiveSettings,
    DecaySettings,
    EarningSettings,
    LinearSettings,
    RetentionSettings,
    SupersessionSettings,
    TiersSettings,
)
from graph_memory.scoring.terms import Facts, Policy, by_activity, epoch_ms

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ranks = NDArray[np.int64]
Places = NDArray[np.int64]

# In the order of `Rule`; where none holds, NO_RULE.
RULES = tuple(Rule)
NO_RULE = -1

_DAY_MS = 86_400_000.0
_SURE = 0.999


@dataclass(frozen=True)
class Columns:
    """What the policies read of memories: a place for each memory. Times in milliseconds, NaN where there is none."""

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


@dataclass(frozen=True)
class Standing:
    """Scores as they would be stored, the rank of the tier, and the rule by which a memory would be archived."""

    importance: Floats
    retention: Floats
    rank: Ranks
    rule: Ranks

    def of(self, places: Places) -> Standing:
        """Only the memories at these places."""
        return Standing(**{name: column[places] for name, column in vars(self).items()})


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


def standing(
    of: Columns, at: datetime, settings: Sections, policy: Policy, active_days: float = 0.0
) -> Standing:
    """Where the memories stand at a moment, the person having been active on so many more days."""
    now = _Now(of, float(epoch_ms(at)), settings, active_days)
    kept = _rounded(now.retention(), settings[RetentionSettings].rounding)
    importance = _rounded(_IMPORTANCE[policy](now), decimals_of(policy, settings))
    tiers = settings[TiersSettings]
    rank = np.select([kept >= tiers.hot, kept >= tiers.warm, kept >= tiers.archive_threshold], [0, 1, 2], 3)
    return Standing(importance, kept, rank, now.rule(importance, rank, policy))


@dataclass(frozen=True)
class _Now:
    of: Columns
    at: float
    settings: Sections
    active_days: float

    def retention(self) -> Floats:
        of, settings, weights = self.of, self.settings, self.settings[RetentionSettings]
        age, idle = self.ages(Policy.RETENTION)
        recency = np.exp(-math.log(2.0) * np.minimum(age, idle) / of.half_life)
        kept = (
            weights.recency_weight * np.where(of.critical, 1.0, recency)
            + weights.activation_weight * self.activation()
            + weights.worth_weight * of.worth
        )
        kept = self.with_floor(self.with_feedback(kept))
        superseded, expiry = of.superseded <= self.at, self.expiry()
        kept = np.clip(kept, 0.0, 1.0) * np.where(superseded, weights.superseded_penalty, 1.0) * expiry
        holds = (~superseded | (weights.superseded_penalty == 1.0)) & (expiry == 1.0)
        return np.where(of.pinned & holds, np.maximum(kept, settings[TiersSettings].hot), kept)

    def activation(self) -> Floats:
        chosen = self.settings[RetentionSettings]
        if chosen.activation == "boost":
            return np.minimum(1.0, chosen.activation_boost * self.of.accesses)
        whole = math.log(1.0 + chosen.saturation)
        return np.minimum(1.0, np.log(1.0 + self.of.accesses) / whole)

    def earning(self) -> Floats:
        of, earning = self.of, self.settings[EarningSettings]
        age, idle = self.ages(Policy.EARNING)
        rate = of.accesses * earning.rate**idle / np.maximum(earning.min_age, age)
        value = earning.value_weight * np.log(1.0 + rate / earning.baseline)
        total = (value + self.hub() + self.newness(age)) / (1.0 + earning.recency_rate * idle)
        expiry = self.expiry()
        score = 1.0 / (1.0 + np.exp(earning.centre - total * self.event() * expiry))
        return np.where(expiry == 0.0, 0.0, self.with_floor(self.with_feedback(score)))

    def hub(self) -> Floats:
        earning = self.settings[EarningSettings]
        over = np.maximum(self.of.links - earning.hub_links, 0.0)
        first = earning.hub_link * np.minimum(self.of.links, earning.hub_links)
        return first + over * earning.hub_slope / (1.0 + over * earning.hub_curve)

    def newness(self, age: Floats) -> Floats:
        earning = self.settings[EarningSettings]
        if earning.newness == 0.0:
            return np.zeros_like(age)
        sure = np.clip(self.of.base, 1.0 - _SURE, _SURE)
        return np.maximum(0.0, earning.newness + np.log(sure / (1.0 - sure)) - earning.newness_rate * age)

    def event(self) -> Floats:
        earning, ahead = self.settings[EarningSettings], (self.of.happens - self.at) / _DAY_MS
        gone = np.minimum(-ahead / earning.past_days, 1.0)
        past = earning.past_start + (earning.past_end - earning.past_start) * gone
        near = [ahead <= 0.0, ahead <= 1.0, ahead <= 7.0, ahead <= 14.0]
        soon = (earning.day_factor, earning.week_factor, earning.fortnight_factor)
        return np.select(near, [past, *(np.full_like(past, factor) for factor in soon)], 1.0)

    def linear(self) -> Floats:
        of, linear = self.of, self.settings[LinearSettings]
        age, idle = self.ages(Policy.LINEAR)
        fresh = (
            linear.base_weight * of.base
            + linear.access_weight * np.minimum(of.accesses / linear.max_access, 1.0)
            + linear.recency_weight * np.exp(-age / linear.recency_tau_days)
            + linear.confidence_weight * of.confidence
        )
        fresh = np.clip(self.with_floor(self.with_feedback(fresh)), 0.0, 1.0)
        return np.where(of.critical, fresh, fresh * linear.rate**idle) * self.expiry()

    def rule(self, importance: Floats, rank: Ranks, policy: Policy) -> Ranks:
        of, rules = self.of, self.settings[ArchiveSettings]
        spared = of.critical | of.pinned
        due = ~spared & (rank == TIERS.index(Tier.ARCHIVED))
        old = ~spared & (rules.after_days > 0.0) & (self.since(of.created) >= rules.after_days)
        faded = ~spared & self.is_low(importance, policy)
        expired, superseded = self.expiry() == 0.0, of.superseded <= self.at
        stays = superseded & (spared | (self.settings[SupersessionSettings].visibility != "archive"))
        # What was superseded, and what has expired, is archived for that or not at all.
        held = [stays, superseded, expired, faded & rules.importance, due & rules.tier, old]
        told = [
            NO_RULE,
            RULES.index(Rule.SUPERSEDED),
            RULES.index(Rule.EXPIRED) if rules.expired else NO_RULE,
            *(RULES.index(rule) for rule in (Rule.IMPORTANCE, Rule.TIER, Rule.AGE)),
        ]
        return np.select(held, told, NO_RULE)

    def is_low(self, importance: Floats, policy: Policy) -> Bools:
        if policy is Policy.EARNING:
            return np.asarray(importance <= self.settings[EarningSettings].archive_at)
        if policy is Policy.LINEAR:
            return np.asarray(importance < self.settings[LinearSettings].archive_at)
        return np.zeros(importance.shape, dtype=np.bool_)

    def ages(self, policy: Policy) -> tuple[Floats, Floats]:
        of = self.of
        if by_activity(policy, self.settings):
            active = of.active_days + self.active_days
            return np.maximum(active - of.created_day, 0.0), np.maximum(active - of.used_day, 0.0)
        return self.since(of.created), self.since(of.used)

    def since(self, moments: Floats) -> Floats:
        return np.maximum(self.at - moments, 0.0) / _DAY_MS

    def expiry(self) -> Floats:
        of, decay = self.of, self.settings[DecaySettings]
        late = self.since(np.where(np.isnan(of.expires), np.inf, of.expires))
        left = np.where(late < decay.expiry_grace_days, 1.0 - late / (decay.expiry_grace_days or 1.0), 0.0)
        spared = of.critical & decay.critical_overrides_expiry
        return np.where((late == 0.0) | spared, 1.0, left)

    def with_feedback(self, score: Floats) -> Floats:
        weight = self.settings[DecaySettings].feedback_weight
        return (1.0 - weight) * score + weight * (self.of.feedback + 1.0) / 2.0

    def with_floor(self, score: Floats) -> Floats:
        return np.where(
            self.of.critical, np.maximum(score, self.settings[DecaySettings].critical_floor), score
        )


def _numbers(values: object) -> Floats:
    return np.fromiter(values, dtype=np.float64)  # type: ignore[call-overload, no-any-return]


def _moment(at: datetime | None) -> float:
    return np.nan if at is None else float(epoch_ms(at))


def _rounded(values: Floats, decimals: int) -> Floats:
    scale = 10.0**decimals
    return np.floor(values * scale + 0.5) / scale


_IMPORTANCE: dict[Policy, Callable[[_Now], Floats]] = {
    Policy.EARNING: _Now.earning,
    Policy.LINEAR: _Now.linear,
    Policy.RETENTION: _Now.retention,
}

"""A memory's importance, retention and tier at a moment, as they are stored, and why they are what they are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.base.sections import Sections
from graph_memory.scoring import earning, linear
from graph_memory.scoring import retention as keeping
from graph_memory.scoring.settings import (
    ArchiveSettings,
    DecaySettings,
    EarningSettings,
    LinearSettings,
    RetentionSettings,
    SupersessionSettings,
    TiersSettings,
)
from graph_memory.scoring.terms import (
    Facts,
    Operation,
    Policy,
    Term,
    arithmetic,
    days,
    left_after_expiry,
    rounded,
)


class Tier(StrEnum):
    """How near at hand a memory is kept, nearest first."""

    HOT = "HOT"
    WARM = "WARM"
    COLD = "COLD"
    ARCHIVED = "ARCHIVED"


# The order of the tiers is their rank, which the search indexes filter by.
TIERS = tuple(Tier)


class Rule(StrEnum):
    """Why a memory may be archived."""

    EXPIRED = "EXPIRED"
    SUPERSEDED = "SUPERSEDED"
    IMPORTANCE = "IMPORTANCE"
    TIER = "TIER"
    AGE = "AGE"


@dataclass(frozen=True)
class Scores:
    """What is stored of a memory's standing: rounded as the settings say."""

    importance: float
    retention: float
    tier: Tier


@dataclass(frozen=True)
class Explained:
    """The scores with the parts of both numbers, which add up to them, and that sum as a line."""

    policy: Policy
    at: datetime
    scores: Scores
    importance_terms: tuple[Term, ...]
    retention_terms: tuple[Term, ...]
    importance_line: str
    retention_line: str


def scores(facts: Facts, at: datetime, settings: Sections, policy: Policy | None = None) -> Scores:
    """The scores at a moment by a policy, that of the settings when None."""
    chosen = policy or Policy(settings[DecaySettings].policy)
    kept = rounded(keeping.retention(facts, at, settings), settings[RetentionSettings].rounding)
    importance = rounded(raw(facts, at, settings, chosen), decimals_of(chosen, settings))
    return Scores(importance, kept, tier_of(kept, settings))


def as_stored(found: Scores) -> dict[str, float | str | int]:
    """The scores as properties of a memory."""
    return {
        "importance": found.importance,
        "retention": found.retention,
        "tier": found.tier.value,
        "tier_rank": TIERS.index(found.tier),
    }


def raw(facts: Facts, at: datetime, settings: Sections, policy: Policy) -> float:
    """The importance by a policy, not rounded."""
    return _IMPORTANCE[policy](facts, at, settings)


def tier_of(kept: float, settings: Sections) -> Tier:
    """The tier of a stored retention."""
    tiers = settings[TiersSettings]
    if kept >= tiers.hot:
        return Tier.HOT
    if kept >= tiers.warm:
        return Tier.WARM
    return Tier.COLD if kept >= tiers.archive_threshold else Tier.ARCHIVED


def rule_of(
    facts: Facts, at: datetime, found: Scores, settings: Sections, policy: Policy | None = None
) -> Rule | None:
    """The rule by which a memory with these scores is archived, or None (X1); section `archive` switches each rule.

    Critical and pinned ones are archived only when they have expired; what was superseded, only where its visibility
    says so: its tier goes down by itself.
    """
    rules = settings[ArchiveSettings]
    if facts.superseded_at is not None and facts.superseded_at <= at:
        archives = settings[SupersessionSettings].visibility == "archive" and not (
            facts.critical or facts.pinned
        )
        return Rule.SUPERSEDED if archives else None
    if left_after_expiry(facts, at, settings) == 0.0:
        return Rule.EXPIRED if rules.expired else None
    if facts.critical or facts.pinned:
        return None
    chosen = policy or Policy(settings[DecaySettings].policy)
    if rules.importance and _is_low(found.importance, chosen, settings):
        return Rule.IMPORTANCE
    if rules.tier and found.tier is Tier.ARCHIVED:
        return Rule.TIER
    return Rule.AGE if 0.0 < rules.after_days <= days(facts.created_at, at) else None


def explained(facts: Facts, at: datetime, settings: Sections, policy: Policy | None = None) -> Explained:
    """The scores and where they come from."""
    chosen = policy or Policy(settings[DecaySettings].policy)
    told = (*_TERMS[chosen](facts, at, settings), _rounding(decimals_of(chosen, settings)))
    kept = (*keeping.terms(facts, at, settings), _rounding(settings[RetentionSettings].rounding))
    found = scores(facts, at, settings, chosen)
    return Explained(chosen, at, found, told, kept, arithmetic(told), arithmetic(kept))


def cap(active: int, rules: ArchiveSettings) -> int:
    """How many memories one run of the rules may archive, those aside that have expired."""
    return max(rules.cap_least, math.floor(active * rules.cap_share))


def _is_low(importance: float, policy: Policy, settings: Sections) -> bool:
    """Each policy has its own scale, and `retention` none: there the tier says it."""
    if policy is Policy.EARNING:
        return importance <= settings[EarningSettings].archive_at
    return policy is Policy.LINEAR and importance < settings[LinearSettings].archive_at


def decimals_of(policy: Policy, settings: Sections) -> int:
    """How many decimals of an importance by this policy are stored."""
    if policy is Policy.EARNING:
        return settings[EarningSettings].rounding
    return (
        settings[LinearSettings].rounding if policy is Policy.LINEAR else settings[RetentionSettings].rounding
    )


def _rounding(decimals: int) -> Term:
    return Term("rounding", decimals, "decimals that are stored", Operation.ROUNDS)


_IMPORTANCE: dict[Policy, Callable[[Facts, datetime, Sections], float]] = {
    Policy.EARNING: earning.importance,
    Policy.LINEAR: linear.importance,
    Policy.RETENTION: keeping.retention,
}
_TERMS: dict[Policy, Callable[[Facts, datetime, Sections], list[Term]]] = {
    Policy.EARNING: earning.terms,
    Policy.LINEAR: linear.terms,
    Policy.RETENTION: keeping.terms,
}

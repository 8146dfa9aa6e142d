"""A memory's importance, retention and tier at a moment, as they are stored, and why they are what they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import numpy as np

from graph_memory.base.sections import Sections
from graph_memory.scoring import earning, linear
from graph_memory.scoring import retention as keeping
from graph_memory.scoring.columns import Bools, Now, Places, Ranks, now_of
from graph_memory.scoring.settings import (
    ArchiveSettings,
    DecaySettings,
    EarningSettings,
    LinearSettings,
    RetentionSettings,
    SupersessionSettings,
    TiersSettings,
)
from graph_memory.scoring.terms import Facts, Floats, Operation, Policy, Term, arithmetic, rounded


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


# In the order of `Rule`; where none holds, NO_RULE.
RULES = tuple(Rule)
NO_RULE = -1


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


@dataclass(frozen=True)
class Standing:
    """The scores of many memories, the rank of the tier, and the rule by which each would be archived."""

    importance: Floats
    retention: Floats
    rank: Ranks
    rule: Ranks

    def of(self, places: Places) -> Standing:
        """Only the memories at these places."""
        return Standing(**{name: column[places] for name, column in vars(self).items()})


def scores(facts: Facts, at: datetime, settings: Sections, policy: Policy | None = None) -> Scores:
    """The scores at a moment by a policy, that of the settings when None."""
    return scores_of(checked([facts], at, settings), policy)[0]


def checked(facts: Sequence[Facts], at: datetime, settings: Sections) -> Now:
    """The facts at a moment; Invalid where one of them is out of its range."""
    then = now_of(facts, at, settings)
    keeping.parts(then).check()
    return then


def scores_of(now: Now, policy: Policy | None = None) -> list[Scores]:
    """The scores of each by a policy, that of the settings when None."""
    columns = (each.tolist() for each in _scored(now, policy or policy_of(now.settings)))
    return [Scores(importance, kept, TIERS[rank]) for importance, kept, rank in zip(*columns, strict=True)]


def standing(now: Now, policy: Policy) -> Standing:
    """Where the memories stand by a policy."""
    importance, kept, rank = _scored(now, policy)
    return Standing(importance, kept, rank, rules(now, importance, rank, policy))


def _scored(now: Now, policy: Policy) -> tuple[Floats, Floats, Ranks]:
    kept = rounded(keeping.retention(now), now.settings[RetentionSettings].rounding)
    importance = rounded(raw(now, policy), decimals_of(policy, now.settings))
    return importance, kept, _ranks(kept, now.settings)


def as_stored(found: Scores) -> dict[str, float | str | int]:
    """The scores as properties of a memory."""
    return {
        "importance": found.importance,
        "retention": found.retention,
        "tier": found.tier.value,
        "tier_rank": TIERS.index(found.tier),
    }


def raw(now: Now, policy: Policy) -> Floats:
    """The importance of each by a policy, not rounded."""
    return _IMPORTANCE[policy](now)


def tier_of(kept: float, settings: Sections) -> Tier:
    """The tier of a stored retention."""
    return TIERS[int(_ranks(np.array([kept]), settings)[0])]


def _ranks(kept: Floats, settings: Sections) -> Ranks:
    tiers = settings[TiersSettings]
    edges = (tiers.archive_threshold, tiers.warm, tiers.hot)
    return len(edges) - np.searchsorted(edges, kept, side="right")


def rules(now: Now, importance: Floats, rank: Ranks, policy: Policy) -> Ranks:
    """The rule by which each memory is archived, or NO_RULE (X1); section `archive` switches each rule.

    Critical and pinned ones are archived only when they have expired; what was superseded, only where its visibility
    says so: its tier goes down by itself. What has expired is archived for that or not at all.
    """
    of, switches = now.of, now.settings[ArchiveSettings]
    spared = of.critical | of.pinned
    superseded, expired = now.is_superseded(), now.left_after_expiry == 0.0
    archives = now.settings[SupersessionSettings].visibility == "archive"
    held = [
        superseded & (spared | (not archives)),
        superseded,
        expired,
        spared,
        _is_low(importance, policy, now.settings) & switches.importance,
        (rank == TIERS.index(Tier.ARCHIVED)) & switches.tier,
        (switches.after_days > 0.0) & (switches.after_days <= now.since(of.created)),
    ]
    told = [
        NO_RULE,
        RULES.index(Rule.SUPERSEDED),
        RULES.index(Rule.EXPIRED) if switches.expired else NO_RULE,
        NO_RULE,
        *(RULES.index(rule) for rule in (Rule.IMPORTANCE, Rule.TIER, Rule.AGE)),
    ]
    return np.select(held, told, NO_RULE)


def explained(facts: Facts, at: datetime, settings: Sections, policy: Policy | None = None) -> Explained:
    """The scores and where they come from."""
    chosen = policy or policy_of(settings)
    told = (*_TERMS[chosen](facts, at, settings), _rounding(decimals_of(chosen, settings)))
    kept = (*keeping.terms(facts, at, settings), _rounding(settings[RetentionSettings].rounding))
    found = scores(facts, at, settings, chosen)
    return Explained(chosen, at, found, told, kept, arithmetic(told), arithmetic(kept))


def policy_of(settings: Sections) -> Policy:
    """The policy that makes the importance."""
    return Policy(settings[DecaySettings].policy)


def cap(active: int, rules: ArchiveSettings) -> int:
    """How many memories one run of the rules may archive, those aside that have expired."""
    return max(rules.cap_least, math.floor(active * rules.cap_share))


def _is_low(importance: Floats, policy: Policy, settings: Sections) -> Bools:
    """Each policy has its own scale, and `retention` none: there the tier says it."""
    if policy is Policy.EARNING:
        return importance <= settings[EarningSettings].archive_at
    if policy is Policy.LINEAR:
        return importance < settings[LinearSettings].archive_at
    return np.zeros(importance.shape, dtype=np.bool_)


def decimals_of(policy: Policy, settings: Sections) -> int:
    """How many decimals of an importance by this policy are stored."""
    if policy is Policy.EARNING:
        return settings[EarningSettings].rounding
    return (
        settings[LinearSettings].rounding if policy is Policy.LINEAR else settings[RetentionSettings].rounding
    )


def _rounding(decimals: int) -> Term:
    return Term("rounding", decimals, "decimals that are stored", Operation.ROUNDS)


_IMPORTANCE: dict[Policy, Callable[[Now], Floats]] = {
    Policy.EARNING: earning.importance,
    Policy.LINEAR: linear.importance,
    Policy.RETENTION: keeping.retention,
}
_TERMS: dict[Policy, Callable[[Facts, datetime, Sections], list[Term]]] = {
    Policy.EARNING: earning.terms,
    Policy.LINEAR: linear.terms,
    Policy.RETENTION: keeping.terms,
}

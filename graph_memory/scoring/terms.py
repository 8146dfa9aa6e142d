"""What every policy reads of a memory, how old that makes it, and the words that the parts of a score are told in.

The queries `cypher/queries/scoring/rescore_*.cypher` read the same facts under the names of the properties, and get
every constant under the name `<section>_<setting>`: `constants` makes them from the settings.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_memory.base.sections import Section, Sections
from graph_memory.scoring.settings import (
    DecaySettings,
    EarningSettings,
    LinearSettings,
    RetentionSettings,
    TiersSettings,
)

Floats = NDArray[np.float64]

DAY_MS = 86_400_000.0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECTIONS: Mapping[str, type[Section]] = {
    "decay": DecaySettings,
    "earning": EarningSettings,
    "linear": LinearSettings,
    "retention": RetentionSettings,
    "tiers": TiersSettings,
}


class Policy(StrEnum):
    """What makes the importance of a memory."""

    EARNING = "earning"
    LINEAR = "linear"
    RETENTION = "retention"


@dataclass(frozen=True)
class Facts:
    """What the policies read. `feedback` from -1 to 1, importance and confidence from 0 to 1.

    `activity_days` is the person's counter now, `created_day` and `accessed_day` what it was then.
    `superseded_at` is the end of its validity when another memory has taken its place.
    """

    created_at: datetime
    last_accessed_at: datetime | None = None
    base_importance: float = 0.5
    access_count: int = 0
    confidence: float = 1.0
    kind: str = "fact"
    critical: bool = False
    pinned: bool = False
    feedback: float = 0.0
    happens_at: datetime | None = None
    expires_at: datetime | None = None
    activity_days: float = 0
    created_day: int = 0
    accessed_day: int | None = None
    hub_links: int = 0
    superseded_at: datetime | None = None


# What people may change of a memory that its scores follow from, by the names of its properties.
SCORED = frozenset(
    {
        "base_importance",
        "confidence",
        "kind",
        "critical",
        "pinned",
        "feedback",
        "happens_at",
        "expires_at",
        "valid_to",
    }
)


class Operation(StrEnum):
    """What a term does to what the terms before it came to; the first one finds 0."""

    ADDS = "ADDS"
    MULTIPLIES = "MULTIPLIES"
    # The greater of both.
    FLOOR = "FLOOR"
    # 1 / (1 + e^-(value x)).
    SIGMOID = "SIGMOID"
    # To as many decimals as the value says, halves upwards.
    ROUNDS = "ROUNDS"


@dataclass(frozen=True)
class Term:
    """One part of a score: its name, its value, the inputs that it comes from, for people, and what it does."""

    name: str
    value: float
    explanation: str
    operation: Operation = Operation.ADDS


def total(terms: Sequence[Term]) -> float:
    """What the terms come to, one after the other: the score that they explain."""
    found = 0.0
    for term in terms:
        found = _applied(found, term)
    return found


def arithmetic(terms: Sequence[Term]) -> str:
    """The same as a line that can be checked by hand; numbers to four digits."""
    line, is_sum = "", False
    for term in terms:
        told = f"{term.value:.4g}"
        match term.operation:
            case Operation.ADDS if not line:
                line = told
            case Operation.ADDS:
                line, is_sum = f"{line} {'-' if term.value < 0 else '+'} {told.removeprefix('-')}", True
            case Operation.MULTIPLIES:
                line, is_sum = f"({line}) × {told}" if is_sum else f"{line} × {told}", False
            case Operation.FLOOR:
                line, is_sum = f"max({line}, {told})", False
            case Operation.SIGMOID:
                line, is_sum = f"sigmoid({line})", False
            case Operation.ROUNDS:
                line, is_sum = f"round({line}, {told})", False
    return f"{line} = {total(terms):g}"


def _applied(found: float, term: Term) -> float:
    match term.operation:
        case Operation.ADDS:
            return found + term.value
        case Operation.MULTIPLIES:
            return found * term.value
        case Operation.FLOOR:
            return max(found, term.value)
        case Operation.SIGMOID:
            return 1.0 / (1.0 + math.exp(-term.value * found))
        case Operation.ROUNDS:
            return float(rounded(np.array(found), int(term.value)))


def by_activity(policy: Policy, settings: Sections) -> bool:
    """Whether a policy counts days of activity."""
    clock = settings[DecaySettings].clock
    return clock == "activity" or (clock == "policy" and policy is Policy.EARNING)


def factor(name: str, value: float, explanation: str) -> Term:
    """A term that multiplies."""
    return Term(name, value, explanation, Operation.MULTIPLIES)


def common_terms(facts: Facts, settings: Sections) -> list[Term]:
    """What feedback does to the terms before, and the floor of a critical memory; nothing where neither counts."""
    weight, floor = settings[DecaySettings].feedback_weight, settings[DecaySettings].critical_floor
    found = []
    if weight > 0:
        share = weight * (facts.feedback + 1.0) / 2.0
        found += [
            factor("others", 1.0 - weight, "what is left for all else beside feedback"),
            Term("feedback", share, f"feedback {facts.feedback:g} at a weight of {weight:g}"),
        ]
    if facts.critical:
        found.append(Term("critical", floor, "a critical memory is never below this", Operation.FLOOR))
    return found


def days(since: datetime, until: datetime) -> float:
    """Days with fractions, to the millisecond; 0 when `since` lies ahead."""
    return max(epoch_ms(until) - epoch_ms(since), 0) / DAY_MS


def epoch_ms(at: datetime) -> int:
    """Whole milliseconds since 1970, as the database counts them."""
    return (at - _EPOCH) // timedelta(milliseconds=1)


def at_ms(ms: int) -> datetime:
    """The moment so many milliseconds after 1970, in UTC."""
    return _EPOCH + timedelta(milliseconds=ms)


def clamped(value: float) -> float:
    """The value, moved into [0, 1]."""
    return min(max(value, 0.0), 1.0)


def rounded(values: Floats, decimals: int) -> Floats:
    """The values to some decimals, halves upwards: the arithmetic of the queries, so that both agree on boundaries."""
    scale = 10.0**decimals
    return np.floor(values * scale + 0.5) / scale


def constants(settings: Sections) -> Mapping[str, Any]:
    """Every constant of the policies by the name that the queries give it."""
    given = {
        f"{section}_{name}": getattr(settings[kind], name)
        for section, kind in _SECTIONS.items()
        for name in (*kind.model_fields, *kind.__class_vars__)
    }
    scales = {f"{section}_scale": 10.0 ** given[f"{section}_rounding"] for section in Policy}
    clocks = {f"{policy}_by_activity": by_activity(policy, settings) for policy in Policy}
    return {**given, **scales, **clocks}

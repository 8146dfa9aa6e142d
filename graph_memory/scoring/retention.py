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

import numpy as np

from graph_memory.base.errors import Invalid
from graph_memory.base.sections import Sections
from graph_memory.scoring.columns import Now, now_of, single
from graph_memory.scoring.settings import RetentionSettings, TiersSettings
from graph_memory.scoring.terms import Facts, Floats, Policy, Term, common_terms, factor
from graph_memory.scoring.terms import Operation as Does


@dataclass(frozen=True)
class Parts:
    """The parts of each retention."""

    since: Floats
    half_life: Floats
    recency: Floats
    activation: Floats
    worth: Floats
    superseded: Floats
    expiry: Floats

    def check(self) -> None:
        """Invalid for a part that does not lie in [0, 1] (case 42)."""
        for name in ("recency", "activation", "worth", "superseded", "expiry"):
            found: Floats = getattr(self, name)
            lies_outside = ~((found >= 0.0) & (found <= 1.0))
            if lies_outside.any():
                value = found[lies_outside][0]
                raise Invalid(
                    f"The {name} of a retention is {value:g}; it must lie between 0 and 1.", path=name
                )


def retention(now: Now) -> Floats:
    """The retention of each, in [0, 1], not rounded."""
    return of_parts(now, parts(now))


def of_parts(now: Now, found: Parts) -> Floats:
    """The retention that these parts come to."""
    weights = now.settings[RetentionSettings]
    kept = (
        weights.recency_weight * found.recency
        + weights.activation_weight * found.activation
        + weights.worth_weight * found.worth
    )
    kept = now.with_floor(now.with_feedback(kept)) * found.superseded * found.expiry
    stays = now.of.pinned & (found.superseded == 1.0) & (found.expiry == 1.0)
    return np.where(stays, np.maximum(kept, now.settings[TiersSettings].hot), kept)


def parts(now: Now) -> Parts:
    """The parts of the retention of each."""
    of, chosen = now.of, now.settings[RetentionSettings]
    since = np.minimum(*now.ages(Policy.RETENTION))
    return Parts(
        since=since,
        half_life=of.half_life,
        recency=np.where(of.critical, 1.0, np.exp(-math.log(2.0) * since / of.half_life)),
        activation=activation(of.accesses, chosen),
        worth=of.worth,
        superseded=np.where(now.is_superseded(), chosen.superseded_penalty, 1.0),
        expiry=now.left_after_expiry,
    )


def activation(accesses: Floats, chosen: RetentionSettings) -> Floats:
    """How much the recalls of a memory count, in [0, 1] (X49)."""
    if chosen.activation == "boost":
        return np.minimum(1.0, chosen.activation_boost * accesses)
    return np.minimum(1.0, np.log(1.0 + accesses) / math.log(1.0 + chosen.saturation))


def terms(facts: Facts, at: datetime, settings: Sections) -> list[Term]:
    """The parts of one retention with what they come from, in the order in which they count."""
    weights, found = settings[RetentionSettings], single(parts(now_of([facts], at, settings)))
    holds, hot = found["superseded"] == found["expiry"] == 1.0, settings[TiersSettings].hot
    stays = [Term("pinned", hot, "a pinned memory that holds stays hot", Does.FLOOR)]
    fades = f"{found['since']:.1f} days since it was made or recalled, half-life {found['half_life']:g}"
    return [
        Term(
            "recency",
            weights.recency_weight * found["recency"],
            "a critical memory does not fade" if facts.critical else fades,
        ),
        Term("activation", weights.activation_weight * found["activation"], f"{facts.access_count} accesses"),
        Term(
            "worth",
            weights.worth_weight * found["worth"],
            f"assigned {facts.base_importance:g}, kind {facts.kind}",
        ),
        *common_terms(facts, settings),
        factor("superseded", found["superseded"], "factor; 1 while nothing has taken its place"),
        factor("expiry", found["expiry"], "factor; 1 until it expires"),
        *(stays if facts.pinned and holds else []),
    ]

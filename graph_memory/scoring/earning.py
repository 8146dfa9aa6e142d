"""The `earning` policy: importance is earned by use, and lost by not being used.

`cypher/queries/scoring/rescore_earning.cypher` is the same for a whole tenant.

    importance = sigmoid((value + hub + newness) recency event expiry - centre)
    value      = value_weight ln(1 + accesses rate^idle / max(min_age, age) / baseline)
    hub        = hub_link n for the first links, then a curve that flattens (facts B1)
    newness    = newness + logit(assigned) - newness_rate age, never below 0
    recency    = 1 / (1 + recency_rate idle)

Features 70-81. Days are days of activity unless `decay.clock` says calendar. The sources give newness to memories of
importance 0.5; here each begins with the importance it was assigned, which for 0.5 is the same. Without newness a
fresh memory would stand at 0.119, below its starting value.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from graph_memory.base.sections import Sections
from graph_memory.scoring.columns import Now, now_of, single
from graph_memory.scoring.settings import EarningSettings
from graph_memory.scoring.terms import Facts, Floats, Policy, Term, common_terms, factor
from graph_memory.scoring.terms import Operation as Does

# Up to how many days before what a memory tells of each factor holds.
_AHEAD = (1.0, 7.0, 14.0)
_SURE = 0.999


@dataclass(frozen=True)
class Parts:
    """The parts of each importance."""

    age: Floats
    idle: Floats
    effective: Floats
    value: Floats
    hub: Floats
    newness: Floats
    recency: Floats
    event: Floats
    expiry: Floats


def importance(now: Now) -> Floats:
    """The importance of each, in [0, 1], not rounded."""
    found = parts(now)
    total = (found.value + found.hub + found.newness) * found.recency * found.event * found.expiry
    score = 1.0 / (1.0 + np.exp(now.settings[EarningSettings].centre - total))
    return np.where(found.expiry == 0.0, 0.0, now.with_floor(now.with_feedback(score)))


def parts(now: Now) -> Parts:
    """The parts of the importance of each."""
    of, earning = now.of, now.settings[EarningSettings]
    age, idle = now.ages(Policy.EARNING)
    effective = of.accesses * earning.rate**idle
    rate = effective / np.maximum(earning.min_age, age)
    return Parts(
        age=age,
        idle=idle,
        effective=effective,
        value=earning.value_weight * np.log(1.0 + rate / earning.baseline),
        hub=hub(of.links, earning),
        newness=newness(of.base, age, earning),
        recency=1.0 / (1.0 + earning.recency_rate * idle),
        event=event(now.until(of.happens), earning),
        expiry=now.left_after_expiry,
    )


def hub(links: Floats, earning: EarningSettings) -> Floats:
    """What the links from others add: a straight line at first, then less and less for each."""
    over = np.maximum(links - earning.hub_links, 0.0)
    first = earning.hub_link * np.minimum(links, earning.hub_links)
    return first + over * earning.hub_slope / (1.0 + over * earning.hub_curve)


def newness(assigned: Floats, age: Floats, earning: EarningSettings) -> Floats:
    """The grace of a memory that could not be used yet."""
    if earning.newness == 0.0:
        return np.zeros_like(age)
    sure = np.clip(assigned, 1.0 - _SURE, _SURE)
    return np.maximum(0.0, earning.newness + np.log(sure / (1.0 - sure)) - earning.newness_rate * age)


def event(ahead: Floats, earning: EarningSettings) -> Floats:
    """The factor of what a memory tells of, by the days until then: more before, less after; 1 where there is none."""
    gone = np.minimum(-ahead / earning.past_days, 1.0)
    past = earning.past_start + (earning.past_end - earning.past_start) * gone
    soon = np.array([earning.day_factor, earning.week_factor, earning.fortnight_factor, 1.0])
    return np.where(ahead <= 0.0, past, soon[np.searchsorted(_AHEAD, ahead)])


def terms(facts: Facts, at: datetime, settings: Sections) -> list[Term]:
    """The parts of one importance with what they come from, in the order in which they count."""
    found, earning = single(parts(now_of([facts], at, settings))), settings[EarningSettings]
    age, idle = found["age"], found["idle"]
    ended = [factor("ended", 0.0, "it has expired, whatever it earned")] if found["expiry"] == 0.0 else []
    return [
        Term(
            "value",
            found["value"],
            f"{facts.access_count} accesses, of which {found['effective']:.2f} still count after {idle:.1f} idle days, "
            f"over {max(earning.min_age, age):.1f} days",
        ),
        Term("hub", found["hub"], f"{facts.hub_links} links from other memories"),
        Term("newness", found["newness"], f"{age:.1f} days old, assigned {facts.base_importance:g}"),
        factor("recency", found["recency"], f"factor for {idle:.1f} idle days"),
        factor("event", found["event"], _told(facts.happens_at, "factor for what happens at")),
        factor("expiry", found["expiry"], _told(facts.expires_at, "factor for expiring at")),
        Term("centre", -earning.centre, f"a sum of {earning.centre:g} makes an importance of a half"),
        Term("sigmoid", 1.0, "moves the sum into 0 to 1", Does.SIGMOID),
        *common_terms(facts, settings),
        *ended,
    ]


def _told(at: datetime | None, words: str) -> str:
    return f"{words} {at:%Y-%m-%d %H:%M}" if at else "factor; no such date"

"""The `earning` policy for one memory: importance is earned by use, and lost by not being used.

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

import math
from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.sections import Sections
from graph_memory.scoring.settings import DecaySettings, EarningSettings
from graph_memory.scoring.terms import (
    Ages,
    Facts,
    Policy,
    Term,
    ages,
    clamped,
    common_terms,
    days,
    factor,
    left_after_expiry,
    with_feedback,
)
from graph_memory.scoring.terms import Operation as Does

_DAY, _WEEK, _FORTNIGHT = 1.0, 7.0, 14.0
_SURE = 0.999


@dataclass(frozen=True)
class Parts:
    """The parts of one importance."""

    ages: Ages
    effective: float
    value: float
    hub: float
    newness: float
    recency: float
    event: float
    expiry: float


def importance(facts: Facts, at: datetime, settings: Sections) -> float:
    """The importance at a moment, in [0, 1], not rounded."""
    found = parts(facts, at, settings)
    if found.expiry == 0.0:
        return 0.0
    total = (found.value + found.hub + found.newness) * found.recency * found.event * found.expiry
    score = with_feedback(_sigmoid(total - settings[EarningSettings].centre), facts, settings)
    return clamped(max(score, settings[DecaySettings].critical_floor) if facts.critical else score)


def parts(facts: Facts, at: datetime, settings: Sections) -> Parts:
    """The parts of the importance at a moment."""
    earning = settings[EarningSettings]
    spent = ages(facts, at, Policy.EARNING, settings)
    effective = facts.access_count * earning.rate**spent.idle
    rate = effective / max(earning.min_age, spent.age)
    return Parts(
        ages=spent,
        effective=effective,
        value=earning.value_weight * math.log(1.0 + rate / earning.baseline),
        hub=hub(facts.hub_links, earning),
        newness=newness(facts.base_importance, spent.age, earning),
        recency=1.0 / (1.0 + earning.recency_rate * spent.idle),
        event=event(facts.happens_at, at, earning),
        expiry=left_after_expiry(facts, at, settings),
    )


def hub(links: int, earning: EarningSettings) -> float:
    """What the links from others add: a straight line at first, then less and less for each."""
    over = links - earning.hub_links
    if over <= 0:
        return earning.hub_link * links
    return earning.hub_link * earning.hub_links + over * earning.hub_slope / (1.0 + over * earning.hub_curve)


def newness(assigned: float, age: float, earning: EarningSettings) -> float:
    """The grace of a memory that could not be used yet."""
    if earning.newness == 0.0:
        return 0.0
    sure = min(max(assigned, 1.0 - _SURE), _SURE)
    return max(0.0, earning.newness + math.log(sure / (1.0 - sure)) - earning.newness_rate * age)


def event(happens_at: datetime | None, at: datetime, earning: EarningSettings) -> float:
    """The factor of what a memory tells of: more before, less after, by the calendar."""
    if happens_at is None:
        return 1.0
    ahead = days(at, happens_at)
    if ahead == 0.0:
        gone = min(days(happens_at, at) / earning.past_days, 1.0)
        return earning.past_start + (earning.past_end - earning.past_start) * gone
    if ahead <= _DAY:
        return earning.day_factor
    if ahead <= _WEEK:
        return earning.week_factor
    return earning.fortnight_factor if ahead <= _FORTNIGHT else 1.0


def terms(facts: Facts, at: datetime, settings: Sections) -> list[Term]:
    """The parts with what they come from, in the order in which they count."""
    found, centre = parts(facts, at, settings), settings[EarningSettings].centre
    age, idle = found.ages.age, found.ages.idle
    ended = [factor("ended", 0.0, "it has expired, whatever it earned")] if found.expiry == 0.0 else []
    return [
        Term(
            "value",
            found.value,
            f"{facts.access_count} accesses, of which {found.effective:.2f} still count after {idle:.1f} idle days, "
            f"over {max(settings[EarningSettings].min_age, age):.1f} days",
        ),
        Term("hub", found.hub, f"{facts.hub_links} links from other memories"),
        Term("newness", found.newness, f"{age:.1f} days old, assigned {facts.base_importance:g}"),
        factor("recency", found.recency, f"factor for {idle:.1f} idle days"),
        factor("event", found.event, _told(facts.happens_at, "factor for what happens at")),
        factor("expiry", found.expiry, _told(facts.expires_at, "factor for expiring at")),
        Term("centre", -centre, f"a sum of {centre:g} makes an importance of a half"),
        Term("sigmoid", 1.0, "moves the sum into 0 to 1", Does.SIGMOID),
        *common_terms(facts, settings),
        *ended,
    ]


def _told(at: datetime | None, words: str) -> str:
    return f"{words} {at:%Y-%m-%d %H:%M}" if at else "factor; no such date"


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))

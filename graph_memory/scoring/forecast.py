"""What will become of memories if nobody uses them: which tier when, and when a rule would archive them.

Nothing is written. Without use, retention never rises and what a rule archives stays archived, so that the day of a
change is found by halving, not by asking every day. Importance alone may rise, before what a memory tells of.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from graph_memory.errors import Invalid
from graph_memory.scoring.facts import Filter, Known, all_of
from graph_memory.scoring.scores import TIERS, Rule, Scores, Tier, rule_of, scores
from graph_memory.scoring.terms import Facts, Policy
from graph_memory.service import Service
from graph_memory.settings import Settings
from graph_memory.tenancy import Scope

MOST_DAYS = 3650


@dataclass(frozen=True)
class Change:
    """A memory that goes from one tier to another, or that `rule` would archive, on a day from now."""

    id: str
    caption: str
    day: int
    was: Tier
    now: Tier
    importance: float
    retention: float
    rule: Rule | None = None


@dataclass(frozen=True)
class Day:
    """How many memories stand in each tier on a day, beside those that a rule has archived by then."""

    day: int
    hot: int
    warm: int
    cold: int
    archived_tier: int
    archived: int


@dataclass(frozen=True)
class Forecast:
    """What will change, in the order of days, and how the tiers fill and empty."""

    policy: Policy
    at: datetime
    days: int
    memories: int
    changes: tuple[Change, ...]
    summary: tuple[Day, ...]


def simulate_decay(
    service: Service,
    scope: Scope,
    days: int,
    policies: Iterable[Policy | None] = (None,),
    filter: Filter = Filter(),  # noqa: B008 - frozen
    activity: float = 1.0,
) -> list[Forecast]:
    """A forecast by each policy, side by side, from what is stored now; None is the policy of the settings.

    `activity` is the share of the coming days on which the person will be active: it moves the clock of activity days.
    Raises Invalid for days outside 1 to 3650 and an activity outside 0 to 1.
    """
    if not 1 <= days <= MOST_DAYS:
        raise Invalid(f"{days} days were asked for; 1 to {MOST_DAYS} can be foreseen.", path="days")
    if not 0 <= activity <= 1:
        raise Invalid(f"activity must lie between 0 and 1, not at {activity:g}.", path="activity")
    now, settings = service.clock(), service.settings
    chosen = [policy or Policy(settings.decay.policy) for policy in policies]
    known = list(all_of(service, scope, filter))
    return [forecast(known, now, days, settings, policy, activity) for policy in chosen]


def forecast(
    known: Iterable[Known], at: datetime, days: int, settings: Settings, policy: Policy, activity: float = 1.0
) -> Forecast:
    """What becomes of these memories."""
    changes: list[Change] = []
    start: Counter[Tier] = Counter()
    for each in known:
        ahead = _Ahead(each, at, settings, policy, activity)
        start[ahead.scores(0).tier] += 1
        changes += _changes(each, ahead, days)
    changes.sort(key=lambda change: (change.day, change.id, TIERS.index(change.now)))
    return Forecast(policy, at, days, start.total(), tuple(changes), tuple(_summary(start, changes, days)))


@dataclass(frozen=True)
class _Ahead:
    known: Known
    at: datetime
    settings: Settings
    policy: Policy
    activity: float

    def scores(self, day: int) -> Scores:
        return scores(*self._on(day), self.settings, self.policy)

    def rule(self, day: int) -> Rule | None:
        facts, moment = self._on(day)
        return rule_of(facts, moment, self.scores(day), self.settings, self.policy)

    def _on(self, day: int) -> tuple[Facts, datetime]:
        facts = self.known.facts
        active = facts.activity_days + day * self.activity
        return replace(facts, activity_days=active), self.at + timedelta(days=day)


def _changes(known: Known, ahead: _Ahead, days: int) -> Iterator[Change]:
    was = ahead.scores(0).tier
    end = _first(days, lambda day: ahead.rule(day) is not None)
    for rank in range(TIERS.index(was) + 1, len(TIERS)):
        day = _first(days, lambda day, rank=rank: TIERS.index(ahead.scores(day).tier) >= rank)  # type: ignore[misc]
        if day is None or (end is not None and day >= end):
            break
        if (found := ahead.scores(day)).tier is TIERS[rank]:
            yield _change(known, day, was, found)
            was = found.tier
    if end is not None:
        yield replace(_change(known, end, was, ahead.scores(end)), now=Tier.ARCHIVED, rule=ahead.rule(end))


def _change(known: Known, day: int, was: Tier, found: Scores) -> Change:
    return Change(known.id, known.caption, day, was, found.tier, found.importance, found.retention)


def _first(days: int, holds: Callable[[int], bool]) -> int | None:
    """The first day from 0 on for which something holds that goes on holding; None when it does not come to that."""
    day = bisect_left(range(days + 1), True, key=holds) if holds(days) else days + 1
    return day if day <= days else None


def _summary(start: Counter[Tier], changes: Iterable[Change], days: int) -> Iterator[Day]:
    counts, archived = Counter(start), 0
    waiting = iter(changes)
    change = next(waiting, None)
    for day in range(days + 1):
        while change is not None and change.day <= day:
            counts[change.was] -= 1
            if change.rule is None:
                counts[change.now] += 1
            else:
                archived += 1
            change = next(waiting, None)
        hot, warm, cold, last = (counts[tier] for tier in TIERS)
        yield Day(day, hot, warm, cold, last, archived)

"""What will become of memories if nobody uses them: which tier when, and when a rule would archive them.

Nothing is written. The jobs of each day are played through, the cap of a run included: what it leaves waits for the next.
Where only some memories are asked about, the cap is reckoned over those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.base.sections import Sections
from graph_memory.jobs import schedule
from graph_memory.scoring.columns import Bools, Columns, Now, Places, Ranks, columns
from graph_memory.scoring.facts import Filter, Known, all_of
from graph_memory.scoring.scores import NO_RULE, RULES, TIERS, Rule, Standing, Tier, cap, standing
from graph_memory.scoring.settings import ArchiveSettings, DecaySettings
from graph_memory.scoring.terms import Policy, epoch_ms
from graph_memory.store.service import Service

MOST_DAYS = 3650

_ARCHIVE = "graph_memory.lifecycle.archive"
_DAY = 86_400


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
    most: int | None = None,
) -> list[Forecast]:
    """A forecast by each policy, side by side, from what is stored now; None is the policy of the settings.

    `activity` is the share of the coming days on which the person will be active: it moves the clock of activity days.
    Raises Invalid for days outside 1 to 3650, an activity outside 0 to 1, a policy that is named twice, and for more than
    `most` memories times days times policies.
    """
    if not 1 <= days <= MOST_DAYS:
        raise Invalid(f"{days} days were asked for; 1 to {MOST_DAYS} can be foreseen.", path="days")
    if not 0 <= activity <= 1:
        raise Invalid(f"activity is {activity:g}; it must lie between 0 and 1.", path="activity")
    now, settings = service.clock(), service.settings
    chosen = [policy or Policy(settings[DecaySettings].policy) for policy in policies]
    if len(set(chosen)) < len(chosen):
        raise Invalid(f"policies are {', '.join(chosen)}; name each once.", path="policies")
    known = list[Known]()
    for each in all_of(service, scope, filter):
        known.append(each)
        if most is not None and len(known) * days * len(chosen) > most:
            raise Invalid(
                f"{days} days by {len(chosen)} policies of so many memories are too much for one answer; ask for fewer days or "
                "policies, for one kind, tag, tier or subject, or use `graph-memory decay`.",
                path="days",
            )
    return [forecast(known, now, days, settings, policy, activity) for policy in chosen]


def forecast(
    known: Iterable[Known], at: datetime, days: int, settings: Sections, policy: Policy, activity: float = 1.0
) -> Forecast:
    """What becomes of these memories."""
    memories = sorted(known, key=lambda each: each.id)
    ahead = _Ahead(columns([each.facts for each in memories], settings), at, settings, policy, activity)
    turns, everyone = _turns(ahead, days), np.arange(len(memories))
    now = ahead.on(0, everyone)
    rank, rule, present = now.rank.copy(), now.rule.copy(), np.ones(len(memories), dtype=np.bool_)
    changes, summary = list[Change](), list[Day]()
    for day in range(days + 1):
        was = rank.copy()
        for turn in turns.get(day, ()):
            rank[turn.places], rule[turn.places] = turn.rank, turn.rule
        waiting = np.flatnonzero(present & (rule != NO_RULE))
        ended = waiting[_archived(ahead.on(day, waiting), int(present.sum()), settings, _runs(day, settings))]
        changed = np.union1d(np.flatnonzero(present & (was != rank)), ended)
        present[ended] = False
        changes += _changes(memories, day, changed, was, present, ahead.on(day, changed))
        hot, warm, cold, last = np.bincount(rank[present], minlength=len(TIERS)).tolist()
        summary.append(Day(day, hot, warm, cold, last, archived=int((~present).sum())))
    return Forecast(policy, at, days, len(memories), tuple(changes), tuple(summary))


@dataclass(frozen=True)
class _Ahead:
    """Where memories will stand on a day, by their places."""

    of: Columns
    at: datetime
    settings: Sections
    policy: Policy
    activity: float

    def on(self, day: int, places: Places) -> Standing:
        at = float(epoch_ms(self.at + timedelta(days=day)))
        return standing(Now(self.of.of(places), at, self.settings, day * self.activity), self.policy)


@dataclass(frozen=True)
class _Turn:
    """Memories whose tier or rule is another one from a day on."""

    places: Places
    rank: Ranks
    rule: Ranks


def _turns(ahead: _Ahead, days: int) -> dict[int, list[_Turn]]:
    """The days on which tiers or rules change, found by halving: where both ends agree, nothing lies between.

    That does not hold of what may rise or be let off again: there every day is looked at.
    """
    found: dict[int, list[_Turn]] = {}
    restless = _restless(ahead)
    everyone = np.arange(len(restless))
    spans = [(0, days, everyone, ahead.on(0, everyone), ahead.on(days, everyone))]
    while spans:
        low, high, places, before, after = spans.pop()
        differs = (before.rank != after.rank) | (before.rule != after.rule)
        if high - low == 1:
            if differs.any():
                turn = _Turn(places[differs], after.rank[differs], after.rule[differs])
                found.setdefault(high, []).append(turn)
            continue
        chosen = np.flatnonzero(differs | restless[places])
        if len(chosen):
            middle, inside = (low + high) // 2, places[chosen]
            between = ahead.on(middle, inside)
            spans.append((low, middle, inside, before.of(chosen), between))
            spans.append((middle, high, inside, between, after.of(chosen)))
    return found


def _restless(ahead: _Ahead) -> Bools:
    """What rises before what it tells of, or is superseded at a later time."""
    now = epoch_ms(ahead.at)
    rises = ~np.isnan(ahead.of.happens) & (ahead.policy is Policy.EARNING)
    return np.asarray(rises | (ahead.of.superseded > now))


def _archived(found: Standing, active: int, settings: Sections, runs: int) -> Bools:
    """Of what rules are for: all that has expired, and of the rest the lowest, as many as each run of a day may."""
    ended = (found.rule == RULES.index(Rule.EXPIRED)) & (runs > 0)
    faded = np.flatnonzero(~ended)
    lowest = faded[np.lexsort((faded, found.retention[faded], found.importance[faded]))]
    taken, left = 0, active
    for run in range(runs):
        step = min(cap(left, settings[ArchiveSettings]), len(lowest) - taken)
        taken += step
        left -= step + (int(ended.sum()) if run == 0 else 0)
    ended[lowest[:taken]] = True
    return np.asarray(ended)


def _runs(day: int, settings: Sections) -> int:
    """How many times the job of the rules is due on a day; today once, and never where it is switched off."""
    period = schedule.job(_ARCHIVE).seconds(settings)
    if period is None:
        return 0
    return 1 if day == 0 else day * _DAY // period - (day - 1) * _DAY // period


def _changes(
    memories: list[Known], day: int, places: Places, was: Ranks, present: Bools, found: Standing
) -> Iterator[Change]:
    for index, place in enumerate(places):
        ended = not present[place]
        yield Change(
            id=memories[place].id,
            caption=memories[place].caption,
            day=day,
            was=TIERS[was[place]],
            now=Tier.ARCHIVED if ended else TIERS[found.rank[index]],
            importance=float(found.importance[index]),
            retention=float(found.retention[index]),
            rule=RULES[found.rule[index]] if ended else None,
        )

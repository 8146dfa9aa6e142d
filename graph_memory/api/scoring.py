"""Scores with their parts, the tiers, changes of tier, and forecasts of what will be forgotten when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import strawberry

from graph_memory.api.arguments import Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.mirror import mirror
from graph_memory.api.scalars import Uuid
from graph_memory.base.errors import Forbidden, Invalid
from graph_memory.base.moments import check_time
from graph_memory.scoring import facts, forecast, tier_moves
from graph_memory.scoring.scores import Rule, Tier
from graph_memory.scoring.terms import Policy

# Memories times days times policies that simulateDecay foresees in one answer at most; the command line has no bound.
_MOST_FORESEEN = 20_000_000
_MOST_CHANGES = 1000


@strawberry.input(description="Which memories a forecast is about; all active ones when nothing is given.")
class DecayFilter:
    kind: str | None = strawberry.field(default=None, description="Only of this kind.")
    tag: str | None = strawberry.field(default=None, description="Only with this tag.")
    tier: Tier | None = strawberry.field(default=None, description="Only what is in this tier now.")


@strawberry.type(description="How many memories stand in a tier.")
class TierCount:
    tier: Tier = strawberry.field(description="The tier.")
    count: int = strawberry.field(description="How many active memories.")


@strawberry.type(description="One memory that a rescoring, a use or a change moved to another tier.")
class TierTransition:
    memory: Uuid = strawberry.field(description="Its id as the store knows it.")
    from_: Tier = strawberry.field(name="from", description="Where it was.")
    to: Tier = strawberry.field(description="Where it is since.")
    reason: str = strawberry.field(
        description="By a rescoring FADED when it went down, REVIVED when it went up; at once USED, REVISED, MERGED, RESTORED, "
        "SUPERSEDED or UNDONE."
    )
    score: float = strawberry.field(description="Its new retention.")
    at: datetime = strawberry.field(description="The moment that this was computed for.")


@strawberry.type(description="One memory that will change its tier, or that a rule would archive.")
class DecayChange:
    memory: Uuid = strawberry.field(description="Its id as the store knows it.")
    caption: str = strawberry.field(description="Its statement on one line.")
    day: int = strawberry.field(description="Days from now.")
    from_: Tier = strawberry.field(name="from", description="Where it is until then.")
    to: Tier = strawberry.field(description="Where it will be.")
    importance: float = strawberry.field(description="Its importance on that day.")
    score: float = strawberry.field(description="Its retention on that day.")
    rule: Rule | None = strawberry.field(description="What would archive it; null for a mere change of tier.")


@strawberry.type(description="How many memories stand where on a day.")
class DecayDay:
    day: int = strawberry.field(description="Days from now.")
    hot: int = strawberry.field(description="In tier HOT.")
    warm: int = strawberry.field(description="In tier WARM.")
    cold: int = strawberry.field(description="In tier COLD.")
    archived_tier: int = strawberry.field(description="In tier ARCHIVED, but archived by no rule.")
    archived: int = strawberry.field(description="Archived by a rule until then.")


@strawberry.type(description="What becomes of memories that nobody uses, by one policy.")
class DecayForecast:
    policy: Policy = strawberry.field(description="By which policy.")
    at: datetime = strawberry.field(description="From when on.")
    days: int = strawberry.field(description="How far it looks.")
    memories: int = strawberry.field(description="How many memories it is about.")
    total_changes: int = strawberry.field(description="How many changes there will be.")
    changes: list[DecayChange] = strawberry.field(description="The first of them, in the order of days.")
    summary: list[DecayDay] = strawberry.field(description="Each day, today included.")


@strawberry.type(description="Forecasts side by side, in the order of the policies that were named.")
class SimulateDecayResult:
    forecasts: list[DecayForecast] = strawberry.field(description="One for each policy.")


@strawberry.type
class ScoringQuery:
    @reads("How many active memories stand in each tier, nearest first.")
    async def tiers(self, info: Info, subject: Subject = None) -> list[TierCount] | None:
        context = info.context
        found = await context.call(facts.tier_counts, context.service, context.scope(subject))
        return [TierCount(tier=tier, count=count) for tier, count in found.items()]

    @reads(
        "The changes of tier that a rescoring made, or that uses and changes made at once on a day; a long list is cut, its "
        "counts stand in the job's result."
    )
    async def tier_transitions(
        self,
        info: Info,
        job: Annotated[
            strawberry.ID | None, strawberry.argument(description="The rescoring: a job's id or uuid.")
        ] = None,
        on: Annotated[
            datetime | None,
            strawberry.argument(description="Instead of a job: the day (UTC) of uses and changes."),
        ] = None,
    ) -> list[TierTransition] | None:
        context = info.context
        scope = context.asker.scope
        if scope.is_bound:
            raise Forbidden("Changes of tier are kept for the whole tenant; this key is bound to a subject.")
        if job is not None and on is None:
            run = uuid_of("Job", job, path="job")
        elif on is not None and job is None:
            run = tier_moves.of_day(scope, check_time("on", on))
        else:
            raise Invalid("Give either job or on.", path="job")
        found = await context.call(tier_moves.of_run, context.service, scope, run)
        return [
            mirror(TierTransition, move, memory=Uuid(move.id), from_=move.was, to=move.now) for move in found
        ]

    @reads("What will change its tier or be archived when, if nobody uses it. Nothing is written.")
    async def simulate_decay(
        self,
        info: Info,
        days: Annotated[int, strawberry.argument(description="How far to look: 1 to 3650 days.")] = 90,
        policies: Annotated[
            list[Policy] | None,
            strawberry.argument(description="By which policies, each once; the service's own when missing."),
        ] = None,
        filter: Annotated[
            DecayFilter | None, strawberry.argument(description="About which memories.")
        ] = None,
        activity: Annotated[
            float,
            strawberry.argument(
                description="Share of the coming days on which the person is active, 0 to 1."
            ),
        ] = 1.0,
        first: Annotated[
            int, strawberry.argument(description="How many changes of each forecast at most: 1 to 1000.")
        ] = 100,
        subject: Subject = None,
    ) -> SimulateDecayResult | None:
        if not 1 <= first <= _MOST_CHANGES:
            raise Invalid(f"first is {first}; it must lie between 1 and {_MOST_CHANGES}.", path="first")
        context, given = info.context, filter or DecayFilter()
        found = await context.call(
            forecast.simulate_decay,
            context.service,
            context.scope(subject),
            days,
            policies or [None],
            facts.Filter(given.kind, given.tag, given.tier),
            activity,
            _MOST_FORESEEN,
        )
        return SimulateDecayResult(forecasts=[_forecast(each, first) for each in found])


def _forecast(found: forecast.Forecast, first: int) -> DecayForecast:
    return mirror(
        DecayForecast,
        found,
        total_changes=len(found.changes),
        changes=_changes(found.changes[:first]),
        summary=[mirror(DecayDay, day) for day in found.summary],
    )


def _changes(found: Sequence[forecast.Change]) -> list[DecayChange]:
    return [
        mirror(
            DecayChange,
            change,
            memory=Uuid(change.id),
            from_=change.was,
            to=change.now,
            score=change.retention,
        )
        for change in found
    ]

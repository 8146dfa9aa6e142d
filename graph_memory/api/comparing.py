"""Between moments: what changed from one to another, and when statements began and ended to hold."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Annotated

import strawberry

from graph_memory.api.arguments import After, KnownAt, Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Memory, memory_of
from graph_memory.api.mirror import mirror
from graph_memory.api.paging import MOST, Counted, PageInfo, place
from graph_memory.base.errors import Invalid
from graph_memory.base.moments import NOW, Moment, check_time
from graph_memory.memory import differences

_MOST_STEPS = 1000


_LENGTHS = {
    differences.Bucket.DAY: timedelta(days=1),
    differences.Bucket.WEEK: timedelta(days=7),
    differences.Bucket.MONTH: timedelta(days=28),
    differences.Bucket.YEAR: timedelta(days=365),
}


@strawberry.input(description="A point on both axes of time.")
class MomentInput:
    as_of: datetime | None = strawberry.field(
        default=None, description="When it held in the world; now when missing."
    )
    known_at: datetime | None = strawberry.field(
        default=None, description="When it was believed; now when missing."
    )


@strawberry.type(description="One memory in both of its states.")
class ChangedMemory:
    before: Memory = strawberry.field(description="As it answers at the first moment.")
    after: Memory = strawberry.field(description="As it answers at the second moment.")


@strawberry.type(description="How the answers of two moments differ.")
class DifferenceResult:
    added: list[Memory] = strawberry.field(description="What answers at the second moment only.")
    ended: list[Memory] = strawberry.field(description="What answers at the first moment only.")
    changed: list[ChangedMemory] = strawberry.field(description="What answers at both, in another state.")
    is_complete: bool = strawberry.field(description="Whether this page is the last.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type(description="One step of a timeline.")
class TimelineStep:
    start: datetime = strawberry.field(description="When the step begins.")
    begun: int = strawberry.field(description="How many statements begin to hold in it.")
    ended: int = strawberry.field(description="How many statements cease to hold in it.")


@strawberry.type(description="A page of a timeline.")
class TimelineConnection(Counted):
    nodes: list[TimelineStep] = strawberry.field(description="The steps, oldest first.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type
class ComparingQuery:
    @reads("What changed between two moments.")
    async def diff(
        self,
        info: Info,
        from_: Annotated[MomentInput, strawberry.argument(name="from", description="The first moment.")],
        to: Annotated[
            MomentInput | None, strawberry.argument(description="The second moment; now when missing.")
        ] = None,
        first: Annotated[
            int, strawberry.argument(description="How many memories at most: 1 to 1000.")
        ] = MOST,
        after: After = None,
        subject: Subject = None,
    ) -> DifferenceResult | None:
        context, scope = info.context, info.context.scope(subject)
        one, other = _moment(from_, "from"), NOW if to is None else _moment(to, "to")
        found = await context.call(differences.diff, context.service, scope, one, other, first, place(after))
        return _result(found, View(scope, one), View(scope, other))

    @reads(
        "How many statements began and ended to hold in each step of an interval; empty steps are left out."
    )
    async def timeline(
        self,
        info: Info,
        from_: Annotated[
            datetime, strawberry.argument(name="from", description="Where the interval begins.")
        ],
        to: Annotated[datetime, strawberry.argument(description="Where it ends, exclusive.")],
        bucket: Annotated[
            differences.Bucket, strawberry.argument(description="How long a step is.")
        ] = differences.Bucket.MONTH,
        known_at: KnownAt = None,
        first: Annotated[int, strawberry.argument(description="How many steps at most: 1 to 1000.")] = MOST,
        after: After = None,
        subject: Subject = None,
    ) -> TimelineConnection | None:
        if (to - from_) / _LENGTHS[bucket] > _MOST_STEPS:
            raise Invalid(
                f"From {from_:%Y-%m-%d} to {to:%Y-%m-%d} there are more than {_MOST_STEPS} such steps; choose a longer bucket.",
                path="bucket",
            )
        context, scope = info.context, info.context.scope(subject)
        asked = (context.service, scope, from_, to, bucket, known_at)
        steps = await context.call(differences.timeline, *asked, first, place(after))
        return TimelineConnection(
            counting=partial(differences.count_steps, *asked),
            nodes=[mirror(TimelineStep, step) for step in steps.items],
            page_info=_page_info(steps),
        )


def _moment(given: MomentInput, path: str) -> Moment:
    for name, value in (("asOf", given.as_of), ("knownAt", given.known_at)):
        if value is not None:
            check_time(f"{path}.{name}", value)
    return Moment(given.as_of, given.known_at)


def _result(found: differences.Differences, one: View, other: View) -> DifferenceResult:
    return DifferenceResult(
        added=[memory_of(each, other) for each in found.added],
        ended=[memory_of(each, one) for each in found.ended],
        changed=[
            ChangedMemory(before=memory_of(each.before, one), after=memory_of(each.after, other))
            for each in found.changed
        ],
        is_complete=found.next is None,
        page_info=_page_info(found),
    )


def _page_info(page: differences.Differences | differences.Steps) -> PageInfo:
    return PageInfo(has_next_page=page.next is not None, end_cursor=page.end)

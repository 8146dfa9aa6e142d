"""Language models: how their providers stand, and what asking them took."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

import strawberry

from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.mirror import mirror
from graph_memory.base.errors import Forbidden
from graph_memory.base.moments import check_time
from graph_memory.base.scope import Scope
from graph_memory.models import spending
from graph_memory.models.registry import ProviderState, providers_of, standings
from graph_memory.store.service import Service

DEFAULT_SPAN = timedelta(days=30)
_FIRST = datetime(1, 1, 2, tzinfo=UTC)


@strawberry.type(description="One provider of language models, in the order in which they are asked.")
class Provider:
    name: str = strawberry.field(
        description="Its name: anthropic, openai, embedded, or an endpoint's of the settings."
    )
    state: ProviderState = strawberry.field(description="How it stands in the process that answers.")
    model: str | None = strawberry.field(description="Its usual model; null for the embedded judge.")


@strawberry.type(description="What the calls of one day took, for a provider, a model and a purpose.")
class SpendEntry:
    day: datetime = strawberry.field(description="The beginning of the day, in UTC.")
    provider: str = strawberry.field(description="Who was asked.")
    model: str = strawberry.field(description="Which of its models.")
    purpose: str = strawberry.field(description="What for: extract, classify, review, ...")
    calls: int = strawberry.field(description="Calls, repeated ones counted each.")
    failures: int = strawberry.field(description="Calls that gave no useful answer.")
    tokens_in: int = strawberry.field(description="Tokens that were sent.")
    tokens_out: int = strawberry.field(description="Tokens that came back.")
    cost: float = strawberry.field(description="US dollars, by the prices of the settings.")
    unpriced: int = strawberry.field(description="Calls of models without a price, which count as free.")
    left_out: list[str] = strawberry.field(
        description="Settings of the purpose that the model does not take and that were not sent."
    )


@strawberry.type(description="What asking language models took.")
class Spend:
    today: float = strawberry.field(description="US dollars of today (UTC), as of the last minute.")
    cap: float = strawberry.field(description="US dollars a day may cost.")
    cap_state: spending.CapLevel = strawberry.field(description="How today's cost stands to the cap.")
    entries: list[SpendEntry] = strawberry.field(description="By day, newest first.")


@strawberry.type
class ProviderQuery:
    @reads("The providers of language models, in the order in which they are asked.")
    async def providers(self, info: Info) -> list[Provider] | None:
        service = info.context.service
        return [mirror(Provider, each) for each in standings(service.settings, providers_of(service))]

    @reads("What asking language models took in an interval of days, for the whole tenant.")
    async def spend(
        self,
        info: Info,
        from_: Annotated[
            datetime | None,
            strawberry.argument(name="from", description="A moment of the first day; missing: 30 days ago."),
        ] = None,
        to: Annotated[
            datetime | None, strawberry.argument(description="Where it ends, exclusive; missing: now.")
        ] = None,
    ) -> Spend | None:
        context, scope = info.context, info.context.asker.scope
        if scope.is_bound:
            raise Forbidden("What models cost is told of the whole tenant; this key is bound to a subject.")
        return await context.call(_spend, context.service, scope, from_, to)


def _spend(service: Service, scope: Scope, start: datetime | None, end: datetime | None) -> Spend:
    end = check_time("to", end or service.clock() + timedelta(milliseconds=1))
    start = check_time("from", start) if start else end - min(DEFAULT_SPAN, end - _FIRST)
    found = spending.spent(service, scope, start, end)
    state = spending.cap_state(service, scope)
    return mirror(
        Spend,
        state,
        cap_state=state.state,
        entries=[mirror(SpendEntry, each) for each in found],
    )

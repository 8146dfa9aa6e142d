"""Search: the memories nearest to a text, at a moment, and why each was found."""

from __future__ import annotations

import strawberry

from graph_memory.api.arguments import After, AsOf, First, KnownAt, MemoryId, MinTrust, Subject
from graph_memory.api.browsing import ConditionInput, Where, conditions_of
from graph_memory.api.coarse import cosine_up, score_up
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.loaders import View
from graph_memory.api.paging import place, size
from graph_memory.api.search_arguments import (
    Automatic,
    Grains,
    MinScore,
    MinSimilarity,
    Query,
    Reach,
    Vector,
    Wanted,
    WhichArms,
    Words,
)
from graph_memory.api.search_types import (
    PassageResult,
    SearchResult,
    WhyNotReturned,
    absence_of,
    passages_of,
    result_of,
    view_then,
)
from graph_memory.base.gathered import Gathered
from graph_memory.base.scope import Scope
from graph_memory.memory.browsing import Condition
from graph_memory.recall.absence import why_not_returned
from graph_memory.recall.hits import Arms, Grain, Page
from graph_memory.recall.modes import Mode
from graph_memory.recall.search import check_score, check_text, search
from graph_memory.store.api_keys import Right


@strawberry.type
class SearchQuery:
    @reads("The memories nearest to a text, at a moment, best first.")
    async def search(
        self,
        info: Info,
        query: Query = None,
        vector: Vector = None,
        where: Where = None,
        first: First = 10,
        after: After = None,
        mode: Reach = Mode.STANDARD,
        arms: WhichArms = Arms.HYBRID,
        min_similarity: MinSimilarity = None,
        min_score: MinScore = None,
        grains: Grains = None,
        automatic: Automatic = None,
        min_trust: MinTrust = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> SearchResult | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        conditions = _checked(view.scope, query, where, first, min_score, after)
        sees_raw = Right.ADMIN in context.asker.rights
        page = await context.call(
            search,
            context.service,
            view.scope,
            query,
            vector,
            limit=first,
            moment=view.moment,
            arms=arms,
            min_similarity=min_similarity if sees_raw else cosine_up(min_similarity),
            mode=mode,
            min_trust=min_trust,
            min_score=min_score if sees_raw else score_up(min_score),
            where=conditions,
            after=after,
            grains=(Grain.MEMORY,) if grains is None else grains,
        )
        _note_use(info, page, view, is_automatic=mode is Mode.REFLEXIVE if automatic is None else automatic)
        asked = vector if vector is not None else query or ""
        return result_of(page, view, asked, context.service.clock(), sees_raw=sees_raw)

    @reads("What was said that is nearest to a text, best first.")
    async def passages(
        self,
        info: Info,
        query: Words,
        where: Where = None,
        first: First = 10,
        after: After = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> PassageResult | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        conditions = _checked(view.scope, query, where, first, None, after)
        page = await context.call(
            search,
            context.service,
            view.scope,
            query,
            limit=size(first),
            moment=view.moment,
            where=conditions,
            after=after,
            grains=(Grain.PASSAGE,),
        )
        return passages_of(page, view, sees_raw=Right.ADMIN in context.asker.rights)

    @reads("Why a search for a text does not return a memory, or that it does.")
    async def why_not_returned(
        self,
        info: Info,
        id: MemoryId,
        query: Wanted,
        where: Where = None,
        first: First = 10,
        mode: Reach = Mode.STANDARD,
        min_trust: MinTrust = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> WhyNotReturned | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        found = await context.call(
            why_not_returned,
            context.service,
            view.scope,
            uuid_of("Memory", id),
            query,
            size(first),
            view.moment,
            mode,
            min_trust,
            where=conditions_of(view.scope, where),
        )
        return absence_of(found, sees_raw=Right.ADMIN in context.asker.rights)


def _checked(
    scope: Scope,
    query: str | None,
    where: list[ConditionInput] | None,
    first: int | None,
    min_score: float | None,
    after: str | None,
) -> list[Condition]:
    """The conditions of a search; all that is wrong with what was asked is told at once."""
    faults = Gathered()
    if query is not None:
        faults.of(check_text, query)
    conditions = faults.of(conditions_of, scope, where)
    faults.of(size, first)
    faults.of(check_score, min_score)
    faults.of(place, after)
    faults.refuse()
    return conditions


def _note_use(info: Info, page: Page, view: View, *, is_automatic: bool) -> None:
    found = [hit.memory.id for hit in page.hits]
    linked = [former.id for hit in page.hits for former in hit.predecessors]
    moment = view_then(page, view).moment
    info.context.open.accesses.note(view.scope, found, linked, moment, is_automatic)

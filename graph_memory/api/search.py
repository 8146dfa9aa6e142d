"""Search: the memories nearest to a text, at a moment, and why each was found."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from graph_memory.api.arguments import After, AsOf, First, KnownAt, MemoryId, MinTrust, Subject
from graph_memory.api.browsing import ConditionInput, Where, conditions_of
from graph_memory.api.context import Info
from graph_memory.api.fields import nested, reads
from graph_memory.api.global_ids import to_global, uuid_of
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Community, Memory, Passage, load_community, memory_of, passage_of
from graph_memory.api.mirror import mirror
from graph_memory.api.paging import PageInfo, place, size
from graph_memory.api.scalars import Uuid
from graph_memory.base.gathered import Gathered
from graph_memory.base.scope import Scope
from graph_memory.memory.browsing import Condition
from graph_memory.recall import hits as recall
from graph_memory.recall import summary_search
from graph_memory.recall.absence import Absence, why_not_returned
from graph_memory.recall.modes import Mode
from graph_memory.recall.search import check_score, check_text, search
from graph_memory.store.api_keys import Right

# Raw likeness, asked for often enough, gives a stored vector away; so callers get cosines and scores in steps of one of so many.
# Most scores are small chances, so their steps are smaller.
_STEPS, _SCORE_STEPS = 20, 100


@strawberry.type(description="Which arm found a memory, and at which place of that arm's list.")
class SearchWhy:
    vector_rank: int | None = strawberry.field(
        description="Its place by meaning, from 1; null when not found by it."
    )
    text_rank: int | None = strawberry.field(
        description="Its place by words, from 1; null when not found by them."
    )


@strawberry.type(description="What a memory that was found has superseded.")
class FormerMemory:
    id: strawberry.ID = strawberry.field(description="The global id of that memory.")
    uuid: Uuid = strawberry.field(description="Its id as the store knows it.")
    text: str = strawberry.field(description="What it said.")
    until: datetime = strawberry.field(description="Until when it held.")
    reason: str = strawberry.field(description="Why it was superseded; may be empty.")


@strawberry.type(description="A memory that was found.")
class SearchHit:
    memory: Memory = strawberry.field(description="The memory.")
    score: float = strawberry.field(
        description="How likely it is one that was asked for, 0 to 1, comparable between questions, in steps of a hundredth. "
        "A key with the right to admin gets the score as it was computed."
    )
    similarity: float | None = strawberry.field(
        description="The cosine of question and memory; null without the right to admin, and for a search by words."
    )
    age_days: int = strawberry.field(description="Whole days since it was stored.")
    why: SearchWhy = strawberry.field(description="Which arms found it.")
    predecessors: list[FormerMemory] = strawberry.field(description="What was true before it.")
    place: int = strawberry.field(description="Its place among all that was found, from 1.")


@strawberry.type(description="A passage that was found.")
class PassageHit:
    passage: Passage = strawberry.field(description="The passage.")
    score: float = strawberry.field(description="As of a memory.")
    similarity: float | None = strawberry.field(description="As of a memory.")
    why: SearchWhy = strawberry.field(description="Which arms found it.")
    place: int = strawberry.field(description="Its place among all that was found, from 1.")


@strawberry.type(description="How the words for a time in a question were taken.")
class Interpreted:
    as_of: datetime = strawberry.field(description="The moment at which the question was answered.")
    phrase: str = strawberry.field(description="The words of the question for it.")


@strawberry.type(description="A community whose summary is near to what was asked.")
class SummaryHit:
    view: strawberry.Private[View]
    community_uuid: strawberry.Private[str]
    score: float = strawberry.field(
        description="The cosine of question and summary, in steps of a twentieth; exact with the right to admin."
    )

    @nested("The community.")
    async def community(self, info: Info) -> Community | None:
        return await load_community(info, self.view, self.community_uuid)


@strawberry.type(description="What a search found, best first.")
class SearchResult:
    view: strawberry.Private[View]
    asked: strawberry.Private[str | list[float]]
    hits: list[SearchHit] = strawberry.field(description="The memories that were found.")
    passages: list[PassageHit] = strawberry.field(description="The passages that were found.")
    is_complete: bool = strawberry.field(description="Whether nothing that fits was left unread.")
    note: str | None = strawberry.field(
        description="Why there may be more, how far the search went, or why nothing was found."
    )
    total_count: int = strawberry.field(
        description="How many were compared and scored enough, on this page and all others."
    )
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")
    interpreted: Interpreted | None = strawberry.field(
        description="The past moment that the question was taken to ask for; null where a moment was given or none was meant."
    )

    @nested(
        "Beside the hits: the communities whose summary is nearest, as they are now. Summaries are never among the hits."
    )
    async def summaries(self, info: Info, first: First = 3) -> list[SummaryHit]:
        context = info.context
        found = await context.call(
            summary_search.nearest, context.service, self.view.scope, self.asked, size(first)
        )
        sees_raw = Right.ADMIN in context.asker.rights
        return [
            SummaryHit(
                view=self.view,
                community_uuid=id,
                score=cosine if sees_raw else round(cosine * _STEPS) / _STEPS,
            )
            for id, cosine in found
        ]


@strawberry.type(description="What was said that a search found, best first.")
class PassageResult:
    hits: list[PassageHit] = strawberry.field(description="The passages that were found.")
    total_count: int = strawberry.field(
        description="How many were compared and scored enough, on this page and all others."
    )
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type(description="Why a memory is not among the hits of a search.")
class WhyNotReturned:
    reason: Absence = strawberry.field(description="The reason.")
    explanation: str = strawberry.field(description="The same in words.")
    score: float | None = strawberry.field(
        description="Its score, in steps as that of a hit; null where it was not compared."
    )
    rank: int | None = strawberry.field(
        description="Its place among all, from 1; null where it was not compared."
    )
    seen: JSON | None = strawberry.field(
        description="What was weighed, by name; null without the right to admin."
    )


@strawberry.type
class SearchQuery:
    @reads("The memories nearest to a text, at a moment, best first.")
    async def search(
        self,
        info: Info,
        query: Annotated[
            str | None, strawberry.argument(description="What to look for, in plain words.")
        ] = None,
        vector: Annotated[
            list[float] | None,
            strawberry.argument(
                description="Its embedding by the same model, instead of or beside the text."
            ),
        ] = None,
        where: Where = None,
        first: First = 10,
        after: After = None,
        mode: Annotated[Mode, strawberry.argument(description="How far the search reaches.")] = Mode.STANDARD,
        arms: Annotated[
            recall.Arms, strawberry.argument(description="Which arms search.")
        ] = recall.Arms.HYBRID,
        min_similarity: Annotated[
            float | None,
            strawberry.argument(
                description="Cosine below which what is found by meaning alone is left out; counted up to the next "
                "twentieth, unless the key has the right to admin."
            ),
        ] = None,
        min_score: Annotated[
            float | None,
            strawberry.argument(
                description="Score below which a memory is left out, counted up to the next hundredth, unless the key has the "
                "right to admin. Missing: the service's default, which only holds where meaning and words both search."
            ),
        ] = None,
        grains: Annotated[
            list[recall.Grain] | None,
            strawberry.argument(
                description="What is found: memories, what was said, or both in one order. A passage from which a memory was "
                "taken that is found too is left out. Missing: memories."
            ),
        ] = None,
        automatic: Annotated[
            bool | None,
            strawberry.argument(
                description="Whether nobody asked: a program fills a prompt. Such a recall counts no access by default. "
                "Missing: so with the mode REFLEXIVE."
            ),
        ] = None,
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
            first,
            view.moment,
            arms,
            min_similarity if sees_raw or min_similarity is None else _up(min_similarity, _STEPS),
            mode,
            min_trust,
            min_score if sees_raw or min_score is None else _up(min_score, _SCORE_STEPS),
            conditions,
            after,
            (recall.Grain.MEMORY,) if grains is None else grains,
        )
        if page.interpreted:
            view = replace(view, moment=replace(view.moment, as_of=page.interpreted.as_of))
        linked = [former.id for hit in page.hits for former in hit.predecessors]
        found = [hit.memory.id for hit in page.hits]
        is_automatic = mode is Mode.REFLEXIVE if automatic is None else automatic
        context.open.accesses.note(view.scope, found, linked, view.moment, is_automatic)
        now = context.service.clock()
        hits = [_hit(hit, view, now, sees_raw=sees_raw) for hit in page.hits]
        asked: str | list[float] = vector if vector is not None else query or ""
        return SearchResult(
            view=view,
            asked=asked,
            hits=hits,
            passages=_passage_hits(page, view, sees_raw=sees_raw),
            is_complete=page.is_complete,
            note=page.note,
            total_count=page.total,
            page_info=PageInfo(has_next_page=page.next is not None, end_cursor=page.next),
            interpreted=mirror(Interpreted, page.interpreted) if page.interpreted else None,
        )

    @reads("What was said that is nearest to a text, best first.")
    async def passages(
        self,
        info: Info,
        query: Annotated[str, strawberry.argument(description="What to look for, in plain words.")],
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
            grains=(recall.Grain.PASSAGE,),
        )
        return PassageResult(
            hits=_passage_hits(page, view, sees_raw=Right.ADMIN in context.asker.rights),
            total_count=page.total,
            page_info=PageInfo(has_next_page=page.next is not None, end_cursor=page.next),
        )

    @reads("Why a search for a text does not return a memory, or that it does.")
    async def why_not_returned(
        self,
        info: Info,
        id: MemoryId,
        query: Annotated[str, strawberry.argument(description="What is looked for, in plain words.")],
        where: Where = None,
        first: First = 10,
        mode: Annotated[Mode, strawberry.argument(description="How far the search reaches.")] = Mode.STANDARD,
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
        sees_raw = Right.ADMIN in context.asker.rights
        score = found.score if sees_raw or found.score is None else in_steps(found.score)
        return WhyNotReturned(
            reason=found.reason,
            explanation=found.explanation,
            score=score,
            rank=found.rank,
            seen=JSON(dict(found.seen)) if sees_raw else None,
        )


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


def _passage_hits(page: recall.Page, view: View, *, sees_raw: bool) -> list[PassageHit]:
    return [
        PassageHit(
            passage=passage_of(hit.passage, view),
            score=hit.score if sees_raw else in_steps(hit.score),
            similarity=hit.similarity if sees_raw else None,
            why=mirror(SearchWhy, hit.why),
            place=hit.place,
        )
        for hit in page.passages
    ]


def in_steps(score: float) -> float:
    """The score in steps: enough to cut a list, too little to measure a stored vector by."""
    return round(score * _SCORE_STEPS) / _SCORE_STEPS


def _up(least: float, steps: int) -> float:
    return math.ceil(least * steps) / steps


def _hit(hit: recall.Hit, view: View, now: datetime, *, sees_raw: bool) -> SearchHit:
    return SearchHit(
        memory=memory_of(hit.memory, view),
        score=hit.score if sees_raw else in_steps(hit.score),
        similarity=hit.similarity if sees_raw else None,
        age_days=max((now - hit.memory.created_at).days, 0),
        why=mirror(SearchWhy, hit.why),
        predecessors=[_former(each) for each in hit.predecessors],
        place=hit.place,
    )


def _former(former: recall.Predecessor) -> FormerMemory:
    return FormerMemory(
        id=strawberry.ID(to_global("Memory", former.id)),
        uuid=Uuid(former.id),
        text=former.text,
        until=former.until,
        reason=former.reason or "",
    )

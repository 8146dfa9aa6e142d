"""What a search answers: hits with why each was found, passages, and the communities that are near."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import strawberry
from strawberry.scalars import JSON

from graph_memory.api.arguments import First
from graph_memory.api.coarse import cosine_in_steps, in_steps
from graph_memory.api.community_types import Community, load_community
from graph_memory.api.context import Info
from graph_memory.api.fields import nested
from graph_memory.api.global_ids import to_global
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Memory, memory_of
from graph_memory.api.mirror import mirror
from graph_memory.api.paging import PageInfo, size
from graph_memory.api.passage_types import Passage, passage_of
from graph_memory.api.scalars import Uuid
from graph_memory.recall import hits as recall
from graph_memory.recall import summary_search
from graph_memory.recall.absence import Absence, WhyNot
from graph_memory.store.api_keys import Right


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


@strawberry.type(
    description="A newer memory of which a review asks whether it takes the place of one that was found."
)
class NewerMemory:
    id: strawberry.ID = strawberry.field(description="The global id of that memory.")
    uuid: Uuid = strawberry.field(description="Its id as the store knows it.")
    text: str = strawberry.field(description="What it says.")
    since: datetime = strawberry.field(description="Since when it holds.")


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
    contested_by: list[NewerMemory] = strawberry.field(
        description="Newer memories of which a review asks whether they take its place, or asked and nobody answered: it may "
        "hold no longer. The likeliest three, first the likeliest; none for a past moment."
    )
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
    as_of: datetime = strawberry.field(description="The moment as of which memories were looked for.")
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
    is_complete: bool = strawberry.field(
        description="False where the search fell short, as `note` tells: it went by words alone, conditions or trust left fewer "
        "than were asked for, or nothing answers. True or not, only the nearest are compared: it is no list of all that fits."
    )
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
                score=cosine if sees_raw else cosine_in_steps(cosine),
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


def result_of(
    page: recall.Page, view: View, asked: str | list[float], now: datetime, *, sees_raw: bool
) -> SearchResult:
    """What a search found as the schema's type."""
    then = view_then(page, view)
    return SearchResult(
        view=view,
        asked=asked,
        hits=[_hit(hit, then, now, sees_raw=sees_raw) for hit in page.hits],
        passages=_passage_hits(page, view, sees_raw=sees_raw),
        is_complete=page.is_complete,
        note=page.note,
        total_count=page.total,
        page_info=_info(page),
        interpreted=mirror(Interpreted, page.interpreted) if page.interpreted else None,
    )


def view_then(page: recall.Page, view: View) -> View:
    """How the memories of a page are seen: as of the past moment that the question was taken to ask for, if any."""
    if page.interpreted is None:
        return view
    return replace(view, moment=replace(view.moment, as_of=page.interpreted.as_of))


def passages_of(page: recall.Page, view: View, *, sees_raw: bool) -> PassageResult:
    """The passages that a search found as the schema's type."""
    return PassageResult(
        hits=_passage_hits(page, view, sees_raw=sees_raw),
        total_count=page.total,
        page_info=_info(page),
    )


def absence_of(found: WhyNot, *, sees_raw: bool) -> WhyNotReturned:
    """Why a search does not return a memory, as the schema's type."""
    return WhyNotReturned(
        reason=found.reason,
        explanation=found.explanation,
        score=found.score if sees_raw or found.score is None else in_steps(found.score),
        rank=found.rank,
        seen=JSON(dict(found.seen)) if sees_raw else None,
    )


def _info(page: recall.Page) -> PageInfo:
    return PageInfo(has_next_page=page.next is not None, end_cursor=page.next)


def _hit(hit: recall.Hit, view: View, now: datetime, *, sees_raw: bool) -> SearchHit:
    return SearchHit(
        memory=memory_of(hit.memory, view),
        score=hit.score if sees_raw else in_steps(hit.score),
        similarity=hit.similarity if sees_raw else None,
        age_days=max((now - hit.memory.created_at).days, 0),
        why=mirror(SearchWhy, hit.why),
        predecessors=[_former(each) for each in hit.predecessors],
        contested_by=[_newer(each) for each in hit.contested_by],
        place=hit.place,
    )


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


def _former(former: recall.Predecessor) -> FormerMemory:
    return FormerMemory(
        id=strawberry.ID(to_global("Memory", former.id)),
        uuid=Uuid(former.id),
        text=former.text,
        until=former.until,
        reason=former.reason or "",
    )


def _newer(newer: recall.Newer) -> NewerMemory:
    return mirror(NewerMemory, newer, id=strawberry.ID(to_global("Memory", newer.id)), uuid=Uuid(newer.id))

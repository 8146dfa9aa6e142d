"""Search: vectors, full text and entities in one statement, both walls and time inside the indexes, weighed together.

What is seen of each memory: its cosine with the question, and with the question without its names, since every memory of Ana
is like every question about Ana; the share of the question's words that it has (rare ones count more,
`recall/text_question.py`), whether it mentions an entity that the question names by any name, whether who said it is named,
its length, and what stands beside it in the same sitting. The weights are data (`recall/score_weights.py`). The first are read
once more beside the question (`recall/rereading.py`). The score is the chance that it is one of those that were asked for.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, timedelta
from typing import Any

from graph_memory.base.cursors import cursor, parts_of
from graph_memory.base.errors import Invalid
from graph_memory.base.ids import is_id
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.entities.gazetteer import keys_in
from graph_memory.language.coverage import is_readable
from graph_memory.language.names import without_names
from graph_memory.language.texts import clean
from graph_memory.language.time_questions import AsOf, as_of_question
from graph_memory.ledger.activity import zone_of
from graph_memory.memory.browsing import Condition, sent
from graph_memory.memory.trust import kinds_from
from graph_memory.memory.validation import check_vector
from graph_memory.model.memory import STATE_RANK, Status, Trust
from graph_memory.models.embedders import embed_if_possible
from graph_memory.recall.hits import Arms, Grain, Hit, Page, hit, passage_hit
from graph_memory.recall.modes import REACH, Mode, Reach
from graph_memory.recall.nothing_found import why_nothing
from graph_memory.recall.rereading import ANSWERS, READS, WEIGHT, reread
from graph_memory.recall.score_weights import (
    READ,
    answered,
    logit_of,
    scaled,
    score_of,
    unscaled,
    weight_of,
    weights,
)
from graph_memory.recall.settings import RecallSettings
from graph_memory.recall.text_question import is_of_now, wording
from graph_memory.scoring.scores import TIERS, Tier
from graph_memory.scoring.settings import SupersessionSettings
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service

LIVE = query("recall/search_live")
NEAREST = query("recall/nearest_live")
PAST = query("recall/search_past")
WIDE = query("recall/search_wide")
PASSAGES = query("recall/search_passages")
AWAIT_FULLTEXT = query("system/await_fulltext")
# With passages beside them: statements of their own, since the database plans long ones longer than it carries them out.
LIVE_BOTH = query("recall/search_live_both")
PAST_BOTH = query("recall/search_past_both")
WIDE_BOTH = query("recall/search_wide_both")

# So many memories that have words of the question are compared at most; those that have more of its words are taken first.
TEXT_READ = 1000
# What the words of a neighbour count beside its cosine.
WORDS_BESIDE = 0.5
# So many hits for each one wanted are looked at together with what was said beside them, or the least that is fetched.
EXPAND = 3
# So many times as much is read where conditions leave some out: the index cannot do that by itself.
NARROWED = 4
# So many that meet the conditions are compared one by one, none missed; of more the nearest are read.
FEW = 1000
_ALL_TIERS = len(TIERS)
MAX_QUERY = 2000
UNANSWERED = (
    "What is nearest hardly answers this, so it is left out; "
    "a search with a least score of 0 (minScore, --min-score) shows it."
)
_DEEPEST = 1000
# What was kept a moment ago may lack its words still: the full-text indexes follow what is written.
_FRESH = timedelta(seconds=10)


def search(
    service: Service,
    scope: Scope,
    text: str | None = None,
    vector: Sequence[float] | None = None,
    limit: int | None = None,
    moment: Moment = NOW,
    arms: Arms = Arms.HYBRID,
    min_similarity: float | None = None,
    mode: Mode = Mode.STANDARD,
    min_trust: Trust | None = None,
    min_score: float | None = None,
    where: Sequence[Condition] = (),
    after: str | None = None,
    grains: Sequence[Grain] = (Grain.MEMORY,),
    is_question: bool = True,
) -> Page:
    """The memories nearest to a text or a vector, at a moment, in one statement.

    With `min_trust` those that are trusted less are left out, as hits and as predecessors; where so few of the nearest
    are trusted that the page is short, its note says so. What scores less than `min_score` is left out; without one the
    setting's holds where both meaning and words are asked, since one of them alone cannot tell that there is no answer.
    What does not meet every condition of `where` is left out in the same way. With `after`, the `next` of a page, the page
    behind it: of the same candidates, in the same order. `grains` may name passages, beside memories or instead.

    Raises Invalid when neither text nor vector is given, the text is empty or too long, the vector does not fit, or the
    limit is out of range. A question how things stood at a past time ("Where did Ana work last spring?") is answered as of
    then where no moment is given and memories of then are found; of what was said it leaves out nothing.
    `is_question` says whether the text may ask something; what does not is not read beside what is found. A question is told in
    the page's note where nothing was kept at that moment.
    """
    question = _question(service, text, vector, arms)
    asked = _Asked(
        service,
        scope,
        question,
        arms,
        moment,
        mode,
        min_similarity,
        min_trust,
        min_score,
        where,
        _chosen(grains),
        is_question,
        heard=moment,
    )
    then = _then(asked, text) if is_question and text and vector is None else None
    if then is not None:
        # A cursor of the ordinary search goes on in that one.
        with suppress(_OtherSearch):
            past = replace(asked, moment=replace(moment, as_of=then.as_of))
            page = past.page(limit, after)
            if after is not None or past.has_memories(page):
                return replace(page, interpreted=then)
    page = asked.page(limit, after)
    if page.hits or page.passages or after is not None or not is_question:
        return page
    return replace(page, note=why_nothing(service, scope, moment) or page.note)


def check_text(text: str, path: str = "query") -> str:
    """The text of a question as it is looked for."""
    return clean(text, MAX_QUERY, path)


def check_score(min_score: float | None) -> None:
    """Raises Invalid for a least score out of range."""
    if min_score is not None and not 0 <= min_score <= 1:
        raise Invalid(f"min_score is {min_score}; it must lie between 0 and 1.", path="min_score")


class _OtherSearch(Invalid):
    """A cursor was given that belongs to another search."""


@dataclass(frozen=True)
class _Place:
    """Where a page begins: behind the memory `id`, or where that stood (`skip`) if it is gone.

    All pages of a search are of the same candidates, so they go on where it is (`depth` hits were wanted of its first page).
    `left_out` counts those of the first that were read and scored too little: the statement does not know it.
    `mark` tells the search, so that a cursor of another one is refused. It holds no score: that would tell of vectors.
    """

    mark: str
    depth: int
    id: str | None = None
    skip: int = 0
    left_out: int = 0

    def behind(self, found: _Found) -> str | None:
        if not found.rows or (last := found.rows[-1])["place"] + 1 >= found.total:
            return None
        return cursor(self.mark, self.depth, _id_of(last), last["place"], found.left_out)


@dataclass(frozen=True)
class _Found:
    """The rows of a page, `total` of all pages, and how many of the first scored too little once they had been read."""

    rows: Sequence[Row]
    total: int
    left_out: int
    is_fresh: bool = False


def _id_of(row: Row) -> str:
    return str((row["said"] or row["state"])["id"])


def _place(after: str | None, mark: str, wanted: int) -> _Place:
    """Raises Invalid for a cursor of another search."""
    if after is None:
        return _Place(mark, wanted)
    made_for, depth, id, skip, left_out = parts_of(after, str, int, str, int, int)
    is_near = 1 <= depth <= _DEEPEST and 0 <= skip <= _DEEPEST**2 and 0 <= left_out <= _DEEPEST
    if made_for != mark or not is_id(id) or not is_near:
        raise _OtherSearch("This cursor belongs to another search.", path="after")
    return _Place(mark, depth, id, skip, left_out)


def _chosen(grains: Sequence[Grain]) -> frozenset[Grain]:
    if not grains:
        raise Invalid("Name at least one grain: MEMORY or PASSAGE.", path="grains")
    return frozenset(Grain(each) for each in grains)


def _then(asked: _Asked, text: str) -> AsOf | None:
    """The past moment of which a question asks what is kept; the person's zone is only read for one that does."""
    now = asked.service.clock()
    if Grain.MEMORY not in asked.grains or asked.moment.as_of is not None:
        return None
    if as_of_question(text, now, UTC) is None:
        return None
    return as_of_question(text, now, zone_of(asked.service, asked.scope))


def _reach(mode: Mode, visibility: str) -> Reach:
    return REACH[Mode.DEEP if mode is Mode.STANDARD and visibility == "active" else mode]


def _cold(hits: Sequence[Hit], mode: Mode) -> str | None:
    """That STANDARD had to reach for memories that are further away."""
    count = sum(hit.memory.tier == Tier.COLD for hit in hits) if mode is Mode.STANDARD else 0
    are = "is" if count == 1 else "are"
    return f"{count} of these {are} cold: nearer than others, or needed to fill the page." if count else None


def _estimated(rows: Sequence[Row]) -> str | None:
    """That how rare the words are was counted among some of the memories that have one."""
    if any(row["pool"] >= TEXT_READ for row in rows):
        return f"More than {TEXT_READ} memories have words of the question; how rare each is was told from {TEXT_READ}."
    return None


@dataclass(frozen=True)
class _Asked:
    """One question, to be put with more or less reach.

    `heard` is the moment by which passages were said. It is that of the caller also where the question's own words move that of
    the memories: how things stood in spring is often said in June.
    """

    service: Service
    scope: Scope
    question: dict[str, Any]
    arms: Arms
    moment: Moment
    mode: Mode
    min_similarity: float | None
    min_trust: Trust | None
    min_score: float | None
    where: Sequence[Condition]
    grains: frozenset[Grain]
    is_question: bool
    heard: Moment

    def has_memories(self, page: Page) -> bool:
        """Whether it finds memories; a page of passages does not tell."""
        if page.hits or not page.passages:
            return bool(page.hits)
        return bool(replace(self, grains=frozenset({Grain.MEMORY})).page(1, None).hits)

    def page(self, limit: int | None, after: str | None) -> Page:
        """What is found, from the first hit on or behind that of a cursor; Invalid for a limit out of range."""
        wanted = _limit(self.service, limit)
        visibility = self.service.settings[SupersessionSettings].visibility
        place = _place(after, self._mark(), wanted)
        reach = _reach(self.mode, visibility)
        found = self._found(wanted, place, reach)
        if place.id is None and not found.rows and found.is_fresh:
            self.service.system(AWAIT_FULLTEXT)
            found = self._found(wanted, place, reach)
        if place.id is None and not found.rows and found.left_out and self.min_score is None:
            return Page((), is_complete=False, note=UNANSWERED)
        rows = found.rows
        brings, has_vector = visibility in ("demote", "active"), self.question["vector"] is not None
        hits = tuple(hit(row, brings=brings, has_vector=has_vector) for row in rows if row["said"] is None)
        passages = tuple(passage_hit(row, has_vector=has_vector) for row in rows if row["said"] is not None)
        stopped = _stopped(rows, wanted, self)
        return Page(
            hits,
            is_complete=stopped is None,
            note=stopped or _cold(hits, self.mode) or _estimated(rows),
            total=found.total,
            next=place.behind(found),
            passages=passages,
        )

    def _found(self, wanted: int, place: _Place, reach: Reach) -> _Found:
        """The rows of a page. Those of the first that score too little once they have been read are left out, the others stand by
        what was read; so a page among them is taken from all of these."""
        if place.id is not None and place.skip + place.left_out >= self._count:
            return self._behind(wanted, place, reach)
        begin = replace(place, id=None, skip=0)
        ends = wanted if place.id is None else place.skip + 1 + wanted
        rows = self._rows(max(self._count, ends), begin, reach)
        firsts = [self._scored(row) for row in self._read(rows[: self._count])]
        if self._is_unanswered(firsts or rows):
            return _Found((), 0, len(rows), self._are_fresh(rows))
        kept = [row for row in firsts if row["score"] >= self._least]
        left_out = len(firsts) - len(kept)
        if left_out and len(rows) - left_out < ends and len(rows) < rows[0]["total"]:
            rows = self._rows(ends + left_out, begin, reach)
        rest = [self._scored(row) for row in rows[self._count :]]
        ranked = [*sorted(kept, key=lambda row: -row["standing"]), *rest]
        ids = [_id_of(row) for row in ranked]
        start = ids.index(place.id) + 1 if place.id in ids else place.skip
        page = [row | {"place": at} for at, row in enumerate(ranked)][start : start + wanted]
        total = rows[0]["total"] - left_out if rows else 0
        return _Found(page, total, left_out, self._are_fresh(rows))

    def _behind(self, wanted: int, place: _Place, reach: Reach) -> _Found:
        """A page behind all that is read."""
        left_out = place.left_out
        rows = self._rows(wanted, replace(place, skip=place.skip + left_out), reach)
        page = [self._scored(row) | {"place": row["place"] - left_out} for row in rows]
        return _Found(page, rows[0]["total"] - left_out if rows else place.skip, left_out)

    def _read(self, rows: Sequence[Row]) -> Sequence[Row]:
        return reread(self.question["text"], rows) if rows else rows

    def _scored(self, row: Row) -> Row:
        """The row with its score, and where it stands beside others that were read or not."""
        read = row["seen"].get(READS)
        way, more = (self._set, 0.0) if read is None else (READ, WEIGHT * read)
        return row | {
            "score": score_of(scaled(way, row["logit"] + more)),
            "standing": scaled(way, row["standing"] + more),
            "weight": weight_of(self._set, row["logit"]),
        }

    @property
    def _count(self) -> int:
        """So many of the first are read: none where there is no question to be read beside them."""
        is_asked = self.is_question and self._set == "together" and is_readable(self.question["text"])
        return self.service.settings[RecallSettings].reread if is_asked else 0

    def _mark(self) -> str:
        """What tells this search from any other, in a cursor.

        A vector counts where the caller gave it: what an embedder computes may differ in its last bit each time.
        """
        own = ("service", "question", "grains")
        asked = [getattr(self, each.name) for each in fields(self) if each.name not in own]
        question = [self._set, self.question["text"], self.question["given"]]
        return hashlib.sha256(repr([*question, *asked, sorted(self.grains)]).encode()).hexdigest()[:16]

    @property
    def _set(self) -> str:
        """The weights for what is known of the question."""
        if self.question["vector"] is None:
            return "words"
        return "together" if self.question["terms"] else "meaning"

    def _is_unanswered(self, rows: Sequence[Row]) -> bool:
        """Whether neither the likeliest nor what was read tells of an answer; a least score that is named counts alone."""
        if not rows or self.min_score is not None or self._set != "together" or self.question["bare"] is None:
            return False
        likeliest, reads = rows[0]["likeliest"], [row["seen"].get(READS, -math.inf) for row in rows]
        # Without a vector, which has a cosine of 0, it tells by its words alone.
        return (
            bool(likeliest["cosine"])
            and max(reads) < ANSWERS
            and answered(likeliest) < self.service.settings[RecallSettings].min_answered
        )

    def _are_fresh(self, rows: Sequence[Row]) -> bool:
        """Whether one of these was written so lately that it may not be found by its words yet."""
        now = self.service.clock()
        return any(
            row["text_rank"] is None
            and now - (row["said"]["at"] if row["said"] else row["state"]["recorded_from"]) < _FRESH
            for row in rows
        )

    @property
    def _least(self) -> float:
        """The score below which nothing is found. Raises Invalid for one out of range."""
        if self.min_score is None:
            return self.service.settings[RecallSettings].min_score if self._set == "together" else 0.0
        check_score(self.min_score)
        return self.min_score

    def _rows(self, wanted: int, place: _Place, reach: Reach) -> list[Row]:
        recall, now = self.service.settings[RecallSettings], self.service.clock()
        as_of, known_at = self.moment.at(now)
        conditions = sent(self.service, self.scope, known_at, self.where, self.min_trust)
        values = {
            **self.question,
            "limit": wanted,
            "after": place.id,
            "skip": place.skip,
            "fetch": max(place.depth * recall.overfetch, recall.min_fetch) * (NARROWED if conditions else 1),
            "conditions": conditions,
            "trusted": None if self.min_trust is None else kinds_from(self.min_trust),
            "as_of": as_of,
            "heard_by": self.heard.at(now)[0],
            "known_at": known_at,
            "min_cosine": recall.min_similarity if self.min_similarity is None else self.min_similarity,
            "reread": self._count,
            "min_logit": unscaled(self._set, logit_of(self._least)),
            "weights": weights(self._set),
            "apart": weights("apart" if self._set == "together" else self._set),
            "words_beside": WORDS_BESIDE,
            "read": TEXT_READ,
            "few": FEW,
            "expand": max(place.depth * EXPAND, recall.min_fetch),
            "tier_rank": reach.tier_rank,
            "cold_handicap": recall.cold_handicap,
        }
        statement = self._statement(reach, is_past=self.moment.is_past(now))
        if statement in (PAST, PAST_BOTH, WIDE, WIDE_BOTH):
            values["weights"] = values["apart"]
        if reach.state_rank is not None:
            values |= {"state_rank": reach.state_rank, "index_rank": reach.state_rank}
            if self.moment.is_past(now):
                # What a rule has archived since stands behind what was not; the statement looks at each.
                archived = STATE_RANK[Status.ARCHIVED]
                values |= {"tier_rank": _ALL_TIERS, "index_rank": max(archived, reach.state_rank)}
        named = {name: value for name, value in values.items() if name in statement.parameters}
        return self.service.read(self.scope, statement, **named)

    def _statement(self, reach: Reach, *, is_past: bool) -> Query:
        if Grain.MEMORY not in self.grains:
            return PASSAGES
        alone = Grain.PASSAGE not in self.grains
        if reach.state_rank is not None:
            return WIDE if alone else WIDE_BOTH
        if is_past:
            return PAST if alone else PAST_BOTH
        if not alone:
            return LIVE_BOTH
        return NEAREST if self.arms is Arms.VECTOR else LIVE


def _stopped(rows: Sequence[Row], wanted: int, asked: _Asked) -> str | None:
    """Why there may be more than what was found."""
    if asked.arms is Arms.HYBRID and asked.question["vector"] is None:
        return "The embedder failed, so this was found by words alone; ask again later."
    if len(rows) < wanted and (asked.min_trust is not None or asked.where):
        what = "meet the conditions" if asked.where else f"are trusted as {asked.min_trust} or more"
        return f"Of the nearest, only {len(rows)} {what}; there may be more beyond them."
    return None


def _question(
    service: Service, text: str | None, vector: Sequence[float] | None, arms: Arms
) -> dict[str, Any]:
    if text is None and vector is None:
        raise Invalid("Give a text or a vector to search for.", path="query")
    cleaned = check_text(text) if text is not None else ""
    if arms is Arms.TEXT and not cleaned:
        raise Invalid("A full-text search needs a text.", path="query")
    uses_vector = arms is not Arms.TEXT
    given = list(vector) if vector is not None else None
    asks, bare = _embedded(service, cleaned, arms) if given is None and uses_vector else (given, None)
    check_vector(asks, service.embedder.dimension, "vector")
    asked = wording(cleaned if arms is not Arms.VECTOR else "")
    keys = sorted(keys_in(cleaned)) if asked.terms else []
    return {
        "vector": asks if uses_vector else None,
        "given": given,
        "bare": bare,
        "terms": asked.terms,
        "bits": asked.bits,
        "passage_terms": asked.in_passages,
        "names": sorted({key.removesuffix("'s") for key in keys}),
        "keys": keys if uses_vector else [],
        "is_of_now": is_of_now(cleaned),
        "text": cleaned,
    }


def _embedded(service: Service, text: str, arms: Arms) -> tuple[list[float] | None, list[float] | None]:
    """The vectors of a query and of what it asks beside names; None while the embedder fails and words can be searched for."""
    if arms is Arms.VECTOR:
        return service.embedder.embed([text])[0], None
    texts = list(dict.fromkeys((text, without_names(text))))
    vectors = embed_if_possible(service.embedder, texts)
    return vectors[0], vectors[-1]


def _limit(service: Service, limit: int | None) -> int:
    wanted = service.settings[RecallSettings].limit if limit is None else limit
    most = service.settings[RecallSettings].max_limit
    if not 1 <= wanted <= most:
        raise Invalid(f"limit is {wanted}; it must lie between 1 and {most}.", path="limit")
    return wanted

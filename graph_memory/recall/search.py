"""Search: vectors, full text and entities in one statement, both walls and time inside the indexes, weighed together.

What is seen of each memory: its cosine, the share of the question's words that it has (rare ones count more,
`recall/text_question.py`), whether it mentions an entity that the question names by any name, whether who said it is named,
whether it asks itself, its length, and what stands beside it in the same sitting. A logistic of these is its score: how
likely it is one of those that were asked for. The weights are data (`recall/score_weights.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from graph_memory.base.errors import Invalid
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.entities.gazetteer import keys_in
from graph_memory.language.texts import clean
from graph_memory.memory.trust import kinds_from
from graph_memory.memory.validation import check_vector
from graph_memory.model.memory import STATE_RANK, Memory, Status, Trust
from graph_memory.models.embedders import embed_if_possible
from graph_memory.recall.modes import REACH, Mode, Reach
from graph_memory.recall.score_weights import logit_of, score_of, weights
from graph_memory.recall.settings import RecallSettings
from graph_memory.recall.text_question import wording
from graph_memory.scoring.scores import TIERS, Tier
from graph_memory.scoring.settings import SupersessionSettings
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

LIVE = query("recall/search_live")
NEAREST = query("recall/nearest_live")
PAST = query("recall/search_past")
WIDE = query("recall/search_wide")

# So many memories that have words of the question are compared at most; those that have more of its words are taken first.
TEXT_READ = 1000
# What the words of a neighbour count beside its cosine.
WORDS_BESIDE = 0.5
# So many hits for each one wanted are looked at together with what was said beside them, or the least that is fetched.
EXPAND = 3
# So many times as much is read where what is not trusted enough is left out: the index cannot leave it out by itself.
DOUBTED = 4
_ALL_TIERS = len(TIERS)
MAX_QUERY = 2000


class Arms(StrEnum):
    """Which arms search."""

    HYBRID = "HYBRID"
    VECTOR = "VECTOR"
    TEXT = "TEXT"


@dataclass(frozen=True)
class Why:
    """Which arm found a hit, and at which place in it; None when that arm did not."""

    vector_rank: int | None
    text_rank: int | None


@dataclass(frozen=True)
class Predecessor:
    """What a hit superseded: the memory before it, until when it held, and why it no longer does."""

    id: str
    text: str
    until: datetime
    reason: str


@dataclass(frozen=True)
class Hit:
    """A memory that was found, how likely it is one that was asked for (0 to 1), and why.

    `similarity` is the cosine of question and memory; None where the question has no vector. `seen` is what was weighed.
    """

    memory: Memory
    score: float
    similarity: float | None
    why: Why
    predecessors: tuple[Predecessor, ...]
    seen: Mapping[str, float] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Page:
    """Hits, best first. `note` says why there may be more than these, or that some are cold."""

    hits: tuple[Hit, ...]
    is_complete: bool
    note: str | None


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
) -> Page:
    """The memories nearest to a text or a vector, at a moment, in one statement.

    With `min_trust` those that are trusted less are left out, as hits and as predecessors; where so few of the nearest
    are trusted that the page is short, its note says so. What scores less than `min_score` is left out; without one the
    setting's holds where both meaning and words are asked, since one of them alone cannot tell that there is no answer.

    Raises Invalid when neither text nor vector is given, the text is empty or too long, the vector does not fit, or the
    limit is out of range.
    """
    question = _question(service, text, vector, arms)
    asked = _Asked(service, scope, question, arms, moment, min_similarity, min_trust, min_score)
    wanted = _limit(service, limit)
    visibility = service.settings[SupersessionSettings].visibility
    rows = asked.rows(wanted, _reach(mode, visibility))
    brings, has_vector = visibility in ("demote", "active"), question["vector"] is not None
    hits = tuple(_hit(row, brings=brings, has_vector=has_vector) for row in rows)
    stopped = _stopped(rows, wanted, asked)
    return Page(hits, is_complete=stopped is None, note=stopped or _cold(hits, mode) or _estimated(rows))


def _reach(mode: Mode, visibility: str) -> Reach:
    return REACH[Mode.DEEP if mode is Mode.STANDARD and visibility == "active" else mode]


def _cold(hits: Sequence[Hit], mode: Mode) -> str | None:
    """That STANDARD had to reach for memories that are further away."""
    count = sum(hit.memory.tier == Tier.COLD for hit in hits) if mode is Mode.STANDARD else 0
    return f"{count} of these are cold: nearer than others, or needed to fill the page." if count else None


def _estimated(rows: Sequence[Row]) -> str | None:
    """That how rare the words are was counted among some of the memories that have one."""
    if any(row["pool"] >= TEXT_READ for row in rows):
        return f"More than {TEXT_READ} memories have words of the question; how rare each is was told from {TEXT_READ}."
    return None


@dataclass(frozen=True)
class _Asked:
    """One question, to be put with more or less reach."""

    service: Service
    scope: Scope
    question: dict[str, Any]
    arms: Arms
    moment: Moment
    min_similarity: float | None
    min_trust: Trust | None
    min_score: float | None

    @property
    def _set(self) -> str:
        """The weights for what is known of the question."""
        if self.question["vector"] is None:
            return "words"
        return "together" if self.question["terms"] else "meaning"

    def _min_logit(self) -> float:
        """Raises Invalid for a score out of range."""
        if self.min_score is not None and not 0 <= self.min_score <= 1:
            raise Invalid(f"min_score is {self.min_score}; it must lie between 0 and 1.", path="minScore")
        least = self.service.settings[RecallSettings].min_score if self._set == "together" else 0.0
        return logit_of(least if self.min_score is None else self.min_score)

    def rows(self, wanted: int, reach: Reach) -> list[Row]:
        recall, now = self.service.settings[RecallSettings], self.service.clock()
        as_of, known_at = self.moment.at(now)
        near = {
            "vector": self.question["vector"],
            "limit": wanted,
            "fetch": max(wanted * recall.overfetch, recall.min_fetch)
            * (1 if self.min_trust is None else DOUBTED),
            "trusted": None if self.min_trust is None else kinds_from(self.min_trust),
            "as_of": as_of,
            "known_at": known_at,
            "min_cosine": recall.min_similarity if self.min_similarity is None else self.min_similarity,
            "min_logit": self._min_logit(),
            "weights": weights(self._set),
        }
        set_apart = weights("apart" if self._set == "together" else self._set)
        question = {name: value for name, value in self.question.items() if name != "keys"}
        apart = {
            **question,
            **near,
            "read": TEXT_READ,
            "weights": set_apart,
        }
        is_past = self.moment.is_past(now)
        if reach.state_rank is not None:
            ranks = {
                "tier_rank": reach.tier_rank,
                "state_rank": reach.state_rank,
                "index_rank": reach.state_rank,
            }
            if is_past:
                # What a rule has archived since stands behind what was not; the statement looks at each.
                archived = STATE_RANK[Status.ARCHIVED]
                ranks |= {"tier_rank": _ALL_TIERS, "index_rank": max(archived, reach.state_rank)}
            return self.service.read(self.scope, WIDE, **apart, **ranks)
        if is_past:
            return self.service.read(self.scope, PAST, **apart)
        tiers = {"tier_rank": reach.tier_rank, "cold_handicap": recall.cold_handicap}
        if self.arms is Arms.VECTOR:
            return self.service.read(self.scope, NEAREST, **near, **tiers)
        together = {
            **self.question,
            **near,
            "read": TEXT_READ,
            "words_beside": WORDS_BESIDE,
            "apart": set_apart,
        }
        return self.service.read(
            self.scope, LIVE, **together, **tiers, expand=max(wanted * EXPAND, recall.min_fetch)
        )


def _stopped(rows: Sequence[Row], wanted: int, asked: _Asked) -> str | None:
    """Why there may be more than what was found."""
    if asked.arms is Arms.HYBRID and asked.question["vector"] is None:
        return "The embedder failed, so this was found by words alone; ask again later."
    if len(rows) < wanted and asked.min_trust is not None:
        return f"Of the nearest, only {len(rows)} are trusted as {asked.min_trust} or more; there may be more beyond them."
    return None


def _question(
    service: Service, text: str | None, vector: Sequence[float] | None, arms: Arms
) -> dict[str, Any]:
    if text is None and vector is None:
        raise Invalid("Give a text or a vector to search for.", path="query")
    cleaned = clean(text, MAX_QUERY, "query") if text is not None else ""
    if arms is Arms.TEXT and not cleaned:
        raise Invalid("A full-text search needs a text.", path="query")
    uses_vector = arms is not Arms.TEXT
    given = (
        list(vector) if vector is not None else (_embedded(service, cleaned, arms) if uses_vector else None)
    )
    check_vector(given, service.embedder.dimension, "vector")
    asked = wording(cleaned if arms is not Arms.VECTOR else "")
    keys = sorted(keys_in(cleaned)) if asked.terms else []
    return {
        "vector": given if uses_vector else None,
        "terms": asked.terms,
        "bits": asked.bits,
        "names": sorted({key.removesuffix("'s") for key in keys}),
        "keys": keys if uses_vector else [],
    }


def _embedded(service: Service, text: str, arms: Arms) -> list[float] | None:
    """The vector of a query; None while the embedder fails and words can be searched for."""
    if arms is Arms.VECTOR:
        return service.embedder.embed([text])[0]
    return embed_if_possible(service.embedder, [text])[0]


def _limit(service: Service, limit: int | None) -> int:
    wanted = service.settings[RecallSettings].limit if limit is None else limit
    if not 1 <= wanted <= service.settings[RecallSettings].max_limit:
        raise Invalid(
            f"limit must lie between 1 and {service.settings[RecallSettings].max_limit}.", path="limit"
        )
    return wanted


def _hit(row: Row, *, brings: bool, has_vector: bool) -> Hit:
    before = tuple(Predecessor(**item) for item in row["predecessors"]) if brings else ()
    return Hit(
        Memory.from_row(row["state"]),
        score_of(row["logit"]),
        row["seen"]["cosine"] if has_vector else None,
        Why(row["vector_rank"], row["text_rank"]),
        before,
        row["seen"],
    )

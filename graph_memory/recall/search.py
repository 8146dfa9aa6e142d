"""Search: vectors and full text in one statement, both walls and time inside the indexes, fused by score.

Score = cosine + text_weight * text + beside_weight * beside + author_weight * author. `text` is the full-text score
divided by the best of this query (raw word statistics span all tenants and are never let out); `beside` is the better
score of the memories said just before and after in the same session; `author` is 1 when the query names who said it.
Search by vector alone scores by the cosine alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from graph_memory.embedding import embed_if_possible
from graph_memory.errors import Invalid
from graph_memory.memory.checking import check_vector
from graph_memory.memory.model import Memory
from graph_memory.moments import NOW, Moment
from graph_memory.queries import query
from graph_memory.service import Row, Service
from graph_memory.tenancy import Scope
from graph_memory.texts import clean, lucene
from graph_memory.understanding.entities import mentions

LIVE = query("recall/search_live")
NEAREST = query("recall/nearest_live")
PAST = query("recall/search_past")

# So many full-text hits are read at most while looking for those that pass the time rule.
TEXT_READ = 1000
# So many hits for each one wanted are looked at together with what was said beside them.
EXPAND = 3
_MAX_QUERY = 2000


class Mode(StrEnum):
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
    """A memory that was found, its fused score, and why."""

    memory: Memory
    score: float
    why: Why
    predecessors: tuple[Predecessor, ...]


@dataclass(frozen=True)
class Page:
    """Hits, best first. `note` says why there may be more than these when `is_complete` is false."""

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
    mode: Mode = Mode.HYBRID,
    min_similarity: float | None = None,
) -> Page:
    """The memories nearest to a text or a vector, at a moment, in one statement.

    Raises Invalid when neither is given, the text is empty or too long, the vector does not fit, or the limit is out
    of range.
    """
    question = _question(service, text, vector, mode)
    wanted = _limit(service, limit)
    now = service.clock()
    as_of, known_at = moment.at(now)
    recall = service.settings.recall
    near = {
        "vector": question["vector"],
        "limit": wanted,
        "fetch": max(wanted * recall.overfetch, recall.min_fetch),
        "as_of": as_of,
        "known_at": known_at,
        "min_cosine": recall.min_similarity if min_similarity is None else min_similarity,
    }
    fused = {
        **question,
        **near,
        "read": TEXT_READ,
        "text_weight": recall.text_weight,
        "author_weight": recall.author_weight,
    }
    if moment.is_past(now):
        rows = service.read(scope, PAST, **fused)
    elif mode is Mode.VECTOR:
        rows = service.read(scope, NEAREST, **near)
    else:
        rows = service.read(scope, LIVE, **fused, expand=wanted * EXPAND, beside_weight=recall.beside_weight)
    stopped = any(row["text_read"] >= TEXT_READ for row in rows) and len(rows) < wanted
    note = (
        f"The full-text search stopped after {TEXT_READ} hits; name more words to find the rest."
        if stopped
        else None
    )
    if mode is Mode.HYBRID and near["vector"] is None:
        note = "The embedder failed, so this was found by words alone; ask again later."
    return Page(tuple(_hit(row) for row in rows), is_complete=note is None, note=note)


def _question(
    service: Service, text: str | None, vector: Sequence[float] | None, mode: Mode
) -> dict[str, Any]:
    if text is None and vector is None:
        raise Invalid("Give a text or a vector to search for.", path="query")
    cleaned = clean(text, _MAX_QUERY, "query") if text is not None else ""
    if mode is Mode.TEXT and not cleaned:
        raise Invalid("A full-text search needs a text.", path="query")
    uses_vector = mode is not Mode.TEXT
    given = (
        list(vector)
        if vector is not None
        else (_embedded(service, cleaned, mode) if uses_vector else None)
    )
    check_vector(given, service.embedder.dimension, "vector")
    terms = lucene(cleaned) if cleaned and mode is not Mode.VECTOR else ""
    names = (
        sorted({name.key for name in mentions(cleaned)} | {word.casefold() for word in cleaned.split()[:1]})
        if terms
        else []
    )
    return {"vector": given if uses_vector else None, "terms": terms, "names": names}


def _embedded(service: Service, text: str, mode: Mode) -> list[float] | None:
    """The vector of a query; None while the embedder fails and words can be searched for."""
    if mode is Mode.VECTOR:
        return service.embedder.embed([text])[0]
    return embed_if_possible(service.embedder, [text])[0]


def _limit(service: Service, limit: int | None) -> int:
    wanted = service.settings.recall.limit if limit is None else limit
    if not 1 <= wanted <= service.settings.recall.max_limit:
        raise Invalid(f"limit must lie between 1 and {service.settings.recall.max_limit}.", path="limit")
    return wanted


def _hit(row: Row) -> Hit:
    before = tuple(Predecessor(**item) for item in row["predecessors"])
    return Hit(Memory.from_row(row["state"]), row["score"], Why(row["vector_rank"], row["text_rank"]), before)

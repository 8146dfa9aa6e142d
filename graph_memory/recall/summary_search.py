"""The communities whose summary is near to a question: for who wants to know what there is, rather than one statement."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.base.scope import Scope
from graph_memory.language.texts import clean
from graph_memory.memory.community_reading import nearest as nearest_summaries
from graph_memory.memory.validation import check_vector
from graph_memory.models.embedders import embed_if_possible
from graph_memory.recall.search import MAX_QUERY
from graph_memory.recall.settings import RecallSettings
from graph_memory.store.service import Service


def nearest(
    service: Service, scope: Scope, asked: str | Sequence[float], first: int = 3
) -> list[tuple[str, float]]:
    """The ids of communities, best first, each with the cosine of its summary; none while the embedder fails."""
    vector: Sequence[float] | None = asked if not isinstance(asked, str) else None
    check_vector(vector, service.embedder.dimension, "vector")
    if isinstance(asked, str):
        [vector] = embed_if_possible(service.embedder, [clean(asked, MAX_QUERY, "query")])
    if vector is None:
        return []
    return nearest_summaries(service, scope, vector, first, service.settings[RecallSettings].min_similarity)

"""Which cosine means what: thresholds belong to an embedding model, since each spreads its vectors in its own way."""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory.embedding import profiles
from graph_memory.settings import Pipeline


@dataclass(frozen=True)
class Profile:
    """Raw cosines. From `floor` on a memory is a candidate, from `shared_floor` on when it shares an entity.

    From `related` on the nearest one that coexists is linked, though no judge named a link; from `headed` on where it
    carries a heading, since who said it and when brings all that do nearer to each other.
    """

    floor: float
    shared_floor: float
    related: float
    headed: float


def profile_of(model: str, pipeline: Pipeline) -> Profile:
    """The profile of a model; settings come before it."""
    known = profiles.of(model)
    return Profile(
        floor=known.candidates if pipeline.floor is None else pipeline.floor,
        shared_floor=known.shared if pipeline.shared_floor is None else pipeline.shared_floor,
        related=known.related if pipeline.related is None else pipeline.related,
        headed=known.linking if pipeline.related is None else pipeline.related,
    )

"""Which cosine means what: thresholds belong to an embedding model, since each spreads its vectors in its own way."""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory.settings import Pipeline


@dataclass(frozen=True)
class Profile:
    """Raw cosines. From `floor` on a memory is a candidate, from `shared_floor` on when it shares an entity.

    From `related` on the nearest one that coexists is linked, though no judge named a link.
    """

    floor: float
    shared_floor: float
    related: float


# all-MiniLM-L6-v2 gives two sentences about one matter .45 to .95, whichever runtime carries it: "has a dog" and "the dog
# is named Max" .47, "stores vectors in Pinecone" and "moved the vectors to pgvector" .46.
_KNOWN = {"minilm-l6-v2": Profile(floor=0.45, shared_floor=0.30, related=0.60)}
_OTHERS = Profile(floor=0.85, shared_floor=0.75, related=0.85)


def profile_of(model: str, pipeline: Pipeline) -> Profile:
    """The profile of a model; settings come before it."""
    known = next((each for name, each in _KNOWN.items() if name in model.casefold()), _OTHERS)
    return Profile(
        floor=known.floor if pipeline.floor is None else pipeline.floor,
        shared_floor=known.shared_floor if pipeline.shared_floor is None else pipeline.shared_floor,
        related=known.related if pipeline.related is None else pipeline.related,
    )

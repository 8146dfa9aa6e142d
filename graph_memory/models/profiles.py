"""Thresholds that belong to an embedding model: .75 of one model is not .75 of another.

All are raw cosines, from -1 to 1. With all-MiniLM-L6-v2 statements that say the same lie at .60 to .98 (mean .85), what
superseded another at .52 to .97, and what has nothing to do with one another, though about one subject, at .34 to .91.
So nothing here decides anything; it says which pairs are worth looking at. A judge decides.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Profile:
    """From these cosines on something is worth a look.

    `candidates`: an older memory is judged against a new statement; `shared`: the same when both mention an entity,
    `worded` when they have words in common that are no names.
    `related`: the nearest one that coexists is linked though no judge named a link; `headed`: the same where it carries a
    heading, since who said it and when brings all that do nearer to each other. `duplicates`: an extracted
    statement repeats a known one. `linking`: a judge is asked whether a link joins two memories.
    """

    candidates: float
    shared: float
    worded: float
    related: float
    headed: float
    duplicates: float
    linking: float


# What the first services of this kind used, with models whose cosines lie higher.
UNMEASURED = Profile(
    candidates=0.85, shared=0.75, worded=0.75, related=0.85, headed=0.75, duplicates=0.92, linking=0.75
)

# By a part of the model's name, in small letters: whichever runtime carries the weights, the cosines are the same.
# "has a dog" and "the dog is named Max" .47, "stores vectors in Pinecone" and "moved the vectors to pgvector" .46.
PROFILES = {
    "minilm-l6-v2": Profile(
        candidates=0.45, shared=0.30, worded=0.30, related=0.60, headed=0.75, duplicates=0.92, linking=0.75
    )
}


def of(model: str) -> Profile:
    """The profile of a model; one that nobody has measured has high thresholds, so set them for it."""
    return next((each for part, each in PROFILES.items() if part in model.casefold()), UNMEASURED)

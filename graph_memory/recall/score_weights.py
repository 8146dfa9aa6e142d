"""The weights of what a search sees of a memory, and the score that follows: how likely it is one that was asked for.

They are data (`data/weights.json`), fitted on questions whose answers are known by `graph-memory bench recall --fit`. There
is a set for each way in which a memory can be seen, since a score must mean the same where less is known. Their sum orders; what
chance it comes to is told by a scale for each way, fitted beside them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "data" / "weights.json"

# What is seen of a memory by each set: beside others of its sitting, apart from them, by meaning or by words alone.
SEEN = {
    "together": ("bare", "words", "entity", "author", "length", "beside", "sitting"),
    "apart": ("cosine", "bare", "words", "entity"),
    "meaning": ("cosine",),
    "words": ("words", "author", "length"),
}
# Of the likeliest that is found: whether the question has an answer here at all. Likeness to the names in it tells nothing.
ANSWERED = "answered"
SIGNS = ("bare", "words")
# The cosine from which on words count in full there.
ALIKE = 0.3
BIAS = "bias"
# How the sum of a set becomes a chance; `read` is of what was read once more (`recall/rereading.py`).
CHANCE, SLOPE, READ = "chance", "slope", "read"
# It weighs in the order alone, of questions how things are: what came later is no likelier to be about it, but to be what holds.
# So it is not fitted with what the score is made of.
RECENT = "recent"

# The sum that weighs one half where nobody has asked (`recall/surfacing.py`), for each way of seeing.
_HALF = {"together": -6.0, "meaning": 0.0, "words": 0.0}

Weights = dict[str, float]


@cache
def _told(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))[name]
    return found


@cache
def weights(name: str) -> Weights:
    """The set of that name, of all that can be seen; what it leaves out has no weight."""
    held = _told(name)
    every = dict.fromkeys(each for names in SEEN.values() for each in names)
    return {each: held.get(each, 0.0) for each in (BIAS, RECENT, *every)}


def scaled(name: str, logit: float) -> float:
    """The logit of the chance that a sum of the weights of that name comes to."""
    scale = _told(CHANCE)[name]
    return float(scale[BIAS] + scale[SLOPE] * logit)


def unscaled(name: str, logit: float) -> float:
    """The sum that comes to such a chance."""
    scale = _told(CHANCE)[name]
    return float((logit - scale[BIAS]) / scale[SLOPE])


def answered(seen: Mapping[str, float]) -> float:
    """The chance, 0 to 1, that a question has an answer, by what is seen of the likeliest memory that it finds."""
    held = weights(ANSWERED)
    return score_of(
        held[BIAS] + sum(held[each] * sign for each, sign in zip(SIGNS, signs(seen), strict=True))
    )


def signs(seen: Mapping[str, float]) -> tuple[float, float]:
    """What tells of an answer. Words count in full only where the meaning goes along: "Good morning" is in much that is said."""
    return seen["bare"], seen["words"] * min(1.0, max(0.0, seen["cosine"]) / ALIKE) ** 2


def score_of(logit: float) -> float:
    """Between 0 and 1."""
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1 + math.exp(logit))


def weight_of(name: str, logit: float) -> float:
    """How far a sum speaks for a memory that nobody has asked for, from 0 to 1; it orders, and is no chance."""
    return score_of(logit - _HALF[name])


def logit_of(score: float) -> float:
    """What a score comes from; without an end at 0."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else math.log(score / (1 - score))

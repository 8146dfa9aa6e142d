"""The weights of what a search sees of a memory, and the score that follows: how likely it is one that was asked for.

They are data (`data/weights.json`), fitted on questions whose answers are known by `graph-memory bench recall --fit`. There
is a set for each way in which a memory can be seen, since a score must mean the same where less is known.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "data" / "weights.json"

# What is seen of a memory by each set: beside others of its sitting, apart from them, by meaning or by words alone.
ALONE = ("author", "question", "length")
BESIDE = ("beside", "further", "asked", "sitting")
SEEN = {
    "together": ("cosine", "words", "entity", *ALONE, *BESIDE),
    "apart": ("cosine", "words", "entity", *ALONE),
    "meaning": ("cosine",),
    "words": ("words", *ALONE),
}
BIAS = "bias"
# It weighs in the order alone, of questions how things are: what came later is no likelier to be about it, but to be what holds.
# So it is not fitted with what the score is made of.
RECENT = "recent"

Weights = dict[str, float]


@cache
def weights(name: str) -> Weights:
    """The set of that name, of all that can be seen; what it leaves out has no weight."""
    held = json.loads(FILE.read_text("utf-8"))[name]
    return {each: held.get(each, 0.0) for each in (BIAS, RECENT, *SEEN["together"])}


def score_of(logit: float) -> float:
    """Between 0 and 1."""
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1 + math.exp(logit))


def logit_of(score: float) -> float:
    """What a score comes from; without an end at 0."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else math.log(score / (1 - score))

"""How alike two entities are: their names by meaning and by spelling, and the memories that mention both.

likeness = .4 cosine of the names' vectors + .3 ratio of their spelling + .3 Jaccard of their memories, each from 0 to 1.
A pair is looked at when one of the three is above its own threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from graph_memory.language import patterns

# Above one of these a pair is looked at.
_COSINE, _SPELLING, _OVERLAP = 0.75, 0.85, 0.3
# The best candidates that an entity is compared with.
_MOST_CANDIDATES = 5
VECTOR, SPELLING, TOGETHER = 0.4, 0.3, 0.3
# So many of the nearest by vector are looked at.
NEAREST = 50

_NUMBER = patterns.compile(r"\d+")
_SIGN = patterns.compile(r"[+#]")


@dataclass(frozen=True)
class Named:
    """An entity with the vector of its name; None while the embedder fails."""

    id: str
    name: str
    key: str
    type: str
    discriminator: str
    alias_keys: tuple[str, ...]
    link_count: int
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Pair:
    """A candidate that an entity may be the same as."""

    candidate: Named
    likeness: float


def candidates(one: Named, others: Sequence[Named], together: Mapping[str, int]) -> list[Pair]:
    """The best candidates of the same type, the likeliest first. `together`: memories that mention both."""
    same = [each for each in others if each.id != one.id and each.type == one.type and may_be_one(one, each)]
    cosines = _cosines(one, same)
    nearest = set(sorted(range(len(same)), key=lambda at: -cosines[at])[:NEAREST])
    found = []
    for at, each in enumerate(same):
        shared = together.get(each.id, 0)
        overlap = shared / max(1, one.link_count + each.link_count - shared)
        spelling = SequenceMatcher(None, one.key, each.key, autojunk=False).quick_ratio()
        if spelling >= _SPELLING:
            spelling = SequenceMatcher(None, one.key, each.key, autojunk=False).ratio()
        is_near = at in nearest and cosines[at] >= _COSINE
        if is_near or spelling >= _SPELLING or overlap >= _OVERLAP:
            likeness = VECTOR * max(0.0, cosines[at]) + SPELLING * spelling + TOGETHER * overlap
            found.append(Pair(each, likeness))
    found.sort(key=lambda pair: (-pair.likeness, pair.candidate.id))
    return found[:_MOST_CANDIDATES]


def may_be_one(one: Named, other: Named) -> bool:
    """Whether nothing in the names says that they are two: a number, a sign as in C++ and C#, a discriminator."""
    if one.discriminator != other.discriminator:
        return False
    return all(
        sorted(pattern.findall(one.key)) == sorted(pattern.findall(other.key)) for pattern in (_NUMBER, _SIGN)
    )


def is_certain(one: Named, other: Named) -> bool:
    """Whether one's key is a name of the other already, so that no judge is needed."""
    return may_be_one(one, other) and (
        one.key in (other.key, *other.alias_keys) or other.key in one.alias_keys
    )


def _cosines(one: Named, others: Sequence[Named]) -> list[float]:
    known = [each.vector for each in others]
    if one.vector is None or not known or any(each is None for each in known):
        return [0.0] * len(others)
    return [float(each) for each in np.asarray(known) @ np.asarray(one.vector)]

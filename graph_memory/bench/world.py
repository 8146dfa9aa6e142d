"""The made-up data of `bench store`: clustered unit vectors with plain words, spread over tenants and subjects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from graph_memory.model.memory import Fact

Vectors = NDArray[np.float64]

CLUSTERS = 200
WORDS = 2000
OTHERS = 20


@dataclass(frozen=True)
class Given:
    """What one subject of one tenant gets; `live` marks the facts that still hold."""

    tenant: str
    subject: str
    facts: list[Fact]
    vectors: Vectors
    live: NDArray[np.bool_]


@dataclass(frozen=True)
class World:
    """All that is imported, and a source of questions near its clusters."""

    given: list[Given]
    centres: Vectors
    seed: int

    @property
    def size(self) -> int:
        return sum(len(given.facts) for given in self.given)

    @property
    def tenants(self) -> list[str]:
        return list(dict.fromkeys(given.tenant for given in self.given))

    def of(self, tenant: str, subject: str | None = None) -> list[Given]:
        """What a tenant has, or one subject of it."""
        return [given for given in self.given if given.tenant == tenant and subject in (None, given.subject)]

    def questions(self, count: int) -> list[tuple[list[float], str]]:
        """Vectors near the clusters, each with three words; the same ones every time."""
        source = np.random.default_rng(self.seed + 1)
        vectors = _near(self.centres[source.integers(0, len(self.centres), count)], source)
        return [(vector.tolist(), _words(source, 3)) for vector in vectors]

    def nearest(self, given: Sequence[Given], vector: Sequence[float], count: int) -> set[str]:
        """The texts of the live facts nearest to a vector, by an exact scan."""
        texts = [
            fact.text for each in given for fact, live in zip(each.facts, each.live, strict=True) if live
        ]
        vectors = np.concatenate([each.vectors[each.live] for each in given])
        best = np.argsort(-(vectors @ np.asarray(vector)), kind="stable")[:count]
        return {texts[place] for place in best}


def world(memories: int, seed: int, dimension: int, now: datetime) -> World:
    """One tenant with three quarters, one with 1 %, the rest over twenty; in the big one a subject of 1 % of it."""
    source = np.random.default_rng(seed)
    centres = _unit(source.normal(size=(CLUSTERS, dimension)))
    big, small = memories * 3 // 4, memories // 100
    rest = (memories - big - small) // OTHERS
    sizes = [("small", "default", small)]
    sizes += [(f"other-{number}", "default", rest) for number in range(OTHERS)]
    sizes += [
        ("big", name, round(big * share))
        for name, share in (("half", 0.5), ("quarter", 0.25), ("one-percent", 0.01))
    ]
    left = memories - sum(size for _, _, size in sizes)
    sizes += [("big", f"user-{number}", left // 12) for number in range(12)]
    given = [_given(tenant, subject, size, centres, source, now) for tenant, subject, size in sizes if size]
    return World(given, centres, seed)


def _given(
    tenant: str, subject: str, size: int, centres: Vectors, source: np.random.Generator, now: datetime
) -> Given:
    vectors = _near(centres[source.integers(0, len(centres), size)], source)
    live = source.random(size) < 0.5
    facts = [
        Fact(
            text=f"{_words(source, 8)} {tenant} {subject} {number}",
            vector=tuple(vector.tolist()),
            entities=(),
            valid_from=now - timedelta(days=200),
            valid_to=None if live[number] else now - timedelta(days=int(source.integers(1, 100))),
        )
        for number, vector in enumerate(vectors)
    ]
    return Given(tenant, subject, facts, vectors, live)


def _near(centres: Vectors, source: np.random.Generator) -> Vectors:
    return _unit(centres + source.normal(scale=0.8 / np.sqrt(centres.shape[1]), size=centres.shape))


def _unit(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _words(source: np.random.Generator, count: int) -> str:
    return " ".join(f"word{number}" for number in source.zipf(1.3, count) % WORDS)

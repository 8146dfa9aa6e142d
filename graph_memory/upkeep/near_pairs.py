"""Memories that lie near each other in different clusters: what says the same is found wherever a line was drawn.

A cluster tells what belongs together. It is cut where it is too large, and a memory that says a part of another may be
nearer to many others than to that one. So each memory is also looked at with its nearest neighbours outside its cluster.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from graph_memory.upkeep.clusters import Cluster
from graph_memory.upkeep.vector_clusters import Vectors

# Neighbours of a memory that are looked at, in its cluster or not.
NEAREST = 10
_ROWS = 500


@dataclass(frozen=True)
class Neighbourhood:
    """A memory, and those near it that are in another cluster or in none, the nearest first."""

    id: str
    near: tuple[str, ...]


def across(
    found: Vectors, clusters: Sequence[Cluster], looked_at: Set[str], similarity: float
) -> list[Neighbourhood]:
    """For each memory that is looked at its nearest down to a raw cosine, without those of its own cluster.

    A pair is in one neighbourhood only.
    """
    where = {id: place for place, cluster in enumerate(clusters) for id in cluster.members}
    told, around = set[tuple[int, int]](), list[Neighbourhood]()
    places = [place for place, id in enumerate(found.ids) if id in looked_at]
    for start in range(0, len(places), _ROWS):
        for one, near in _nearest(found, places[start : start + _ROWS], similarity):
            cluster = where.get(found.ids[one])
            new = [
                other
                for other in near
                if (cluster is None or where.get(found.ids[other]) != cluster)
                and (min(one, other), max(one, other)) not in told
            ]
            told.update((min(one, other), max(one, other)) for other in new)
            if new:
                around.append(Neighbourhood(found.ids[one], tuple(found.ids[other] for other in new)))
    return around


def _nearest(found: Vectors, places: Sequence[int], similarity: float) -> list[tuple[int, list[int]]]:
    """For each place those of its nearest, the nearest first; of equals the first."""
    alike = np.round(found.rows[list(places)] @ found.rows.T, 5)
    alike[np.arange(len(places)), places] = -np.inf
    most = min(NEAREST, len(found.ids) - 1)
    if most < 1:
        return []
    least = -np.partition(-alike, most - 1, axis=1)[:, most - 1]
    nearest = []
    for row, place in enumerate(places):
        candidates = np.flatnonzero(alike[row] >= max(similarity, float(least[row])))
        order = candidates[np.argsort(-alike[row, candidates], kind="stable")]
        nearest.append((place, [int(other) for other in order[:most]]))
    return nearest

"""Clusters by vectors alone, without a graph library; and what is too large, taken apart.

Every order is that of what memories say, so the same memories give the same clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph_memory.base.clock import FOREVER
from graph_memory.base.scope import Scope
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.upkeep.clusters import Cluster, vectors

HUBS = query("consolidation/hubs")
VECTORS = query("consolidation/vectors")

Matrix = NDArray[np.float32]

# What makes a hub, and how many are looked at.
_IMPORTANCE, _ACCESSES, _LINKS, _MOST_HUBS = 0.3, 5, 5, 50
# A cluster round a hub is one when its members are so alike the hub on average.
_ALIKE_HUB = 0.8
_OVERFETCH = 4
_PAGE = 2000
# Of more than these not every pair is looked at, for time and room grow with the square.
_MOST_PAIRED = 2000
_NEAREST = 20


@dataclass(frozen=True)
class Vectors:
    """Memories in the order of what they say, and their vectors, of length 1."""

    ids: tuple[str, ...]
    rows: Matrix


def around_hubs(service: Service, scope: Scope, subject: str, similarity: float, most: int) -> list[Cluster]:
    """Each hub, the most important first, with what is nearest to it; no memory is in two clusters.

    A hub is used (importance .3 and five accesses) or linked to (five links that somebody judged).
    """
    rows = service.read(
        scope,
        HUBS,
        subject=subject,
        forever=FOREVER,
        now=service.clock(),
        least_importance=_IMPORTANCE,
        least_accesses=_ACCESSES,
        least_links=_LINKS,
        most_hubs=_MOST_HUBS,
        fetch=most * _OVERFETCH,
        similarity=similarity,
    )
    taken, found = set[str](), list[Cluster]()
    for row in rows:
        near = [each for each in row["near"] if each["id"] not in taken][: most - 1]
        if row["id"] in taken or not near:
            continue
        coherence = sum(each["cosine"] for each in near) / len(near)
        if coherence >= _ALIKE_HUB:
            members = frozenset({row["id"], *(each["id"] for each in near)})
            taken |= members
            found.append(Cluster(members, row["caption"], row["id"], min(1.0, coherence)))
    return found


def read_vectors(service: Service, scope: Scope, subject: str) -> Vectors:
    """The vectors of a subject's live memories."""
    keys, found = list[tuple[str, str]](), list[Matrix]()
    after = ""
    while True:
        page = service.read(scope, VECTORS, subject=subject, after=after, first=_PAGE, **vectors(service))
        keys += [(row["content_hash"] or "", row["id"]) for row in page]
        if page:
            found.append(np.asarray([row["vector"] for row in page], np.float32))
        if len(page) < _PAGE:
            break
        after = page[-1]["id"]
    order = sorted(range(len(keys)), key=lambda at: keys[at])
    rows = np.concatenate(found)[order] if found else np.zeros((0, 1), np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return Vectors(tuple(keys[at][1] for at in order), units)


def agglomerated(found: Vectors, similarity: float, min_size: int) -> list[Cluster]:
    """Clusters by average linkage, joined down to a raw cosine."""
    clusters = []
    for part in _components(found.rows, similarity):
        for block in _in_blocks(found.rows, part):
            clusters += [[block[at] for at in group] for group in _linked(found.rows[block], similarity)]
    kept = [described(found, group) for group in clusters if len(group) >= min_size]
    return sorted(kept, key=lambda cluster: (-len(cluster.members), cluster.central_id))


def sized(found: Vectors, cluster: Cluster, most: int) -> list[Cluster]:
    """The cluster, or clusters of at most so many that hold all its members, the nearest together."""
    if len(cluster.members) <= most:
        return [cluster]
    places = [at for at, id in enumerate(found.ids) if id in cluster.members]
    return [
        described(found, [block[at] for at in part])
        for block in _in_blocks(found.rows, places)
        for part in _parts(found.rows[block], most)
    ]


def described(found: Vectors, places: Sequence[int]) -> Cluster:
    """A cluster of the memories at these places."""
    rows = found.rows[list(places)]
    alike = rows @ rows.sum(axis=0) - 1
    coherence = float(alike.sum() / (len(places) * (len(places) - 1)))
    central = found.ids[places[int(np.argmax(np.round(alike, 5)))]]
    members = frozenset(found.ids[at] for at in places)
    return Cluster(members, "", central, min(1.0, max(0.0, coherence)))


def _components(rows: Matrix, similarity: float) -> list[list[int]]:
    """The places that are joined by pairs at least so alike; average linkage never joins across them."""
    roots = list(range(len(rows)))
    for start in range(0, len(rows), _PAGE):
        near = rows[start : start + _PAGE] @ rows.T >= similarity
        for one, other in zip(*np.nonzero(near), strict=True):
            _join(roots, start + int(one), int(other))
    return _grouped(roots)


def _in_blocks(rows: Matrix, places: Sequence[int]) -> list[list[int]]:
    """The places in halves of halves, along what tells them apart most, until every pair of a block can be looked at."""
    if len(places) <= _MOST_PAIRED:
        return [list(places)]
    held = rows[list(places)]
    centred = held - held.mean(axis=0)
    _, _, axes = np.linalg.svd(centred.T @ centred)
    along = np.argsort(centred @ axes[0], kind="stable")
    half = len(places) // 2
    return [
        block
        for part in (along[:half], along[half:])
        for block in _in_blocks(rows, sorted(places[int(at)] for at in part))
    ]


def _linked(rows: Matrix, similarity: float) -> list[list[int]]:
    """Average linkage by chains of nearest neighbours."""
    alike = (rows @ rows.T).astype(np.float64).round(6)
    np.fill_diagonal(alike, -np.inf)
    groups: dict[int, list[int]] = {at: [at] for at in range(len(rows))}
    done: list[list[int]] = []
    chain: list[int] = []
    while groups:
        if not chain:
            chain = [next(iter(groups))]
        last = chain[-1]
        nearest = int(np.argmax(alike[last]))
        if not alike[last, nearest] >= similarity:
            done.append(groups.pop(last))
            _forget(alike, last)
            chain.pop()
        elif len(chain) > 1 and alike[last, chain[-2]] >= alike[last, nearest]:
            other = chain[-2]
            del chain[-2:]
            one, two = len(groups[last]), len(groups[other])
            joined = (one * alike[last] + two * alike[other]) / (one + two)
            keep, gone = min(last, other), max(last, other)
            alike[keep], alike[:, keep] = joined, joined
            alike[keep, keep] = -np.inf
            _forget(alike, gone)
            groups[keep] += groups.pop(gone)
        else:
            chain.append(nearest)
    return sorted(sorted(group) for group in done)


def _forget(alike: NDArray[np.float64], at: int) -> None:
    alike[at], alike[:, at] = -np.inf, -np.inf


def _parts(rows: Matrix, most: int) -> list[list[int]]:
    """Parts of about one size, at most so many in each and two at least: the likest pairs are joined first."""
    count = len(rows)
    least_parts = -(-count // most)
    full = -(-count // least_parts)
    alike = np.round(rows @ rows.T, 5)
    np.fill_diagonal(alike, -np.inf)
    nearest = np.argsort(-alike, axis=1, kind="stable")[:, : min(_NEAREST, count - 1)]
    pairs = sorted(
        (-float(alike[one, other]), min(one, other), max(one, other))
        for one in range(count)
        for other in map(int, nearest[one])
    )
    roots, sizes = list(range(count)), [1] * count
    for _, one, other in pairs:
        a, b = _root(roots, one), _root(roots, other)
        if a != b and sizes[a] + sizes[b] <= full:
            _join(roots, a, b)
            sizes[_root(roots, a)] = sizes[a] + sizes[b]
    return _packed(_grouped(roots), most)


def _packed(groups: list[list[int]], most: int) -> list[list[int]]:
    """The groups, the small ones put to others, so that no memory is left alone."""
    packed: list[list[int]] = []
    for group in sorted(groups, key=lambda group: (-len(group), group)):
        fitting = next((each for each in packed if len(each) + len(group) <= most), None)
        if fitting is None:
            packed.append(list(group))
        else:
            fitting += group
    for group in packed:
        largest = max(packed, key=len)
        if len(group) == 1 and len(largest) > len(group) + 1:
            group.append(largest.pop())
    return [sorted(group) for group in packed]


def _root(roots: list[int], at: int) -> int:
    while roots[at] != at:
        roots[at] = roots[roots[at]]
        at = roots[at]
    return at


def _join(roots: list[int], one: int, other: int) -> None:
    a, b = _root(roots, one), _root(roots, other)
    roots[max(a, b)] = min(a, b)


def _grouped(roots: list[int]) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for at in range(len(roots)):
        groups.setdefault(_root(roots, at), []).append(at)
    return list(groups.values())

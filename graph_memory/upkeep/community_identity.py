"""Which of the new clusters is which of the old communities: a pure function of their members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Members = frozenset[str]
Group = TypeVar("Group", bound=Hashable)


@dataclass(frozen=True)
class Matching:
    """`kept[i]` is the id of the community that cluster i continues, None for a born one; `ended` are the others.

    `sources[i]` is the community whose members make up most of cluster i, `targets` tells for each community which
    cluster took in most of it; None where there is none such.
    """

    kept: tuple[str | None, ...]
    ended: tuple[str, ...]
    sources: tuple[str | None, ...]
    targets: Mapping[str, int | None]

    @property
    def split(self) -> int:
        """Communities whose members make up most of several clusters."""
        return _several(self.sources)

    @property
    def merged(self) -> int:
        """Clusters that took in most of several communities."""
        return _several(self.targets.values())


def match(old: Mapping[str, Members], new: Sequence[Members], overlap: float) -> Matching:
    """Pairs clusters with communities, greatest Jaccard overlap first, each at most once.

    A pair below `overlap` (in (0, 1]) is no continuation. The same input gives the same answer in any order
    of `old`.
    """
    where, after = _places(sorted(old.items())), _places(enumerate(new))
    kept: dict[int, str] = {}
    taken: set[str] = set()
    for _, id, cluster in _pairs(old, new, where, overlap):
        if cluster not in kept and id not in taken:
            kept[cluster] = id
            taken.add(id)
    return Matching(
        kept=tuple(kept.get(index) for index in range(len(new))),
        ended=tuple(sorted(old.keys() - taken)),
        sources=tuple(_most(cluster, where) for cluster in new),
        targets={id: _most(members, after) for id, members in old.items()},
    )


def _pairs(
    old: Mapping[str, Members], new: Sequence[Members], where: Mapping[str, Sequence[str]], overlap: float
) -> list[tuple[float, str, int]]:
    pairs = []
    for index, cluster in enumerate(new):
        common = Counter(id for member in cluster for id in where.get(member, ()))
        for id, count in common.items():
            jaccard = count / (len(cluster) + len(old[id]) - count)
            if jaccard >= overlap:
                pairs.append((-jaccard, id, index))
    return sorted(pairs)


def _places(groups: Iterable[tuple[Group, Members]]) -> dict[str, list[Group]]:
    """For each member the groups that it is in."""
    where: dict[str, list[Group]] = {}
    for group, members in groups:
        for member in members:
            where.setdefault(member, []).append(group)
    return where


def _most(members: Members, where: Mapping[str, Sequence[Group]]) -> Group | None:
    """The group that holds more than half of the members."""
    common = Counter(group for member in members for group in where.get(member, ()))
    return next((group for group, count in common.items() if 2 * count > len(members)), None)


def _several(found: Iterable[Hashable]) -> int:
    counts = Counter(item for item in found if item is not None)
    return sum(count > 1 for count in counts.values())

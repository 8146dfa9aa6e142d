"""Which of the new clusters is which of the old communities: a pure function of their members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Members = frozenset[str]


@dataclass(frozen=True)
class Matching:
    """`kept[i]` is the id of the community that cluster i continues, None for a born one.

    `ended` are the others.

    `split`: communities whose members make up most of several clusters. `merged`: clusters that took in most
    of several communities.
    """

    kept: tuple[str | None, ...]
    ended: tuple[str, ...]
    split: int
    merged: int


def match(old: Mapping[str, Members], new: Sequence[Members], overlap: float) -> Matching:
    """Pairs clusters with communities, greatest Jaccard overlap first, each at most once.

    A pair below `overlap` (in (0, 1]) is no continuation. The same input gives the same answer in any order
    of `old`.
    """
    kept: dict[int, str] = {}
    for _, id, cluster in _pairs(old, new, overlap):
        if cluster not in kept and id not in kept.values():
            kept[cluster] = id
    return Matching(
        kept=tuple(kept.get(index) for index in range(len(new))),
        ended=tuple(sorted(old.keys() - kept.values())),
        split=_several(_main_source(cluster, old) for cluster in new),
        merged=_several(_main_target(members, new) for members in old.values()),
    )


def _pairs(
    old: Mapping[str, Members], new: Sequence[Members], overlap: float
) -> list[tuple[float, str, int]]:
    where: dict[str, list[str]] = {}
    for id in sorted(old):
        for member in old[id]:
            where.setdefault(member, []).append(id)
    pairs = []
    for index, cluster in enumerate(new):
        common = Counter(id for member in cluster for id in where.get(member, ()))
        for id, count in common.items():
            jaccard = count / (len(cluster) + len(old[id]) - count)
            if jaccard >= overlap:
                pairs.append((-jaccard, id, index))
    return sorted(pairs)


def _main_source(cluster: Members, old: Mapping[str, Members]) -> str | None:
    return next(
        (id for id, members in sorted(old.items()) if 2 * len(cluster & members) > len(cluster)), None
    )


def _main_target(members: Members, new: Sequence[Members]) -> int | None:
    return next(
        (index for index, cluster in enumerate(new) if 2 * len(cluster & members) > len(members)), None
    )


def _several(found: object) -> int:
    counts = Counter(item for item in found if item is not None)  # type: ignore[attr-defined]
    return sum(count > 1 for count in counts.values())

"""Finding the communities of a large subject anew from what changed in it, without clustering all of it again.

A memory that is new, or says something else, joins the community to which most of its nearest neighbours belong, by their
weights. Those whose neighbours belong to none are joined with these into groups of their own. Every community keeps its
other members. So that small steps do not add up, the whole is clustered again when a share of the subject has changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from graph_memory.upkeep.clusters import Cluster, raw_to_library


@dataclass(frozen=True)
class Near:
    """A memory near to one that changed: how near, and the community that it is in."""

    id: str
    cosine: float
    community: str | None


@dataclass(frozen=True)
class Changed:
    """A memory that is new or says something else, with what is nearest to it, the nearest first."""

    id: str
    caption: str
    near: tuple[Near, ...]


@dataclass(frozen=True)
class Known:
    """A community as it stands: its members, the one most alike the others, and its name."""

    members: frozenset[str]
    central_id: str
    label: str


def touched(changed: Sequence[Changed], left: Iterable[str]) -> set[str]:
    """The communities that a change touches: those that memories join, and those that they `left`."""
    moving = {each.id for each in changed}
    return {*left, *(id for each in changed if (id := _chosen(each, moving)) is not None)}


def place_changed(
    communities: Mapping[str, Known], changed: Sequence[Changed], gone: Set[str], min_size: int
) -> list[Cluster]:
    """The communities that are touched, as clusters after the change; the same in any order of `communities`."""
    moving = {each.id for each in changed} | gone
    members = {id: set(known.members - moving) for id, known in communities.items()}
    loose: list[Changed] = []
    for each in changed:
        chosen = _chosen(each, moving)
        if chosen is None:
            loose.append(each)
        else:
            members[chosen].add(each.id)
    grown = [
        Cluster(frozenset(now), communities[id].label, _central(communities[id], now))
        for id, now in sorted(members.items())
        if len(now) >= min_size
    ]
    return [*grown, *_groups(loose, moving, min_size)]


def _chosen(each: Changed, moving: Set[str]) -> str | None:
    """The community that weighs most among the nearest; None where those without one weigh more."""
    weights: dict[str | None, float] = defaultdict(float)
    for near in each.near:
        weights[None if near.id in moving else near.community] += raw_to_library(near.cosine)
    return max(weights, key=lambda id: (weights[id], id or ""), default=None)


def _groups(loose: Sequence[Changed], moving: Set[str], min_size: int) -> list[Cluster]:
    """What belongs to no community, joined where one is near the other."""
    alone = {each.id for each in loose}
    leader: dict[str, str] = {}

    def find(id: str) -> str:
        while leader.setdefault(id, id) != id:
            leader[id] = leader[leader[id]]
            id = leader[id]
        return id

    for each in loose:
        for near in each.near:
            if near.id in alone or (near.community is None and near.id not in moving):
                one, other = sorted((find(each.id), find(near.id)))
                leader[other] = one
    captions = {each.id: each.caption for each in loose}
    groups: dict[str, set[str]] = defaultdict(set)
    for id in list(leader):
        groups[find(id)].add(id)
    return [
        Cluster(frozenset(group), _caption(group, loose, captions), _first(group, loose))
        for _, group in sorted(groups.items())
        if len(group) >= min_size
    ]


def _central(known: Known, members: Iterable[str]) -> str:
    """The one of before, as long as it is there."""
    now = set(members)
    return known.central_id if known.central_id in now else min(now)


def _first(group: Set[str], loose: Sequence[Changed]) -> str:
    return next((each.id for each in loose if each.id in group), min(group))


def _caption(group: Set[str], loose: Sequence[Changed], captions: Mapping[str, str]) -> str:
    return captions.get(_first(group, loose), "")

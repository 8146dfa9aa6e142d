"""Following links: neighbours to an exact number of hops, the path between two memories, the graph around some.

All under one moment: only links recorded then are followed, only memories whose state answers then are met, and what
does not answer is not passed through. Work is bounded; what was cut short says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from graph_memory.base.errors import Invalid, NotFound
from graph_memory.base.ids import check_id, derived_id
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.memory.links import share
from graph_memory.memory.reading import Link
from graph_memory.memory.sharing import shared_of
from graph_memory.model.link_kinds import DERIVED, SYMMETRIC, LinkKind, kinds_of
from graph_memory.model.memory import Memory, Status
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

# Memories of one answer.
MOST_MEMORIES = 1000
# When nobody says how many.
_USUAL_DEPTH = 3
_USUAL_LIMIT = 100
# Links followed in one direction: of a start, and for one hop from many memories, in equal shares.
FAN_OUT = 1000
READS = 50_000
REACH = query("traverse/reach")
PATH = query("traverse/path")
STARTS = query("traverse/starts")
BETWEEN = query("traverse/between")

MAX_DEPTH = 5
MAX_HOPS = 6
MAX_SUBGRAPH_DEPTH = 3
# Hops that one statement follows; more are several statements.
_STRIDE = 3


class Direction(StrEnum):
    """Which way links are followed from a memory. CONFLICTS and SHARES_ENTITY have no direction."""

    OUT = "OUT"
    IN = "IN"
    BOTH = "BOTH"


@dataclass(frozen=True)
class Neighbour:
    """A memory that was reached, at its shortest depth, and the links that led there from the hop before."""

    memory: Memory
    depth: int
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Neighbours:
    """The memories that were reached, nearest first; `truncated` when there are more than was asked for or read."""

    items: list[Neighbour]
    truncated: bool


@dataclass(frozen=True)
class Path:
    """The memories along a shortest path, both ends included, and the links between them. Empty when there is none.

    `truncated` with an empty path: the search was cut short, so there may be one.
    """

    nodes: list[Memory]
    edges: list[Link]
    truncated: bool


@dataclass(frozen=True)
class Subgraph:
    """Memories and every link between them."""

    nodes: list[Memory]
    edges: list[Link]
    truncated: bool


@dataclass(frozen=True)
class View:
    """What a traversal follows and whom it meets. `as_of` None: whether a statement still holds does not matter."""

    out: frozenset[LinkKind]
    into: frozenset[LinkKind]
    as_of: datetime | None
    known_at: datetime
    moment: Moment
    is_past: bool
    put_away: tuple[Status, ...] = ()
    min_strength: float = 0.0
    min_confidence: float = 0.0

    @property
    def statuses(self) -> tuple[Status, ...]:
        """What is met where time does not matter."""
        return (Status.ACTIVE, *self.put_away)

    @property
    def derives(self) -> bool:
        """Whether shared entities must be computed for a past moment."""
        return self.is_past and not (self.out | self.into).isdisjoint(DERIVED)


def neighbours(
    service: Service,
    scope: Scope,
    id: str,
    kinds: Iterable[str] | None = None,
    direction: Direction = Direction.BOTH,
    depth: int | None = None,
    min_strength: float = 0.0,
    min_confidence: float = 0.0,
    moment: Moment = NOW,
    include_archived: bool = False,
    include_past: bool = False,
    limit: int | None = None,
) -> Neighbours:
    """The memories within `depth` hops: 1 is direct neighbours, 0 nobody, more than 5 counts as 5.

    Without `kinds` every type but SHARES_ENTITY. `include_past` also meets what has ended, as superseded memories
    have. Raises NotFound for a start that is missing, foreign or not known yet.
    """
    view = view_of(
        service, kinds, direction, moment, include_archived, include_past, min_strength, min_confidence
    )
    wanted, most = _depth(depth, MAX_DEPTH), _limit(limit)
    if wanted == 0:
        require_starts(service, scope, [id], view)
    return walk(service, scope, [check_id(id)], view, wanted, most)


def path(
    service: Service,
    scope: Scope,
    from_id: str,
    to_id: str,
    max_hops: int = MAX_HOPS,
    kinds: Iterable[str] | None = None,
    moment: Moment = NOW,
    include_archived: bool = False,
    include_past: bool = False,
) -> Path:
    """A shortest path between two memories, links followed either way."""
    view = view_of(service, kinds, Direction.BOTH, moment, include_archived, include_past)
    if not 0 <= max_hops <= MAX_HOPS:
        raise Invalid(f"maxHops is {max_hops}; it must lie between 0 and {MAX_HOPS}.", path="maxHops")
    hops = max_hops
    starts = require_starts(service, scope, [from_id, to_id], view)
    if not all(_answers(memory, view) for memory in starts.values()):
        return Path([], [], truncated=False)
    if from_id == to_id:
        return Path([starts[from_id]], [], truncated=False)
    found = None if view.derives else _shortest(service, scope, from_id, to_id, view, hops)
    if found is not None:
        return found
    most = MOST_MEMORIES
    near = walk(service, scope, [from_id], view, (hops + 1) // 2, most)
    far = walk(service, scope, [to_id], view, hops // 2, most)
    return _joined(starts[from_id], starts[to_id], near, far)


def subgraph(
    service: Service,
    scope: Scope,
    ids: Sequence[str],
    depth: int = 1,
    kinds: Iterable[str] | None = None,
    moment: Moment = NOW,
    include_archived: bool = False,
    include_past: bool = False,
    limit: int | None = None,
) -> Subgraph:
    """The named memories, what lies within `depth` hops (at most 3) of any of them, and all links among these."""
    view = view_of(service, kinds, Direction.BOTH, moment, include_archived, include_past)
    most = _limit(limit)
    if len(set(ids)) > most:
        raise Invalid(f"{len(set(ids))} memories were named; at most {most} are taken.", path="ids")
    starts = require_starts(service, scope, ids, view)
    reached = walk(service, scope, list(starts), view, _depth(depth, MAX_SUBGRAPH_DEPTH), most - len(starts))
    nodes = [*starts.values(), *(item.memory for item in reached.items)]
    edges, is_cut = between(service, scope, [node.id for node in nodes], view)
    return Subgraph(nodes, edges, reached.truncated or is_cut)


def view_of(
    service: Service,
    kinds: Iterable[str] | None,
    direction: Direction,
    moment: Moment,
    include_archived: bool = False,
    include_past: bool = False,
    min_strength: float = 0.0,
    min_confidence: float = 0.0,
) -> View:
    """What a caller's arguments come to."""
    named = kinds_of(kinds)
    loose = named & SYMMETRIC
    now = service.clock()
    as_of, known_at = moment.at(now)
    return View(
        out=loose if direction is Direction.IN else named,
        into=loose if direction is Direction.OUT else named,
        as_of=None if include_past else as_of,
        known_at=known_at,
        moment=moment,
        is_past=moment.is_past(now),
        put_away=(Status.ARCHIVED, Status.MERGED) if include_archived else (),
        min_strength=share("minStrength", min_strength),
        min_confidence=share("minConfidence", min_confidence),
    )


def require_starts(service: Service, scope: Scope, ids: Sequence[str], view: View) -> dict[str, Memory]:
    """The memories by id, as they were recorded then, whatever their status; NotFound names one that was not."""
    wanted = list(dict.fromkeys(check_id(id) for id in ids))
    rows = service.read(scope, STARTS, ids=wanted, known_at=view.known_at)
    found = {row["id"]: Memory.from_row(row["state"]) for row in rows}
    _require(wanted, found)
    return {id: found[id] for id in wanted}


def walk(
    service: Service, scope: Scope, ids: Sequence[str], view: View, depth: int, limit: int
) -> Neighbours:
    """Hop by hop from all of `ids` at once; each memory once, at its shortest depth, the strongest first.

    Raises NotFound for a start that is missing, foreign or was not known then.
    """
    found: list[Neighbour] = []
    seen, here, at, is_cut = list(ids), list(ids), 0, False
    while at < depth and here and len(found) <= limit:
        hops = 1 if view.derives else min(_STRIDE, depth - at)
        step = _step(service, scope, here, seen, view, hops, limit - len(found))
        if at == 0:
            _require(ids, step.starts)
        found += [replace(item, depth=item.depth + at) for item in step.items]
        is_cut = is_cut or step.is_cut
        at += hops
        seen += [item.memory.id for item in step.items]
        here = [item.memory.id for item in step.items if item.depth == hops]
    return Neighbours(found[:limit], is_cut or len(found) > limit)


@dataclass(frozen=True)
class _Step:
    starts: Collection[str]
    items: list[Neighbour]
    is_cut: bool


def _step(
    service: Service,
    scope: Scope,
    here: Sequence[str],
    seen: Sequence[str],
    view: View,
    hops: int,
    limit: int,
) -> _Step:
    rows = service.read(
        scope,
        REACH,
        view=_as_sent(view),
        walk={
            "ids": list(here),
            "seen": list(seen),
            "depth": hops,
            "limit": len(here) + limit + 1,
            "fan_out": min(FAN_OUT, max(1, READS // len(here))),
            "fan_on": min(FAN_OUT, max(1, READS // (limit + 1))),
        },
    )
    items = [
        Neighbour(
            Memory.from_row(row["state"]), row["depth"], tuple(link_from(link) for link in row["links"])
        )
        for row in rows
        if row["depth"]
    ]
    if view.derives:
        items = _with_shared(items, _shared(service, scope, here, seen, view))
    starts = [row["id"] for row in rows if not row["depth"]]
    return _Step(starts, items, any(row["is_cut"] for row in rows))


def _as_sent(view: View) -> Row:
    return {
        "out": sorted(view.out),
        "into": sorted(view.into),
        "as_of": view.as_of,
        "statuses": list(view.statuses),
        "put_away": list(view.put_away),
        **_recorded(view),
    }


def _recorded(view: View) -> Row:
    """Which links count: recorded then and strong enough; stored shared entities only when the moment is not past."""
    return {
        "known_at": view.known_at,
        "min_strength": view.min_strength,
        "min_confidence": view.min_confidence,
        "with_shared": not view.is_past,
    }


def _shared(
    service: Service, scope: Scope, here: Sequence[str], seen: Collection[str], view: View
) -> list[Neighbour]:
    """Who shared an entity with these memories at a past moment, by the rule of `sharing`."""
    pairs = [
        (id, other)
        for id, others in shared_of(service, scope, here, view.moment).items()
        for other in others
        if other.id not in seen and other.weight >= view.min_strength
    ]
    states = require_starts(service, scope, [other.id for _, other in pairs], view)
    links: dict[str, list[Link]] = {}
    for id, other in pairs:
        memory = states[other.id]
        derived = {"weight": other.weight, "names": list(other.names), "created_at": memory.created_at}
        links.setdefault(other.id, []).append(link_from({"from_id": id, "to_id": other.id, **derived}))
    return [Neighbour(states[id], 1, tuple(found)) for id, found in links.items()]


def _with_shared(items: list[Neighbour], shared: list[Neighbour]) -> list[Neighbour]:
    found = {item.memory.id: item for item in items}
    for item in shared:
        known = found.get(item.memory.id)
        found[item.memory.id] = replace(known, links=known.links + item.links) if known else item
    return list(found.values())


def between(service: Service, scope: Scope, ids: Sequence[str], view: View) -> tuple[list[Link], bool]:
    """The links among some memories, and whether there are more than were read."""
    kinds = sorted(view.out | view.into)
    rows = service.read(scope, BETWEEN, ids=list(ids), kinds=kinds, reads=READS, **_recorded(view))
    edges = [link_from(row) for row in rows]
    if view.derives:
        inside = set(ids)
        shared = _shared(service, scope, ids, (), view)
        derived = {link.id: link for item in shared if item.memory.id in inside for link in item.links}
        edges += derived.values()
    return edges, len(rows) >= READS


def link_from(row: Mapping[str, Any]) -> Link:
    """A link as it is stored; a derived one gets an id of its ends, and its weight, cut at 1, for its strength."""
    if row["weight"] is None:
        return Link(**{name: row[name] for name in Link.__dataclass_fields__})
    low, high = sorted((row["from_id"], row["to_id"]))
    return Link(
        id=derived_id(LinkKind.SHARES_ENTITY, low, high),
        kind=LinkKind.SHARES_ENTITY,
        from_id=row["from_id"],
        to_id=row["to_id"],
        reason=f"Both mention {', '.join(row['names'])}.",
        confidence=1.0,
        strength=min(1.0, row["weight"]),
        created_at=row["created_at"],
        created_by="graph_memory",
    )


def _shortest(service: Service, scope: Scope, from_id: str, to_id: str, view: View, hops: int) -> Path | None:
    """What the server finds. None when its path leads over a memory that was not to be met at that moment."""
    rows = service.read(scope, PATH, **{"from": from_id, "to": to_id, "view": _as_sent(view)})
    if not rows or len(rows[0]["links"]) > hops:
        return Path([], [], truncated=False)
    [row] = rows
    known = service.read(scope, STARTS, ids=row["ids"], known_at=view.known_at)
    states = {each["id"]: Memory.from_row(each["state"]) for each in known}
    if any(id not in states or not _answers(states[id], view) for id in row["ids"]):
        return None
    return Path(
        [states[id] for id in row["ids"]], [link_from(link) for link in row["links"]], truncated=False
    )


def _joined(start: Memory, end: Memory, near: Neighbours, far: Neighbours) -> Path:
    """The two searches joined where the way is shortest."""
    here = {start.id: Neighbour(start, 0, ()), **{item.memory.id: item for item in near.items}}
    there = {end.id: Neighbour(end, 0, ()), **{item.memory.id: item for item in far.items}}
    meeting = min(
        here.keys() & there.keys(), key=lambda id: (here[id].depth + there[id].depth, id), default=None
    )
    if meeting is None:
        return Path([], [], near.truncated or far.truncated)
    before, first = _way_back(here, meeting)
    after, second = _way_back(there, meeting)
    nodes = [*reversed(before), here[meeting].memory, *after]
    return Path(nodes, [*reversed(first), *second], truncated=False)


def _way_back(found: Mapping[str, Neighbour], id: str) -> tuple[list[Memory], list[Link]]:
    """The memories from the one before `id` to the start, and the links on the way."""
    nodes: list[Memory] = []
    links: list[Link] = []
    while found[id].depth:
        best = max(found[id].links, key=lambda link: (link.strength * link.confidence, link.id))
        links.append(best)
        id = best.from_id if best.to_id == id else best.to_id
        nodes.append(found[id].memory)
    return nodes, links


def _answers(memory: Memory, view: View) -> bool:
    if view.as_of is None:
        return memory.status in view.statuses
    ends = memory.valid_to if memory.status in view.put_away else memory.holds_to
    return memory.valid_from <= view.as_of and (ends is None or view.as_of < ends)


def _require(ids: Iterable[str], known: Collection[str]) -> None:
    for id in ids:
        if id not in known:
            raise NotFound(f"There is no memory {id}, or it belongs to someone else.")


def _depth(depth: int | None, most: int) -> int:
    wanted = _USUAL_DEPTH if depth is None else depth
    if wanted < 0:
        raise Invalid(f"depth is {wanted}; it must not be negative.", path="depth")
    return min(wanted, most)


def _limit(limit: int | None) -> int:
    wanted = _USUAL_LIMIT if limit is None else limit
    if not 1 <= wanted <= MOST_MEMORIES:
        raise Invalid(f"limit is {wanted}; it must lie between 1 and {MOST_MEMORIES}.", path="limit")
    return wanted

"""Reading communities: a page of them, the last changed first, and of each its members, what became of it, and its summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.clock import FOREVER
from graph_memory.base.cursors import check_first, cursor_at, place_at
from graph_memory.base.errors import NotFound
from graph_memory.base.ids import check_id
from graph_memory.base.moments import check_time
from graph_memory.base.scope import Scope
from graph_memory.language.texts import normalised
from graph_memory.memory.screening import ALARMING
from graph_memory.model.community import CommunityChange
from graph_memory.model.memory import Memory
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

PAGE = query("communities/page")
COUNT = query("communities/count")
BY_ID = query("communities/by_id")
OF_MEMORIES = query("communities/of_memories")
MEMBERS = query("communities/members")
LINEAGE = query("communities/lineage")
SUMMARIES = query("communities/summaries")
NEAREST = query("communities/nearest")

EXTRACTION = "extraction"


@dataclass(frozen=True)
class Community:
    """A cluster of memories that keeps its id between runs. `size` counts its members at the last run."""

    id: str
    subject_id: str
    name: str
    size: int
    central_id: str | None
    born_at: datetime
    changed_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class Event:
    """What became of a community at one time; both ends are the same unless it split or merged. `size` is that of the end."""

    kind: CommunityChange
    at: datetime
    from_id: str
    to_id: str
    size: int
    joined: int
    left: int


@dataclass(frozen=True)
class CommunitySummary:
    """What a community is about, as a memory beside its members. Stale: its members are others by now, or say something else."""

    memory: Memory
    key_facts: tuple[str, ...]
    decisions: tuple[str, ...]
    written_by: str
    tells_from: datetime
    tells_to: datetime
    is_stale: bool

    @property
    def is_extractive(self) -> bool:
        """Whether it is made of the members' own sentences, and no language model wrote it."""
        return self.written_by == EXTRACTION


@dataclass(frozen=True)
class Page:
    """Some communities, each with the cursor behind it, and whether there are more."""

    items: tuple[Community, ...]
    cursors: tuple[str, ...]
    has_next: bool


def page(
    service: Service,
    scope: Scope,
    first: int = 20,
    after: str | None = None,
    name: str | None = None,
    changed_since: datetime | None = None,
    min_size: int = 0,
    ended: bool | None = None,
) -> Page:
    """Communities whose name has these words in it, that changed since a moment, and are that large.

    Those that have ended come along where `changed_since` asks what happened; `ended` says otherwise.
    """
    check_first(first)
    before, before_id = place_at(after) or (FOREVER, "")
    wanted = _wanted(name, changed_since, min_size, ended)
    rows = service.read(scope, PAGE, first=first + 1, before=before, before_id=before_id, **wanted)
    items = tuple(_community(row["community"]) for row in rows[:first])
    cursors = tuple(cursor_at(each.changed_at, each.id) for each in items)
    return Page(items, cursors, len(rows) > first)


def count(
    service: Service,
    scope: Scope,
    name: str | None = None,
    changed_since: datetime | None = None,
    min_size: int = 0,
    ended: bool | None = None,
) -> int:
    """How many communities `page` comes to, on all its pages."""
    wanted = _wanted(name, changed_since, min_size, ended)
    return int(service.read(scope, COUNT, before=FOREVER, before_id="", **wanted)[0]["total"])


def _wanted(
    name: str | None, changed_since: datetime | None, min_size: int, ended: bool | None
) -> dict[str, object]:
    since = None if changed_since is None else check_time("changedSince", changed_since)
    return {
        "name": normalised(name) if name else None,
        "since": since,
        "least": min_size,
        "ended": ended if ended is not None or since is not None else False,
    }


def get(service: Service, scope: Scope, id: str) -> Community:
    """The community, also one that has ended; NotFound when it is missing or someone else's."""
    found = by_id(service, scope, [check_id(id)])
    if id not in found:
        raise NotFound(f"There is no community {id}, or it belongs to someone else.", path="id")
    return found[id]


def by_id(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, Community]:
    """Communities by their ids; a missing or foreign one is left out."""
    return {
        row["id"]: _community(row["community"]) for row in service.read(scope, BY_ID, ids=sorted(set(ids)))
    }


def of_memories(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, str | None]:
    """For each memory the community that it is in, or that it sums up."""
    rows = service.read(scope, OF_MEMORIES, ids=sorted(set(ids)), forever=FOREVER)
    return {row["id"]: row["community"] for row in rows}


def members_of(
    service: Service, scope: Scope, ids: Sequence[str], first: int = 20, after: str | None = None
) -> dict[str, list[tuple[str, str]]]:
    """For each community the ids of its live members, newest first, one more than asked for if there are.

    Each with the cursor behind it.
    """
    before, before_id = place_at(after) or (None, "")
    rows = service.read(
        scope, MEMBERS, ids=list(ids), first=first + 1, before=before, before_id=before_id, forever=FOREVER
    )
    return {
        row["id"]: [(each["id"], cursor_at(each["at"], each["id"])) for each in row["members"]]
        for row in rows
    }


def lineage_of(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, list[Event]]:
    """For each community what became of it and what it came from, newest first."""
    rows = service.read(scope, LINEAGE, ids=sorted(set(ids)))
    return {row["id"]: [_event(each) for each in row["events"]] for row in rows}


def summaries_of(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, CommunitySummary]:
    """The summaries of communities; one that has none is left out."""
    rows = service.read(scope, SUMMARIES, ids=sorted(set(ids)), forever=FOREVER, alarming=sorted(ALARMING))
    return {row["id"]: _summary(row) for row in rows}


def nearest(
    service: Service, scope: Scope, vector: Sequence[float], first: int, min_cosine: float
) -> list[tuple[str, float]]:
    """The communities whose summary is nearest to a vector, best first, each with the cosine."""
    rows = service.read(scope, NEAREST, vector=list(vector), first=first, min_cosine=min_cosine)
    return [(row["community"], row["cosine"]) for row in rows]


def _community(row: Row) -> Community:
    return Community(
        row["id"],
        row["subject_id"],
        row["label"],
        row["size"],
        row["central_id"],
        row["created_at"],
        row["updated_at"],
        row["ended_at"],
    )


def _event(row: Row) -> Event:
    return Event(**{**row, "kind": CommunityChange(row["kind"])})


def _summary(row: Row) -> CommunitySummary:
    state = row["state"]
    return CommunitySummary(
        Memory.from_row(state),
        tuple(state["key_facts"]),
        tuple(state["decisions"]),
        state["written_by"],
        state["tells_from"],
        state["tells_to"],
        is_stale=not row["same"] == row["members"] == row["sources"],
    )

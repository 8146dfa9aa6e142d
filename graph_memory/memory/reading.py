"""Reading memories back, by the one rule of time: a state answers where both of its intervals hold the moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.cursors import check_first, cursor_at, place_at
from graph_memory.base.errors import NotFound
from graph_memory.base.ids import check_id
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.model.kinds import singular
from graph_memory.model.memory import Memory
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

LAST = query("memory/last")
STATES = query("memory/states")
VERSION = query("memory/version")
HISTORY = query("memory/history")
BROWSE = query("memory/browse")
COUNT = query("memory/count")
ENTITIES = query("memory/entities")
LINKS = query("memory/links")
OF_SOURCE = query("memory/of_source")

# More links than a memory has.
_ALL = 2**31 - 1


@dataclass(frozen=True)
class State:
    """One recorded state in a history, and what superseded it."""

    memory: Memory
    superseded_by: str | None
    reason: str | None

    @property
    def is_corrected(self) -> bool:
        """Whether a correction has taken its place: it was believed until then, and never held."""
        return self.superseded_by is not None and self.memory.never_held


@dataclass(frozen=True)
class Link:
    """A typed link between two memories, read from `from_id` to `to_id`."""

    id: str
    kind: str
    from_id: str
    to_id: str
    reason: str
    confidence: float
    strength: float
    created_at: datetime
    created_by: str


@dataclass(frozen=True)
class Page:
    """Some memories, newest first, and the cursor after the last of them; None when there are no more."""

    items: list[Memory]
    next: str | None


def get(service: Service, scope: Scope, id: str, moment: Moment = NOW) -> Memory | None:
    """The memory as it was believed then, or None. Without a moment: its last recorded state, live or past."""
    return get_many(service, scope, [id], moment)[0]


def get_many(service: Service, scope: Scope, ids: Sequence[str], moment: Moment = NOW) -> list[Memory | None]:
    """One answer for each id, in order; None for a missing, foreign or not yet known one."""
    for id in ids:
        check_id(id)
    wanted = sorted(set(ids))
    if moment == NOW:
        rows = service.read(scope, LAST, ids=wanted)
    else:
        rows = service.read(
            scope, STATES, ids=wanted, as_of=moment.as_of, known_at=moment.at(service.clock())[1]
        )
    found = {row["id"]: Memory.from_row(row["state"]) for row in rows}
    return [found.get(id) for id in ids]


def version(service: Service, scope: Scope, id: str, moment: Moment = NOW) -> Memory | None:
    """Which version of this truth answers at the moment; `id` may be any member of the chain."""
    check_id(id)
    as_of, known_at = moment.at(service.clock())
    rows = service.read(scope, VERSION, id=id, as_of=as_of, known_at=known_at)
    return Memory.from_row(rows[0]["state"]) if rows else None


def history(service: Service, scope: Scope, id: str) -> list[State]:
    """Every state of every version of this truth, oldest first; NotFound when the id is missing or foreign."""
    check_id(id)
    rows = service.read(scope, HISTORY, id=id)
    if not rows:
        raise NotFound(f"There is no memory {id}, or it belongs to someone else.")
    return [State(Memory.from_row(row["state"]), row["superseded_by"], row["reason"]) for row in rows]


def browse(
    service: Service,
    scope: Scope,
    first: int = 20,
    after: str | None = None,
    moment: Moment = NOW,
    kind: str | None = None,
    tag: str | None = None,
    include_past: bool = False,
    summaries: bool = False,
) -> Page:
    """Memories by the time they were made, newest first, a page at a time; the cursor survives new writes.

    Summaries of communities come where their kind is asked for, or with `summaries`.
    """
    check_first(first)
    before, before_id = place_at(after) or (None, "")
    wanted = _wanted(service, moment, kind, tag, include_past, summaries)
    rows = service.read(scope, BROWSE, first=first + 1, before=before, before_id=before_id, **wanted)
    items = [Memory.from_row(row["state"]) for row in rows[:first]]
    return Page(items, cursor_of(items[-1]) if len(rows) > first else None)


def count(
    service: Service,
    scope: Scope,
    moment: Moment = NOW,
    kind: str | None = None,
    tag: str | None = None,
    include_past: bool = False,
) -> int:
    """How many memories `browse` comes to, on all its pages."""
    wanted = _wanted(service, moment, kind, tag, include_past)
    return int(service.read(scope, COUNT, before=None, before_id="", **wanted)[0]["total"])


def _wanted(
    service: Service,
    moment: Moment,
    kind: str | None,
    tag: str | None,
    include_past: bool,
    summaries: bool = False,
) -> dict[str, object]:
    as_of, known_at = moment.at(service.clock())
    return {
        "as_of": as_of,
        "known_at": known_at,
        "kinds": None if kind is None else [kind, singular(kind)],
        "tag": tag,
        "include_past": include_past,
        "summaries": summaries or kind is not None,
    }


def entities_of(
    service: Service, scope: Scope, ids: Sequence[str], moment: Moment = NOW
) -> dict[str, list[Row]]:
    """For each memory the entities it mentions: `{id, name, type, key}`."""
    rows = service.read(scope, ENTITIES, ids=list(ids), known_at=moment.at(service.clock())[1])
    return {row["id"]: row["entities"] for row in rows}


def links_of(
    service: Service, scope: Scope, ids: Sequence[str], moment: Moment = NOW, most: int = _ALL
) -> dict[str, list[Link]]:
    """For each memory its links in both directions, as they were recorded then: of each kind and direction the first `most`."""
    rows = service.read(scope, LINKS, ids=list(ids), known_at=moment.at(service.clock())[1], most=most)
    return {row["id"]: [Link(**link) for link in row["links"]] for row in rows}


def of_source(service: Service, scope: Scope, ref: str) -> list[str]:
    """The ids of the memories that were extracted from the message of this name."""
    return [row["id"] for row in service.read(scope, OF_SOURCE, ref=ref)]


def cursor_of(memory: Memory) -> str:
    """Where a page ends: the sort key and the id."""
    return cursor_at(memory.created_at, memory.id)

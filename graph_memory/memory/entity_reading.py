"""Reading entities: one, a page of them by name, the memories that mention them, and what those state of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.base.cursors import check_first, cursor, cursor_at, parts_of, place_at
from graph_memory.base.errors import NotFound
from graph_memory.base.ids import check_entity_id
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.language.names import key
from graph_memory.memory import lookup
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service
from graph_memory.store.subjects import narrowed

PAGE = query("entities/page")
COUNT = query("entities/count")
MEMORIES = query("entities/memories")
RELATIONS = query("entities/relations")
SUBJECT_OF = query("entities/subject_of")


@dataclass(frozen=True)
class Page:
    """Some entities by name, as rows, each with the cursor behind it, and whether there are more."""

    items: list[Row]
    cursors: list[str]
    has_next: bool


@dataclass(frozen=True)
class Relation:
    """What the memories `memories` state: an entity relates to another by `type`; `strength` lies between 0 and 1."""

    from_id: str
    from_name: str
    type: str
    to_id: str
    to_name: str
    strength: float
    memories: tuple[str, ...]


def get(service: Service, scope: Scope, id: str) -> Row:
    """The entity, also one that is an alias of another by now; NotFound when it is missing or someone else's."""
    found = lookup.entities(service, scope, [check_entity_id(id)])
    if id not in found:
        raise NotFound(f"There is no entity {id}, or it belongs to someone else.", path="id")
    return found[id]


def page(
    service: Service,
    scope: Scope,
    name: str = "",
    type: str | None = None,
    first: int = 20,
    after: str | None = None,
    moment: Moment = NOW,
) -> Page:
    """Entities that a memory mentions at the moment, whose name begins so, of a type, in the order of their names."""
    check_first(first)
    place_key, place_id = ("", "") if after is None else parts_of(after, str, str)
    as_of, known_at = moment.at(service.clock())
    rows = service.read(
        scope,
        PAGE,
        prefix=key(name) if name else "",
        type=type.upper() if type else None,
        key=place_key,
        id=place_id,
        first=first + 1,
        as_of=as_of,
        known_at=known_at,
    )
    items = [row["entity"] for row in rows]
    cursors = [cursor(each["key"], each["id"]) for each in items[:first]]
    return Page(items[:first], cursors, len(items) > first)


def count(
    service: Service, scope: Scope, name: str = "", type: str | None = None, moment: Moment = NOW
) -> int:
    """How many entities `page` comes to, on all its pages."""
    as_of, known_at = moment.at(service.clock())
    [row] = service.read(
        scope,
        COUNT,
        prefix=key(name) if name else "",
        type=type.upper() if type else None,
        key="",
        id="",
        as_of=as_of,
        known_at=known_at,
    )
    return int(row["total"])


def memories_of(
    service: Service,
    scope: Scope,
    ids: Sequence[str],
    first: int = 20,
    after: str | None = None,
    moment: Moment = NOW,
) -> dict[str, list[tuple[str, str]]]:
    """For each entity the memories that mention it at the moment, newest first, one more than asked for if there are.

    Each with the cursor behind it.
    """
    before, id = place_at(after) or (None, "")
    as_of, known_at = moment.at(service.clock())
    rows = service.read(
        scope,
        MEMORIES,
        ids=list(ids),
        first=first + 1,
        before=before,
        before_id=id,
        as_of=as_of,
        known_at=known_at,
    )
    return {
        row["id"]: [(each["id"], cursor_at(each["at"], each["id"])) for each in row["memories"]]
        for row in rows
    }


def relations_of(
    service: Service, scope: Scope, ids: Sequence[str], moment: Moment = NOW
) -> dict[str, list[Relation]]:
    """For each entity its relations to others, in both directions, as memories state them that answer at the moment."""
    as_of, known_at = moment.at(service.clock())
    rows = service.read(scope, RELATIONS, ids=list(ids), as_of=as_of, known_at=known_at)
    return {row["id"]: [_relation(each) for each in row["relations"]] for row in rows}


def scope_of(service: Service, scope: Scope, id: str) -> Scope:
    """The scope narrowed to the subject of this entity; as it is when it names one or the entity is not there."""
    return narrowed(service, scope, SUBJECT_OF, id=id)


def _relation(row: Row) -> Relation:
    return Relation(
        row["from"]["id"],
        row["from"]["name"],
        row["type"],
        row["to"]["id"],
        row["to"]["name"],
        row["strength"],
        tuple(row["memories"]),
    )

"""Reading entities: one, a page of them by name, the memories that mention them, and what those state of them."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from graph_memory.entities.changing import check_entity_id
from graph_memory.errors import Invalid, NotFound
from graph_memory.memory import by_id
from graph_memory.moments import NOW, Moment
from graph_memory.queries import query
from graph_memory.service import Row, Service
from graph_memory.tenancy import Scope
from graph_memory.understanding.entities import key

PAGE = query("entities/page")
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
    found = by_id.entities(service, scope, [check_entity_id(id)])
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
    if not 1 <= first <= service.settings.recall.max_limit:
        raise Invalid(f"first must lie between 1 and {service.settings.recall.max_limit}.", path="first")
    place_key, place_id = _place(after, 2) or ("", "")
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
    cursors = [_cursor(each["key"], each["id"]) for each in items[:first]]
    return Page(items[:first], cursors, len(items) > first)


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
    at, id = _place(after, 2) or (None, "")
    as_of, known_at = moment.at(service.clock())
    rows = service.read(
        scope,
        MEMORIES,
        ids=list(ids),
        first=first + 1,
        before=_moment(at) if at else None,
        before_id=id,
        as_of=as_of,
        known_at=known_at,
    )
    return {
        row["id"]: [(each["id"], _cursor(each["at"].isoformat(), each["id"])) for each in row["memories"]]
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
    if scope.subject_name is not None:
        return scope
    rows = service.read(scope, SUBJECT_OF, id=id)
    return replace(scope, subject_name=rows[0]["name"]) if rows else scope


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


def _cursor(*parts: str) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()


def _place(after: str | None, length: int) -> Any:
    if after is None:
        return None
    try:
        parts = json.loads(base64.urlsafe_b64decode(after.encode()))
    except (ValueError, binascii.Error):
        parts = None
    if not isinstance(parts, list) or [type(each) for each in parts] != [str] * length:
        raise Invalid("This cursor was not made by us.", path="after")
    return parts


def _moment(spelled: str) -> datetime:
    try:
        return datetime.fromisoformat(spelled)
    except ValueError:
        raise Invalid("This cursor was not made by us.", path="after") from None

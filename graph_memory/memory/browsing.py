"""Browsing every memory by any stored field, a page at a time, in any order. Cursors survive new writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from graph_memory.base.cursors import check_first, cursor, parts_of, time_of
from graph_memory.base.errors import Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import is_id, token
from graph_memory.base.moments import NOW, Moment, check_time
from graph_memory.base.scope import Scope
from graph_memory.language.names import key as name_key
from graph_memory.memory.properties import pair
from graph_memory.memory.reading import Page
from graph_memory.memory.trust import kinds_from
from graph_memory.model.kinds import singular
from graph_memory.model.memory import Memory, SourceKind, Status, Trust
from graph_memory.scoring.scores import Tier
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

BROWSE_BY = query("memory/browse_by")
MENTIONING = query("memory/mentioning")

# What can be asked for, and the type of its values. `metadata.<key>`, `tags`, `labels`, `entity` and `subject` are told apart
# by their name.
FIELDS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(
        ("id", "text", "heading", "kind", "tier", "status", "session_id", "agent_id", "source_kind", "source_ref",
         "source_author", "chain_id", "archive_reason", "quarantined_by"), str,
    ),
    **dict.fromkeys(("confidence", "importance", "base_importance", "feedback"), (int, float)),
    **dict.fromkeys(("access_count", "mention_count"), int),
    **dict.fromkeys(("critical", "pinned"), bool),
    **dict.fromkeys(
        ("created_at", "updated_at", "valid_from", "valid_to", "recorded_from", "happens_at", "expires_at",
         "last_accessed_at", "archived_at", "confirmed_at"), datetime,
    ),
}  # fmt: skip
# Those that hold one of a few words, which may be given as the API spells them.
_CHOICES: dict[str, type[StrEnum]] = {"source_kind": SourceKind, "status": Status, "tier": Tier}
# What a passage has of them, as it is called there.
SAID = {
    "id": "id", "text": "text", "subject_id": "subject_id", "session_id": "session", "source_kind": "source_kind",
    "source_ref": "ref", "source_author": "speaker", "valid_from": "at", "created_at": "created_at",
}  # fmt: skip
_METADATA = "metadata."
_LISTS = ("tags", "labels")
_KIND, _ENTITY, _SUBJECT = "kind", "entity", "subject"
_MENTIONS = "MENTIONS"
_MOST_CONDITIONS = 20
_MOST_VALUES = 1000
# What the store can hold as a whole number.
_LEAST, _LARGEST = -(2**63), 2**63 - 1


class Operator(StrEnum):
    """How a field is compared with a value."""

    EQ = "EQ"
    NE = "NE"
    IN = "IN"
    LT = "LT"
    LTE = "LTE"
    GT = "GT"
    GTE = "GTE"
    CONTAINS = "CONTAINS"
    EXISTS = "EXISTS"


class SortField(StrEnum):
    """What pages are sorted by."""

    CREATED_AT = "created_at"
    UPDATED_AT = "updated_at"
    VALID_FROM = "valid_from"
    IMPORTANCE = "importance"
    CONFIDENCE = "confidence"
    ACCESS_COUNT = "access_count"


SORTABLE = tuple(SortField)
# How a condition names what it wants, where others only leave something out.
_NAMING = (Operator.EQ, Operator.IN)


@dataclass(frozen=True)
class Condition:
    """One field compared with a value.

    `tags CONTAINS x`, or IN for any of several, as `labels`; `metadata.page EQ 3`; `happens_at EXISTS true`; `entity EQ x` by
    id or any name; `subject IN [x, y]` by name.
    """

    field: str
    operator: Operator
    value: Any


@dataclass(frozen=True)
class Sort:
    """The order of the pages."""

    field: str = "created_at"
    descending: bool = True


NEWEST = Sort()


def browse_by(
    service: Service,
    scope: Scope,
    conditions: Sequence[Condition] = (),
    sort: Sort = NEWEST,
    first: int = 20,
    after: str | None = None,
    moment: Moment = NOW,
    include_past: bool = False,
    min_trust: Trust | None = None,
) -> Page:
    """The memories that meet every condition and are trusted at least so far; summaries of communities where a condition
    asks for their kind.

    Raises Invalid for an unknown field, a value of another type or a cursor of another order.
    """
    check_first(first)
    if sort.field not in SORTABLE:
        raise Invalid(
            f"Memories cannot be sorted by {sort.field[:60]}; they can be by {', '.join(SORTABLE)}.",
            path="sort",
        )
    as_of, known_at = moment.at(service.clock())
    key, id = _cursor(after, sort)
    rows = service.read(
        scope,
        BROWSE_BY,
        conditions=sent(service, scope, known_at, conditions, min_trust),
        sort=sort.field,
        descending=sort.descending,
        key=key,
        id=id,
        first=first + 1,
        as_of=as_of,
        known_at=known_at,
        include_past=include_past,
        summaries=any(each.field == _KIND and each.operator in _NAMING for each in conditions),
    )
    items = [Memory.from_row(row["state"]) for row in rows[:first]]
    return Page(items, _made(sort, rows[first - 1]) if len(rows) > first else None)


def sent(
    service: Service,
    scope: Scope,
    known_at: datetime,
    conditions: Sequence[Condition],
    min_trust: Trust | None = None,
) -> list[Row]:
    """Conditions as a query reads them (`memory/parts/meets`). Raises Invalid for one that cannot be met by its form.

    What mentions an entity is read here: a pattern in each arm of a search takes the database longer to plan than to carry out.
    """
    rows = check(scope, conditions)
    rows = [{**row, "said": SAID.get(row["field"])} for row in rows]
    for row in rows:
        if row["operator"] == _MENTIONS:
            found = service.read(scope, MENTIONING, **row["value"], known_at=known_at)
            row["value"] = [each["id"] for each in found]
    if min_trust is not None:
        rows.append({"field": "trust", "said": None, "operator": "TRUST", "value": kinds_from(min_trust)})
    return rows


def check(scope: Scope, conditions: Sequence[Condition | None]) -> list[Row]:
    """Conditions by their form; all that is wrong with any of them is told at once. None stands for one that is refused."""
    if len(conditions) > _MOST_CONDITIONS:
        raise Invalid(
            f"{len(conditions)} conditions were given; at most {_MOST_CONDITIONS} are taken.", path="where"
        )
    faults = Gathered()
    rows = [
        faults.of(_sent, scope, condition, f"where[{place}]")
        for place, condition in enumerate(conditions)
        if condition is not None
    ]
    faults.refuse()
    return rows


def _sent(scope: Scope, condition: Condition, path: str) -> Row:
    name, operator = condition.field, Operator(condition.operator)
    if name.startswith(_METADATA):
        if operator not in (Operator.EQ, Operator.NE):
            raise Invalid(f"{name} can be compared by EQ and NE only.", path=f"{path}.operator")
        return {
            "field": "metadata_pairs",
            "operator": f"PAIR_{operator}",
            "value": pair(name.removeprefix(_METADATA), condition.value),
        }
    if name in _LISTS:
        words = _words(condition, Operator.CONTAINS, path)
        return {"field": name, "operator": "ANY_IS", "value": [word.casefold() for word in words]}
    if name == _ENTITY:
        words = _words(condition, Operator.EQ, path)
        named = {"ids": [word for word in words if is_id(word)], "keys": [name_key(word) for word in words]}
        return {"field": name, "operator": _MENTIONS, "value": named}
    if name == _SUBJECT:
        tokens = [token("subject", scope.tenant_name, word) for word in _words(condition, Operator.EQ, path)]
        return {"field": "subject_id", "operator": "IN", "value": tokens}
    if name not in FIELDS:
        raise Invalid(
            f"There is no field {name[:60]}; there are {', '.join(FIELDS)}, tags, labels, entity, subject and "
            "metadata.<key>.",
            path=f"{path}.field",
        )
    if operator is Operator.CONTAINS and FIELDS[name] is not str:
        others = ", ".join(each for each in Operator if each is not Operator.CONTAINS)
        raise Invalid(
            f"{name} is not a text, so it cannot be asked for by CONTAINS; take one of {others}.",
            path=f"{path}.operator",
        )
    return {"field": name, "operator": operator.value, "value": _value(condition, operator, path)}


def _words(condition: Condition, one: Operator, path: str) -> list[str]:
    """The one word, or any of several after IN."""
    is_several = condition.operator is Operator.IN and isinstance(condition.value, list | tuple)
    words = list(condition.value) if is_several else [condition.value]
    if not (is_several or condition.operator is one) or not all(isinstance(word, str) for word in words):
        raise Invalid(
            f"{condition.field} can be asked for by {one} and one text, or by IN and a list of them.",
            path=path,
        )
    if len(words) > _MOST_VALUES:
        raise Invalid(f"{condition.field} can be one of at most {_MOST_VALUES} values.", path=f"{path}.value")
    return words


def _value(condition: Condition, operator: Operator, path: str) -> Any:
    wanted = bool if operator is Operator.EXISTS else FIELDS[condition.field]
    values = (
        condition.value
        if operator is Operator.IN and isinstance(condition.value, list | tuple)
        else [condition.value]
    )
    if len(values) > _MOST_VALUES:
        raise Invalid(f"{condition.field} can be one of at most {_MOST_VALUES} values.", path=f"{path}.value")
    for value in values:
        if isinstance(value, int) and not _LEAST <= value <= _LARGEST:
            raise Invalid(
                f"{condition.field} cannot be compared with a number beyond 64 bits.", path=f"{path}.value"
            )
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise _incomparable(condition.field, value, _named(wanted), path)
    kept = [_kept(condition.field, operator, value, path) for value in values]
    return kept if operator is Operator.IN else kept[0]


def _kept(field: str, operator: Operator, value: Any, path: str) -> Any:
    """A value as the store spells it."""
    if isinstance(value, datetime):
        return check_time(field, value)
    if field == _KIND and isinstance(value, str):
        return singular(value)
    # What is contained need not be a whole word.
    if field in _CHOICES and isinstance(value, str) and operator is not Operator.CONTAINS:
        return _choice(field, value, path)
    return value


def _choice(field: str, value: str, path: str) -> str:
    choices = _CHOICES[field].__members__
    if value.upper() not in choices:
        raise _incomparable(field, value, f"one of {', '.join(choices)}", path)
    return choices[value.upper()].value


def _incomparable(field: str, value: Any, taken: str, path: str) -> Invalid:
    return Invalid(
        f"{field} cannot be compared with {str(value)[:60]!r}; give {taken}.", path=f"{path}.value"
    )


def _named(wanted: type | tuple[type, ...]) -> str:
    """What a field is compared with, in words."""
    names = {str: "a text", int: "a whole number", bool: "true or false", datetime: "a time"}
    return "a number" if isinstance(wanted, tuple) else names[wanted]


def _made(sort: Sort, row: Row) -> str:
    value = row["key"]
    spelled = value.isoformat() if isinstance(value, datetime) else value
    return cursor(sort.field, sort.descending, spelled, isinstance(value, datetime), row["id"])


def _cursor(after: str | None, sort: Sort) -> tuple[Any, str]:
    if after is None:
        return None, ""
    field, descending, value, is_time, id = parts_of(after, str, bool, object, bool, str)
    if (field, descending) != (sort.field, sort.descending):
        raise Invalid(
            "This cursor is of a list in another order; leave it out, or ask for that order.", path="after"
        )
    if not is_time and not (isinstance(value, int | float) and _LEAST <= value <= _LARGEST):
        raise Invalid(
            "This cursor was not made by us; give one that a page ended with, or leave it out.", path="after"
        )
    return time_of(str(value)) if is_time else value, id

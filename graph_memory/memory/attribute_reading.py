"""Reading what is stated: of an entity its attributes with their values over time, of a memory its claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.cursors import check_first
from graph_memory.base.moments import NOW, Moment, open_end
from graph_memory.base.scope import Scope
from graph_memory.language.claim_reading import ValueKind
from graph_memory.model.claim import Polarity
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

ATTRIBUTES = query("claims/attributes")
OF_MEMORIES = query("claims/of_memories")

# Of one attribute at most so many values are read, the latest.
MOST_VALUES = 100


@dataclass(frozen=True)
class Stated:
    """A value as the memory states it: it holds from `valid_from` until `valid_to`, None while there is no end."""

    memory_id: str
    value: str
    kind: ValueKind
    unit: str | None
    polarity: Polarity
    valid_from: datetime
    valid_to: datetime | None

    def holds_at(self, at: datetime) -> bool:
        """Whether it is so at a moment."""
        return self.valid_from <= at and (self.valid_to is None or at < self.valid_to)


@dataclass(frozen=True)
class Attribute:
    """One attribute of an entity, and what was ever stated of it, latest first."""

    name: str
    stated: tuple[Stated, ...]

    def current(self, at: datetime) -> list[Stated]:
        """What is so at a moment; more than one where nothing says that one excludes the other."""
        return [each for each in self.stated if each.holds_at(at)]

    def history(self, until: datetime | None = None) -> list[Stated]:
        """What was so by a moment, latest first."""
        return [each for each in self.stated if until is None or each.valid_from <= until]


@dataclass(frozen=True)
class Claim:
    """What a memory states: of which entity, which attribute, which value."""

    entity_id: str
    attribute: str
    value: str
    kind: ValueKind
    unit: str | None
    polarity: Polarity


def attributes_of(
    service: Service, scope: Scope, ids: Sequence[str], first: int = 20, moment: Moment = NOW
) -> dict[str, list[Attribute]]:
    """For each entity its attributes by name, as they were recorded at the moment; of each at most 100 values."""
    check_first(first)
    known_at = moment.at(service.clock())[1]
    rows = service.read(scope, ATTRIBUTES, ids=list(ids), first=first, most=MOST_VALUES, known_at=known_at)
    return {row["id"]: [_attribute(each) for each in row["attributes"]] for row in rows}


def claims_of(service: Service, scope: Scope, ids: Sequence[str], moment: Moment = NOW) -> dict[str, Claim]:
    """For each memory what it states, as recorded at the moment; those that state nothing are left out."""
    rows = service.read(scope, OF_MEMORIES, ids=list(ids), known_at=moment.at(service.clock())[1])
    return {row["id"]: Claim(row["entity"], row["attribute"], **_said(row["said"])) for row in rows}


def _attribute(row: Row) -> Attribute:
    return Attribute(row["name"], tuple(_stated(each) for each in row["said"]))


def _stated(row: Row) -> Stated:
    times = {"valid_from": row["valid_from"], "valid_to": open_end(row["valid_to"])}
    return Stated(memory_id=row["memory"], **_said(row), **times)


def _said(row: Row) -> Row:
    return {
        "value": row["value"],
        "kind": ValueKind(row["value_kind"]),
        "unit": row["unit"],
        "polarity": Polarity(row["polarity"]),
    }

"""What an export holds: a record for each node and relationship, shaped by the vocabulary of the graph.

A record is one line of JSON. Tokens are replaced by names, times are ISO 8601 in UTC, an open end is null, a vector is
`f4:` or `f8:` and the base64 of its little-endian numbers. What follows from something else is left out.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

import numpy as np
from neomodel import StructuredNode

from graph_memory.base.clock import FOREVER
from graph_memory.model import graph_schema
from graph_memory.model.link_kinds import RECORDED
from graph_memory.store.service import Row

FORMAT, VERSION = "graph-memory", 1
# What belongs to no subject but to the whole tenant; its record has no subject.
EVERYBODY = "*"

# Relationships that follow from a property, or from mentions.
IMPLIED = ("PART_OF", "REVISED_FROM", "CHANGED", "SHARES_ENTITY", "BELONGS_TO", "ABOUT")
VECTOR = "embedding"
# Said once in the manifest or by the record itself.
_OUTER = ("id", "tenant", "subject_id")
# There only while the store's model is being changed.
_PASSING = ("embedding_next",)
_DERIVED = ("holds_to",)
_LEFT_OUT = (*_OUTER, *_PASSING, *_DERIVED)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")


class Misshapen(ValueError):  # noqa: N818 - named by what is wrong
    """This cannot be read as what it should be."""


@dataclass(frozen=True)
class NodeShape:
    """A kind of node: the word for its records, its label, and the types of its properties by name."""

    record: str
    label: str
    extra_labels: frozenset[str]
    properties: Mapping[str, Any]

    def required(self) -> set[str]:
        return {name for name, each in self.properties.items() if each.required}


@dataclass(frozen=True)
class LinkShape:
    """A type of relationship: its ends as records, and the types of its properties; `tenant` where it has one."""

    kind: str
    start: str
    end: str
    has_tenant: bool
    properties: Mapping[str, Any]

    def required(self) -> set[str]:
        return {name for name, each in self.properties.items() if each.required}


def _properties(kind: Any) -> dict[str, Any]:
    """What a class of the vocabulary declares, by the names in the store."""
    declared = kind.defined_properties(aliases=False, rels=False)
    return {each.get_db_property_name(name): each for name, each in declared.items()}


def _inner(kind: Any) -> dict[str, Any]:
    return {name: each for name, each in _properties(kind).items() if name not in _LEFT_OUT}


def _node(kind: type[StructuredNode]) -> NodeShape:
    extra = frozenset(getattr(kind, "__optional_labels__", ()))
    return NodeShape(kind.__label__.lower(), kind.__label__, extra, _inner(kind))


# In the order of the file: what is pointed to comes first.
NODES: Mapping[str, NodeShape] = {
    shape.record: shape
    for shape in map(
        _node,
        (
            graph_schema.Subject, graph_schema.Entity, graph_schema.Attribute, graph_schema.Segment, graph_schema.Message,
            graph_schema.Memory, graph_schema.Revision, graph_schema.Community, graph_schema.Review, graph_schema.Change,
            graph_schema.Request, graph_schema.Tombstone,
        ),
    )
}  # fmt: skip
LINK = "link"
RECORDS = (
    "subject", "entity", "attribute", "segment", "message", "memory", "revision", "community", "review", LINK, "change",
    "request", "tombstone",
)  # fmt: skip
# What has a key of its own in the place of an id.
NAMELESS = ("subject", "tombstone")


@cache
def links() -> Mapping[str, LinkShape]:
    """Every type of relationship that is exported."""
    recorded = {kind.value: ("memory", "memory", graph_schema.Link) for kind in RECORDED}
    declared = {
        definition["relation_type"]: (record, _label(each._raw_class).lower(), definition["model"])
        for record, kind in ((name, vars(graph_schema)[shape.label]) for name, shape in NODES.items())
        for each in kind.defined_properties(properties=False, aliases=False).values()
        for definition in (each.definition,)
        if definition["relation_type"] not in IMPLIED
    }
    return {
        kind: LinkShape(kind, start, end, *_of_model(model))
        for kind, (start, end, model) in {**recorded, **declared}.items()
    }


def _of_model(model: Any) -> tuple[bool, Mapping[str, Any]]:
    declared = _properties(model) if model else {}
    return "tenant" in declared, {name: each for name, each in declared.items() if name != "tenant"}


def _label(named: Any) -> str:
    return named if isinstance(named, str) else str(named.__label__)


def line(record: Row) -> str:
    """A record as a line: the same for the same record, always."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def spelled(properties: Mapping[str, Any]) -> Row:
    """Stored properties as a record carries them."""
    return {
        name: _spell(name, value)
        for name, value in properties.items()
        if name not in _LEFT_OUT and value is not None
    }


def read(properties: Mapping[str, Any], declared: Mapping[str, Any]) -> Row:
    """A record's properties as they are stored; Misshapen names the first that is not what it should be."""
    for name in properties:
        if name not in declared:
            raise Misshapen(f"{name} is no property of it")
    return {name: _read(name, value, declared[name]) for name, value in properties.items()}


def moment(value: Any) -> datetime:
    """A time as records spell it."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise Misshapen(f"{str(value)[:40]!r} is not a time like 2026-03-15T09:00:00Z")
    try:
        return datetime.fromisoformat(value)
    except ValueError as error:
        raise Misshapen(str(error)) from None


def spell_moment(value: datetime) -> str:
    """A time in UTC, as short as it is exact."""
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def vector(value: Sequence[float]) -> str:
    """Numbers in as few bytes as keep them exact."""
    whole = np.asarray(value, dtype="<f8")
    short = whole.astype("<f4")
    same = bool(np.array_equal(short.astype("<f8"), whole))
    name, kept = ("f4", short) if same else ("f8", whole)
    return f"{name}:{base64.b64encode(kept.tobytes()).decode()}"


def read_vector(value: Any) -> list[float]:
    """The numbers of a vector."""
    if not isinstance(value, str) or value[:3] not in ("f4:", "f8:"):
        raise Misshapen("a vector begins with f4: or f8:")
    try:
        numbers = np.frombuffer(base64.b64decode(value[3:], validate=True), dtype=f"<{value[:2]}")
    except (binascii.Error, ValueError):
        raise Misshapen("a vector that is not base64 of whole numbers") from None
    if not np.isfinite(numbers).all():
        raise Misshapen("a vector with numbers that are not finite")
    return [float(number) for number in numbers]


def _spell(name: str, value: Any) -> Any:
    if isinstance(value, datetime):
        return None if value >= FOREVER else spell_moment(value)
    return vector(value) if name == VECTOR else value


def _read(name: str, value: Any, declared: Any) -> Any:
    if name == VECTOR:
        return read_vector(value)
    if isinstance(declared, graph_schema.End) and value is None:
        return FOREVER
    if isinstance(declared, graph_schema.Time):
        return moment(value)
    if not _fits(value, type(declared).__name__):
        raise Misshapen(f"{name} has the wrong type")
    if getattr(declared, "choices", None) and value not in declared.choices:
        raise Misshapen(f"{name} cannot be {str(value)[:40]!r}")
    return value


def _fits(value: Any, kind: str) -> bool:
    if kind == "ArrayProperty":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind == "FloatProperty":
        return isinstance(value, float) and math.isfinite(value)
    if kind == "IntegerProperty":
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63
    if kind == "BooleanProperty":
        return isinstance(value, bool)
    return isinstance(value, str) and (kind != "JSONProperty" or _is_json(value))


def _is_json(value: str) -> bool:
    try:
        json.loads(value)
    except ValueError:
        return False
    return True


def labels(shape: NodeShape, stored: Iterable[str]) -> list[str]:
    """The labels of a node beside its own."""
    return sorted(set(stored) - {shape.label})

"""A tenant as a Cypher script for another database: batches of MERGE, so that running it twice does no harm.

Vectors are left out: the script is for exploring, `load` is for moving.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from itertools import groupby, islice
from string import Template
from typing import Any

from graph_memory.base.files import folder
from graph_memory.base.scope import Scope
from graph_memory.store.service import Row, Service
from graph_memory.transfer import shapes
from graph_memory.transfer.export import records, steady
from graph_memory.transfer.shapes import LINK, NODES

_ROWS = 200
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SHOWN = ("subject", "entity", "attribute", "segment", "message", "memory", "revision", "community", LINK)
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_SPECIAL = re.compile(r"[\\'\x00-\x1f\x7f-\x9f\u2028\u2029]")
# A server that reads `\u` before it reads strings would find one behind an escaped backslash.
_BEFORE_A_U = re.compile(r"(?<=\\)(?=[uU])")


def script_lines(service: Service, scope: Scope, now: bool = False) -> Iterator[str]:
    """The lines of the script. Raises Conflict at the end when somebody wrote meanwhile."""
    yield "// An export of graph-memory: memories and what joins them, without vectors and ledger. Safe to run twice."
    for record in _SHOWN:
        if record != LINK:
            yield _template("constraint").substitute(label=name(NODES[record].label))
    wanted = (each for each in steady(service, scope, records(service, scope, now)) if each[0] in _SHOWN)
    for heading, group in groupby(wanted, key=lambda each: _heading(each[0], each[1])):
        while rows := list(islice(group, _ROWS)):
            yield _statement(heading, [_row(scope, record, found) for record, found in rows])


def literal(value: Any) -> str:
    """A value as Cypher spells it, whatever it holds."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, datetime):
        return f"datetime('{shapes.spell_moment(value)}')"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return (
            repr(value)
            if math.isfinite(value)
            else {"inf": "Infinity", "-inf": "-Infinity"}.get(str(value), "NaN")
        )
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name(key)}: {literal(item)}" for key, item in sorted(value.items())) + "}"
    return "[" + ", ".join(literal(item) for item in value) + "]"


def name(word: str) -> str:
    """A label, type or property name; ValueError for anything that is not a plain word."""
    if not _NAME.fullmatch(word):
        raise ValueError(f"{word!r} is no name")
    return f"`{word}`"


def _text(value: str) -> str:
    """Strings joined by +, none of which holds a backslash before a u."""
    return " + ".join(map(_quoted, _BEFORE_A_U.split(value)))


def _quoted(value: str) -> str:
    return "'" + _SPECIAL.sub(lambda found: _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}", value) + "'"


def _heading(record: str, found: Row) -> tuple[str, ...]:
    """What the rows of one statement share."""
    if record == LINK:
        shape = shapes.links()[found["kind"]]
        key = (
            "id"
            if "id" in shape.properties
            else "recorded_from"
            if "recorded_from" in shape.properties
            else ""
        )
        return (record, found["kind"], NODES[shape.start].label, NODES[shape.end].label, key)
    return (record, NODES[record].label, *found["labels"])


def _row(scope: Scope, record: str, found: Row) -> Row:
    properties = {key: value for key, value in found["properties"].items() if key != shapes.VECTOR}
    if record == LINK:
        return {"tenant": scope.tenant, "a": found["from"], "b": found["to"], "properties": properties}
    return {"tenant": scope.tenant, "id": properties["id"], "properties": properties}


def _statement(heading: tuple[str, ...], rows: list[Row]) -> str:
    spelled = ",\n".join(literal(row) for row in rows)
    if heading[0] == LINK:
        _, kind, start, end, key = heading
        found = f" {{{name(key)}: row.properties.{name(key)}}}" if key else ""
        return _template("links").substitute(
            rows=spelled, start=name(start), end=name(end), kind=name(kind), key=found
        )
    labels = ", n" + "".join(f":{name(label)}" for label in heading[2:]) if heading[2:] else ""
    return _template("nodes").substitute(rows=spelled, label=name(heading[1]), labels=labels)


@cache
def _template(which: str) -> Template:
    """A statement of the script with places for names and rows."""
    return Template(folder("cypher").joinpath("script", f"{which}.cypher").read_text("utf-8").rstrip())

"""Conditions as they are written on the command line: `importance>=0.5`, `metadata.page=3`, `tags~odd`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

import typer

from graph_memory.base.errors import Invalid
from graph_memory.memory.browsing import FIELDS, Condition, Operator

Where = Annotated[
    list[str] | None,
    typer.Option(help="A condition on any field: 'importance>=0.5', 'tags~pets'; repeat for more."),
]

_WRITTEN = re.compile(r"([\w.]+)\s*(>=|<=|!=|=|>|<|~)\s*(.*)", re.DOTALL)
_SIGNS = {
    "=": Operator.EQ,
    "!=": Operator.NE,
    "<": Operator.LT,
    "<=": Operator.LTE,
    ">": Operator.GT,
    ">=": Operator.GTE,
    "~": Operator.CONTAINS,
}


def condition_of(written: str, moment_of: Callable[[str, str], datetime | None]) -> Condition:
    """The condition; Invalid when it is not written as one. `moment_of` reads times."""
    parts = _WRITTEN.fullmatch(written.strip())
    if parts is None:
        raise Invalid(f"{written[:60]!r} is not a condition; write one as in importance>=0.5 or tags~pets.")
    field, sign, value = parts.groups()
    return Condition(field, _SIGNS[sign], _value(field, _SIGNS[sign], value, moment_of))


def _value(
    field: str, operator: Operator, value: str, moment_of: Callable[[str, str], datetime | None]
) -> Any:
    kind = FIELDS.get(field)
    if kind is datetime and operator is not Operator.CONTAINS:
        return moment_of(field, value)
    if kind is str or field in ("tags", "labels", "entity", "subject"):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value

"""What the service says of an input, in the words of somebody who writes Python: no `input.`, no GraphQL, `valid_to`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from graph_memory.base.field_names import in_python

# What the client makes of the arguments of its methods.
_MADE = r"(?:input|filter)"
_INPUT = re.compile(rf"\b{_MADE}\.(?=\w)")


def of_python(
    message: str, path: str | None, fault: Mapping[str, str] | None = None
) -> tuple[str, str | None]:
    """A message and its path, as a program in Python has written them.

    `fault` is what is wrong with a value, in the parts in which the service tells it.
    """
    place = None if path is None else in_python(re.sub(rf"^{_MADE}(?:\.|$)", "", path)) or None
    told = _INPUT.sub("", message) if fault is None else _meant(fault, place or "")
    return in_python(told), place


def _meant(fault: Mapping[str, str], place: str) -> str:
    match fault:
        case {"kind": "MISSING"}:
            return f"{_below(place, fault.get('field'))} is missing."
        case {"kind": "UNKNOWN", "field": field, "hint": hint}:
            return f"There is no field {_below(place, field)}. {hint}".rstrip()
        case {"kind": "NOT_TAKEN", "value": value, "taken": taken}:
            return f"{place} is {value}; give {taken}."
        case {"kind": "NOT_ONE_OF", "value": value, "taken": taken}:
            return f"{place} is {value}; it must be {taken}."
    return f"{place}: {fault['said']}" if place else fault["said"]


def _below(place: str, field: str | None) -> str:
    return ".".join(each for each in (place, field) if each)

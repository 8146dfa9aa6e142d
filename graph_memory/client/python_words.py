"""What the service says of an input, in the words of somebody who writes Python: no `input.`, no GraphQL, `valid_to`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from graph_memory.base.field_names import in_python

_VARIABLE = re.compile(r"Variable '\$\w+' has invalid value(?: at \S+)?: (?P<rest>.*)", re.DOTALL)
_INPUT = re.compile(r"\binput\.(?=\w)")
# What the service's library says of a value, and what it means for the one who gave it.
_SAID: Sequence[tuple[re.Pattern[str], Callable[[str, re.Match[str]], str]]] = tuple(
    (re.compile(form, re.DOTALL), meant)
    for form, meant in (
        (r"Expected value of non-null type .* not to be None", lambda place, _: f"{place} is missing."),
        (
            r"Expected value of type '\w+' to include required field '(\w+)'",
            lambda place, said: f"{_below(place, said[1])} is missing.",
        ),
        (
            r"Expected value of type '\w+' not to include unknown field '(\w+)'\.(?P<hint> Did you mean [^?]*\?)?",
            lambda place, said: f"There is no field {_below(place, said[1])}.{said['hint'] or ''}",
        ),
        (
            r"(\w+) cannot represent [\w -]+: (?P<value>.*); an? \1 is (?P<taken>.*)",
            lambda place, said: f"{place} is {said['value']}; give {said['taken']}.",
        ),
        (
            r"Value (?P<value>'.*?') does not exist in '(\w+)' enum\..*; an? \2 is (?P<taken>.*)",
            lambda place, said: f"{place} is {said['value']}; it must be {said['taken']}.",
        ),
    )
)


def of_python(message: str, path: str | None) -> tuple[str, str | None]:
    """A message and its path, as a program in Python has written them."""
    place = None if path is None else in_python(re.sub(r"^input(?:\.|$)", "", path)) or None
    found = _VARIABLE.match(message)
    if found is None:
        return in_python(_INPUT.sub("", message)), place
    return in_python(_meant(found["rest"], place or "")), place


def _meant(rest: str, place: str) -> str:
    for form, meant in _SAID:
        if said := form.match(rest):
            return meant(place, said)
    return f"{place}: {rest}" if place else rest


def _below(place: str, field: str) -> str:
    return f"{place}.{field}" if place else field

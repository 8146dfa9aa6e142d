"""Names of values in messages: GraphQL spells `validTo`, Python and the domain `valid_to`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from graph_memory.base.files import folder

# A field, an argument, or what a description has in backticks: a field that is asked for by its name.
_NAME = re.compile(
    r"^ +([a-z]+(?:[A-Z][a-z]*)+):|(?<=[( ])([a-z]+(?:[A-Z][a-z]*)+):|`([a-z]+(?:[A-Z][a-z]*)+)`",
    re.MULTILINE,
)
_CAPITAL = re.compile(r"[A-Z]")
_WORD = re.compile(r"\w+")
# What somebody wrote stands in quotes, and stays as it is.
_QUOTED = re.compile(r"""((?<!\w)'[^']*'(?!\w)|"[^"]*")""")


def in_python(message: str) -> str:
    """A message with the names of fields and arguments as Python spells them."""
    return _respelled(message, _names())


def in_graphql(message: str) -> str:
    """A message with the names of fields and arguments as GraphQL spells them."""
    return _respelled(message, _names_of_python())


def _respelled(message: str, names: Mapping[str, str]) -> str:
    def other(match: re.Match[str]) -> str:
        return names.get(match[0], match[0])

    return _outside_quotes(message, lambda part: _WORD.sub(other, part))


def _outside_quotes(message: str, change: Callable[[str], str]) -> str:
    parts = _QUOTED.split(message)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))


@cache
def _names() -> Mapping[str, str]:
    schema = folder("graphql").joinpath("schema.graphql").read_text("utf-8")
    found = {"".join(each) for each in _NAME.findall(schema)}
    return {name: _CAPITAL.sub(lambda each: f"_{each[0].lower()}", name) for name in found}


@cache
def _names_of_python() -> Mapping[str, str]:
    return {python: graphql for graphql, python in _names().items()}

"""Statements as the command line takes them: from options, or one a line from standard input.

A line is a text, or a JSON object with the words of GraphQL's FactInput (text, kind, tags, validFrom, source, ...). What
the options say holds for every line that says nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graph_memory.base.errors import Invalid, InvalidFile, UserError
from graph_memory.entities import given as giving
from graph_memory.memory.validation import of_ten
from graph_memory.model.memory import EntityName, Fact, Source, SourceKind


def facts_of_lines(lines: Iterable[str], usual: Fact, name: str) -> list[Fact]:
    """The facts of all lines that are not blank. InvalidFile names every line that is broken, and why."""
    facts, faults = [], []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            facts.append(_of_line(line.strip(), usual))
        except UserError as error:
            faults.append((number, error.message))
    if faults:
        raise InvalidFile(name, faults)
    return facts


def entity_of(given: str) -> EntityName:
    """`Ann`, or with a type `Ann:PERSON`."""
    name, _, type_ = given.rpartition(":")
    is_typed = bool(name) and type_.isupper() and type_.replace("_", "").isalpha()
    return giving.given(name, type_, path="--entity") if is_typed else giving.given(given, path="--entity")


def metadata_of(given: Sequence[str]) -> dict[str, str]:
    """`name=value` of each; values are texts."""
    pairs = [each.partition("=") for each in given]
    if wrong := [name for name, sign, _ in pairs if not (name and sign)]:
        raise Invalid(f"--metadata: {wrong[0]} is not name=value.", path="metadata")
    return {name: value for name, _, value in pairs}


def _of_line(line: str, usual: Fact) -> Fact:
    if not line.startswith("{"):
        return replace(usual, text=line)
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"is not JSON: {error}") from None
    if unknown := sorted(given.keys() - _FIELDS.keys()):
        raise Invalid(f"has {', '.join(unknown)}, which is none of {', '.join(_FIELDS)}")
    if "text" not in given:
        raise Invalid("has no text")
    told = {name: value for name, value in given.items() if value is not None}
    return replace(usual, **dict(_FIELDS[name](name, value) for name, value in told.items()))


def _text(name: str, value: Any) -> tuple[str, Any]:
    return _snake(name), _is(name, value, str)


def _number(name: str, value: Any) -> tuple[str, Any]:
    return name, float(_is(name, value, int, float))


def _of_ten(name: str, value: Any) -> tuple[str, Any]:
    return "importance", of_ten(_is(name, value, int), name)


def _flag(name: str, value: Any) -> tuple[str, Any]:
    return name, _is(name, value, bool)


def _time(name: str, value: Any) -> tuple[str, Any]:
    try:
        return _snake(name), datetime.fromisoformat(_is(name, value, str)).astimezone()
    except (ValueError, OverflowError):
        raise Invalid(f"{name} {value} is neither a date nor a time") from None


def _tags(name: str, value: Any) -> tuple[str, Any]:
    return name, tuple(_is(f"{name}[{place}]", tag, str) for place, tag in enumerate(_is(name, value, list)))


def _metadata(name: str, value: Any) -> tuple[str, Any]:
    return name, _is(name, value, dict)


def _entities(name: str, value: Any) -> tuple[str, Any]:
    named = [_only(name, each, ("name", "type", "discriminator")) for each in _is(name, value, list)]
    return name, tuple(giving.given(**{"name": "", **each}) for each in named)


def _source(name: str, value: Any) -> tuple[str, Any]:
    told = _only(name, value, ("kind", "ref", "author"))
    kind = str(told.get("kind", SourceKind.USER)).lower()
    if kind not in set(SourceKind):
        raise Invalid(f"source.kind {kind} is none of {', '.join(SourceKind)}")
    return name, Source(SourceKind(kind), told.get("ref"), told.get("author"))


def _only(name: str, value: Any, words: Sequence[str]) -> Mapping[str, str]:
    given = _is(name, value, dict)
    if unknown := sorted(given.keys() - set(words)):
        raise Invalid(f"{name} has {', '.join(unknown)}, which is none of {', '.join(words)}")
    return {word: _is(f"{name}.{word}", each, str) for word, each in given.items()}


def _is(name: str, value: Any, *kinds: type) -> Any:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        words = {str: "a text", list: "a list", dict: "an object", bool: "true or false"}
        raise Invalid(f"{name} must be {words.get(kinds[0], 'a number')}")
    return value


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


_FIELDS: Mapping[str, Callable[[str, Any], tuple[str, Any]]] = {
    "text": _text,
    "kind": _text,
    "tags": _tags,
    "metadata": _metadata,
    "confidence": _number,
    "importance": _number,
    "importanceOfTen": _of_ten,
    "critical": _flag,
    "pinned": _flag,
    "happensAt": _time,
    "expiresAt": _time,
    "validFrom": _time,
    "validTo": _time,
    "heading": _text,
    "sessionId": _text,
    "agentId": _text,
    "source": _source,
    "entities": _entities,
}

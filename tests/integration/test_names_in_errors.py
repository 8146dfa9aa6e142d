"""What an error calls a value is what the caller wrote: an argument of the field that was asked, or what lies in an input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from graphql import (
    GraphQLField,
    GraphQLInputObjectType,
    build_schema,
    get_named_type,
    is_input_object_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
    is_required_argument,
    is_required_input_field,
)

from graph_memory.api.schema import sdl
from graph_memory.store.api_keys import Right
from tests.integration.api_world import Api, api

__all__ = ["api"]

pytestmark = pytest.mark.stack

SCHEMA = build_schema(sdl())
NOBODY = "00000000-0000-4000-8000-000000000000"
GOOD = {
    "Int": 1,
    "Float": 0.5,
    "Boolean": False,
    "DateTime": "2026-01-01T00:00:00Z",
    "JSON": {},
    "String": "Ann sails",
}
BAD = {
    "Int": -1,
    "Float": -1.0,
    "DateTime": "0001-01-01T00:00:00Z",
    "JSON": {"a": [1]},
    "String": "a\0b",
    "ID": "nobody",
}
# What works on the whole store, or for which a name that is written nowhere is no fault.
LEFT_OUT = {"runJob"}
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
FIELDS = [
    (kind, name, field)
    for kind, root in (("query", SCHEMA.query_type), ("mutation", SCHEMA.mutation_type))
    for name, field in (root.fields.items() if root else ())
    if field.args and name not in LEFT_OUT
]


@pytest.mark.parametrize(("kind", "name", "field"), FIELDS, ids=[name for _, name, _ in FIELDS])
def test_a_fault_names_what_the_caller_wrote(api: Api, kind: str, name: str, field: GraphQLField) -> None:
    key, wrong = api.key(None, None, *Right), []
    for given in _asked(field):
        for message, path in _told(api.ask(key, _document(kind, name, field, given), **given)):
            first = re.match(r"([a-z][\w.\[\]]*) (?:is|has|must|holds|lies)\b", message)
            called = [each for each in (path, first and first[1]) if each]
            if re.search(r"[a-z]_[a-z]", QUOTED.sub("", message)) or not all(
                _is_there(field, each) for each in called
            ):
                wrong.append((given, path, message))
    assert wrong == []


def _asked(field: GraphQLField) -> Iterator[dict[str, Any]]:
    """The arguments that have to be given, with one value that is wrong."""
    needed = {name: _good(each.type) for name, each in field.args.items() if is_required_argument(each)}
    for name, each in field.args.items():
        for value in _bad(each.type):
            yield {**needed, name: value}


def _good(kind: Any) -> Any:
    if is_non_null_type(kind):
        return _good(kind.of_type)
    if is_list_type(kind):
        return [_good(kind.of_type)]
    if is_input_object_type(kind):
        needed = {name: each for name, each in kind.fields.items() if is_required_input_field(each)}
        return {name: _good(each.type) for name, each in needed.items()}
    return next(iter(kind.values)) if hasattr(kind, "values") else GOOD.get(kind.name, NOBODY)


def _bad(kind: Any) -> Iterator[Any]:
    if is_non_null_type(kind):
        yield from _bad(kind.of_type)
    elif is_list_type(kind):
        yield from ([each] for each in _bad(kind.of_type))
    elif is_input_object_type(kind):
        for name, each in kind.fields.items():
            yield from ({**_good(kind), name: value} for value in _bad(each.type))
    elif not hasattr(kind, "values") and kind.name != "Boolean":
        yield BAD.get(kind.name, "nobody")


def _document(kind: str, name: str, field: GraphQLField, given: dict[str, Any]) -> str:
    declared = ",".join(f"${each}:{field.args[each].type}" for each in given)
    below = "{errors{message path}}" if kind == "mutation" else "{__typename}"
    if is_leaf_type(get_named_type(field.type)):
        below = ""
    return f"{kind}({declared}){{{name}({','.join(f'{each}:${each}' for each in given)}){below}}}"


def _told(answer: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    for each in answer.get("errors") or ():
        assert each["extensions"]["code"] != "INTERNAL", each
        if not each["message"].startswith("Variable"):
            yield each["message"], each["extensions"].get("argument")
    for value in (answer.get("data") or {}).values():
        for each in (value.get("errors") or ()) if isinstance(value, dict) else ():
            yield each["message"], each["path"]


def _is_there(field: GraphQLField, path: str) -> bool:
    """Whether an argument has this place."""
    first, *rest = (step.partition("[")[0] for step in path.split("."))
    if first not in field.args:
        return False
    kind: Any = get_named_type(field.args[first].type)
    for step in rest:
        if not isinstance(kind, GraphQLInputObjectType):
            return bool(kind.name == "JSON")
        if step not in kind.fields:
            return False
        kind = get_named_type(kind.fields[step].type)
    return True

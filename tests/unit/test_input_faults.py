"""What is wrong with the values of variables, told in parts beside each sentence of the GraphQL library."""

from __future__ import annotations

from typing import Any

import pytest
from graphql import GraphQLError, build_schema, parse
from graphql.execution.values import get_variable_values

from graph_memory.api.faults import formatted
from graph_memory.api.input_faults import tell
from graph_memory.api.schema import sdl

SCHEMA = build_schema(sdl())
REMEMBER = "mutation($v: RememberInput!) { remember(input: $v) { replayed } }"
SEARCH = 'query($v: [ConditionInput!]) { search(query: "x", where: $v) { totalCount } }'
FIRST = "query($v: Int) { memories(first: $v) { nodes { id } } }"

# The document, the value, and for each fault its place and its parts but for what the library says of it.
WRONG: dict[str, tuple[str, Any, list[tuple[str, dict[str, str]]]]] = {
    "nothing": (REMEMBER, None, [("v", {"kind": "MISSING"})]),
    "no text": (REMEMBER, {"kind": "fact"}, [("v", {"kind": "MISSING", "field": "text"})]),
    "a text that is null": (REMEMBER, {"text": None}, [("v.text", {"kind": "MISSING"})]),
    "no object": (REMEMBER, "tea", [("v", {"kind": "REFUSED"})]),
    "a number in words": (
        FIRST,
        "ten",
        [("v", {"kind": "NOT_TAKEN", "value": "'ten'", "taken": "a whole number, as in 10"})],
    ),
    "several at once, in the order of the schema": (
        REMEMBER,
        {"knd": "fact", "importance": "high", "source": {"kind": "TALK"}},
        [
            ("v.importance", {"kind": "NOT_TAKEN", "value": "'high'", "taken": "a number, as in 0.5"}),
            (
                "v.source.kind",
                {"kind": "NOT_ONE_OF", "value": "'TALK'", "taken": "one of AGENT, IMPORT, TOOL, USER, WEB"},
            ),
            ("v", {"kind": "MISSING", "field": "text"}),
            ("v", {"kind": "UNKNOWN", "field": "knd", "hint": "Did you mean 'kind'?"}),
        ],
    ),
    "one of a list": (
        SEARCH,
        [{"field": "kind", "value": 1}, {"field": "kind", "operator": "EQ", "value": 1, "zzzzz": 1}],
        [("v[1]", {"kind": "UNKNOWN", "field": "zzzzz", "hint": ""})],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_fault_of_a_variable_is_told_in_parts(name: str) -> None:
    document, value, expected = WRONG[name]
    told = [formatted(each)["extensions"] for each in _refused(document, value)]
    assert [(each["argument"], _parts(each["fault"])) for each in told] == expected


def test_what_the_library_says_of_it_is_among_the_parts() -> None:
    [error] = _refused(FIRST, "ten")
    assert formatted(error)["extensions"]["fault"]["said"] == "Int cannot represent non-integer value: 'ten'"


def test_after_the_most_that_the_library_tells_of_the_rest_is_left() -> None:
    errors = _refused(SEARCH, [{"field": 1, "value": 1}] * 9, most=3)
    told = [formatted(each)["extensions"] for each in errors]
    assert [each.get("fault", {}).get("kind") for each in told] == ["NOT_TAKEN"] * 3 + [None]


def _parts(fault: dict[str, str]) -> dict[str, str]:
    return {name: part for name, part in fault.items() if name != "said"}


def _refused(document: str, value: Any, most: int | None = None) -> list[GraphQLError]:
    operation: Any = parse(document).definitions[0]
    errors = get_variable_values(SCHEMA, operation.variable_definitions, {"v": value}, max_errors=most)
    assert isinstance(errors, list)
    tell(errors, SCHEMA, {"v": value})
    return errors

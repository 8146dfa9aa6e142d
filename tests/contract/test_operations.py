"""The documents that clients send are valid, named like their files, and pass the guards."""

from __future__ import annotations

from pathlib import Path

from graphql import (
    FragmentDefinitionNode,
    GraphQLError,
    OperationDefinitionNode,
    build_schema,
    parse,
    print_ast,
    validate,
)

from graph_memory.api import shape
from graph_memory.api.schema import Mutation, Query, Subscription, make_schema, sdl
from graph_memory.base.files import folder

FILES = sorted((Path(str(folder("graphql"))) / "operations").glob("*.graphql"))
SCHEMA = build_schema(sdl())


SOURCES = {file.stem: file.read_text("utf-8") for file in FILES}


def test_every_operation_is_valid_and_passes_the_guards() -> None:
    faults = {name: [*validate(SCHEMA, parse(source)), *_refused(source)] for name, source in SOURCES.items()}
    assert {name: found for name, found in faults.items() if found} == {}


def _refused(source: str) -> list[GraphQLError]:
    try:
        shape.check(parse(source))
    except GraphQLError as refusal:
        return [refusal]
    return []


def test_every_file_opens_with_its_purpose_and_holds_one_operation_of_its_name() -> None:
    assert [name for name, source in SOURCES.items() if not source.startswith("# ")] == []
    named = {
        stem: [
            each.name.value
            for each in parse(source).definitions
            if isinstance(each, OperationDefinitionNode) and each.name
        ]
        for stem, source in SOURCES.items()
    }
    assert named == {stem: [stem.title().replace("-", "")] for stem in SOURCES}


def test_a_fragment_is_the_same_wherever_it_stands() -> None:
    """A file can be sent as it is, so those that ask for the same repeat it."""
    found: dict[str, set[str]] = {}
    for file in FILES:
        for each in parse(file.read_text("utf-8")).definitions:
            if isinstance(each, FragmentDefinitionNode):
                found.setdefault(each.name.value, set()).add(print_ast(each))
    assert {name for name, texts in found.items() if len(texts) > 1} == set()


def test_every_root_field_that_is_not_deprecated_is_asked_by_some_operation() -> None:
    convert = make_schema().config.name_converter.get_graphql_name
    fields = [
        convert(field)
        for root in (Query, Mutation, Subscription)
        for field in root.__strawberry_definition__.fields  # type: ignore[attr-defined]
        if field.deprecation_reason is None
    ]
    asked = "\n".join(file.read_text("utf-8") for file in FILES)
    assert [name for name in fields if f"\n  {name}" not in asked] == []

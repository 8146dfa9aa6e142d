"""The written-out schema is the code's, and it explains itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    build_schema,
    get_introspection_query,
    parse,
)
from strawberry.schema.schema_converter import CustomGraphQLEnumType
from typer.testing import CliRunner

from graph_memory.api import shape
from graph_memory.api.fields import FaultsAreData, Needs, Payload
from graph_memory.api.schema import Mutation, Query, Subscription, make_schema, sdl
from graph_memory.base.files import folder
from graph_memory.base.settings import ApiSettings
from graph_memory.cli.schema import app
from graph_memory.model.link_kinds import ALIASES


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build_schema(sdl())


def test_the_written_schema_is_the_one_in_the_code() -> None:
    written = Path(str(folder("graphql"))) / "schema.graphql"
    assert written.read_text("utf-8") == sdl(), "run `make schema` and look at the difference"


def test_the_command_prints_the_schema_and_nothing_else() -> None:
    assert CliRunner().invoke(app).stdout == sdl()


def test_everything_has_a_description(schema: GraphQLSchema) -> None:
    assert [name for name, description in _elements(schema) if not (description or "").strip()] == []


def test_every_mutation_takes_one_input_and_answers_a_payload(schema: GraphQLSchema) -> None:
    assert schema.mutation_type is not None
    for name, field in schema.mutation_type.fields.items():
        assert list(field.args) == ["input"], name
        answer = field.type
        assert isinstance(answer, GraphQLObjectType)
        assert "Payload" in [interface.name for interface in answer.interfaces], name


# What an agent with a key to write must not be able to do.
BEYOND_WRITING = {
    "confirm_memories": "admin",
    "forget": "erase",
    "add_webhook": "admin",
    "remove_webhook": "admin",
    "resume_webhook": "admin",
    "webhooks": "admin",
    "api_keys": "admin",
    "create_api_key": "admin",
    "revoke_api_key": "admin",
}


def test_every_root_field_names_the_right_it_needs() -> None:
    for root, right in ((Query, "read"), (Mutation, "write")):
        for field in root.__strawberry_definition__.fields:  # type: ignore[attr-defined]
            needed = [each.right for each in field.extensions if isinstance(each, Needs)]
            assert needed == [BEYOND_WRITING.get(field.name, right)], field.name
            if root is Mutation:
                assert any(isinstance(each, FaultsAreData) for each in field.extensions), field.name
    for field in Subscription.__strawberry_definition__.fields:  # type: ignore[attr-defined]
        assert field.base_resolver.wrapped_func.right == "read", field.name


def test_no_list_of_the_tenant_comes_without_a_size(schema: GraphQLSchema) -> None:
    assert schema.query_type is not None
    for name, field in schema.query_type.fields.items():
        is_many = str(field.type).endswith(("Connection", "Result")) or name == "jobs"
        if is_many and name != "path":
            assert "first" in field.args, name


def test_every_page_tells_how_many_there_are_on_all(schema: GraphQLSchema) -> None:
    pages = {name: kind for name, kind in schema.type_map.items() if name.endswith("Connection")}
    assert len(pages) > 10
    assert [name for name, kind in pages.items() if "totalCount" not in getattr(kind, "fields", {})] == []


def test_the_aliases_of_a_link_type_are_taken_and_answered_under_its_own_name() -> None:
    taken = make_schema()._schema.type_map["LinkKind"]
    assert isinstance(taken, GraphQLEnumType)
    for alias, kind in ALIASES.items():
        assert taken.parse_value(alias) is kind
        assert taken.serialize(kind) == kind.name


def test_every_enum_of_the_schema_is_one_of_the_domain() -> None:
    shown = [
        each for each in make_schema()._schema.type_map.values() if isinstance(each, CustomGraphQLEnumType)
    ]
    own = [each.name for each in shown if each.wrapped_cls.__module__.startswith("graph_memory.api")]
    assert own == ["ErrorCode"]


def test_the_usual_introspection_passes_the_guards() -> None:
    shape.check(parse(get_introspection_query(descriptions=True, input_value_deprecation=True)))


def test_suggestions_follow_the_setting() -> None:
    assert make_schema(ApiSettings(introspection=False)).config.disable_field_suggestions
    assert not make_schema(ApiSettings(introspection=True)).config.disable_field_suggestions


def test_a_payload_without_an_answer_can_be_made_of_every_kind() -> None:
    for field in Mutation.__strawberry_definition__.fields:  # type: ignore[attr-defined]
        [told] = [each for each in field.extensions if isinstance(each, FaultsAreData)]
        assert isinstance(told.payload(errors=[]), Payload)


def _elements(schema: GraphQLSchema) -> Iterator[tuple[str, str | None]]:
    for name, found in schema.type_map.items():
        if name.startswith("__") or name in ("String", "Int", "Float", "Boolean", "ID"):
            continue
        yield name, found.description
        if isinstance(found, GraphQLEnumType):
            yield from ((f"{name}.{key}", value.description) for key, value in found.values.items())
        if isinstance(found, GraphQLInputObjectType):
            yield from ((f"{name}.{key}", value.description) for key, value in found.fields.items())
        if isinstance(found, GraphQLObjectType | GraphQLInterfaceType):
            for key, field in found.fields.items():
                yield f"{name}.{key}", field.description
                yield from ((f"{name}.{key}({arg})", given.description) for arg, given in field.args.items())

"""The client is held equal to the schema: each method sends a valid operation and reads all that it asks for."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import UTC, date, datetime
from importlib import import_module
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    build_schema,
    get_named_type,
    parse,
    validate,
)
from graphql.execution.values import get_variable_values

from graph_memory.api.schema import sdl
from graph_memory.base import errors
from graph_memory.client import AsyncClient, Client, answers, exchange
from graph_memory.client.answers import Page, shape
from graph_memory.client.exchange import Asker, Post, fault
from graph_memory.client.methods import (
    administering,
    deciding,
    finding,
    grouping,
    looking,
    running,
    talking,
    writing,
)

SCHEMA = build_schema(sdl())
MODULES = (administering, deciding, finding, grouping, looking, running, talking, writing)
METHODS = {
    name: each
    for module in MODULES
    for name, each in vars(module).items()
    if inspect.isgeneratorfunction(each) and not name.startswith("_") and each.__module__ == module.__name__
}
SCALARS: Mapping[str, Any] = {
    "DateTime": datetime, "Int": int, "Float": float, "Boolean": bool, "ID": str, "String": str, "UUID": str,
}  # fmt: skip
# What a parameter is given where its type does not say enough.
GIVEN: Mapping[str, Any] = {
    "messages": [{"role": "user", "content": "I live in Lyon."}],
    "entities": [{"name": "Ann"}],
    "source": {"kind": "WEB", "ref": "page-7"},
    "metadata": {"page": 7},
    "after": "7",
    "where": [{"field": "tags", "operator": "CONTAINS", "value": "pets"}],
}
# What stands in an input and the client does not offer: a second spelling of the importance.
LEFT_OUT = {"importanceOfTen"}


@pytest.mark.parametrize("name", METHODS)
def test_the_method_sends_a_valid_operation_with_values_that_it_takes(name: str) -> None:
    document, variables = _sent(METHODS[name])
    assert validate(SCHEMA, document) == []
    [operation] = [each for each in document.definitions if isinstance(each, OperationDefinitionNode)]
    coerced = get_variable_values(SCHEMA, operation.variable_definitions or (), variables)
    assert not isinstance(coerced, list), coerced
    assert set(variables) <= {each.variable.name.value for each in operation.variable_definitions or ()}


@pytest.mark.parametrize("name", METHODS)
def test_the_method_reads_all_that_its_operation_asks_for(name: str) -> None:
    document, _ = _sent(METHODS[name])
    [operation] = [each for each in document.definitions if isinstance(each, OperationDefinitionNode)]
    root = SCHEMA.get_root_type(operation.operation)
    assert root is not None
    field = operation.selection_set.selections[0]
    assert isinstance(field, FieldNode)
    found = root.fields[field.name.value].type
    _hold_equal(_answered(METHODS[name]), found, field.selection_set, document, name)


def test_what_is_followed_reads_all_that_its_subscription_asks_for() -> None:
    text = exchange.document("follow-changes")
    document = parse(text)
    [operation] = [each for each in document.definitions if isinstance(each, OperationDefinitionNode)]
    [field] = operation.selection_set.selections
    assert isinstance(field, FieldNode)
    assert SCHEMA.subscription_type is not None
    told = SCHEMA.subscription_type.fields[field.name.value].type
    _hold_equal(answers.Change, told, field.selection_set, document, "changes.each")


def test_both_clients_have_every_method() -> None:
    for client in (Client, AsyncClient):
        offered = {name for name, each in vars(client).items() if callable(each) and not name.startswith("_")}
        assert offered - {"close", "changes", "as_async"} == set(METHODS), client


def test_the_words_of_the_client_are_the_enums_of_the_schema() -> None:
    words = {name: each for name, each in vars(answers).items() if get_origin(each) is Literal}
    assert len(words) > 10
    for name, each in words.items():
        enum = SCHEMA.type_map[name]
        assert isinstance(enum, GraphQLEnumType)
        assert sorted(get_args(each)) == sorted(enum.values), name


def test_every_answer_is_named_in_one_place() -> None:
    """`graph_memory.client.answers` has the name of each type that a client answers, wherever it is written."""
    written = {
        name
        for each in iter_modules(answers.__path__, f"{answers.__name__}.")
        for name, kind in vars(import_module(each.name)).items()
        if getattr(kind, "__module__", None) == each.name and is_dataclass(kind)
    }
    assert len(written) > 60
    assert written <= set(answers.__all__)


def test_remember_takes_all_that_the_service_takes() -> None:
    _, variables = _sent(writing.remember)
    taken = SCHEMA.type_map["RememberInput"]
    assert isinstance(taken, GraphQLInputObjectType)
    assert set(variables["input"]) == set(taken.fields) - LEFT_OUT


def test_every_method_says_what_it_does() -> None:
    assert [name for name, each in METHODS.items() if not (each.__doc__ or "").rstrip().endswith(".")] == []


def test_the_client_stands_by_itself() -> None:
    """It imports an HTTP library and errors: nothing of the database, of the service, or of its settings."""
    code = "import graph_memory, sys; graph_memory.Client, graph_memory.AsyncClient; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    heavy = {
        "neo4j", "pandas", "numpy", "pydantic", "pydantic_settings", "strawberry", "graphql", "starlette", "celery",
        "typer", "rich", "mcp", "onnxruntime",
    }  # fmt: skip
    assert heavy & loaded == set()
    ours = {name.split(".")[1] for name in loaded if name.startswith("graph_memory.")}
    assert ours == {"base", "client"}


def _sent(method: Callable[..., Any]) -> tuple[DocumentNode, dict[str, Any]]:
    """What the method sends first, when everything is given that it takes."""
    hints = get_type_hints(method)
    names = [name for name in inspect.signature(method).parameters if name != "asker"]
    steps = method(Asker("http://nowhere"), **{name: _sample(name, hints[name]) for name in names})
    post = next(steps)
    assert isinstance(post, Post)
    body = json.loads(post.body)
    return parse(body["query"]), body["variables"]


def _sample(name: str, hint: Any) -> Any:
    if name in GIVEN:
        return GIVEN[name]
    origin, inner = get_origin(hint), [each for each in get_args(hint) if each is not NoneType]
    if origin in (Union, UnionType):
        return _sample(name, inner[0])
    if origin is Literal:
        return inner[0]
    if origin is Sequence or hint is Sequence:
        return [_sample(name, inner[0])]
    return {str: "x", int: 3, float: 0.5, bool: True, date: datetime(2026, 3, 1, tzinfo=UTC)}[hint]


def _answered(method: Callable[..., Any]) -> Any:
    """The type of what it reads; what goes on over pages answers all of them in one tuple."""
    *_, kind = get_args(get_type_hints(method)["return"])
    return Page[get_args(kind)[0]] if method is looking.history else kind


def _hold_equal(
    kind: Any,
    told: Any,
    selected: SelectionSetNode | None,
    document: DocumentNode,
    at: str,
    of_payload: int = 0,
) -> None:
    """The type says the same as the schema does of what is selected, all the way down.

    A payload's own values are null only beside an error, and that is raised; so they may be sure here.
    """
    is_sure = isinstance(told, GraphQLNonNull)
    if get_origin(kind) in (Union, UnionType):
        assert not is_sure, f"{at} is never null"
        [kind] = [each for each in get_args(kind) if each is not NoneType]
    elif at.count(".") > of_payload:
        assert is_sure or kind is Any, f"{at} may be null"
    told = told.of_type if is_sure else told
    if isinstance(told, GraphQLList):
        assert get_origin(kind) is tuple, at
        _hold_equal(get_args(kind)[0], told.of_type, selected, document, f"{at}.each")
    elif get_origin(kind) is Page:
        assert isinstance(told, GraphQLObjectType)
        assert selected is not None
        nodes = next(each for each in _fields(selected, document) if each.name.value == "nodes")
        [inner] = get_args(kind)
        found = told.fields["nodes"].type
        _hold_equal(tuple[inner, ...], found, nodes.selection_set, document, f"{at}.nodes")
    elif isinstance(told, GraphQLObjectType):
        assert is_dataclass(kind), at
        assert selected is not None
        _hold_fields_equal(kind, told, selected, document, at)
    elif isinstance(told, GraphQLEnumType):
        assert sorted(get_args(kind)) == sorted(told.values), at
    elif get_named_type(told).name != "JSON":
        assert kind is SCALARS[get_named_type(told).name], at


def _hold_fields_equal(
    kind: Any, told: GraphQLObjectType, selected: SelectionSetNode, document: DocumentNode, at: str
) -> None:
    chosen = {each.name.value: each for each in _fields(selected, document)}
    read = {place: (hint, is_optional) for _, place, hint, is_optional in shape(kind)}
    needed = {place for place, (_, is_optional) in read.items() if not is_optional}
    assert needed == set(chosen) - {"errors"}, at
    for place in needed:
        hint, _ = read[place]
        below = chosen[place].selection_set
        is_payload = "errors" in chosen
        _hold_equal(hint, told.fields[place].type, below, document, f"{at}.{place}", int(is_payload))


def _fields(selected: SelectionSetNode, document: DocumentNode) -> Iterator[FieldNode]:
    fragments = {
        each.name.value: each for each in document.definitions if isinstance(each, FragmentDefinitionNode)
    }
    for each in selected.selections:
        if isinstance(each, FieldNode):
            yield each
        elif isinstance(each, InlineFragmentNode):
            yield from _fields(each.selection_set, document)
        else:
            yield from _fields(fragments[each.name.value].selection_set, document)


def test_every_error_of_the_service_comes_as_itself() -> None:
    kinds = [each for each in vars(errors).values() if isinstance(each, type)]
    for kind in kinds:
        if issubclass(kind, errors.GraphMemoryError) and "code" in vars(kind) and kind.code != "ERROR":
            told = fault(kind.code, "It is so.", "input.id")
            assert type(told) is kind
            assert (str(told), told.code, told.path) == ("It is so.", kind.code, "id")

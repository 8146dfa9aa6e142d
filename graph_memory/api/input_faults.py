"""What is wrong with the values of variables, in parts: so that a client can say it in words of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graphql import (
    GraphQLError,
    GraphQLSchema,
    VariableDefinitionNode,
    is_enum_type,
    is_input_object_type,
    is_list_type,
    is_non_null_type,
    is_required_input_field,
    type_from_ast,
)
from graphql.pyutils import Undefined, did_you_mean, inspect, suggestion_list
from strawberry.extensions import SchemaExtension

from graph_memory.api.faults import taken_by


class InputFaults(SchemaExtension):
    """Tells under `extensions.fault` what each fault of a variable is, beside the sentence of the library."""

    def on_execute(self) -> Iterator[None]:
        yield
        context = self.execution_context
        if errors := getattr(context.result, "errors", None):
            tell(errors, context.schema._schema, context.variables or {})


def tell(errors: Sequence[GraphQLError], schema: GraphQLSchema, variables: Mapping[str, Any]) -> None:
    """Adds its parts to each error that tells of a value that was sent."""
    by_variable: dict[str, list[GraphQLError]] = defaultdict(list)
    kinds = {}
    for error in errors:
        match error.nodes:
            case [VariableDefinitionNode() as node, *_]:
                name = node.variable.name.value
                by_variable[name].append(error)
                kinds[name] = type_from_ast(schema, node.type)
    for name, told in by_variable.items():
        found = list(faults_of(variables.get(name, Undefined), kinds[name]))
        # Both go through the value in one order; after the most that it tells of, the library stops.
        for error, fault in zip(told, found, strict=False):
            error.extensions = {**(error.extensions or {}), "fault": {**fault, "said": _said(error)}}


def faults_of(value: Any, kind: Any) -> Iterator[dict[str, str]]:
    """Each fault of a value for a type, in the order in which the library tells of them."""
    if is_non_null_type(kind):
        if value is None or value is Undefined:
            yield {"kind": "MISSING"}
            return
        kind = kind.of_type
    if value is None or value is Undefined:
        return
    if is_list_type(kind):
        for each in value if isinstance(value, list) else [value]:
            yield from faults_of(each, kind.of_type)
    elif is_input_object_type(kind) and isinstance(value, dict):
        yield from _of_object(value, kind)
    elif not _is_taken(value, kind):
        yield _not_taken(value, kind)


def _of_object(value: Mapping[str, Any], kind: Any) -> Iterator[dict[str, str]]:
    for name, field in kind.fields.items():
        if name in value:
            yield from faults_of(value[name], field.type)
        elif is_required_input_field(field):
            yield {"kind": "MISSING", "field": name}
    for name in value:
        if name not in kind.fields:
            near = did_you_mean(suggestion_list(name, list(kind.fields)))
            yield {"kind": "UNKNOWN", "field": name, "hint": near.strip()}


def _is_taken(value: Any, kind: Any) -> bool:
    if is_input_object_type(kind):
        return False
    try:
        return kind.coerce_input_value(value) is not Undefined
    # A scalar may refuse with any error; the library tells of each in the same way.
    except Exception:  # noqa: BLE001
        return False


def _not_taken(value: Any, kind: Any) -> dict[str, str]:
    taken = taken_by(kind.name)
    if taken is None:
        return {"kind": "REFUSED"}
    return {
        "kind": "NOT_ONE_OF" if is_enum_type(kind) else "NOT_TAKEN",
        "value": inspect(value),
        "taken": taken,
    }


def _said(error: GraphQLError) -> str:
    """The library's sentence without the name of the variable."""
    return getattr(error.original_error, "message", error.message)

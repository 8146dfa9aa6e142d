"""The cost of a query: the objects it may make us fetch, page sizes multiplied down the tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
    get_argument_values,
    get_named_type,
    get_nullable_type,
    get_variable_values,
    is_leaf_type,
    is_list_type,
)
from graphql.execution.values import VariableValues

from graph_memory.api.arguments import FIRST
from graph_memory.api.paging import MOST
from graph_memory.recall.packs import STANDING

# Objects that a list without `first` is taken to have: those are lists of a fixed few.
ASSUMED = 10

# What is counted over all pages costs as much as the largest page, however large the page beside it is.
_COUNT = 100
# But here it is known as soon as a page is.
_KNOWN = "MemoryStateConnection"

# What is wrong with a change is no object of the store.
_FAULT = "UserError"

# Hops that are followed when nobody says how many, and the most that are.
_ASSUMED_HOPS = 3
_MOST_HOPS = 10

# Lists of an input whose every item is answered.
_ANSWERED = ("memories", "ids", "links")

# Inside these, what hangs below is already counted by the field that answered them.
_WRAPPERS = ("Connection", "Edge", "Payload", "Result")
# But not where its input names none of them: an undo tells at most so many memories.
_CHANGED = MOST

# Lists that are longer than a fixed few: of a pack what is pinned, what is critical, and what competed for the other places.
_LONGEST = {
    "Pack.memories": 2 * STANDING + MOST,
    "Pack.leftOut": 2 * STANDING + MOST,
}

Variables = Mapping[str, Any]


def cost_of(
    schema: GraphQLSchema, document: DocumentNode, operation: str | None, variables: Variables
) -> int:
    """Objects that the operation may ask for. Each fragment is counted once and remembered."""
    return weight_of(schema, document, operation, variables).total


def weight_of(
    schema: GraphQLSchema, document: DocumentNode, operation: str | None, variables: Variables
) -> Weight:
    """The same, with the page that makes most of it."""
    return _estimated(schema, document, operation, variables)[0]


def largest_page(
    schema: GraphQLSchema, document: DocumentNode, operation: str | None, variables: Variables
) -> int:
    """The largest `first` of the operation, of the fields that give a page."""
    return _estimated(schema, document, operation, variables)[1]


def _estimated(
    schema: GraphQLSchema, document: DocumentNode, operation: str | None, variables: Variables
) -> tuple[Weight, int]:
    asked = [
        node
        for node in document.definitions
        if isinstance(node, OperationDefinitionNode)
        and (operation is None or (node.name is not None and node.name.value == operation))
    ]
    if not asked:
        return Weight(), 0
    given = get_variable_values(schema, asked[0].variable_definitions or (), dict(variables), max_errors=1)
    if isinstance(given, list):
        # It will be refused for its variables before anything is fetched.
        return Weight(), 0
    estimate = _Estimate(schema, document, given)
    total = estimate.of(asked[0].selection_set, schema.get_root_type(asked[0].operation))
    return total, estimate.largest


@dataclass(frozen=True)
class Weight:
    """Objects that a part of a query may ask for, and the largest page on its heaviest way: its field and how many it gives.

    Of `total` there is as much for each item of a page, of `once` for the page as a whole.
    """

    total: int = 0
    field: str = ""
    first: int = 0
    once: int = 0


class _Estimate:
    def __init__(self, schema: GraphQLSchema, document: DocumentNode, variables: VariableValues) -> None:
        self._schema = schema
        self._variables = variables
        self._fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self._known: dict[str, Weight] = {}
        self.largest = 0

    def of(self, selections: SelectionSetNode | None, parent: Any) -> Weight:
        parts = [self._selected(each, parent) for each in (selections.selections if selections else ())]
        heaviest = max(parts, key=lambda part: part.total + part.once, default=Weight())
        return replace(
            heaviest, total=sum(part.total for part in parts), once=sum(part.once for part in parts)
        )

    def _selected(self, selection: SelectionNode, parent: Any) -> Weight:
        if isinstance(selection, FieldNode):
            return self._field(selection, parent)
        if isinstance(selection, FragmentSpreadNode):
            return self._fragment(selection.name.value)
        assert isinstance(selection, InlineFragmentNode)
        condition = selection.type_condition
        inside = self._schema.get_type(condition.name.value) if condition else parent
        return self.of(selection.selection_set, inside)

    def _field(self, node: FieldNode, parent: Any) -> Weight:
        if (
            not isinstance(parent, GraphQLObjectType | GraphQLInterfaceType)
            or node.name.value not in parent.fields
        ):
            return Weight()
        field = parent.fields[node.name.value]
        named = get_named_type(field.type)
        if is_leaf_type(named):
            return Weight()
        below = self.of(node.selection_set, named)
        has_first = "first" in field.args
        if parent.name.endswith(_WRAPPERS) and not has_first and not self._is_open(parent, field):
            return below
        is_counted = named.name.endswith("Connection") and named.name != _KNOWN
        counted = _COUNT if is_counted and self._counts(node.selection_set) else 0
        size, name = self._size(node, parent, field), node.name.value
        total = size * (1 + below.total) + below.once + counted
        heaviest = (name, size)
        if not has_first or size < below.first:
            heaviest = (f"{name}.{below.field}" if below.field else "", below.first)
        # A page inside a wrapper hangs on the whole: on a search, and not on each of its hits.
        return Weight(0, *heaviest, total) if parent.name.endswith(_WRAPPERS) else Weight(total, *heaviest)

    def _is_open(self, parent: Any, field: GraphQLField) -> bool:
        """Whether an answer lists what its input did not name, so that nothing has counted it."""
        is_list = is_list_type(get_nullable_type(field.type)) and get_named_type(field.type).name != _FAULT
        return (
            is_list and parent.name.endswith("Payload") and parent.name not in _named_by_input(self._schema)
        )

    def _counts(self, selections: SelectionSetNode | None) -> bool:
        """Whether a page's number of all is among what is asked of it."""
        return any(
            each.name.value == "totalCount"
            if isinstance(each, FieldNode)
            else self._counts(
                self._fragments[each.name.value].selection_set
                if isinstance(each, FragmentSpreadNode)
                else each.selection_set  # type: ignore[attr-defined]
            )
            for each in (selections.selections if selections else ())
        )

    def _size(self, node: FieldNode, parent: Any, field: GraphQLField) -> int:
        given = self._arguments(node, field)
        if "first" in field.args:
            first = given.get("first") if given.get("last") is None else given.get("last")
            usual = field.args["first"].default_value
            if isinstance(first, int) and field.args["first"].description == FIRST:
                self.largest = max(self.largest, first)
            return (max(1, first) if isinstance(first, int) else usual) * _hops(given, field, "depth")
        if "maxHops" in field.args:
            return 1 + _hops(given, field, "maxHops")
        for many in (given.get("ids"), *_many(given.get("input"))):
            if isinstance(many, list):
                return max(1, len(many))
        if not is_list_type(get_nullable_type(field.type)):
            return 1
        if parent.name.endswith("Payload") and get_named_type(field.type).name == "Memory":
            return _CHANGED
        return _LONGEST.get(f"{parent.name}.{node.name.value}", ASSUMED)

    def _arguments(self, node: FieldNode, field: GraphQLField) -> dict[str, Any]:
        """What the resolver will get, so that 100.0 is 100 and one thing is a list of one."""
        try:
            given = get_argument_values(field, node, self._variables)
        except GraphQLError:
            return {}
        return {name: given.get(argument.out_name or name) for name, argument in field.args.items()}

    def _fragment(self, name: str) -> Weight:
        if name not in self._known:
            self._known[name] = Weight()
            fragment = self._fragments[name]
            inside = self._schema.get_type(fragment.type_condition.name.value)
            self._known[name] = self.of(fragment.selection_set, inside)
        return self._known[name]


@cache
def _named_by_input(schema: GraphQLSchema) -> frozenset[str]:
    """The answers of changes that tell what their input names, so that it counts them."""
    changes = schema.mutation_type.fields.values() if schema.mutation_type else ()
    return frozenset(
        get_named_type(change.type).name
        for change in changes
        if any(
            name in _ANSWERED
            for given in change.args.values()
            for name in getattr(get_named_type(given.type), "fields", ())
        )
    )


def _many(given: Any) -> list[Any]:
    """What an input holds many of, each of which is answered."""
    return [given.get(name) for name in _ANSWERED] if isinstance(given, dict) else []


def _hops(given: Mapping[str, Any], field: GraphQLField, name: str) -> int:
    """How many times the reach of a field may have to be read: once for each hop that is followed."""
    if name not in field.args:
        return 1
    usual = field.args[name].default_value
    wanted = given.get(name)
    hops = wanted if isinstance(wanted, int) else usual if isinstance(usual, int) else _ASSUMED_HOPS
    return min(max(1, hops), _MOST_HOPS)

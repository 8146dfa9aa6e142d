"""The shape of a query document: how deep, how many aliases, how large with every spread written out.

Each fragment is looked at once, however often it is spread, so judging a document takes time in proportion to
its length. What passes is small enough for validation, which compares fields of one name pair by pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
)

from graph_memory.api.faults import INVALID_DOCUMENT, TOO_COMPLEX

# Levels of fields, and aliases, of an operation.
MOST_LEVELS = 12
MOST_ALIASES = 30
# Fields and spreads of an operation with every spread written out.
MOST_SELECTIONS = 1000
# Times that one answer's field is asked for, in fragments that overlap.
MOST_REPEATS = 30
# Introspection nests deeper than any query of data has to.
_INTROSPECTION_DEPTH = 20
_INTROSPECTION = ("__schema", "__type")


@dataclass(frozen=True)
class Shape:
    """Levels of fields, aliases, and selections, the last two with every spread counted."""

    depth: int = 0
    aliases: int = 0
    selections: int = 0

    def beside(self, other: Shape) -> Shape:
        return Shape(
            max(self.depth, other.depth),
            self.aliases + other.aliases,
            self.selections + other.selections,
        )


def check(document: DocumentNode) -> None:
    """Raises GraphQLError when a document is deeper or larger, or has more aliases, than is allowed."""
    surveyor = _Surveyor(document)
    for part in document.definitions:
        if isinstance(part, OperationDefinitionNode | FragmentDefinitionNode):
            found = surveyor.survey(part.selection_set)
            _compare("selections", found.selections, MOST_SELECTIONS)
            _compare("copies of one field", surveyor.repeats([part.selection_set]), MOST_REPEATS)
        if isinstance(part, OperationDefinitionNode):
            deepest = _INTROSPECTION_DEPTH if _introspects(part.selection_set) else MOST_LEVELS
            _compare("levels", found.depth, deepest)
            _compare("aliases", found.aliases, MOST_ALIASES)


def check_choice(document: DocumentNode, named: str | None) -> None:
    """Raises GraphQLError when the document has several operations and none is named."""
    operations = sum(isinstance(each, OperationDefinitionNode) for each in document.definitions)
    if operations > 1 and named is None:
        told = "The document has several operations; name one as operationName."
        raise GraphQLError(told, extensions={"code": INVALID_DOCUMENT})


def root_field(document: DocumentNode, chosen: str | None) -> str:
    """What an operation is called here: by its root field, since the schema has so many, and names of clients are without end."""
    operations = [each for each in document.definitions if isinstance(each, OperationDefinitionNode)]
    found = next((each for each in operations if each.name and each.name.value == chosen), operations[0])
    roots = {each.name.value for each in found.selection_set.selections if isinstance(each, FieldNode)}
    return roots.pop() if len(roots) == 1 else "several"


def _compare(what: str, found: int, most: int) -> None:
    if found > most:
        told = f"The query has {found if found < 10**9 else 'countless'} {what}; at most {most} are allowed."
        raise GraphQLError(told, extensions={"code": TOO_COMPLEX})


def _introspects(selections: SelectionSetNode) -> bool:
    """Whether an operation asks for the schema and nothing else."""
    return all(
        isinstance(each, FieldNode) and each.name.value in _INTROSPECTION for each in selections.selections
    )


class _Surveyor:
    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self._known: dict[str, Shape | None] = {}

    def survey(self, selections: SelectionSetNode | None) -> Shape:
        total = Shape()
        for selection in selections.selections if selections else ():
            total = total.beside(self._of(selection))
        return total

    def repeats(self, merged: Sequence[SelectionSetNode]) -> int:
        """How often the field that is repeated most stands in one place of the answer."""
        places: dict[str, list[FieldNode]] = {}
        for selections in merged:
            for field in self._fields(selections):
                places.setdefault((field.alias or field.name).value, []).append(field)
        below = (
            self.repeats([field.selection_set for field in fields if field.selection_set])
            for fields in places.values()
        )
        return max([len(fields) for fields in places.values()] + list(below), default=0)

    def _fields(self, selections: SelectionSetNode) -> Iterator[FieldNode]:
        for selection in selections.selections:
            if isinstance(selection, FieldNode):
                yield selection
            elif isinstance(selection, FragmentSpreadNode):
                fragment = self._fragments.get(selection.name.value)
                yield from self._fields(fragment.selection_set) if fragment else ()
            else:
                yield from self._fields(selection.selection_set)  # type: ignore[attr-defined]

    def _of(self, selection: SelectionNode) -> Shape:
        if isinstance(selection, FragmentSpreadNode):
            return self._fragment(selection.name.value).beside(Shape(selections=1))
        below = self.survey(getattr(selection, "selection_set", None))
        if not isinstance(selection, FieldNode):
            return below
        return Shape(below.depth + 1, below.aliases + (selection.alias is not None), below.selections + 1)

    def _fragment(self, name: str) -> Shape:
        if name not in self._known:
            self._known[name] = None
            fragment = self._fragments.get(name)
            self._known[name] = self.survey(fragment.selection_set if fragment else None)
        known = self._known[name]
        if known is None:
            told = "A fragment of the query spreads itself."
            raise GraphQLError(told, extensions={"code": INVALID_DOCUMENT})
        return known

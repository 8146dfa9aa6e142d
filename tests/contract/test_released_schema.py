"""What the last released schema offered is still offered; only what it had deprecated may be gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphql import (
    REMOVE,
    DocumentNode,
    EnumValueDefinitionNode,
    FieldDefinitionNode,
    GraphQLSchema,
    InputValueDefinitionNode,
    Visitor,
    build_ast_schema,
    build_schema,
    find_breaking_changes,
    is_enum_type,
    is_object_type,
    parse,
    visit,
)

from graph_memory.base.files import folder

GRAPHQL = Path(str(folder("graphql")))
RELEASED = """
    type Query {
      memory(id: ID!): Memory
      version(id: ID!): Memory
      memories(first: Int): [Memory!]!
      neighbors: Neighbors @deprecated(reason: "Ask `neighbours`.")
    }
    type Memory { text: String! tier: Tier! }
    type Neighbors { nodes: [Memory!]! }
    enum Tier { HOT COLD LUKEWARM @deprecated(reason: "It is never answered.") }
"""


# What breaks clients of the last release on purpose, and why. The release that has it empties this list.
MEANT = {
    f"Enum value LinkKind.{name} was removed.": "Made types, where LinkKind is an enum, had the name twice."
    for name in ("contradicts", "related_to", "sequential")
}


def test_nothing_that_was_released_has_gone_or_changed() -> None:
    released, now = ((GRAPHQL / name).read_text("utf-8") for name in ("released.graphql", "schema.graphql"))
    assert breaks(released, now) == sorted(MEANT), (
        "clients of the last release break; deprecate first, as in CONTRIBUTING.md"
    )


def test_no_enum_has_a_name_twice_but_for_its_capitals() -> None:
    schema = build_schema((GRAPHQL / "schema.graphql").read_text("utf-8"))
    for enum in schema.type_map.values():
        if is_enum_type(enum):
            made = [name.replace("_", "").casefold() for name in enum.values]
            assert len(made) == len(set(made)), enum.name


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("memory(id: ID!): Memory", "", "Field Query.memory was removed."),
        ("tier: Tier!", "tier: Tier", "Field Memory.tier changed type from Tier! to Tier."),
        (
            "first: Int",
            "first: Int, of: ID!",
            "A required argument Query.memories(of:) was added.",
        ),
        ("HOT ", "", "Enum value Tier.HOT was removed."),
    ],
)
def test_what_breaks_a_client_is_told(before: str, after: str, told: str) -> None:
    assert breaks(RELEASED, RELEASED.replace(before, after)) == [told]


def test_what_adds_breaks_nobody() -> None:
    assert breaks(RELEASED, RELEASED.replace("first: Int", "first: Int, tag: String")) == []


def test_what_was_released_as_deprecated_may_go_with_what_only_it_answered() -> None:
    now = RELEASED
    for gone in (
        'neighbors: Neighbors @deprecated(reason: "Ask `neighbours`.")',
        "type Neighbors { nodes: [Memory!]! }",
        'LUKEWARM @deprecated(reason: "It is never answered.")',
    ):
        now = now.replace(gone, "")
    assert breaks(RELEASED, now) == []


def breaks(released: str, now: str) -> list[str]:
    """What a client of the one schema loses by the other, a sentence each."""
    return sorted(each.description for each in find_breaking_changes(_kept(released), build_schema(now)))


def _kept(released: str) -> GraphQLSchema:
    """The schema without what it deprecates, and without the types that nothing else answers."""
    document: DocumentNode = visit(parse(released), _WithoutDeprecated())
    whole = build_ast_schema(document)
    return GraphQLSchema(
        query=whole.query_type,
        mutation=whole.mutation_type,
        subscription=whole.subscription_type,
        directives=whole.directives,
        types=[each for each in whole.type_map.values() if is_object_type(each) and each.interfaces],
    )


class _WithoutDeprecated(Visitor):
    def enter(self, node: object, *_: object) -> object:
        definitions = FieldDefinitionNode | EnumValueDefinitionNode | InputValueDefinitionNode
        is_deprecated = isinstance(node, definitions) and any(
            each.name.value == "deprecated" for each in node.directives or ()
        )
        return REMOVE if is_deprecated else None

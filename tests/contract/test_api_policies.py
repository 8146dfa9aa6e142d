"""Nothing can be asked for without a policy: a new resolver or argument stands in a table, and so in the matrix, or fails here."""

from __future__ import annotations

from graphql import GraphQLObjectType, get_named_type
from starlette.routing import Route, WebSocketRoute

from graph_memory.api.app import create
from graph_memory.api.fields import OF_ITS_ROOT
from graph_memory.api.schema import make_schema
from graph_memory.settings import load
from tests.integration.policies import OTHER_THINGS, POLICIES, Policy, arguments

SCHEMA = make_schema()._schema
ROOTS = ("Query", "Mutation", "Subscription")

# Who may ask for a page that is not GraphQL.
ROUTES = {
    "/": "everybody: what this is",
    "/graphql": "who has a key; GraphiQL is shown where the setting allows it",
    "/graphql/schema": "everybody, where introspection is on",
    "/graphql/assets/{name}": "everybody: the files of GraphiQL",
    "/mcp": "who has a key",
    "/livez": "everybody: whether the process lives",
    "/readyz": "everybody: which part is not ready",
    "/version": "everybody: the version",
    "/metrics": "who has the key for metrics",
}


def test_every_nested_resolver_is_covered_by_the_right_of_its_root() -> None:
    checked = 0
    for kind in SCHEMA.type_map.values():
        if not isinstance(kind, GraphQLObjectType) or kind.name in ROOTS:
            continue
        definition = kind.extensions.get("strawberry-definition")
        for field in definition.fields if definition else ():
            if field.base_resolver is not None:
                assert field.metadata == OF_ITS_ROOT, f"{kind.name}.{field.name}"
                checked += 1
    assert checked > 40


def test_every_argument_that_carries_text_has_a_policy() -> None:
    found = {name for _, name, _ in arguments(SCHEMA)}
    assert found - POLICIES.keys() == set(), "say in tests/integration/policies.py what it may lead to"
    assert POLICIES.keys() - found == set()


def test_every_id_names_a_thing() -> None:
    ids = {
        f"{owner}.{name}": POLICIES[name]
        for owner, name, argument in arguments(SCHEMA)
        if get_named_type(argument.type).name in ("ID", "UUID")
    }
    assert set(ids.values()) == {Policy.THING}
    named = {f"{owner}.{name}" for owner, name, _ in arguments(SCHEMA) if POLICIES[name] is Policy.THING}
    assert OTHER_THINGS.keys() - named == set()


def test_every_page_says_who_may_ask_for_it() -> None:
    paths = {route.path for route in create(load()).routes if isinstance(route, Route | WebSocketRoute)}
    assert {path for path in paths if not path.startswith("/browser/")} == ROUTES.keys()

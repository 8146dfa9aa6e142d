"""Asking for what is someone else's walks the same path as asking for what is not there: the time tells nothing."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from graph_memory.base.errors import NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import Counted
from graph_memory.ledger.changes import Call
from graph_memory.memory import life, reading
from graph_memory.memory.addition import add
from graph_memory.memory.erasure import forget
from graph_memory.memory.links import link
from graph_memory.memory.merge import merge
from graph_memory.memory.retirement import why_retired
from graph_memory.memory.supersession import supersede
from graph_memory.memory.traversal import neighbours, path, subgraph
from graph_memory.model.memory import Fact
from graph_memory.store.service import Service

pytestmark = pytest.mark.stack

Ask = Callable[[Service, Scope, str, str], Any]

# What is asked about `id`, which is foreign or missing, beside `mine`.
ASKED: dict[str, Ask] = {
    "get": lambda service, scope, id, mine: reading.get(service, scope, id),
    "version": lambda service, scope, id, mine: reading.version(service, scope, id),
    "history": lambda service, scope, id, mine: reading.history(service, scope, id),
    "why": lambda service, scope, id, mine: why_retired(service, scope, id),
    "neighbours": lambda service, scope, id, mine: neighbours(service, scope, id),
    "path": lambda service, scope, id, mine: path(service, scope, mine, id),
    "subgraph": lambda service, scope, id, mine: subgraph(service, scope, [mine, id]),
    "revise": lambda service, scope, id, mine: life.revise(
        service, Call(scope, "test"), id, life.Revision("other words")
    ),
    "archive": lambda service, scope, id, mine: life.archive(service, Call(scope, "test"), [id], ""),
    "retract": lambda service, scope, id, mine: life.retract(service, Call(scope, "test"), [id], ""),
    "supersede": lambda service, scope, id, mine: supersede(
        service, Call(scope, "test"), id, Fact("newer", entities=())
    ),
    "merge": lambda service, scope, id, mine: merge(service, Call(scope, "test"), mine, id, "both"),
    "link": lambda service, scope, id, mine: link(service, Call(scope, "test"), mine, id, "causes", 0.5),
    "forget": lambda service, scope, id, mine: forget(service, Call(scope, "test"), [id]),
}


@pytest.fixture
def mine(service: Service, scope: Scope) -> str:
    return keep(service, scope)


@pytest.fixture(params=["of another tenant", "of another subject"])
def foreign(request: pytest.FixtureRequest, service: Service, scope: Scope) -> str:
    other = Scope(f"other-{uuid.uuid4().hex}") if "tenant" in request.param else Scope(scope.tenant_name)
    return keep(service, other.of("somebody"))


@pytest.mark.parametrize("name", ASKED)
def test_what_is_foreign_takes_the_statements_of_what_is_missing(
    service: Service, scope: Scope, mine: str, foreign: str, name: str
) -> None:
    told, statements = zip(
        *(told_about(service, scope, name, id, mine) for id in (foreign, new_id())), strict=True
    )
    assert told[0] == told[1]
    assert statements[0] == statements[1]
    assert statements[0]


def told_about(service: Service, scope: Scope, name: str, id: str, mine: str) -> tuple[str, list[str]]:
    """What is answered, without the id, and the names of the statements that were sent for it."""
    counted = Counted(service)
    with counted.counting():
        try:
            told = repr(ASKED[name](counted.service, scope, id, mine))
        except NotFound as error:
            told = f"{error.code}: {error.message}"
    return told.replace(id, "ID"), counted.names


def keep(service: Service, scope: Scope) -> str:
    return add(service, Call(scope, "test"), [Fact("Ann has a boat.", entities=())])[0][0].id

"""Merging memories that say the same: clusters, plans, runs and taking them back, in the real store."""

from __future__ import annotations

from typing import Any

import pytest

from graph_memory.base.scope import Scope
from graph_memory.jobs.runs import Run
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import reading
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact, Memory, Status
from graph_memory.model.run import Status as RunStatus
from graph_memory.store.service import Service
from graph_memory.upkeep.consolidation import Wish, consolidate
from tasks import execute

pytestmark = pytest.mark.stack

COFFEE = (
    "Ann loves coffee.",
    "Ann loves coffee",
    "Ann enjoys coffee.",
    "Ann is fond of coffee.",
    "Ann adores coffee.",
)
FLIGHT = ("Ann's flight leaves on 3 May.", "Ann's flight to Oslo leaves on 3 May at 07:40.")
NEAR = (
    "Ann's flight leaves on 4 May.",
    "Ann has 2 dogs.",
    "Ann has 3 dogs.",
    "Ann likes fish.",
    "Ann does not like fish.",
)


def keep(service: Service, scope: Scope, *texts: str, **fields: Any) -> list[str]:
    added, _ = add(service, Call(scope, "test"), [Fact(text, **fields) for text in texts])
    return [str(each.id) for each in added]


def merged(service: Service, scope: Scope, **wish: Any) -> Run:
    """One run over the subject, carried out."""
    asked, _ = consolidate(service, Call(scope, "test"), Wish(**wish))
    run = execute(service, Scope(scope.tenant_name), asked.id)
    assert run.status is RunStatus.DONE, run.error
    return run


def live(service: Service, scope: Scope) -> list[Memory]:
    return reading.browse(service, scope, 100).items


def texts(service: Service, scope: Scope) -> list[str]:
    return sorted(memory.text for memory in live(service, scope))


def test_five_that_say_the_same_become_one(service: Service, scope: Scope) -> None:
    """Case 103."""
    ids = keep(service, scope, *COFFEE)
    run = merged(service, scope)
    assert (run.result["groups"], run.result["merged"]) == (1, 5)
    [made] = live(service, scope)
    assert {link.to_id for link in reading.links_of(service, scope, [made.id])[made.id]} == set(ids)
    assert {memory.status for memory in reading.get_many(service, scope, ids) if memory} == {Status.ARCHIVED}
    assert changes(service, scope)[-1]["classification"] == "CONSOLIDATE"

"""Rescoring in the store is the same function as in Python."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph_memory.jobs import names, slots
from graph_memory.jobs.execute import execute
from graph_memory.jobs.runs import Status
from graph_memory.scoring.linear import Facts, score
from graph_memory.scoring.rescore import rescore_tenant
from graph_memory.service import Service
from graph_memory.settings import Settings
from graph_memory.tenancy import Scope

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import Clock, a_service, a_tenant, cypher, put_memories

pytestmark = pytest.mark.stack

NOW = datetime(2026, 11, 22, 12, 30, 15, 123000, tzinfo=UTC)

moments = st.integers(-5 * 86_400_000, 3000 * 86_400_000).map(lambda ms: NOW - timedelta(milliseconds=ms))
facts = st.builds(
    Facts,
    created_at=moments,
    last_accessed_at=st.none() | moments,
    base_importance=st.floats(0, 1),
    access_count=st.integers(0, 1000),
    confidence=st.floats(0, 1),
    critical=st.booleans(),
    feedback=st.floats(-1, 1),
)


@pytest.fixture(scope="module")
def service(stack: Settings) -> Iterator[Service]:
    with a_service(stack, Clock(NOW), decay={"feedback_weight": 0.1, "batch": 7}) as service:
        yield service


@pytest.fixture
def scope(service: Service) -> Iterator[Scope]:
    with a_tenant(service) as scope:
        yield scope


def scores(service: Service, scope: Scope) -> dict[str, float]:
    rows = cypher(
        service, "MATCH (m:Memory {tenant: $t}) RETURN m.id AS id, m.importance AS score", t=scope.tenant
    )
    return {row["id"]: row["score"] for row in rows}


def put(service: Service, scope: Scope, *rows: dict[str, Any]) -> None:
    put_memories(service, scope, [{"id": str(index), **row} for index, row in enumerate(rows)])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(facts, min_size=1, max_size=20), st.integers(0, 400 * 86_400))
def test_the_store_and_python_agree(service: Service, memories: list[Facts], later: int) -> None:
    at = NOW + timedelta(seconds=later)
    with a_tenant(service) as scope:
        put(service, scope, *(vars(memory) for memory in memories))
        assert rescore_tenant(service, scope, at) == len(memories)
        found = scores(service, scope)
    for index, memory in enumerate(memories):
        assert found[str(index)] == pytest.approx(score(memory, at, service.settings.decay), abs=1e-9)


def test_the_same_moment_twice_changes_nothing(service: Service, scope: Scope) -> None:
    put(service, scope, *({"access_count": count} for count in range(20)))
    assert rescore_tenant(service, scope, NOW) == 20
    before = scores(service, scope)
    assert rescore_tenant(service, scope, NOW) == 0
    assert scores(service, scope) == before


def test_an_earlier_moment_never_replaces_a_later_one(service: Service, scope: Scope) -> None:
    put(service, scope, {"created_at": NOW - timedelta(days=40)})
    rescore_tenant(service, scope, NOW)
    before = scores(service, scope)
    assert rescore_tenant(service, scope, NOW - timedelta(days=30)) == 0
    assert scores(service, scope) == before


def test_scores_come_from_facts_and_not_from_scores(service: Service, scope: Scope) -> None:
    put(service, scope, {"created_at": NOW})
    for day in range(1, 11):
        rescore_tenant(service, scope, NOW + timedelta(days=day))
    expected = score(Facts(created_at=NOW), NOW + timedelta(days=10), service.settings.decay)
    assert scores(service, scope)["0"] == pytest.approx(expected, abs=1e-12)


def test_only_live_memories_of_this_tenant_are_rescored(service: Service, scope: Scope) -> None:
    with a_tenant(service) as other:
        put(service, scope, {}, {"importance": 0.111})
        put(service, other, {"importance": 0.222})
        cypher(service, "MATCH (m:Memory {tenant: $t, id: '1'}) REMOVE m:Live SET m:Past", t=scope.tenant)
        assert rescore_tenant(service, scope, NOW) == 1
        assert scores(service, scope)["1"] == 0.111
        assert scores(service, other)["0"] == 0.222


def test_the_job_scores_as_of_its_slot(service: Service, scope: Scope) -> None:
    put(service, scope, {"created_at": NOW - timedelta(days=10)})
    run, _ = slots.by_hand(service, scope, names.job("rescore"))
    ended = execute(service, scope, run.id)
    assert (ended.status, ended.result["rescored"]) == (Status.DONE, 1)
    midnight = NOW.replace(hour=0, minute=0, second=0, microsecond=0)
    expected = score(Facts(created_at=NOW - timedelta(days=10)), midnight, service.settings.decay)
    assert scores(service, scope)["0"] == pytest.approx(expected, abs=1e-9)

"""Communities found by the graph library in the real store."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pytest
from neo4j.exceptions import ClientError

from graph_memory.base.clock import FOREVER
from graph_memory.base.scope import Scope
from graph_memory.bench.stand_ins import HashEmbedder
from graph_memory.jobs import schedule, slots
from graph_memory.jobs.runs import Run
from graph_memory.model.run import Status
from graph_memory.settings import Settings
from graph_memory.store.service import Service
from graph_memory.upkeep import clusters
from graph_memory.upkeep import communities as community_job
from tasks import execute

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import Clock, a_service, a_tenant, cypher, put_memories

pytestmark = pytest.mark.stack

RANDOM = numpy.random.default_rng(7)
TOPICS = {name: RANDOM.normal(size=384) for name in ("food", "work", "music")}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(stack: Settings, clock: Clock) -> Iterator[Service]:
    with a_service(stack, clock) as service:
        yield service


@pytest.fixture
def scope(service: Service) -> Iterator[Scope]:
    with a_tenant(service, ("default", "other")) as scope:
        yield scope


def about(service: Service, topic: str, *numbers: int) -> list[dict[str, Any]]:
    now = service.clock()
    return [
        {
            "id": f"{topic}-{number}",
            "caption": f"{topic} {number}",
            "recorded_from": now,
            "embedding": (TOPICS[topic] + 0.4 * RANDOM.normal(size=384)).tolist(),
        }
        for number in numbers
    ]


def detect(service: Service, scope: Scope) -> Run:
    run, _ = slots.by_hand(service, scope, schedule.job("communities"), again=True)
    return execute(service, scope, run.id)


def communities(service: Service, scope: Scope) -> dict[str, set[str]]:
    """Open communities by id, with their members."""
    text = (
        "MATCH (c:Community {tenant: $t}) WHERE c.ended_at IS NULL "
        "OPTIONAL MATCH (m:Memory)-[r:MEMBER_OF]->(c) WHERE r.recorded_to = $forever "
        "RETURN c.id AS id, c.size AS size, collect(m.id) AS members"
    )
    rows = cypher(service, text, t=scope.tenant, forever=FOREVER)
    assert all(row["size"] == len(row["members"]) for row in rows)
    return {row["id"]: set(row["members"]) for row in rows}


def whole(service: Service, scope: Scope) -> list[Any]:
    text = (
        "MATCH (c:Community {tenant: $t}) OPTIONAL MATCH (m)-[r:MEMBER_OF]->(c) "
        "RETURN properties(c) AS c, properties(r) AS r, m.id AS m ORDER BY c.id, m, r.recorded_from"
    )
    return cypher(service, text, t=scope.tenant)


def retire(service: Service, scope: Scope, *ids: str) -> None:
    cypher(
        service,
        "MATCH (m:Memory {tenant: $t}) WHERE m.id IN $ids REMOVE m:Live SET m:Past",
        t=scope.tenant,
        ids=list(ids),
    )


def test_memories_about_one_thing_belong_together(service: Service, scope: Scope) -> None:
    put_memories(service, scope, about(service, "food", *range(6)) + about(service, "work", *range(5)))
    ended = detect(service, scope)
    assert ended.status is Status.DONE, ended.error
    assert (ended.result["communities"], ended.result["born"]) == (2, 2)
    found = communities(service, scope)
    assert sorted(map(sorted, found.values())) == [
        [f"food-{number}" for number in range(6)],
        [f"work-{number}" for number in range(5)],
    ]
    labels = cypher(service, "MATCH (c:Community {tenant: $t}) RETURN c.label", t=scope.tenant)
    assert {label.split()[0] for label in labels} == {"food", "work"}


def test_what_has_not_changed_is_not_touched(service: Service, scope: Scope, clock: Clock) -> None:
    put_memories(service, scope, about(service, "food", *range(6)))
    detect(service, scope)
    before = whole(service, scope)
    clock.forward(hours=1)
    ended = detect(service, scope)
    assert (ended.result["unchanged"], ended.result["communities"]) == (1, 1)
    cypher(service, "MATCH (s:Subject {tenant: $t}) REMOVE s.clustered_as", t=scope.tenant)
    ended = detect(service, scope)
    assert (ended.result["kept"], ended.result["born"], ended.result["grown"]) == (1, 0, 0)
    assert whole(service, scope) == before


def test_a_community_keeps_its_id_while_it_grows_and_shrinks(
    service: Service, scope: Scope, clock: Clock
) -> None:
    put_memories(service, scope, about(service, "food", *range(6)) + about(service, "work", *range(5)))
    detect(service, scope)
    before = communities(service, scope)
    clock.forward(hours=1)
    put_memories(service, scope, about(service, "food", 6, 7))
    retire(service, scope, "work-0")
    ended = detect(service, scope)
    assert (ended.result["kept"], ended.result["grown"], ended.result["shrunk"]) == (2, 1, 1)
    after = communities(service, scope)
    assert after.keys() == before.keys()
    text = "MATCH (:Memory {tenant: $t, id: 'work-0'})-[r:MEMBER_OF]->() RETURN r.recorded_to"
    assert cypher(service, text, t=scope.tenant)[0].to_native() == clock.at


def test_a_community_without_members_ends_and_is_remembered(
    service: Service, scope: Scope, clock: Clock
) -> None:
    put_memories(service, scope, about(service, "food", *range(5)) + about(service, "music", *range(4)))
    detect(service, scope)
    clock.forward(hours=1)
    retire(service, scope, *(f"music-{number}" for number in range(4)))
    ended = detect(service, scope)
    assert ended.result["died"] == 1
    assert len(communities(service, scope)) == 1
    assert cypher(service, "MATCH (c:Community {tenant: $t}) RETURN count(c)", t=scope.tenant) == [2]
    retire(service, scope, *(f"food-{number}" for number in range(5)))
    assert detect(service, scope).result["died"] == 1
    assert communities(service, scope) == {}


def test_subjects_are_never_mixed(service: Service, scope: Scope) -> None:
    put_memories(service, scope, about(service, "food", *range(4)))
    put_memories(service, scope, about(service, "food", *range(10, 14)), "other")
    assert detect(service, scope).result["communities"] == 2
    text = (
        "MATCH (m:Memory {tenant: $t})-[:MEMBER_OF]->(c) WHERE m.subject_id <> c.subject_id RETURN count(*)"
    )
    assert cypher(service, text, t=scope.tenant) == [0]


def test_a_community_is_named_after_what_it_alone_speaks_of_and_not_after_who_speaks(
    service: Service, scope: Scope
) -> None:
    put_memories(service, scope, about(service, "food", *range(4)) + about(service, "work", *range(5)))
    text = (
        "UNWIND [['e', 'Napoli', 'food'], ['s', 'Ann', '']] AS row "
        "CREATE (e:Entity {tenant: $t, id: row[0], name: row[1]}) WITH e, row "
        "MATCH (m:Live {tenant: $t}) WHERE m.id STARTS WITH row[2] "
        "CREATE (m)-[:MENTIONS {tenant: $t, recorded_to: $forever}]->(e)"
    )
    cypher(service, text, t=scope.tenant, forever=FOREVER)
    detect(service, scope)
    labels = cypher(
        service, "MATCH (c:Community {tenant: $t}) RETURN c.label ORDER BY c.size", t=scope.tenant
    )
    assert labels[0] == "Napoli"
    assert "Ann" not in labels[1]


def test_vectors_of_two_models_are_never_compared(service: Service, scope: Scope) -> None:
    """While a model is being changed both stand in the store; those of the other model count nothing."""
    food = [{**row, "embedding_model": "hash"} for row in about(service, "food", *range(6))]
    others = [{**row, "embedding_model": "other"} for row in about(service, "food", *range(6, 12))]
    put_memories(service, scope, food + others)
    detect(replace(service, embedder=HashEmbedder(384)), scope)
    assert list(communities(service, scope).values()) == [{f"food-{number}" for number in range(6)}]


def test_what_waits_to_be_moved_counts_by_its_vector_of_the_next_model(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    food = [{**row, "embedding_model": "next"} for row in about(service, "food", *range(3))]
    waiting = [
        {**row, "embedding_model": "old", "embedding_next": row["embedding"], "embedding": [1.0] * 384}
        for row in about(service, "food", *range(3, 6))
    ]
    put_memories(service, scope, food + waiting)
    moving = {"model": "next", "uses_next": True}
    for module in (clusters, community_job):
        monkeypatch.setattr(module, "vectors", lambda _: moving)
    detect(service, scope)
    assert list(communities(service, scope).values()) == [{f"food-{number}" for number in range(6)}]


def test_few_memories_make_no_community(service: Service, scope: Scope) -> None:
    put_memories(service, scope, about(service, "food", 1, 2))
    ended = detect(service, scope)
    assert (ended.status, ended.result["communities"]) == (Status.DONE, 0)


def test_memories_that_have_nothing_in_common_make_no_community_and_no_fault(
    service: Service, scope: Scope
) -> None:
    put_memories(service, scope, [row for topic in TOPICS for row in about(service, topic, 1)])
    ended = detect(service, scope)
    assert (ended.status, ended.result["communities"], ended.error) == (Status.DONE, 0, None)


def test_no_projection_is_left_behind(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("in the middle")

    put_memories(service, scope, about(service, "food", *range(4)))
    monkeypatch.setattr("graph_memory.upkeep.clusters._cluster", fail)
    assert detect(service, scope).status is Status.PENDING
    text = "CALL gds.graph.list() YIELD graphName WITH graphName WHERE graphName CONTAINS $t RETURN graphName"
    assert cypher(service, text, t=scope.tenant) == []


def test_a_library_that_fails_leaves_the_communities_and_the_next_run_goes_on(
    service: Service, scope: Scope, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F22, as when it lacks the memory: the subject stays as it was, and no projection is left behind."""

    def full(*_: object) -> None:
        raise ClientError("There is not enough memory for the projection.")

    put_memories(service, scope, about(service, "food", *range(4)))
    detect(service, scope)
    before = communities(service, scope)
    clock.forward(hours=1)
    put_memories(service, scope, about(service, "food", 4))
    with monkeypatch.context() as patched:
        patched.setattr("graph_memory.upkeep.clusters._cluster", full)
        ended = detect(service, scope)
    assert ended.status is Status.DONE
    assert ended.result["skipped"].startswith("The graph library could not cluster a subject")
    assert (communities(service, scope), ended.result["communities"]) == (before, 1)
    text = "CALL gds.graph.list() YIELD graphName WITH graphName WHERE graphName CONTAINS $t RETURN graphName"
    assert cypher(service, text, t=scope.tenant) == []
    again = detect(service, scope)
    assert (again.result["grown"], "skipped" in again.result) == (1, False)


def test_without_the_library_a_run_is_skipped_with_the_reason(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F22."""
    from graphdatascience.error.gds_not_installed import GdsNotFound

    def missing(*_: object, **__: object) -> None:
        raise GdsNotFound("no gds")

    monkeypatch.setattr("graphdatascience.GraphDataScience", missing)
    ended = detect(service, scope)
    assert (ended.status, ended.error) == (Status.DONE, None)
    assert ended.result["skipped"].startswith("The server lacks the Graph Data Science library")

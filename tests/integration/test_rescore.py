"""Rescoring in the store is the same function as in Python, for each policy; tiers follow what is stored."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule, slots
from graph_memory.model.run import Status
from graph_memory.scoring import tier_moves
from graph_memory.scoring.facts import explain_one, tier_counts
from graph_memory.scoring.rescoring import rescore_some, rescore_tenant
from graph_memory.scoring.scores import TIERS, Tier, scores, tier_of
from graph_memory.scoring.terms import Facts, Policy
from graph_memory.settings import Settings
from graph_memory.store.service import Service
from tasks import execute

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import Clock, a_service, a_tenant, cypher, put_memories

pytestmark = pytest.mark.stack

NOW = datetime(2026, 11, 22, 12, 30, 15, 123000, tzinfo=UTC)
EXACT = {"earning": {"rounding": 12}, "linear": {"rounding": 12}, "retention": {"rounding": 12}}
STORED = ("created_at", "last_accessed_at", "base_importance", "access_count", "confidence", "kind", "critical",
          "pinned", "feedback", "happens_at", "expires_at", "created_day", "accessed_day")  # fmt: skip

moments = st.integers(-20 * 86_400_000, 900 * 86_400_000).map(lambda ms: NOW - timedelta(milliseconds=ms))
often = st.one_of(st.none(), moments, st.integers(-20, 20).map(lambda day: NOW + timedelta(days=day)))
facts = st.builds(
    Facts,
    created_at=moments,
    last_accessed_at=st.none() | moments,
    base_importance=st.floats(0, 1),
    access_count=st.integers(0, 1000),
    confidence=st.floats(0, 1),
    kind=st.sampled_from(["fact", "decisions", "progress", "quick"]),
    critical=st.booleans(),
    pinned=st.booleans(),
    feedback=st.floats(-1, 1),
    happens_at=often,
    expires_at=often,
    created_day=st.integers(0, 60),
    accessed_day=st.none() | st.integers(0, 60),
    hub_links=st.integers(0, 14),
    superseded_at=st.none() | moments,
)
variants = st.fixed_dictionaries(
    {
        "decay": st.fixed_dictionaries(
            {
                "policy": st.sampled_from([policy.value for policy in Policy]),
                "clock": st.sampled_from(["policy", "activity", "calendar"]),
                "feedback_weight": st.sampled_from([0.0, 0.1]),
                "expiry_grace_days": st.sampled_from([0.0, 5.0]),
                "critical_overrides_expiry": st.booleans(),
                "batch": st.just(7),
            }
        ),
        "earning": st.fixed_dictionaries({"rounding": st.just(12), "newness": st.sampled_from([0.0, 2.0])}),
        "linear": st.just({"rounding": 12}),
        "retention": st.fixed_dictionaries(
            {
                "rounding": st.just(12),
                "activation": st.sampled_from(["log", "boost"]),
                "half_lives": st.just({"quick": 3.0}),
            }
        ),
    }
)


@pytest.fixture(scope="module")
def service(stack: Settings) -> Iterator[Service]:
    with a_service(stack, Clock(NOW)) as service:
        yield service


@pytest.fixture
def scope(service: Service) -> Iterator[Scope]:
    with a_tenant(service) as scope:
        yield scope


def with_settings(service: Service, **sections: Mapping[str, Any]) -> Service:
    given = {
        name: getattr(service.settings, name).model_copy(update=dict(values))
        for name, values in sections.items()
    }
    return replace(service, settings=service.settings.model_copy(update=given))


def stored(service: Service, scope: Scope) -> dict[str, dict[str, Any]]:
    text = "MATCH (m:Memory {tenant: $t}) RETURN m {.id, .importance, .retention, .tier, .tier_rank} AS m"
    return {row["id"]: row for row in cypher(service, text, t=scope.tenant)}


def put(service: Service, scope: Scope, *rows: dict[str, Any]) -> None:
    plain = {"tier": "HOT", "kind": "fact", "pinned": False}
    put_memories(service, scope, [{"id": str(index), **plain, **row} for index, row in enumerate(rows)])


def put_facts(service: Service, scope: Scope, memories: list[Facts], activity: int) -> None:
    cypher(
        service, "MATCH (s:Subject {tenant: $t}) SET s.activity_days = $days", t=scope.tenant, days=activity
    )
    put(service, scope, *({name: getattr(memory, name) for name in STORED} for memory in memories))
    for index, memory in enumerate(memories):
        link(service, scope, "RELATED", memory.hub_links, to=str(index))
        if memory.superseded_at is not None:
            end = "MATCH (m:Memory {tenant: $t, id: $id}) SET m.valid_to = $at"
            cypher(service, end, t=scope.tenant, id=str(index), at=memory.superseded_at)
            link(service, scope, "SUPERSEDES", 1, to=str(index))


def link(service: Service, scope: Scope, kind: str, count: int, to: str, **values: Any) -> None:
    """Links from nodes that are no memories of the tenant, so that these stay as they were given."""
    text = (
        "MATCH (m:Memory {tenant: $t, id: $to}) UNWIND range(1, $count) AS n CREATE (o:Other {tenant: $t})"
        "-[r:$(($kind)) {tenant: $t, open_key: $to + $kind + n + randomUUID()}]->(m) SET r += $values"
    )
    cypher(service, text, t=scope.tenant, to=to, count=count, kind=kind, values=values)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(facts, min_size=1, max_size=25),
    variants,
    st.integers(0, 80),
    st.integers(0, 400 * 86_400),
)
def test_the_store_and_python_agree_to_nine_decimals(
    service: Service, memories: list[Facts], chosen: dict[str, Any], activity: int, later: int
) -> None:
    at, own = NOW + timedelta(seconds=later), with_settings(service, **chosen)
    with a_tenant(service) as scope:
        put_facts(service, scope, memories, activity)
        assert rescore_tenant(own, scope, at).rescored == len(memories)
        found = stored(service, scope)
    for index, memory in enumerate(memories):
        expected = scores(replace(memory, activity_days=activity), at, own.settings)
        assert found[str(index)]["importance"] == pytest.approx(expected.importance, abs=1e-9)
        assert found[str(index)]["retention"] == pytest.approx(expected.retention, abs=1e-9)
        assert found[str(index)]["tier"] == tier_of(found[str(index)]["retention"], own.settings)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(facts, min_size=1, max_size=25), st.sampled_from(list(Policy)))
def test_the_rounded_scores_agree_too_and_what_is_read_are_the_same_facts(
    service: Service, memories: list[Facts], policy: Policy
) -> None:
    own = with_settings(service, decay={"policy": policy.value})
    with a_tenant(service) as scope:
        put_facts(service, scope, memories, 30)
        rescore_tenant(own, scope, NOW)
        found = stored(service, scope)
        for id, row in found.items():
            told = explain_one(own, scope, id).scores
            assert (row["importance"], row["retention"]) == pytest.approx(
                (told.importance, told.retention), abs=1.1e-3
            )
            assert TIERS[row["tier_rank"]] == row["tier"] == tier_of(row["retention"], own.settings)


@pytest.mark.parametrize("policy", list(Policy))
def test_case_32_the_same_moment_twice_changes_nothing(
    service: Service, scope: Scope, policy: Policy
) -> None:
    own = with_settings(service, decay={"policy": policy.value})
    put(
        service,
        scope,
        *({"access_count": count, "created_at": NOW - timedelta(days=9 * count)} for count in range(20)),
    )
    assert rescore_tenant(own, scope, NOW).rescored == 20
    before = stored(service, scope)
    assert rescore_tenant(own, scope, NOW).rescored == 0
    cypher(service, "MATCH (t:Tenant {id: $t}) REMOVE t.rescored_at", t=scope.tenant)
    again = rescore_tenant(own, scope, NOW)
    assert (again.rescored, again.changed, again.moves) == (20, 0, [])
    assert stored(service, scope) == before


def test_an_earlier_moment_never_replaces_a_later_one(service: Service, scope: Scope) -> None:
    put(service, scope, {"created_at": NOW - timedelta(days=40)})
    rescore_tenant(service, scope, NOW)
    before = stored(service, scope)
    assert rescore_tenant(service, scope, NOW - timedelta(days=30)).rescored == 0
    assert stored(service, scope) == before


@pytest.mark.parametrize("policy", list(Policy))
def test_case_51_ten_daily_rescorings_equal_one_of_ten_days(
    service: Service, scope: Scope, policy: Policy
) -> None:
    own = with_settings(service, decay={"policy": policy.value, "clock": "calendar"}, **EXACT)
    rows = [{"created_at": NOW - timedelta(days=age), "access_count": age} for age in (0, 3, 40)]
    with a_tenant(service) as other:
        put(service, scope, *rows)
        put(service, other, *rows)
        for day in range(1, 11):
            rescore_tenant(own, scope, NOW + timedelta(days=day))
        rescore_tenant(own, other, NOW + timedelta(days=10))
        assert stored(service, scope) == stored(service, other)


def test_case_31_every_one_of_2500_stale_memories_is_rescored_in_one_run(
    service: Service, scope: Scope
) -> None:
    own = with_settings(service, decay={"batch": 1000})
    put(
        service,
        scope,
        *({"created_at": NOW - timedelta(days=30), "base_importance": 0.9} for _ in range(2500)),
    )
    done = rescore_tenant(own, scope, NOW)
    assert (done.rescored, done.changed) == (2500, 2500)


def test_case_30_nothing_to_rescore_is_0(service: Service, scope: Scope) -> None:
    assert rescore_tenant(service, scope, NOW).counts() == {"rescored": 0, "changed": 0, "moved": 0}


def test_pages_neither_skip_nor_repeat(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph_memory.scoring.rescoring.PAGE", 4)
    put(service, scope, *({"created_at": NOW - timedelta(days=100)} for _ in range(23)))
    done = rescore_tenant(service, scope, NOW)
    assert (done.rescored, done.changed, done.moved) == (23, 23, {(Tier.HOT, Tier.COLD): 23})


def test_what_is_archived_merged_or_anothers_is_left_alone(service: Service, scope: Scope) -> None:
    with a_tenant(service) as other:
        put(
            service,
            scope,
            {},
            {"importance": 0.111, "status": "ARCHIVED"},
            {"importance": 0.3, "status": "MERGED"},
        )
        put(service, other, {"importance": 0.222})
        assert rescore_tenant(service, scope, NOW).rescored == 1
        assert stored(service, scope)["1"]["importance"] == 0.111
        assert stored(service, other)["0"]["importance"] == 0.222


def test_a_closed_link_and_links_that_do_not_count_make_no_hub(service: Service, scope: Scope) -> None:
    put(service, scope, *({} for _ in range(4)))
    link(service, scope, "CAUSES", 2, to="0")
    for kind in ("SHARES_ENTITY", "WAS_CONTEXT_FOR", "SUPERSEDES", "CONSOLIDATES", "DERIVED_FROM"):
        link(service, scope, kind, 1, to="1")
    link(service, scope, "CAUSES", 1, to="2", open_key=None)
    conflict = "MATCH (a:Memory {tenant: $t, id: '2'}), (b:Memory {tenant: $t, id: '3'}) CREATE (a)-[:CONFLICTS {tenant: $t, open_key: randomUUID()}]->(b)"
    cypher(service, conflict, t=scope.tenant)
    links = {id: explain_one(service, scope, id).importance_terms[1].explanation for id in "0123"}
    assert [links[id].split()[0] for id in "0123"] == ["2", "0", "1", "1"]
    exact = with_settings(service, **EXACT)
    rescore_tenant(exact, scope, NOW)
    for id, row in stored(service, scope).items():
        expected = explain_one(exact, scope, id).scores.importance
        assert row["importance"] == pytest.approx(expected, abs=1e-9)


def test_case_44_each_change_of_tier_is_kept_on_its_run(service: Service, scope: Scope) -> None:
    put(service, scope, {"created_at": NOW - timedelta(days=10)}, {"created_at": NOW - timedelta(days=100)})
    run, _ = slots.by_hand(service, scope, schedule.job("rescore"))
    ended = execute(service, scope, run.id)
    assert ended.status is Status.DONE
    counts = {"rescored": 2, "changed": 2, "moved": 2, "hot_to_warm": 1, "hot_to_cold": 1}
    assert counts.items() <= ended.result.items()
    warm, cold = tier_moves.of_run(service, scope, run.id)
    rows = stored(service, scope)
    assert (warm.id, warm.was, warm.now, warm.reason) == ("0", Tier.HOT, Tier.WARM, "FADED")
    assert (cold.id, cold.was, cold.now, cold.score) == ("1", Tier.HOT, Tier.COLD, rows["1"]["retention"])
    # A run by hand is reckoned when it is asked for, not at the start of its slot.
    assert warm.at == NOW


def test_many_changes_are_counted_and_only_some_are_kept(service: Service, scope: Scope) -> None:
    own = with_settings(service, decay={"kept_moves": 3})
    put(service, scope, *({"created_at": NOW - timedelta(days=100)} for _ in range(8)))
    run, _ = slots.by_hand(own, scope, schedule.job("rescore"))
    assert execute(own, scope, run.id).result["moved"] == 8
    assert [move.id for move in tier_moves.of_run(own, scope, run.id)] == ["0", "1", "2"]


def test_case_154_the_counts_of_tiers_match_the_stored_retention(service: Service, scope: Scope) -> None:
    put(
        service,
        scope,
        *({"created_at": NOW - timedelta(days=3 * n), "access_count": n % 7} for n in range(60)),
    )
    rescore_tenant(service, scope, NOW)
    by_hand = [tier_of(row["retention"], service.settings) for row in stored(service, scope).values()]
    assert tier_counts(service, scope) == {tier: by_hand.count(tier) for tier in Tier}
    assert len(set(by_hand)) >= 3


def test_a_superseded_memory_goes_down_by_itself_and_comes_back_without_its_successor(
    service: Service, scope: Scope
) -> None:
    put(service, scope, {"valid_to": NOW - timedelta(days=1), "created_at": NOW, "kind": "decisions"})
    link(service, scope, "SUPERSEDES", 1, to="0")
    rescore_tenant(service, scope, NOW)
    assert stored(service, scope)["0"] | {"importance": 0} == {
        "id": "0", "importance": 0, "retention": 0.16, "tier": "COLD", "tier_rank": 2,
    }  # fmt: skip
    cypher(service, "MATCH (:Other {tenant: $t})-[r:SUPERSEDES]->() SET r.open_key = null", t=scope.tenant)
    rescore_tenant(service, scope, NOW + timedelta(seconds=1))
    assert stored(service, scope)["0"]["tier"] == "HOT"


def test_named_memories_are_rescored_in_the_transaction_of_an_access(service: Service, scope: Scope) -> None:
    """Case 29: the score is stored with the access."""
    put(service, scope, {"created_at": NOW - timedelta(days=100)}, {"created_at": NOW - timedelta(days=100)})
    rescore_tenant(service, scope, NOW)
    before = stored(service, scope)

    def access(tx: Any) -> None:
        cypher(
            service,
            "MATCH (m:Memory {tenant: $t, id: '0'}) SET m.access_count = 1, m.last_accessed_at = $at",
            t=scope.tenant,
            at=NOW,
        )
        rescore_some(tx, service.settings, ["0"], NOW, "USED")

    service.write(scope, access)
    after = stored(service, scope)
    assert after["1"] == before["1"]
    assert (before["0"]["tier"], after["0"]["tier"]) == ("COLD", "HOT")
    assert after["0"]["importance"] > before["0"]["importance"]


@pytest.mark.parametrize("policy", list(Policy))
def test_case_34_what_was_assigned_survives_any_rescoring(
    service: Service, scope: Scope, policy: Policy
) -> None:
    """A consolidated memory is assigned the median of its members; a rescoring reads that and never writes it."""
    assigned = {"0": 0.35, "1": 0.8}
    put(
        service,
        scope,
        *({"base_importance": each, "created_at": NOW - timedelta(days=90)} for each in assigned.values()),
    )
    for days in (0, 1, 30, 365):
        rescore_tenant(service, scope, NOW + timedelta(days=days), policy=policy)
        text = "MATCH (m:Memory {tenant: $t}) RETURN m {.id, .base_importance, .importance} AS m"
        found = {row["id"]: row for row in cypher(service, text, t=scope.tenant)}
        assert {id: row["base_importance"] for id, row in found.items()} == assigned
        assert found["1"]["importance"] >= found["0"]["importance"]

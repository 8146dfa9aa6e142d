"""Merging memories that say the same: clusters, plans, runs and taking them back, in the real store."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from neo4j.exceptions import ClientError

from graph_memory.base.clock import system_clock
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import compose
from graph_memory.curation.quarantine import Suspect, quarantine
from graph_memory.jobs import runs, schedule, slots
from graph_memory.jobs.runs import Run
from graph_memory.language.separate_statements import separate
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import reading
from graph_memory.memory.addition import add
from graph_memory.memory.erasure import forget
from graph_memory.memory.life import Revision, revise
from graph_memory.memory.links import link
from graph_memory.memory.supersession import supersede
from graph_memory.model.memory import EntityName, Fact, Memory, Source, SourceKind, Status
from graph_memory.model.planned_merge import PlanStatus
from graph_memory.model.run import Kind
from graph_memory.model.run import Status as RunStatus
from graph_memory.models.registry import open_providers
from graph_memory.scoring.scores import TIERS, Tier, tier_of
from graph_memory.settings import load
from graph_memory.store.service import Service
from graph_memory.transfer.export import now_lines
from graph_memory.upkeep import consolidation, consolidation_triggers
from graph_memory.upkeep.clusters import Edges, leiden, library
from graph_memory.upkeep.consolidation import Wish, consolidate
from graph_memory.upkeep.merge_plans import promote_plan, read_plan
from graph_memory.upkeep.merge_reverts import revert_run
from graph_memory.upkeep.refinement import verbose
from graph_memory.upkeep.settings import RefinementSettings, Strategy
from graph_memory.upkeep.vector_clusters import around_hubs
from graph_memory.verify import verify
from tasks import execute
from tests.wires import Wires, says

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import cypher

pytestmark = pytest.mark.stack

COFFEE = (
    "Ann loves coffee.",
    "Ann loves coffee with milk at home every morning.",
    "Ann loves coffee with milk.",
    "Ann loves coffee at home.",
    "Ann loves coffee every morning.",
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
    """One run over the subject, carried out; by the strategy that needs no library unless another is named."""
    wish = {"strategy": Strategy.AGGLOMERATIVE, **wish}
    asked, _ = consolidate(service, Call(scope, "test"), Wish(**wish))
    run = execute(service, Scope(scope.tenant_name), asked.id)
    assert run.status is RunStatus.DONE, run.error
    return run


def live(service: Service, scope: Scope) -> list[Memory]:
    return reading.browse(service, scope, 100).items


def texts(service: Service, scope: Scope) -> list[str]:
    return sorted(memory.text for memory in live(service, scope))


@pytest.fixture
def coffee(service: Service, scope: Scope) -> list[str]:
    """Case 103's five, the fourth used most and linked to."""
    return keep(service, scope, *COFFEE)


def test_five_that_say_the_same_become_one(service: Service, scope: Scope, coffee: list[str]) -> None:
    """Case 103; importance by 104, what both have by 105."""
    run = merged(service, scope)
    assert (run.result["groups"], run.result["merged"], run.result["left"]) == (1, 5, 0)
    [made] = live(service, scope)
    told = reading.links_of(service, scope, [made.id])[made.id]
    assert {(each.kind, each.to_id) for each in told} == {("CONSOLIDATES", id) for id in coffee}
    assert {memory.status for memory in reading.get_many(service, scope, coffee) if memory} == {
        Status.ARCHIVED
    }
    last = changes(service, scope)[-1]
    assert (last["operation"], last["classification"], last["run_id"]) == ("MERGE", "CONSOLIDATE", run.id)
    assert verify(service, [scope.tenant_name]).findings == ()


def test_after_a_run_each_tier_is_that_of_the_stored_retention(
    service: Service, scope: Scope, clock: Any, coffee: list[str]
) -> None:
    """Case 154, with members that had faded into three tiers."""
    for id, kept in zip(coffee, (0.9, 0.5, 0.2, 0.2, 0.9), strict=True):
        told = tier_of(kept, service.settings)
        values = {"retention": kept, "tier": told.value, "tier_rank": TIERS.index(told)}
        text = "MATCH (m:Memory {tenant: $t, id: $id}) SET m += $v"
        cypher(service, text, t=scope.tenant, id=id, v=values)
    keep(service, scope, *FLIGHT, LONG)
    clock.forward(seconds=1)
    assert merged(refining(service), scope).result["refined"] == 1
    text = "MATCH (m:Live {tenant: $t}) RETURN m.retention AS kept, m.tier AS tier, m.tier_rank AS rank"
    rows = cypher(service, text, t=scope.tenant)
    assert len(rows) == 1 + 1 + 3
    assert all(row["tier"] == tier_of(row["kept"], service.settings).value for row in rows)
    assert all(row["rank"] == TIERS.index(Tier(row["tier"])) for row in rows)


@pytest.mark.parametrize(
    ("given", "median"), [((0.2, 0.4, 0.9), 0.4), ((0.2, 0.4), 0.3), ((0.0, 0.0, 0.9), 0.0)]
)
def test_the_merged_memory_is_as_important_as_its_members_in_the_middle(
    service: Service, scope: Scope, given: Sequence[float], median: float
) -> None:
    """Case 104."""
    for text, importance in zip(COFFEE, given, strict=False):
        keep(service, scope, text, importance=importance, confidence=importance, tags=(f"t{importance:g}",))
    merged(service, scope)
    [made] = live(service, scope)
    assert made.base_importance == pytest.approx(median)
    assert made.confidence == max(given)
    assert set(made.tags) == {f"t{importance:g}" for importance in given}


def test_links_move_and_none_is_lost(service: Service, scope: Scope, coffee: list[str]) -> None:
    """Case 105, I9: each outside link is the merged memory's or was said twice; what was between members ends."""
    one, other, *_ = coffee
    [x, y] = keep(service, scope, "Theo gave Ann a grinder.", "The cafe in Rua Nova is open on Sundays.")
    call = Call(scope, "test")
    for start, end, kind, confidence in (
        (x, one, "CAUSES", 0.7),
        (x, other, "CAUSES", 0.9),
        (x, one, "SUPPORTS", 0.5),
        (one, other, "RELATED", 1.0),
        (other, y, "REFERENCES", 0.8),
    ):
        link(service, call, start, end, kind, confidence)
    before = list(now_lines(service, scope))
    run = merged(service, scope)
    made = next(memory.id for memory in live(service, scope) if "coffee" in memory.text)
    found = reading.links_of(service, scope, [made, x, y])
    outside = {
        (each.kind, each.from_id, each.to_id, each.confidence)
        for each in found[made]
        if each.kind != "CONSOLIDATES"
    }
    assert outside == {("CAUSES", x, made, 0.9), ("SUPPORTS", x, made, 0.5), ("REFERENCES", made, y, 0.8)}
    assert {each.to_id for each in found[y]} == {y}
    dropped = changes(service, scope)[-1]["effects"]["links_dropped"]
    assert sorted(dropped.values()) == ["between them", "said twice"]
    reverted(service, scope, run)
    assert list(now_lines(service, scope)) == before


def test_what_differs_in_one_value_stays_apart(service: Service, scope: Scope) -> None:
    keep(service, scope, *NEAR, "Ben likes fish.", "Ann moved to Porto.", "Ann moved to Lisbon.")
    before = texts(service, scope)
    assert merged(service, scope).result["groups"] == 0
    assert texts(service, scope) == before


def test_one_that_says_all_of_another_takes_it_in(service: Service, scope: Scope) -> None:
    keep(service, scope, *FLIGHT)
    merged(service, scope)
    assert texts(service, scope) == [FLIGHT[1]]


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "preference"},
        {"agent_id": "other"},
        {"metadata": {"room": 2}},
        {"source": Source(SourceKind.WEB)},
    ],
)
def test_what_is_not_of_one_kind_stays_apart(service: Service, scope: Scope, fields: dict[str, Any]) -> None:
    keep(service, scope, COFFEE[0], metadata={"room": 1})
    keep(service, scope, COFFEE[1], **{"metadata": {"room": 1}, **fields})
    assert merged(service, scope).result["groups"] == 0


def test_a_version_of_a_truth_stays_with_its_history(service: Service, scope: Scope, clock: Any) -> None:
    [old] = keep(service, scope, "Ann loves tea.")
    clock.forward(days=1)
    supersede(service, Call(scope, "test"), old, Fact(COFFEE[0]))
    keep(service, scope, COFFEE[1])
    assert merged(service, scope).result["groups"] == 0


@pytest.mark.parametrize("strategy", list(Strategy))
def test_every_strategy_finds_them_and_a_second_run_merges_nothing(
    service: Service, scope: Scope, strategy: Strategy
) -> None:
    """Case 111."""
    ids = keep(service, scope, *COFFEE, *NEAR)
    accessed(service, scope, ids[0], 5)
    assert merged(service, scope, strategy=strategy).result["groups"] == 1
    before = list(now_lines(service, scope))
    again = merged(service, scope, strategy=strategy)
    assert (again.result["groups"], again.result["unchanged"]) == (0, 1)
    assert merged(service, scope, strategy=strategy, full=True).result["groups"] == 0
    assert list(now_lines(service, scope)) == before


TRAIN = ("Ann's train leaves on 5 June.", "Ann's train to Ghent leaves on 5 June at 08:10.")


@pytest.mark.parametrize("strategy", [Strategy.AGGLOMERATIVE, Strategy.GDS_LEIDEN])
def test_what_says_the_same_is_found_though_it_lies_in_different_clusters(
    service: Service, scope: Scope, clock: Any, strategy: Strategy
) -> None:
    """Two clusters of four; one memory of each says a part of one in the other. Later one more part comes in."""
    small = with_clusters_of(service, 4)
    said = (
        NEAR[1],
        "Ann plays the cello.",
        TRAIN[0],
        FLIGHT[0],
        *NEAR[3:],
        "Ann's rent is 900 euros.",
        FLIGHT[1],
    )
    for place, text in enumerate(said):
        keep(small, scope, text, vector=leaning(place // 4, place), entities=())
    run = merged(small, scope, strategy=strategy)
    assert (run.result["groups"], run.result["across"], run.result["merged"]) == (1, 1, 2)
    assert FLIGHT[1] in texts(service, scope) and FLIGHT[0] not in texts(service, scope)
    again = merged(small, scope, strategy=strategy, full=True)
    assert (again.result["groups"], again.result["across"]) == (0, 0)
    clock.forward(hours=1)
    keep(small, scope, TRAIN[1], vector=leaning(1, 8), entities=())
    later = merged(small, scope, strategy=strategy)
    assert (later.result["groups"], later.result["across"]) == (1, 1)


def with_clusters_of(service: Service, most: int) -> Service:
    """The service, with clusters of so many members at most."""
    rules = service.settings.consolidation.model_copy(update={"max_size": most})  # type: ignore[attr-defined]
    return replace(service, settings=service.settings.model_copy(update={"consolidation": rules}))  # type: ignore[attr-defined]


def leaning(side: int, place: int) -> tuple[float, ...]:
    """A vector near the first direction or, at a cosine of .8 to it, near another, with something of its own."""
    values = [0.0] * 384
    values[0], values[1] = (1.0, 0.0) if side == 0 else (0.8, 0.6)
    values[2 + place] = 0.2
    return tuple(values)


def test_an_incremental_run_looks_at_what_is_new(service: Service, scope: Scope, clock: Any) -> None:
    """Case 113."""
    keep(service, scope, COFFEE[0], *NEAR)
    merged(service, scope)
    clock.forward(hours=1)
    keep(service, scope, COFFEE[1])
    assert merged(service, scope).result["groups"] == 1


def test_a_rehearsal_writes_its_run_and_its_plan_and_nothing_else(
    service: Service, scope: Scope, coffee: list[str]
) -> None:
    """Case 112."""
    asked, _ = consolidate(service, Call(scope, "test"), Wish(rehearses=True))
    before = nodes_but(service, scope, "Run", "PlannedMerge", "Lease")
    run = execute(service, Scope(scope.tenant_name), asked.id)
    assert nodes_but(service, scope, "Run", "PlannedMerge", "Lease") == before
    plan = read_plan(service, scope, run.id, 10)
    assert [(each.subject, each.groups, each.memories) for each in plan.extents] == [("ann", 1, 5)]
    [(planned, members)] = plan.groups
    assert set(planned.members) == set(coffee)
    assert {memory.text for memory in members if memory} == set(COFFEE)


def test_a_promoted_plan_is_carried_out_and_what_changed_since_is_left(
    service: Service, scope: Scope, coffee: list[str]
) -> None:
    flights = keep(service, scope, *FLIGHT)
    run = merged(service, scope, rehearses=True)
    wanted = next(
        each.text for each, _ in read_plan(service, scope, run.id, 10).groups if len(each.members) == 5
    )
    revise(service, Call(scope, "test"), flights[0], Revision(text="Ann's flight leaves on 5 May."))
    keep(service, scope, "Ann quite likes coffee.")
    promoted = promote(service, scope, run)
    assert (promoted.result["groups"], promoted.result["merged"], promoted.result["left"]) == (1, 5, 1)
    assert wanted in texts(service, scope)
    assert "Ann quite likes coffee." in texts(service, scope)
    plan = {each.status: each for each, _ in read_plan(service, scope, run.id, 10).groups}
    assert "changed meanwhile" in str(plan[PlanStatus.LEFT].fault)
    assert plan[PlanStatus.DONE].product_id in {memory.id for memory in live(service, scope)}
    again = promote(service, scope, run)
    assert (again.result["groups"], again.result["left"]) == (0, 0)


def test_a_reverted_run_leaves_the_store_as_it_was(service: Service, scope: Scope) -> None:
    ids = keep(service, scope, *COFFEE, *FLIGHT, *NEAR, entities=(EntityName("Ann", "ann"),))
    link(service, Call(scope, "test"), ids[0], ids[-1], "RELATED")
    before = list(now_lines(service, scope))
    run = merged(service, scope)
    assert list(now_lines(service, scope)) != before
    back = reverted(service, scope, run)
    assert (back.result["reverted"], back.result["left"]) == (2, 0)
    assert list(now_lines(service, scope)) == before
    assert verify(service, [scope.tenant_name]).findings == ()
    assert merged(service, scope, full=True).result["groups"] == 0, (
        "what was taken apart is not put together again"
    )


def test_what_people_have_built_upon_is_named_and_stays(
    service: Service, scope: Scope, coffee: list[str]
) -> None:
    keep(service, scope, *FLIGHT)
    run = merged(service, scope)
    made = next(memory.id for memory in live(service, scope) if "coffee" in memory.text)
    revise(service, Call(scope, "test"), made, Revision(text="Ann loves coffee from Brazil."))
    back = reverted(service, scope, run)
    assert (back.result["reverted"], back.result["left"]) == (1, 1)
    assert "UPDATE" in str(back.result["why_left"])
    assert set(texts(service, scope)) == {"Ann loves coffee from Brazil.", *FLIGHT}


def test_a_cap_leaves_the_rest_to_later_runs(service: Service, scope: Scope, coffee: list[str]) -> None:
    keep(service, scope, *FLIGHT)
    run = merged(service, scope, cap=2)
    assert (run.result["merged"], run.result["capped"]) == (2, 1)
    assert merged(service, scope, cap=5).result["merged"] == 5


def test_a_planned_run_is_capped_and_not_repeated_at_once(
    service: Service, scope: Scope, coffee: list[str]
) -> None:
    values = {"cap_least": 4, "strategy": Strategy.AGGLOMERATIVE}
    rules = service.settings.consolidation.model_copy(update=values)  # type: ignore[attr-defined]
    small = replace(service, settings=service.settings.model_copy(update={"consolidation": rules}))  # type: ignore[attr-defined]
    tenant, job = Scope(scope.tenant_name), schedule.job(schedule.CONSOLIDATE)
    planned = slots.claim(service, tenant, job, slots.slot_of(service.clock(), 604_800))
    assert planned is not None
    run = execute(small, tenant, planned.id)
    assert (run.result["merged"], run.result["capped"]) == (0, 1)
    fresh = runs.fresh(service, job, Kind.PLANNED, service.clock())
    later = service.write(tenant, lambda tx: runs.open_in(tx, fresh))
    assert "less than" in str(execute(service, tenant, later.id).result["skipped"])


@pytest.mark.parametrize(
    ("new", "live", "quiet", "word"),
    [
        (499, 99_999, 1799, None),
        (500, 1, 0, "new"),
        (50, 1, 1800, "1800"),
        (49, 1, 9e9, None),
        (1, 100_000, 0, "live"),
    ],
)
def test_the_reason_for_a_run_before_its_day(new: int, live: int, quiet: float, word: str | None) -> None:
    now = system_clock()
    because = consolidation_triggers.why(
        load().consolidation, new, live, now - timedelta(seconds=min(quiet, 1e9)), now
    )
    assert because is None if word is None else word in str(because)


def test_other_tenants_and_subjects_are_not_touched(
    service: Service, scope: Scope, coffee: list[str]
) -> None:
    other, neighbour = Scope(f"test-{uuid.uuid4().hex}", "ann"), Scope(scope.tenant_name, "ben")
    for each in (other, neighbour):
        keep(service, each, COFFEE[0])
    before = list(now_lines(service, other))
    assert merged(service, Scope(scope.tenant_name)).result["merged"] == 5
    assert list(now_lines(service, other)) == before
    assert texts(service, neighbour) == [COFFEE[0]]


def test_without_the_library_a_run_is_skipped_with_the_reason(
    service: Service, scope: Scope, coffee: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """F22."""
    from graphdatascience.error.gds_not_installed import GdsNotFound

    def missing(*_: object, **__: object) -> None:
        raise GdsNotFound("no gds")

    monkeypatch.setattr("graphdatascience.GraphDataScience", missing)
    run = merged(service, scope, strategy=Strategy.GDS_LEIDEN)
    assert str(run.result["skipped"]).startswith("The server lacks the Graph Data Science library")
    assert len(live(service, scope)) == 5


def test_a_library_that_fails_in_the_middle_ends_the_run_with_the_reason(
    service: Service, scope: Scope, coffee: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """F22: full or interrupted; what was merged before stands, and no projection is left behind."""

    def interrupted(*_: object) -> None:
        raise ClientError("terminated")

    monkeypatch.setattr("graph_memory.upkeep.clusters._cluster", interrupted)
    run = merged(service, scope, strategy=Strategy.GDS_LEIDEN)
    assert str(run.result["skipped"]).startswith("The graph library could not cluster")
    text = "CALL gds.graph.list() YIELD graphName WITH graphName WHERE graphName CONTAINS $t RETURN graphName"
    assert cypher(service, text, t=scope.tenant) == []


def test_shared_entities_join_what_is_not_near(service: Service, scope: Scope) -> None:
    """Only clusters change by it: what they hold is judged as ever."""
    keep(service, scope, *FLIGHT, entities=(EntityName("Ann", "ann"),))
    keep(
        service, scope, "Theo bakes bread.", "The bridge is closed.", entities=(EntityName("Porto", "porto"),)
    )
    tenant = Scope(scope.tenant_name)
    found = {}
    with library(service) as gds:
        for weight in (0.0, 1.0):
            edges = Edges(0.6, 1.0, weight)
            clusters = leiden(service, gds, tenant, str(scope.subject), f"test-{uuid.uuid4().hex}", edges, 2)
            found[weight] = sorted(len(each.members) for each in clusters)
    assert found == {0.0: [2], 1.0: [2, 2]}


@pytest.mark.parametrize(
    ("importance", "accesses", "links", "is_hub"),
    [(0.3, 5, 0, True), (0.29, 5, 0, False), (0.3, 4, 0, False), (0.1, 0, 5, True), (0.1, 0, 4, False)],
)
def test_a_hub_is_used_or_linked_to(
    service: Service, scope: Scope, importance: float, accesses: int, links: int, is_hub: bool
) -> None:
    """Case 108; members by 109, whatever lies between them in time."""
    hub, near, *others = keep(
        service, scope, COFFEE[0], COFFEE[1], *(f"Bus {number} is late." for number in range(5))
    )
    text = "MATCH (m:Memory {tenant: $t}) SET m.importance = CASE WHEN m.id = $id THEN $i ELSE 0.0 END, m.access_count = $n"
    cypher(service, text, t=scope.tenant, id=hub, i=importance, n=accesses)
    for other in others[:links]:
        link(service, Call(scope, "test"), other, hub, "RELATED")
    found = around_hubs(service, scope, str(scope.subject), 0.85, 20)
    assert [each.members for each in found] == ([frozenset({hub, near})] if is_hub else [])


def test_an_erased_member_takes_the_merged_memory_along_and_the_others_stand_again(
    service: Service, scope: Scope, coffee: list[str]
) -> None:
    run = merged(service, scope, rehearses=True)
    promote(service, scope, run)
    forget(service, Call(scope, "test"), [coffee[0]])
    assert texts(service, scope) == sorted(COFFEE[1:])
    assert read_plan(service, scope, run.id, 10).groups == ()
    assert verify(service, [scope.tenant_name]).findings == ()


def test_a_quarantined_source_takes_the_merged_memory_along_and_the_others_stand_again(
    service: Service, scope: Scope
) -> None:
    keep(service, scope, COFFEE[0], source=Source(ref="crawl"))
    [other] = keep(service, scope, COFFEE[1])
    [dog] = keep(service, scope, "Ann has a dog.")
    link(service, Call(scope, "test"), other, dog, "RELATED")
    merged(service, scope)
    asked, _ = quarantine(service, Call(scope, "test"), Suspect(ref="crawl"), "in doubt")
    assert execute(service, Scope(scope.tenant_name), asked.id).status is RunStatus.DONE
    assert texts(service, scope) == sorted([COFFEE[1], "Ann has a dog."])
    assert [each.to_id for each in reading.links_of(service, scope, [other])[other]] == [dog]
    assert verify(service, [scope.tenant_name]).findings == ()


def test_a_run_that_was_killed_goes_on_and_doubles_nothing(
    service: Service, scope: Scope, coffee: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """F1: killed between two groups, it merges the rest at its next try, and its cap counts both tries."""
    keep(service, scope, *FLIGHT)
    real, calls = consolidation._merge, list[object]()

    def killed(*given: Any) -> Any:
        calls.append(given)
        if len(calls) == 2:
            raise RuntimeError("killed")
        return real(*given)

    asked, _ = consolidate(service, Call(scope, "test"), Wish(strategy=Strategy.AGGLOMERATIVE))
    tenant = Scope(scope.tenant_name)
    with monkeypatch.context() as patch:
        patch.setattr(consolidation, "_merge", killed)
        assert execute(service, tenant, asked.id).status is RunStatus.PENDING
    ended = execute(service, tenant, asked.id)
    assert (ended.status, ended.result["groups"], ended.result["merged"]) == (RunStatus.DONE, 2, 7)
    assert len(live(service, scope)) == 2
    assert verify(service, [scope.tenant_name]).findings == ()


def test_a_model_proposes_another_reviews_and_what_is_lost_counts_as_a_no(
    service: Service, scope: Scope
) -> None:
    """Case 106."""
    keep(service, scope, "Ann prefers trains to planes.", "Ann travels by train whenever she can.")
    text = "Ann prefers trains to planes; she travels by train whenever she can."
    group = {"should_consolidate": True, "reasoning": "the same", "consolidated_text": text}

    def asked(proposal: dict[str, Any], approval: Any) -> Any:
        return lambda got: says(
            {"approved": approval, "reason": "r"} if "PROPOSED TEXT" in got.text else {"groups": [proposal]}
        )

    with Wires() as wires:
        given = load(
            anthropic={"api_key": "test", "base_url": wires.url},
            providers={"order": ("anthropic", "embedded"), "attempts": 1},
        )
        with open_providers(given) as opened:
            asking = compose(given, service.driver, service.embedder, service.clock, providers=opened)
            for proposal, approval in (
                (group, False),
                ({**group, "consolidated_text": "Ann prefers trains."}, True),
                ({**group, "should_consolidate": "maybe"}, True),
            ):
                wires.script(asked(proposal, approval))
                assert merged(asking, scope, full=True).result["groups"] == 0
            wires.script(asked(group, True))
            assert merged(asking, scope, full=True).result["groups"] == 1
    assert texts(service, scope) == [text]


def test_a_model_is_not_asked_about_what_could_not_be_merged_whatever_it_says(
    service: Service, scope: Scope
) -> None:
    """Two that differ in kind, and two that a guard keeps apart, are no question; one that has a partner is."""
    keep(service, scope, "Ann prefers trains to planes.")
    keep(service, scope, "Ann would rather take the train than fly.", kind="preference")
    keep(service, scope, "Ann would rather not take the train than fly.", kind="decision")
    with Wires() as wires:
        given = load(
            anthropic={"api_key": "test", "base_url": wires.url},
            providers={"order": ("anthropic", "embedded"), "attempts": 1},
        )
        with open_providers(given) as opened:
            asking = compose(given, service.driver, service.embedder, service.clock, providers=opened)
            wires.script(says({"groups": []}))
            merged(asking, scope, full=True)
            assert not wires.received
            keep(service, scope, "Ann takes trains rather than planes.")
            merged(asking, scope, full=True)
    assert [len(each.offered) for each in wires.received] == [2]


LONG = "Ann takes ramipril in the morning. Ann's sister Bea runs a bakery in Braga."


def refining(service: Service, **values: Any) -> Service:
    """The service, refining what is long, however new and unused."""
    rules = service.settings.refinement.model_copy(update={"accesses": 0, "age": 0, "stable": 0, **values})  # type: ignore[attr-defined]
    return replace(service, settings=service.settings.model_copy(update={"refinement": rules}))  # type: ignore[attr-defined]


def test_a_long_memory_is_split_each_part_has_its_links_and_all_of_it_can_be_taken_back(
    service: Service, scope: Scope
) -> None:
    """X5, case 117: a rehearsal shows it, promoted it stands, the first stays active, a second run does nothing more."""
    eager, call = refining(service), Call(scope, "test")
    names = (EntityName("Bea", "bea"), EntityName("Ann", "ann"))
    [whole] = keep(service, scope, LONG, importance=0.8, entities=names)
    [oven, pill] = keep(service, scope, "The bakery has a new oven.", "Ramipril lowers the pressure.")
    link(service, call, oven, whole, "REFERENCES", 0.7)
    link(service, call, pill, whole, "SUPPORTS", 0.9)
    before = list(now_lines(service, scope))
    plan = merged(eager, scope, rehearses=True)
    [(planned, _)] = read_plan(service, scope, plan.id, 10).groups
    assert " ".join(planned.statements) == LONG
    assert list(now_lines(service, scope)) == before
    done = promote(eager, scope, plan)
    assert (done.result["refined"], done.result["statements"], done.result["links"]) == (1, 2, 2)
    found = {memory.text: memory for memory in live(service, scope)}
    takes, runs_it = (found[text] for text in planned.statements)
    assert found[LONG].id == whole, "it stays beside its parts"
    linked = {
        (each.kind, each.from_id, each.to_id)
        for links in reading.links_of(service, scope, [takes.id, runs_it.id]).values()
        for each in links
    }
    assert linked == {
        ("SUPPORTS", pill, takes.id), ("REFERENCES", oven, runs_it.id),
        ("DERIVED_FROM", takes.id, whole), ("DERIVED_FROM", runs_it.id, whole),
    }  # fmt: skip
    mentioned = reading.entities_of(service, scope, [takes.id, runs_it.id])
    assert [each["name"] for each in mentioned[takes.id]] == ["Ann"]
    assert sorted(each["name"] for each in mentioned[runs_it.id]) == ["Ann", "Bea"]
    assert verify(service, [scope.tenant_name]).findings == ()
    again = merged(eager, scope, full=True)
    assert (again.result["refined"], again.result["groups"]) == (0, 0)
    reverted(service, scope, done)
    assert list(now_lines(service, scope)) == before
    assert verify(service, [scope.tenant_name]).findings == ()
    assert merged(eager, scope, full=True).result["refined"] == 0, "what was taken back is not split again"


def test_what_a_plan_merges_it_does_not_split_as_well(service: Service, scope: Scope) -> None:
    keep(service, scope, LONG, f"{LONG} The bakery opens at 7.")
    plan = merged(refining(service), scope, rehearses=True)
    assert (plan.result["groups"], plan.result["refined"]) == (1, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Ann lives in Porto near the old harbour. She works at Acme as a nurse.",
        "Ann has two dogs in the house in Braga. Ann has two cats in the house in Braga.",
        "Ann lives in Porto near the old harbour, and Bea works at Acme as a nurse.",
        "Ann will move to Lyon next year in May. But Bea stays in Porto with the dogs.",
    ],
)
def test_what_may_not_stand_alone_is_not_split_without_a_model(text: str) -> None:
    assert separate(text) == ()


def test_only_what_is_long_used_settled_and_not_looked_at_lately_is_refined(
    service: Service, scope: Scope, clock: Any
) -> None:
    """Case 116: each single condition that fails keeps it out, and a bound of 0 is none."""
    [whole, _] = keep(service, scope, LONG, "Ann likes tea.")

    def found(**values: Any) -> int:
        return len(verbose(refining(service, accesses=5, age=7, stable=30, **values), scope))

    clock.forward(days=31)
    accessed(service, scope, whole, 4)
    assert found() == 0
    accessed(service, scope, whole, 5)
    assert found() == 1
    assert found(chars=len(LONG) + 1) == 0
    clock.forward(days=-2)
    assert found() == 0
    clock.forward(days=2)
    text = "MATCH (m:Memory {tenant: $t, id: $id}) SET m += $v"
    for values, count in (
        ({"rejection_count": 3}, 0),
        ({"rejection_count": 2, "refined_at": clock()}, 0),
        ({"rejection_count": 2, "refined_at": None}, 1),
    ):
        cypher(service, text, t=scope.tenant, id=whole, v=values)
        assert found() == count
    cypher(service, text, t=scope.tenant, id=whole, v={"rejection_count": 9})
    assert found(rejections=0) == 1


def test_a_model_refines_another_reviews_and_what_is_declined_is_counted(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cases 117, 118."""
    for name in ("age", "stable", "cooldown"):
        monkeypatch.setattr(RefinementSettings, name, 0)
    text = "Ann, who as everybody in the whole team knows so well likes tea, really does like tea a lot."
    short = "Ann likes tea a lot."
    [id, _] = keep(service, scope, text, "Theo plays the cello.")

    def asked(action: str, statements: list[str], approved: bool) -> Any:
        answer = {"action": action, "statements": statements, "confidence": None, "reason": "r"}
        return lambda got: says(
            {"approved": approved, "reason": "r"} if "PROPOSED TEXT" in got.text else answer
        )

    with Wires() as wires:
        given = load(
            anthropic={"api_key": "test", "base_url": wires.url},
            providers={"order": ("anthropic", "embedded"), "attempts": 1},
            refinement={"accesses": 0},
        )
        with open_providers(given) as opened:
            asking = compose(given, service.driver, service.embedder, service.clock, providers=opened)
            for script in (
                asked("DO_NOTHING", [], True),
                asked("SPLIT", [short], True),
            ):
                wires.script(script)
                assert merged(asking, scope).result["declined"] == 1
            for script in (asked("TRIM", [short], False), asked("TRIM", ["Bob likes tea."], True)):
                cypher(
                    service,
                    "MATCH (m:Memory {tenant: $t, id: $id}) SET m.rejection_count = 0",
                    t=scope.tenant,
                    id=id,
                )
                wires.script(script)
                assert merged(asking, scope).result["declined"] == 1
            cypher(
                service,
                "MATCH (m:Memory {tenant: $t, id: $id}) SET m.rejection_count = 3",
                t=scope.tenant,
                id=id,
            )
            wires.script(asked("TRIM", [short], True))
            assert merged(asking, scope).result["refined"] == 0, "it was declined often enough"
            cypher(
                service,
                "MATCH (m:Memory {tenant: $t, id: $id}) SET m.rejection_count = 2",
                t=scope.tenant,
                id=id,
            )
            assert merged(asking, scope).result["refined"] == 1
    assert texts(service, scope) == sorted([short, "Theo plays the cello."]), "the long one is archived"


def reverted(service: Service, scope: Scope, run: Run) -> Run:
    asked, _ = revert_run(service, Call(scope, "test"), run.id)
    return execute(service, Scope(scope.tenant_name), asked.id)


def promote(service: Service, scope: Scope, run: Run) -> Run:
    asked, _ = promote_plan(service, Call(scope, "test"), run.id)
    done = execute(service, Scope(scope.tenant_name), asked.id)
    assert done.status is RunStatus.DONE, done.error
    return done


def accessed(service: Service, scope: Scope, id: str, times: int) -> None:
    cypher(
        service,
        "MATCH (m:Memory {tenant: $t, id: $id}) SET m.access_count = $n",
        t=scope.tenant,
        id=id,
        n=times,
    )


def nodes_but(service: Service, scope: Scope, *labels: str) -> list[Any]:
    """All of the tenant's nodes with their properties, but for those labels."""
    text = "MATCH (n {tenant: $t}) WHERE none(label IN labels(n) WHERE label IN $but) RETURN labels(n) AS l, properties(n) AS p, COUNT { (n)--() } AS ties ORDER BY elementId(n)"
    return cypher(service, text, t=scope.tenant, but=list(labels))

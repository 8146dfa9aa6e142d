"""What a person changes of a memory counts at once: its scores, its tier, and the record of what was moved."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_memory.base.errors import Expired, Invalid
from graph_memory.base.scope import Scope
from graph_memory.bench.decay import bench_decay
from graph_memory.cli import decay as decay_commands
from graph_memory.cli import life as life_commands
from graph_memory.jobs import schedule, slots
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life, reading
from graph_memory.memory.addition import add
from graph_memory.memory.merge import merge
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import undo
from graph_memory.model.memory import Fact, Status
from graph_memory.recall.access import counting
from graph_memory.recall.modes import Mode
from graph_memory.scoring import tier_moves
from graph_memory.scoring.facts import explain_one
from graph_memory.scoring.rescoring import rescore_tenant
from graph_memory.scoring.scores import Tier
from graph_memory.scoring.terms import Policy
from graph_memory.scoring.tier_moves import Move
from graph_memory.store.service import Service
from graph_memory.upkeep.run_cleanup import TIDY
from tasks import execute
from tests.found import search
from tests.integration.api_world import Api, api, key

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import cypher

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

LOG = "graph_memory.scoring.rescoring"


def added(service: Service, scope: Scope, *facts: Fact) -> list[str]:
    found, _ = add(service, Call(scope, "test"), facts)
    return [str(each.id) for each in found]


def stored(service: Service, scope: Scope, id: str) -> dict[str, Any]:
    [row] = cypher(
        service,
        "MATCH (m:Memory {tenant: $t, id: $id}) RETURN m {.*, embedding: null} AS m",
        t=scope.tenant,
        id=id,
    )
    return dict(row)


def standing(service: Service, scope: Scope, id: str) -> tuple[float, float, str]:
    row = stored(service, scope, id)
    return row["importance"], row["retention"], row["tier"]


def with_settings(service: Service, **sections: dict[str, Any]) -> Service:
    given = {
        name: getattr(service.settings, name).model_copy(update=values) for name, values in sections.items()
    }
    return replace(service, settings=service.settings.model_copy(update=given))


def revise(service: Service, scope: Scope, id: str, **values: Any) -> None:
    life.revise(service, Call(scope, "test"), id, life.Revision(**values))


def rescored_anew(service: Service, scope: Scope, id: str) -> tuple[float, float, str]:
    """What the nightly job makes of it, now."""
    rescore_tenant(service, Scope(scope.tenant_name), service.clock(), is_forced=True)
    return standing(service, scope, id)


def moved_today(service: Service, scope: Scope) -> Sequence[Move]:
    return tier_moves.of_run(service, scope, tier_moves.of_day(scope, service.clock()))


def faded(service: Service, scope: Scope, clock: Any, **values: Any) -> str:
    """A memory that has gone cold."""
    [id] = added(service, scope, Fact("Ann keeps the spare key under the blue pot.", **values))
    clock.forward(days=200)
    rescore_tenant(service, Scope(scope.tenant_name), clock.now)
    assert stored(service, scope, id)["tier"] == "COLD"
    return id


@pytest.mark.parametrize("policy", list(Policy))
@pytest.mark.parametrize(
    "fact",
    [
        Fact("Plain."), Fact("Faint.", importance=0.1), Fact("Weighty.", kind="decisions", importance=0.3),
        Fact("Pinned.", importance=0.0, pinned=True), Fact("Critical.", importance=0.0, critical=True),
        Fact("Soon.", happens_at=datetime(2026, 1, 3, tzinfo=UTC)), Fact("Unsure.", confidence=0.2),
        Fact(
            "Over.", valid_from=datetime(2025, 12, 1, tzinfo=UTC), expires_at=datetime(2025, 12, 31, tzinfo=UTC)
        ),
    ],
    ids=lambda fact: fact.text,
)  # fmt: skip
def test_a_new_memory_stands_where_a_rescoring_would_put_it(
    service: Service, scope: Scope, policy: Policy, fact: Fact
) -> None:
    own = with_settings(service, decay={"policy": policy.value})
    [id] = added(own, scope, fact)
    laid_out = standing(own, scope, id)
    assert laid_out == rescored_anew(own, scope, id)
    assert stored(own, scope, id)["tier_rank"] == list(Tier).index(Tier(laid_out[2]))


def test_a_faint_new_memory_is_not_hot_and_a_new_version_of_a_truth_has_its_own_tier(
    service: Service, scope: Scope
) -> None:
    [id] = added(service, scope, Fact("Ann lives in Oslo.", importance=0.2))
    assert standing(service, scope, id) == (0.2, 0.48, "WARM")
    done, _ = supersede(service, Call(scope, "test"), id, Fact("Ann lives in Bergen.", pinned=True))
    assert stored(service, scope, done.new)["tier"] == "HOT"


def test_a_cold_memory_that_is_pinned_is_found_by_a_reflex_at_once(
    service: Service, scope: Scope, clock: Any
) -> None:
    id = faded(service, scope, clock, importance=0.3)
    assert not search(service, scope, "where is the spare key", mode=Mode.REFLEXIVE).hits
    revise(service, scope, id, pinned=True)
    assert [hit.memory.id for hit in search(service, scope, "where is the spare key", mode=Mode.REFLEXIVE).hits] == [id]  # fmt: skip
    assert standing(service, scope, id) == rescored_anew(service, scope, id)


@pytest.mark.parametrize(
    "values", [{"importance": 0.9}, {"critical": True}, {"kind": "decisions"}, {"happens_at": datetime(2026, 7, 21, tzinfo=UTC)}]
)  # fmt: skip
def test_whatever_scores_follow_from_counts_at_once_and_undo_takes_it_back_at_once(
    service: Service, scope: Scope, clock: Any, values: dict[str, Any]
) -> None:
    id = faded(service, scope, clock, importance=0.3)
    before = standing(service, scope, id)
    revise(service, scope, id, **values)
    after = standing(service, scope, id)
    assert after != before
    assert after == rescored_anew(service, scope, id)
    undo(service, Call(scope, "test"), [changes(service, scope)[-1]["sequence"]])
    assert standing(service, scope, id)[1:] == before[1:]
    # The change was an activity, so that the person's clock has gone on by a day.
    assert standing(service, scope, id) == rescored_anew(service, scope, id)


def test_words_alone_change_no_score(service: Service, scope: Scope, clock: Any) -> None:
    id = faded(service, scope, clock, importance=0.3)
    clock.forward(days=30)
    before = standing(service, scope, id)
    revise(service, scope, id, text="Ann keeps the spare key under the red pot.")
    assert standing(service, scope, id) == before


def test_a_merged_memory_stands_where_a_rescoring_would_put_it(
    service: Service, scope: Scope, clock: Any
) -> None:
    id = faded(service, scope, clock, importance=0.3)
    [other] = added(service, scope, Fact("The blue pot stands by the door.", importance=0.9))
    merge(service, Call(scope, "test"), id, other)
    found = standing(service, scope, id)
    assert found == rescored_anew(service, scope, id)
    assert found[2] == "WARM"


def test_a_tier_is_written_only_where_it_is_another_one(service: Service, scope: Scope, clock: Any) -> None:
    """Writing it inserts the vector anew."""
    [id] = added(service, scope, Fact("Ann has a cat."))
    revise(service, scope, id, importance=0.8)
    assert stored(service, scope, id)["tier"] == "HOT"
    assert moved_today(service, scope) == []


# Feedback (feature 211, X44).


def test_feedback_counts_by_its_weight_and_undo_takes_it_back(service: Service, scope: Scope) -> None:
    own = with_settings(service, decay={"feedback_weight": 0.4})
    [id] = added(own, scope, Fact("Ann likes tea."))
    before = standing(own, scope, id)
    revise(own, scope, id, feedback=1.0)
    praised = standing(own, scope, id)
    assert praised == (pytest.approx(0.6 * 0.5 + 0.4), pytest.approx(0.6 * 0.6 + 0.4), "HOT")
    revise(own, scope, id, feedback=-1.0)
    scolded = standing(own, scope, id)
    assert scolded == (pytest.approx(0.3), pytest.approx(0.36), "WARM")
    assert scolded == rescored_anew(own, scope, id)
    found = reading.get(own, scope, id)
    assert found is not None
    assert (found.feedback, found.retention) == (-1.0, 0.36)
    [first, second] = [change for change in changes(own, scope) if change["operation"] == "UPDATE"]
    assert (second["before"][id]["feedback"], second["after"][id]["feedback"]) == (1.0, -1.0)
    undo(own, Call(scope, "test"), [second["sequence"], first["sequence"]])
    assert standing(own, scope, id) == before


def test_without_a_weight_feedback_is_kept_and_changes_nothing(service: Service, scope: Scope) -> None:
    [id] = added(service, scope, Fact("Ann likes tea."))
    before = standing(service, scope, id)
    revise(service, scope, id, feedback=-1.0)
    assert standing(service, scope, id) == before
    assert stored(service, scope, id)["feedback"] == -1.0


@pytest.mark.parametrize("value", [1.01, -2.0, float("nan"), float("inf")])
def test_feedback_outside_its_range_is_refused(service: Service, scope: Scope, value: float) -> None:
    [id] = added(service, scope, Fact("Ann likes tea."))
    with pytest.raises(Invalid, match="between -1 and 1"):
        revise(service, scope, id, feedback=value)


def test_graphql_takes_feedback_and_tells_it(api: Api, key: str) -> None:
    id = api.add(key, "Ada decided on Neo4j")["id"]
    document = """mutation($input: ReviseMemoryInput!) {
      reviseMemory(input: $input) { memory { feedback retention } errors { code path } } }"""
    told = api.ask(key, document, input={"id": id, "feedback": 0.5})["data"]["reviseMemory"]
    assert told == {"memory": {"feedback": 0.5, "retention": 0.6}, "errors": []}
    told = api.ask(key, document, input={"id": id, "feedback": 5})["data"]["reviseMemory"]
    assert [error["code"] for error in told["errors"]] == ["INVALID"]


def test_the_command_line_takes_feedback(service: Service, scope: Scope) -> None:
    [id] = added(service, scope, Fact("Ann likes tea."))
    run, tenant = CliRunner(), ["--tenant", scope.tenant_name, "--json"]
    told = run.invoke(life_commands.app, ["revise", id, "--feedback", "-0.5", *tenant])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["feedback"] == -0.5


# What is moved at once is recorded (case 44, X42).


def test_case_44_a_promotion_by_use_is_kept_with_its_reason_and_score(
    service: Service, scope: Scope, clock: Any
) -> None:
    id = faded(service, scope, clock, importance=0.5)
    with counting(service) as accesses:
        accesses.note(scope, [id])
    [move] = moved_today(service, scope)
    assert (move.id, move.was, move.now, move.reason) == (id, Tier.COLD, Tier.HOT, "USED")
    assert (move.score, move.at) == (stored(service, scope, id)["retention"], clock.now)


def test_case_44_what_a_change_moves_is_kept_on_the_same_days_run_and_counted(
    service: Service, scope: Scope, clock: Any
) -> None:
    own = with_settings(service, decay={"kept_moves": 2})
    id = faded(own, scope, clock, importance=0.3)
    for pinned in (True, False, True):
        revise(own, scope, id, pinned=pinned)
    assert [(move.was.value, move.now.value, move.reason) for move in moved_today(own, scope)] == [
        ("COLD", "HOT", "REVISED"),
        ("HOT", "COLD", "REVISED"),
    ]
    [run] = cypher(
        service, "MATCH (r:Run {tenant: $t, job: $j}) RETURN r {.*}", t=scope.tenant, j=tier_moves.AT_ONCE
    )
    assert json.loads(run["result"]) == {"moved": 3, "cold_to_hot": 2, "hot_to_cold": 1}
    assert run["status"] == "DONE"
    clock.forward(days=1)
    assert moved_today(own, scope) == []


def test_the_runs_of_days_are_tidied_like_others(service: Service, scope: Scope, clock: Any) -> None:
    id = faded(service, scope, clock, importance=0.3)
    for day in range(3):
        revise(service, scope, id, pinned=day % 2 == 0)
        clock.forward(days=1)
    tenant, own = Scope(scope.tenant_name), with_settings(service, jobs={"keep": 1})
    run, _ = slots.by_hand(own, tenant, schedule.job("tidy"), again=True)
    assert execute(own, tenant, run.id).result["removed"] >= 2
    count = "MATCH (r:Run {tenant: $t, job: $j}) RETURN count(r)"
    assert cypher(service, count, t=scope.tenant, j=tier_moves.AT_ONCE) == [1]
    assert "jobs" in TIDY.parameters


def test_the_moves_of_a_day_are_told_by_graphql_and_the_command_line(
    service: Service, scope: Scope, clock: Any, api: Api, key: str
) -> None:
    id = faded(service, scope, clock, importance=0.3)
    revise(service, scope, id, pinned=True)
    told = CliRunner().invoke(
        decay_commands.app,
        ["tiers", "--on", f"{clock.now:%Y-%m-%d}", "--tenant", scope.tenant_name, "--json"],
    )
    assert [row["reason"] for row in json.loads(told.stdout)] == ["REVISED"]
    mine = api.add(key, "Ada decided on Neo4j", importance=0.2)["id"]
    pin = "mutation($input: ReviseMemoryInput!) { reviseMemory(input: $input) { memory { tier } errors { code } } }"
    assert api.ask(key, pin, input={"id": mine, "pinned": True})["data"]["reviseMemory"]["memory"] == {
        "tier": "HOT"
    }
    ask = "query($on: DateTime, $job: ID) { tierTransitions(on: $on, job: $job) { from to reason } }"
    now = datetime.now(UTC).isoformat()
    assert {"from": "WARM", "to": "HOT", "reason": "REVISED"} in api.ask(key, ask, on=now)["data"][
        "tierTransitions"
    ]
    blamed = api.ask(key, ask, job="nonsense")
    assert blamed["errors"][0]["extensions"]["argument"] == "job"


# Bringing back what has expired.


def test_what_has_expired_is_not_brought_back_without_a_new_end(
    service: Service, scope: Scope, clock: Any
) -> None:
    end = clock.now + timedelta(days=3)
    [id] = added(service, scope, Fact("The parcel comes today.", expires_at=end))
    call, tenant = Call(scope, "test"), Scope(scope.tenant_name)
    life.archive(service, call, [id])
    clock.forward(days=4)
    with pytest.raises(Expired, match=r"expired at 2026-01-04T09:00:00Z.*new end"):
        life.restore(service, call, [id])
    with pytest.raises(Expired):
        life.restore(service, call, [id], expires_at=clock.now - timedelta(days=1))
    found = reading.get(service, scope, id)
    assert found is not None
    assert found.status is Status.ARCHIVED
    life.restore(service, call, [id], expires_at=clock.now + timedelta(days=10))
    run, _ = slots.by_hand(service, tenant, schedule.job("archive"), again=True)
    assert execute(service, tenant, run.id).result["archived"] == 0
    assert standing(service, scope, id) == rescored_anew(service, scope, id)
    undo(service, call, [changes(service, scope)[-1]["sequence"]])
    assert stored(service, scope, id)["expires_at"].to_native() == end


def test_where_the_rule_is_off_what_has_expired_comes_back(
    service: Service, scope: Scope, clock: Any
) -> None:
    own = with_settings(service, archive={"expired": False})
    [id] = added(own, scope, Fact("The parcel comes today.", expires_at=clock.now + timedelta(days=1)))
    life.archive(own, Call(scope, "test"), [id])
    clock.forward(days=2)
    life.restore(own, Call(scope, "test"), [id])
    assert stored(own, scope, id)["status"] == "ACTIVE"


def test_graphql_and_the_command_line_take_a_new_end(
    service: Service, scope: Scope, api: Api, key: str
) -> None:
    ended = {"validFrom": "2019-12-01T00:00:00Z", "expiresAt": "2020-01-01T00:00:00Z"}
    id = api.add(key, "The parcel comes today", **ended)["id"]
    api.ask(
        key,
        "mutation($i: MoveMemoriesInput!) { archiveMemories(input: $i) { errors { code } } }",
        i={"ids": [id]},
    )
    document = """mutation($input: RestoreMemoriesInput!) {
      restoreMemories(input: $input) { memories { status expiresAt } errors { code path message } } }"""
    told = api.ask(key, document, input={"ids": [id]})["data"]["restoreMemories"]
    assert [(error["code"], error["path"]) for error in told["errors"]] == [("EXPIRED", "input.expiresAt")]
    told = api.ask(key, document, input={"ids": [id], "expiresAt": "2999-01-01T00:00:00Z"})["data"]
    assert [memory["status"] for memory in told["restoreMemories"]["memories"]] == ["ACTIVE"]
    begun, end = datetime(2019, 12, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC)
    [mine] = added(service, scope, Fact("The shop is shut.", valid_from=begun, expires_at=end))
    life.archive(service, Call(scope, "test"), [mine])
    run, tenant = CliRunner(), ["--tenant", scope.tenant_name, "--subject", "ann"]
    refused = run.invoke(life_commands.app, ["restore", mine, *tenant])
    assert isinstance(refused.exception, Expired)
    told = run.invoke(life_commands.app, ["restore", mine, "--expires-at", "2999-01-01", *tenant])
    assert told.exit_code == 0, told.output


def test_a_memory_that_cannot_be_scored_stops_no_access(
    service: Service, scope: Scope, clock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody has written into the store by hand."""
    broken, sound = added(service, scope, Fact("Ann has a cat."), Fact("Ann has a dog."))
    cypher(
        service,
        "MATCH (m:Memory {tenant: $t, id: $id}) SET m.base_importance = 7.0",
        t=scope.tenant,
        id=broken,
    )
    with caplog.at_level(logging.WARNING, logger=LOG), counting(service) as accesses:
        accesses.note(scope, [broken, sound])
    assert [stored(service, scope, id)["access_count"] for id in (broken, sound)] == [1, 1]
    assert "not_scored" in [record.message for record in caplog.records]
    with pytest.raises(Invalid, match="worth of a retention is 7"):
        explain_one(service, scope, broken)


def test_the_bench_of_rescoring_prints_what_is_promised(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ROUNDS", "FEWEST_ROUNDS"):
        monkeypatch.setattr(f"graph_memory.bench.decay.{name}", 2)
    found = bench_decay(service, 40, lambda _: None)
    assert set(found) == {
        "memories", "per_s", "raw_per_s", "of_raw", "written", "all_written_per_s", "tier_changes",
        "tier_changes_per_s", "readers_p95_ms", "readers_p95_ratio", "rounds", "load",
    }  # fmt: skip
    assert set(found["per_s"]) == {"earning", "linear", "retention"}

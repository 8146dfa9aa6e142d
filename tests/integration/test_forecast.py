"""What will be forgotten when: the forecast is what rescoring will do, and writes nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_memory import cli
from graph_memory.base.errors import Invalid, Misconfigured
from graph_memory.base.scope import Scope
from graph_memory.cli import decay as commands
from graph_memory.jobs import schedule, slots
from graph_memory.jobs.settings import PERIODS
from graph_memory.model.run import Status as RunStatus
from graph_memory.scoring.chart import draw
from graph_memory.scoring.columns import now_of
from graph_memory.scoring.facts import Filter, all_of, tier_counts
from graph_memory.scoring.forecast import simulate_decay
from graph_memory.scoring.rescoring import rescore_tenant
from graph_memory.scoring.scores import NO_RULE, Rule, Tier, standing
from graph_memory.scoring.terms import Policy
from graph_memory.settings import Settings
from graph_memory.store.service import Service
from tasks import execute
from tests.integration.api_world import Api, api, key

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import Clock, a_service, a_tenant, cypher, put_memories

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def service(stack: Settings) -> Iterator[Service]:
    with a_service(stack, Clock(NOW)) as service:
        yield service


@pytest.fixture
def scope(service: Service) -> Iterator[Scope]:
    with a_tenant(service) as scope:
        plain = {"tier": "HOT", "kind": "fact"}
        rows = [
            {"created_at": NOW - timedelta(days=7 * n), "access_count": n % 5, "id": f"m{n}"}
            for n in range(12)
        ]
        rows += [
            {"id": "milk", "kind": "progress", "expires_at": NOW + timedelta(days=10)},
            {"id": "plan", "kind": "decisions", "tags": ["work"]},
        ]
        put_memories(service, scope, [{**plain, **row} for row in rows])
        rescore_tenant(service, scope, NOW)
        yield scope


@pytest.mark.parametrize("policy", list(Policy))
def test_the_tiers_that_are_foreseen_are_those_that_come(
    service: Service, scope: Scope, policy: Policy
) -> None:
    [found] = simulate_decay(service, scope, 60, [policy], activity=0)
    for day in (0, 13, 60):
        rescore_tenant(service, scope, NOW + timedelta(days=day), policy=policy)
        there = cypher(
            service, "MATCH (m:Memory {tenant: $t}) RETURN {id: m.id, tier: m.tier}", t=scope.tenant
        )
        ended = {change.id for change in found.changes if change.rule and change.day <= day}
        tiers = [row["tier"] for row in there if row["id"] not in ended]
        foreseen = found.summary[day]
        assert [foreseen.hot, foreseen.warm, foreseen.cold, foreseen.archived_tier] == [
            tiers.count(t) for t in Tier
        ]
        assert foreseen.archived == len(ended)


def test_an_expiry_is_foreseen_to_the_day(service: Service, scope: Scope) -> None:
    [found] = simulate_decay(service, scope, 30)
    last = [change for change in found.changes if change.id == "milk"][-1]
    assert (last.day, last.now, last.rule, last.importance) == (11, Tier.ARCHIVED, Rule.EXPIRED, 0.0)


def test_two_policies_side_by_side_and_only_what_is_asked_for(service: Service, scope: Scope) -> None:
    earning, linear = simulate_decay(service, scope, 90, [Policy.EARNING, Policy.LINEAR], Filter(kind="fact"))
    assert earning.memories == linear.memories == 12
    assert {change.rule for change in earning.changes} == {None}
    assert Rule.IMPORTANCE in {change.rule for change in linear.changes}
    [tagged] = simulate_decay(service, scope, 90, filter=Filter(tag="work"))
    assert (tagged.memories, [(change.id, change.now) for change in tagged.changes]) == (
        1,
        [("plan", Tier.WARM)],
    )


def test_nothing_is_written(service: Service, scope: Scope) -> None:
    text = "MATCH (m:Memory {tenant: $t}) WITH m ORDER BY m.id RETURN properties(m)"
    before = cypher(service, text, t=scope.tenant)
    simulate_decay(service, scope, 365, list(Policy))
    assert cypher(service, text, t=scope.tenant) == before


def test_activity_moves_the_clock_of_activity_days(service: Service, scope: Scope) -> None:
    own = replace(
        service,
        settings=service.settings.model_copy(
            update={"decay": service.settings.decay.model_copy(update={"clock": "activity"})}
        ),
    )
    assert simulate_decay(own, scope, 90, activity=0, filter=Filter(kind="fact"))[0].changes == ()
    assert simulate_decay(own, scope, 90, activity=1, filter=Filter(kind="fact"))[0].changes


@pytest.mark.parametrize(("days", "activity"), [(0, 1.0), (3651, 1.0), (10, 1.5)])
def test_what_cannot_be_foreseen_is_refused(
    service: Service, scope: Scope, days: int, activity: float
) -> None:
    with pytest.raises(Invalid):
        simulate_decay(service, scope, days, activity=activity)


def test_it_is_drawn_as_png_and_svg(service: Service, scope: Scope, tmp_path: Path) -> None:
    found = simulate_decay(service, scope, 90, [Policy.EARNING, Policy.LINEAR])
    draw(found, tmp_path / "a.png")
    draw(found[:1], tmp_path / "a.svg")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "a.svg").read_text("utf-8")


def test_a_missing_matplotlib_is_told(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = simulate_decay(service, scope, 5)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(Misconfigured, match=r"pip install -e '\.\[charts\]'"):
        draw(found, Path("never.png"))


def test_the_command_line_tells_and_draws_the_same(
    service: Service, scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, chart = CliRunner(), tmp_path / "decay.svg"
    # The command has a clock of its own; what lies ahead of it has no age.
    cypher(
        service,
        "MATCH (m:Memory {tenant: $t, id: 'plan'}) SET m.created_at = datetime('2199-01-01T00:00:00Z')",
        t=scope.tenant,
    )
    tenant = ["--tenant", scope.tenant_name]
    told = run.invoke(commands.app, ["decay", "--days", "30", "--chart", str(chart), "--json", *tenant])
    assert told.exit_code == 0, told.output
    [found] = json.loads(told.stdout)
    assert found["memories"] == 14
    assert chart.exists()
    explained = json.loads(run.invoke(commands.app, ["decay", "--explain", "plan", "--json", *tenant]).stdout)
    assert {"name", "value", "explanation", "operation"} == set(explained["importance_terms"][0])
    assert explained["importance_line"].startswith("round(sigmoid((0 + 0 + 2) × 1 × 1 × 1 - 2), 3) = 0.5")
    shown = run.invoke(commands.app, ["decay", "--explain", "plan", *tenant]).stdout
    assert "round((0.4 + 0 + 0.4) × 1 × 1, 3) = 0.8" in shown.replace("\n", "")
    counts = json.loads(run.invoke(commands.app, ["tiers", "--json", *tenant]).stdout)
    assert counts == tier_counts(service, scope)
    assert "█" in run.invoke(commands.app, ["tiers", *tenant]).stdout
    assert any("decay" in row.names for row in cli.COMMANDS)


def test_graphql_tells_the_terms_the_tiers_and_a_forecast(api: Api, key: str) -> None:
    id = api.add(key, "Ada decided on Neo4j", kind="decisions")["id"]
    document = """query($id: ID!) {
      memory(id: $id) { score { policy importance retention tier terms { name value explanation } retentionTerms { name value operation }
                                   arithmetic retentionArithmetic } retention feedback }
      tiers { tier count }
      simulateDecay(days: 120, policies: [EARNING, RETENTION], filter: {kind: "decisions"}, first: 5) {
        forecasts { policy memories totalChanges changes { day from to rule } summary { day hot warm } } }
    }"""
    told = api.ask(key, document, id=id)["data"]
    score = told["memory"]["score"]
    assert (score["policy"], score["tier"], score["retention"]) == ("EARNING", "HOT", 0.8)
    assert [term["name"] for term in score["terms"]] == [
        "value",
        "hub",
        "newness",
        "recency",
        "event",
        "expiry",
        "centre",
        "sigmoid",
        "rounding",
    ]
    assert score["retentionArithmetic"] == "round((0.4 + 0 + 0.4) × 1 × 1, 3) = 0.8"
    assert score["arithmetic"].endswith("= 0.5")
    assert (told["memory"]["retention"], told["memory"]["feedback"]) == (0.8, 0.0)
    assert {row["tier"] for row in told["tiers"]} == {"HOT", "WARM", "COLD", "ARCHIVED"}
    one, other = told["simulateDecay"]["forecasts"]
    assert (one["policy"], other["policy"], one["memories"]) == ("EARNING", "RETENTION", 1)
    assert one["changes"] == [{"day": 31, "from": "HOT", "to": "WARM", "rule": None}]
    assert len(one["summary"]) == 121


def test_the_cap_of_a_run_is_foreseen_and_what_it_leaves_waits(service: Service, tmp_path: Path) -> None:
    """What the forecast tells of each day is what the job does on it, run by run."""
    clock, rules = Clock(NOW), {"cap_least": 2, "cap_share": 0.01, "batch": 100}
    own = with_settings(replace(service, clock=clock), archive=rules, decay={"policy": "linear"})
    with a_tenant(own) as scope:
        rows = [
            {"id": f"m{n:02}", "tier": "HOT", "kind": "fact", "base_importance": n / 40, "confidence": 0.0,
             "metadata": "{}", "tags": [], "heading": "", "recorded_from": NOW, "live_key": f"k{n}",
             "last_accessed_at": NOW - timedelta(days=n % 3)}
            for n in range(23)
        ]  # fmt: skip
        rows += [
            {"id": f"x{n}", "tier": "HOT", "kind": "fact", "metadata": "{}", "tags": [], "heading": "",
             "recorded_from": NOW, "live_key": f"x{n}", "expires_at": NOW + timedelta(days=12)}
            for n in range(7)
        ]  # fmt: skip
        put_memories(own, scope, rows)
        [found] = simulate_decay(own, scope, 40, activity=0)
        ends = [change for change in found.changes if change.rule]
        assert (
            max(
                sum(change.day == day and change.rule is Rule.IMPORTANCE for change in ends)
                for day in range(41)
            )
            == 2
        )
        for day in range(41):
            run, _ = slots.by_hand(own, scope, schedule.job("archive"), again=True)
            assert execute(own, scope, run.id).status is RunStatus.DONE
            gone = cypher(
                own,
                "MATCH (m:Memory {tenant: $t, status: 'ARCHIVED'}) RETURN m.id ORDER BY m.id",
                t=scope.tenant,
            )
            assert gone == sorted(change.id for change in ends if change.day <= day), day
            assert found.summary[day].archived == len(gone)
            clock.forward(days=1)
        assert len(ends) == 30


def test_where_the_rules_run_every_other_day_or_never_the_forecast_knows(service: Service) -> None:
    with a_tenant(service) as scope:
        gone = {"expires_at": NOW + timedelta(hours=1), "tier": "HOT", "kind": "fact"}
        put_memories(service, scope, [gone])

        def end(seconds: int) -> list[int]:
            own = with_settings(service, jobs={"periods": {**PERIODS, "archive": seconds}})
            return [change.day for change in simulate_decay(own, scope, 9)[0].changes if change.rule]

        assert (end(3600), end(86_400), end(3 * 86_400), end(0)) == ([1], [1], [3], [])


def test_what_rises_before_its_date_is_not_lost_between_two_days(service: Service) -> None:
    """A rule holds today, for others first; then no longer, while what the memory tells of comes near; then again."""
    own = with_settings(
        service,
        earning={"archive_at": 0.265, "newness": 0.0},
        decay={"clock": "calendar"},
        archive={"cap_least": 1},
    )
    plain = {"tier": "HOT", "kind": "fact"}
    dated = {"id": "date", **plain, "access_count": 30, "happens_at": NOW + timedelta(days=16),
             "created_at": NOW - timedelta(days=90), "last_accessed_at": NOW - timedelta(days=20)}  # fmt: skip
    with a_tenant(own) as scope:
        put_memories(own, scope, [dated, *({"id": f"z{n}", **plain} for n in range(3))])
        [known] = [each for each in all_of(own, scope) if each.id == "date"]

        def holds(day: int) -> bool:
            at = NOW + timedelta(days=day)
            [rule] = standing(now_of([known.facts], at, own.settings), Policy.EARNING).rule
            return bool(rule != NO_RULE)

        assert [holds(day) for day in (0, 3, 20)] == [True, False, True]
        [found] = simulate_decay(own, scope, 20)
        due = next(day for day in range(3, 21) if holds(day))
        assert [(change.id, change.day) for change in found.changes if change.rule] == [
            ("z0", 0),
            ("z1", 1),
            ("z2", 2),
            ("date", due),
        ]


def test_a_policy_is_foreseen_once_and_no_more_than_one_answer_may_hold(
    service: Service, scope: Scope
) -> None:
    with pytest.raises(Invalid, match="once") as error:
        simulate_decay(service, scope, 30, [Policy.EARNING, Policy.LINEAR, None])
    assert error.value.path == "policies"
    assert len(simulate_decay(service, scope, 30, list(Policy), most=14 * 30 * 3)) == 3
    with pytest.raises(Invalid, match="graph-memory decay"):
        simulate_decay(service, scope, 30, list(Policy), most=14 * 30 * 3 - 1)


def test_graphql_refuses_a_policy_named_twice(api: Api, key: str) -> None:
    document = "{ simulateDecay(policies: [EARNING, EARNING]) { forecasts { memories } } }"
    [error] = api.ask(key, document)["errors"]
    assert (error["extensions"]["code"], error["extensions"]["argument"]) == ("INVALID", "policies")


def test_a_charts_name_may_have_capitals_and_its_folder_is_looked_at_first(
    service: Service, scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, tenant = CliRunner(), ["--tenant", scope.tenant_name, "--days", "5"]
    chart = tmp_path / "Decay.PNG"
    told = run.invoke(commands.app, ["decay", "--chart", str(chart), *tenant])
    assert told.exit_code == 0, told.output
    assert chart.read_bytes().startswith(b"\x89PNG")
    monkeypatch.setattr(commands, "simulate_decay", None)
    for name, fault in (("nowhere/a.png", "There is no folder"), ("a.gif", ".png or .svg")):
        told = run.invoke(commands.app, ["decay", "--chart", str(tmp_path / name), *tenant])
        assert isinstance(told.exception, Invalid)
        assert fault in str(told.exception)


def with_settings(service: Service, **sections: dict[str, Any]) -> Service:
    given = {
        name: getattr(service.settings, name).model_copy(update=values) for name, values in sections.items()
    }
    return replace(service, settings=service.settings.model_copy(update=given))

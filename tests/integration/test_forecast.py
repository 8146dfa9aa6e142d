"""What will be forgotten when: the forecast is what rescoring will do, and writes nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graph_memory import cli
from graph_memory.cli import decay as commands
from graph_memory.errors import Invalid, Misconfigured
from graph_memory.scoring.chart import draw
from graph_memory.scoring.facts import Filter, tier_counts
from graph_memory.scoring.forecast import simulate_decay
from graph_memory.scoring.rescore import rescore_tenant
from graph_memory.scoring.scores import Rule, Tier
from graph_memory.scoring.terms import Policy
from graph_memory.service import Service
from graph_memory.settings import Settings
from graph_memory.tenancy import Scope
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
    with pytest.raises(Misconfigured, match=r"graph-memory\[charts\]"):
        draw(found, Path("never.png"))


def test_the_command_line_tells_and_draws_the_same(
    service: Service, scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, chart = CliRunner(), tmp_path / "decay.svg"
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

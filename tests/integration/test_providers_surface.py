"""Providers and what they cost, as clients and people see them."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from graph_memory.base.scope import Scope
from graph_memory.cli import providers as commands
from graph_memory.local.doctor import CHECKS, examine
from graph_memory.models.spending import Calls
from graph_memory.settings import load
from graph_memory.store.service import Service
from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

SPEND = "{spend{today cap capState entries{provider model purpose calls failures tokensIn tokensOut cost unpriced leftOut}}}"
CALLS = (
    Calls("anthropic", "claude-haiku-4-5", "classify", 2, 1, 1_000_000, 200_000, ("temperature",)),
    Calls("openai", "local", "extract", 1, 0, 500, 50),
)


def test_the_order_and_states_of_providers_are_told(api: Api, key: str) -> None:
    found = api.data(key, "{providers{name state model}}")
    assert [(each["name"], each["state"]) for each in found] == [
        ("anthropic", "UNCONFIGURED"),
        ("openai", "UNCONFIGURED"),
        ("embedded", "READY"),
    ]


def test_a_tenant_sees_what_it_spent_and_nothing_of_others(api: Api, key: str) -> None:
    tenant = api.data(key, "{viewer{tenant}}")["tenant"]
    api.service.providers.spending.note(api.service, Scope(tenant), CALLS)
    found = api.data(key, SPEND)
    assert (found["today"], found["capState"]) == (2.0, "BELOW")
    first, second = found["entries"]
    assert (first["model"], first["calls"], first["failures"], first["cost"]) == (
        "claude-haiku-4-5",
        2,
        1,
        2.0,
    )
    assert first["leftOut"] == ["temperature"]
    assert (second["cost"], second["unpriced"]) == (0.0, 1)
    assert api.data(api.key(), SPEND)["entries"] == []


def test_counts_of_the_same_kind_add_up(api: Api, key: str) -> None:
    tenant = api.data(key, "{viewer{tenant}}")["tenant"]
    for _ in range(3):
        api.service.providers.spending.note(api.service, Scope(tenant), CALLS)
    found = api.data(key, SPEND)["entries"]
    assert [each["calls"] for each in found] == [6, 3]


def test_a_day_outside_the_interval_is_left_out(api: Api, key: str) -> None:
    tenant = api.data(key, "{viewer{tenant}}")["tenant"]
    api.service.providers.spending.note(api.service, Scope(tenant), CALLS)
    asked = 'query($t:DateTime){spend(from:"2020-01-01T00:00:00Z",to:$t){entries{calls}}}'
    assert api.data(key, asked, t="2020-02-01T00:00:00Z")["entries"] == []


def test_a_key_of_one_subject_does_not_see_the_tenants_spend(api: Api) -> None:
    assert api.code(api.key(subject="ann"), SPEND) == "FORBIDDEN"


def test_readiness_tells_of_providers_and_does_not_depend_on_them(api: Api) -> None:
    told = api.client.get("/readyz").json()
    assert told["providers"]["embedded"] == "ready"
    assert told["status"] == "ok"


def test_the_command_line_tells_both(service: Service, scope: Scope) -> None:
    service.providers.spending.note(service, scope, CALLS)
    told = CliRunner().invoke(commands.app, ["providers", "--check", "--json"], catch_exceptions=False)
    assert [each["name"] for each in json.loads(told.stdout)["providers"]] == [
        "anthropic",
        "openai",
        "embedded",
    ]
    words = ["spend", "--from", "2025-12-01", "--to", "2026-02-01", "--tenant", scope.tenant_name]
    told = CliRunner().invoke(commands.app, [*words, "--json"], catch_exceptions=False)
    assert [each["cost"] for each in json.loads(told.stdout)["entries"]] == [2.0, 0.0]
    told = CliRunner().invoke(commands.app, words, catch_exceptions=False)
    assert "no price" in told.stdout


def test_the_doctor_tells_who_is_asked_and_finds_a_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tuple(check for check in CHECKS if check.name == "providers")
    [plain] = examine(load(), rows)
    assert (plain.state, "embedded" in plain.told) == ("ok", True)
    monkeypatch.setattr("graph_memory.models.registry.find_spec", lambda name: None)
    [found] = examine(load(anthropic={"api_key": "sk-x"}), rows)
    assert found.state == "fault"
    assert "pip install -e '.[anthropic]'" in found.fix
    assert "sk-x" not in found.told + found.fix

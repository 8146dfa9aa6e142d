"""`graph-memory entities` on the real stack."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_memory import cli
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call
from graph_memory.memory.supersession import supersede
from graph_memory.model.memory import Fact
from graph_memory.store.service import Service
from tests.conftest import Clock
from tests.integration.test_entities import entity, keep, person

pytestmark = pytest.mark.stack


def run(scope: Scope, *words: str) -> Any:
    """What a command answers as JSON."""
    place = ("--tenant", scope.tenant_name, "--subject", "ann", "--json")
    told = CliRunner().invoke(cli.app, ["entities", *words, *place])
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout)


def test_the_commands_list_show_and_mend(service: Service, scope: Scope) -> None:
    one = keep(service, scope, "Bob lives in Rome.", person("Bob"), "Rome")
    robert = entity(service, scope, keep(service, scope, "Robert bakes.", person("Robert")))
    found = {each["name"]: each["id"] for each in run(scope, "list")["items"]}
    assert sorted(found) == ["Bob", "Robert", "Rome"]
    shown = run(scope, "show", found["Bob"])
    assert [(each["type"], each["to_name"]) for each in shown["relations"]] == [("LIVES_IN", "Rome")]
    assert [each["id"] for each in shown["memories"]] == [one]
    assert run(scope, "merge", robert, found["Bob"])["changes"] == [3]
    assert run(scope, "show", robert)["aliases"] == ["Bob"]
    split = run(scope, "split", robert, one, "--as", "the roman")["split"]
    assert run(scope, "show", split)["discriminator"] == "the roman"
    run(scope, "rename", split, "Roberto", "--type", "person")
    assert [each["name"] for each in run(scope, "list", "rob", "--type", "PERSON")["items"]] == [
        "Robert",
        "Roberto",
    ]
    assert run(scope, "delete", split)["memories"] == 1
    assert run(scope, "proposals") == []


def test_the_tables_are_for_people(service: Service, scope: Scope) -> None:
    id = entity(service, scope, keep(service, scope, "Robert bakes.", person("Robert")))
    place = ["--tenant", scope.tenant_name]
    told = CliRunner().invoke(cli.app, ["entities", "list", *place])
    assert "Robert" in told.stdout
    told = CliRunner().invoke(cli.app, ["entities", "show", id, *place])
    assert "Robert  PERSON" in told.stdout
    assert "“Robert bakes.”" in told.stdout


def test_what_is_stated_of_a_name_is_drawn_with_what_was_before(
    service: Service, scope: Scope, clock: Clock
) -> None:
    old = keep(service, scope, "Robert lives in Rome.")
    clock.forward(days=1)
    supersede(service, Call(scope, "test"), old, Fact("Robert moved to Oslo."))
    keep(service, scope, "I do not eat meat.")
    place = ["--tenant", scope.tenant_name]
    told = CliRunner().invoke(cli.app, ["entity", "robert", *place, "--json"])
    [attribute] = json.loads(told.stdout)[0]["attributes"]
    assert [each["value"] for each in attribute["history"]] == ["Oslo", "Rome"]
    drawn = CliRunner().invoke(cli.app, ["entity", "robert", *place]).stdout
    assert "live in" in drawn and "Oslo" in drawn and "Rome (" in drawn
    assert "not meat" in CliRunner().invoke(cli.app, ["entity", "User", *place]).stdout
    assert CliRunner().invoke(cli.app, ["entity", "Nobody", *place]).exit_code == 1

"""`graph-memory review` on the real store."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_memory.base.errors import NotFound
from graph_memory.base.scope import Scope
from graph_memory.cli.reviews import app
from graph_memory.ledger.changes import Call
from graph_memory.memory.undo import undo
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service
from tests.conftest import Clock
from tests.integration.remembering_world import Judge, keep

pytestmark = pytest.mark.stack


def _say(scope: Scope, *words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--tenant", scope.tenant_name], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def _data(scope: Scope, *words: str) -> Any:
    return json.loads(_say(scope, *words, "--json"))


def _asked(service: Service, scope: Scope, clock: Clock, **more: str) -> str:
    keep(service, scope, "Bea lives in Berlin.")
    clock.forward(days=1)
    return str(keep(service, scope, "Bea lives in Paris.", Judge(Action.SUPERSEDE, 0.7, **more)).review_id)


def test_a_review_is_listed_shown_and_approved(service: Service, scope: Scope, clock: Clock) -> None:
    id = _asked(service, scope, clock)
    assert "Bea lives in Paris." in _say(scope, "list")
    shown = _say(scope, "show", id)
    assert "“Bea lives in Berlin.”" in shown
    assert "not above 0.80" in shown
    assert _data(scope, "approve", id, "--reason", "she told me")["status"] == "APPROVED"
    assert _say(scope, "list").strip() == "Nothing waits."
    [each] = _data(scope, "agreement")
    assert (each["approved"], each["rate"]) == (1, 1.0)


def test_the_list_tells_what_would_be_said_in_other_words(
    service: Service, scope: Scope, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    id = _asked(service, scope, clock, text="Bea lives in Paris, France.")
    told = _say(scope, "list")
    assert "to be said: Bea lives in Paris, France." in told
    assert _data(scope, "list")["items"][0]["text"] == "Bea lives in Paris, France."
    _say(scope, "reject", id)
    _asked(service, scope, clock, text="Bea lives in Paris.")
    assert "to be said" not in _say(scope, "list")


def test_an_undone_rejection_waits_again(service: Service, scope: Scope, clock: Clock) -> None:
    id = _asked(service, scope, clock)
    rejected = _data(scope, "reject", id)
    [change] = rejected["changes"]
    undo(service, Call(scope, "ann"), [change])
    assert [each["id"] for each in _data(scope, "list")["items"]] == [id]
    assert _data(scope, "approve", id)["status"] == "APPROVED"


def test_a_review_is_rejected(service: Service, scope: Scope, clock: Clock) -> None:
    id = _asked(service, scope, clock)
    assert "both memories stay" in _say(scope, "reject", id)
    [each] = _data(scope, "list", "--status", "REJECTED")["items"]
    assert each["id"] == id


def test_another_tenants_review_is_not_there(service: Service, scope: Scope, clock: Clock) -> None:
    id = _asked(service, scope, clock)
    with pytest.raises(NotFound):
        _say(Scope("somebody else"), "show", id)

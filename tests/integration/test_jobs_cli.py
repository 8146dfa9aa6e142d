"""Jobs and their runs on the command line: what is wrong is seen by people and by programs that watch."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import tasks
from graph_memory.base.errors import BadId, Invalid, NotFound, Unavailable
from graph_memory.base.scope import Scope
from graph_memory.cli import app as command_line
from graph_memory.jobs import runs, schedule, slots
from graph_memory.jobs.context import Context
from graph_memory.settings import Settings
from graph_memory.store.service import Service
from tasks import execute

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import a_service, a_tenant, cypher, own_broker

pytestmark = pytest.mark.stack


@pytest.fixture
def real(stack: Settings) -> Iterator[Service]:
    """A service by the real clock, as the command line's."""
    with a_service(stack) as service:
        yield service


@pytest.fixture
def tenant(real: Service) -> Iterator[Scope]:
    with a_tenant(real) as scope:
        cypher(
            real,
            "MATCH (t:Tenant {id: $t}) SET t.created_at = $now",
            t=scope.tenant,
            now=real.clock() - timedelta(seconds=1),
        )
        yield scope


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Context) -> schedule.Result:
        raise Invalid("It cannot be done.")

    for name in tasks.BODIES:
        monkeypatch.setitem(tasks.BODIES, name, refuse)


def called(*arguments: str) -> Result:
    return CliRunner().invoke(command_line, list(arguments))


def shown(*arguments: str) -> Any:
    result = called(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_tenant_that_nothing_is_wrong_with_ends_with_0(tenant: Scope) -> None:
    rows = shown("jobs", "--tenant", tenant.tenant_name)
    assert [row["job"] for row in rows] == [job.name for job in schedule.planned()]
    assert {row["state"] for row in rows} == {"never"}
    assert shown("jobs", "--tenant", tenant.tenant_name, "--state", "late") == []


def test_a_failed_job_ends_with_3_and_is_listed_by_its_state(
    real: Service, tenant: Scope, failing: None
) -> None:
    run, _ = slots.by_hand(real, tenant, schedule.job("tidy"))
    execute(real, tenant, run.id)
    one = called("jobs", "--tenant", tenant.tenant_name)
    assert one.exit_code == 3
    assert run.id in one.output
    everywhere = called("jobs", "--state", "failed", "--json")
    assert everywhere.exit_code == 3
    mine = [row for row in json.loads(everywhere.stdout) if row["tenant"] == tenant.tenant_name]
    assert [(row["job"], row["state"]) for row in mine] == [("graph_memory.jobs.tidy", "failed")]


def test_all_tenants_are_summed_up_in_one_line_a_job(tenant: Scope) -> None:
    result = called("jobs", "--json")
    rows = json.loads(result.stdout)
    assert [row["job"] for row in rows] == [job.name for job in schedule.planned()]
    worried = any(row["states"]["late"] or row["states"]["failed"] for row in rows)
    assert result.exit_code == (3 if worried else 0)
    assert all(row["states"]["never"] >= 1 for row in rows)


def test_runs_are_listed_by_job_tenant_and_status_and_one_is_shown(real: Service, tenant: Scope) -> None:
    done, _ = slots.by_hand(real, tenant, schedule.job("rescore"))
    execute(real, tenant, done.id)
    waiting = runs.open_run(real, tenant, schedule.job("tidy"))
    where = ("--tenant", tenant.tenant_name)
    assert [row["id"] for row in shown("jobs", "runs", *where)] == [waiting.id, done.id]
    assert [row["id"] for row in shown("jobs", "runs", "rescore", *where)] == [done.id]
    assert [row["id"] for row in shown("jobs", "runs", *where, "--status", "PENDING")] == [waiting.id]
    anywhere = {
        row["id"]: row["tenant"] for row in shown("jobs", "runs", "rescore", "--status", "DONE", "-n", "9999")
    }
    assert anywhere.get(done.id) == tenant.tenant_name
    told = called("jobs", "show", done.id).output
    assert f"graph-memory tiers --run {done.id} --tenant {tenant.tenant_name}" in told
    assert "rescored" in told
    assert shown("jobs", "show", waiting.id)["status"] == "PENDING"


def test_a_run_by_hand_says_its_id(real: Service, tenant: Scope) -> None:
    told = called("jobs", "run", "tidy", "--tenant", tenant.tenant_name, "--here")
    [run] = runs.recent(real, tenant)
    assert told.exit_code == 0
    assert f"(run {run.id})" in told.output


def test_a_run_by_hand_in_every_tenant_has_to_be_meant(real: Service, tenant: Scope) -> None:
    """Without a tenant it was queued in each of them."""
    with a_tenant(real) as other:
        refused = called("jobs", "run", "tidy", "--here")
        assert isinstance(refused.exception, Invalid)
        assert (
            "name one with --tenant, or run tidy in each of them with --all-tenants"
            in refused.exception.message
        )
        assert [runs.recent(real, each) for each in (tenant, other)] == [[], []]
        both = called("jobs", "run", "tidy", "--all-tenants", "--tenant", other.tenant_name).exception
        assert isinstance(both, Invalid)


def test_a_run_that_could_not_be_done_here_ends_with_1_and_says_why(tenant: Scope, failing: None) -> None:
    told = called("jobs", "run", "tidy", "--tenant", tenant.tenant_name, "--here")
    assert told.exit_code == 1
    assert "INVALID: It cannot be done." in told.output
    assert "Traceback" not in told.output


@pytest.mark.parametrize("job", ["extract", schedule.EXTRACT])
def test_extraction_by_hand_takes_all_subjects_that_have_something_waiting(tenant: Scope, job: str) -> None:
    """`jobs run extract` ended in a KeyError and left a run behind."""
    where = ("--tenant", tenant.tenant_name)
    told = called("jobs", "run", job, *where, "--here")
    assert told.exit_code == 0, told.output
    [run] = shown("jobs", "runs", "extract", *where)
    assert (run["status"], run["result"]["subjects"]) == ("DONE", 0)


@pytest.mark.parametrize(
    "words",
    [
        ("jobs",), ("jobs", "runs"), ("jobs", "run", "tidy"), ("decay",), ("tiers",), ("lifecycle",),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_tenant_that_is_not_there_is_told(words: tuple[str, ...]) -> None:
    with pytest.raises(NotFound, match="There is no tenant nosuch"):
        raise called(*words, "--tenant", "nosuch").exception or AssertionError("it answered")


@pytest.mark.parametrize("command", ["decay", "tiers", "lifecycle"])
def test_a_subject_that_is_not_there_is_told(tenant: Scope, command: str) -> None:
    found = called(command, "--tenant", tenant.tenant_name, "--subject", "nosuch").exception
    assert isinstance(found, NotFound)
    assert "has no subject nosuch" in found.message


@pytest.mark.parametrize("words", [("tiers", "--run"), ("jobs", "show")], ids=" ".join)
def test_a_run_that_is_not_there_is_told(tenant: Scope, words: tuple[str, ...]) -> None:
    where = ("--tenant", tenant.tenant_name) if words[0] == "tiers" else ()
    found = called(*words, "nosuch", *where).exception
    assert isinstance(found, NotFound)
    assert "There is no run nosuch" in found.message


@pytest.mark.parametrize("words", [("review", "approve"), ("batches", "retry")], ids=" ".join)
def test_an_id_of_another_kind_is_called_by_its_own_name(words: tuple[str, str]) -> None:
    found = called(*words, "nope").exception
    assert isinstance(found, BadId)
    assert f"is not the id of a {words[0].removesuffix('es')}" in found.message


def test_close_says_that_no_worker_answers_and_goes_on_here(
    stack: Settings, tenant: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waited for ever, and `close --here` was then refused because the segment was closed."""
    monkeypatch.setenv("GRAPH_MEMORY_BROKER_URL", own_broker(stack).rpartition("/")[0] + "/7")
    monkeypatch.setattr("graph_memory.cli.following._SILENT_SECONDS", 0.5)
    turns = tmp_path / "turns.jsonl"
    turns.write_text('{"speaker": "Ann", "at": "2026-03-01T18:30:00Z", "text": "I live in Lyon."}\n', "utf-8")
    where = ("--tenant", tenant.tenant_name, "--subject", "ann")
    assert called("submit", str(turns), "--session", "s", *where).exit_code == 0
    waiting = called("close", "s", *where).exception
    assert isinstance(waiting, Unavailable)
    assert "No worker takes jobs of the queue ingest" in waiting.message
    assert "--here" in waiting.message
    done = shown("close", "s", "--here", *where)
    assert (done["status"], done["added"]) == ("DONE", 1)

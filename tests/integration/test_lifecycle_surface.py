"""Rules, jobs and days of activity as people and programs see them: over GraphQL and on the command line."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.cli import app as command_line
from graph_memory.jobs import schedule
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.store.service import Service
from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack


def shown(*arguments: str) -> Any:
    """What a command prints as JSON."""
    result: Result = CliRunner().invoke(command_line, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def soon(check: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not check():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.1)


def test_the_plan_names_what_is_due_and_counts_statuses(api: Api, key: str) -> None:
    ended = {"validFrom": "2025-12-01T00:00:00Z", "expiresAt": "2026-01-01T00:00:00Z"}
    api.add(key, "The shop is closed.", **ended)
    api.add(key, "Ann has a cat.")
    found = api.data(
        key, "{lifecyclePlan{scanned totalDue left due{caption step rule importance} statuses{status count}}}"
    )
    assert (found["scanned"], found["totalDue"], found["left"]) == (2, 1, 0)
    [due] = found["due"]
    assert due == {"caption": "The shop is closed.", "step": "ARCHIVE", "rule": "EXPIRED", "importance": 0.0}
    assert {"status": "ACTIVE", "count": 2} in found["statuses"]
    assert api.data(key, "{lifecyclePlan(first:1){statuses{count}}}")["statuses"]


def test_the_subjects_of_a_tenant_are_listed_a_page_at_a_time(service: Service) -> None:
    tenant = f"listed-{new_id()}"
    for subject in ("ada", "bob [the builder]"):
        add(service, Call(Scope(tenant, subject), "test"), [Fact(text=f"{subject} sails.")])
    page = shown("subjects", "--tenant", tenant, "--first", "1")
    assert [(each["name"], each["memories"]) for each in page["items"]] == [("ada", 1)]
    told = CliRunner().invoke(command_line, ["subjects", "--tenant", tenant, "--after", page["next"]])
    assert "bob [the builder]" in told.stdout
    assert "ada" not in told.stdout


def test_every_planned_job_stands_there_and_a_bound_key_sees_none(api: Api, key: str) -> None:
    found = api.data(key, "{jobStandings{name period state lag failures latest{id}}}")
    assert [each["name"] for each in found] == [job.name for job in schedule.planned()]
    assert {each["state"] for each in found} == {"NEVER"}
    bound = api.key(api.data(key, "{viewer{tenant}}")["tenant"], subject="ann")
    assert api.code(bound, "{jobStandings{name}}") == "FORBIDDEN"


def test_a_time_zone_is_set_and_a_wrong_one_is_the_users_to_mend(api: Api, key: str) -> None:
    assert api.data(key, "{subjectActivity{activityDays}}") is None
    done = api.done(key, "setSubject", "activity{subject timeZone activityDays}", timeZone="Asia/Tokyo")
    assert done["activity"] == {"subject": "default", "timeZone": "Asia/Tokyo", "activityDays": 0}
    assert api.refused(key, "setSubject", timeZone="Mars/Olympus") == ("INVALID", "input.timeZone")
    api.add(key, "Ann has a cat.")
    assert api.data(key, "{subjectActivity{timeZone activityDays}}") == {
        "timeZone": "Asia/Tokyo",
        "activityDays": 1,
    }


def test_a_search_counts_soon_and_an_automatic_one_does_not(api: Api, key: str) -> None:
    memory = api.add(key, "Ann is allergic to peanuts.")

    def count() -> int:
        return int(api.data(key, "query($i:ID!){memory(id:$i){accessCount}}", i=memory["id"])["accessCount"])

    api.data(key, '{search(query:"peanuts",automatic:true){hits{score}}}')
    assert api.data(key, '{search(query:"peanuts",mode:REFLEXIVE){hits{score}}}')["hits"]
    api.data(key, '{search(query:"peanuts"){hits{score}}}')
    soon(lambda: count() > 0)
    assert count() == 1


def test_the_command_line_counts_a_recall_and_shows_plan_and_subject(service: Service) -> None:
    scope = Scope(f"cli-{new_id()}", "ann")
    past = datetime(2026, 1, 1, tzinfo=UTC)
    facts = [
        Fact("Ann is allergic to peanuts."),
        Fact("The shop is closed.", valid_from=past - timedelta(days=2), expires_at=past - timedelta(days=1)),
    ]
    [kept, _], _ = add(service, Call(scope, "test"), facts)
    where = ("--tenant", scope.tenant_name, "--subject", "ann")
    assert shown("lifecycle", *where)["counts"] == {
        "scanned": 2, "archive": 1, "by_expired": 1, "left": 0,
    }  # fmt: skip
    shown("recall", "peanuts", *where, "--automatic")
    shown("recall", "peanuts", *where)
    memory = reading.get(service, scope, str(kept.id))
    assert memory is not None
    assert memory.access_count == 1
    assert shown("subject", *where, "--time-zone", "Europe/Berlin")["time_zone"] == "Europe/Berlin"
    assert shown("subject", *where)["days"] == 2
    told = CliRunner().invoke(command_line, ["lifecycle", *where])
    assert "2 active" in told.output
    assert "expired" in told.output

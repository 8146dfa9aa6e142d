"""F11: a clock that jumps, forwards and back. Order is by sequence; nothing ages below zero, counts twice or is lost."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.clock import system_clock
from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule, slots, ticks
from graph_memory.ledger import activity
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import reading
from graph_memory.memory.addition import add
from graph_memory.memory.undo import revert
from graph_memory.model.memory import Fact
from graph_memory.model.run import Status
from graph_memory.recall.access import counting
from graph_memory.scoring.rescoring import rescore_tenant
from graph_memory.store.service import Service
from tasks import execute
from tests.apart import driver, stack
from tests.found import search

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import cypher

__all__ = ["driver", "stack"]

pytestmark = pytest.mark.stack

JUMPS = [timedelta(hours=1), timedelta(hours=-1), timedelta(days=1), timedelta(days=-1), timedelta(seconds=5)]
DAILY = ("rescore", "archive", "restore", "due")


def named(jump: timedelta) -> str:
    return f"{jump.total_seconds():+.0f}s"


@pytest.mark.parametrize("jump", JUMPS, ids=named)
def test_a_clock_that_jumps_and_is_set_right_again_harms_nothing(
    service: Service, scope: Scope, clock: Any, jump: timedelta
) -> None:
    clock.now = right = datetime(2026, 3, 28, 23, 30, tzinfo=UTC)
    call = Call(scope, "test")
    activity.set_time_zone(service, call, "Europe/Berlin")
    ids: list[str] = []
    for step in range(4):
        clock.now = right + step * timedelta(minutes=20) + (jump if step in (1, 2) else timedelta(0))
        [found], _ = add(service, call, [Fact(f"Ann saw {step + 2} herons.")])
        ids.append(str(found.id))
        with counting(service) as accesses:
            accesses.note(scope, ids)
        done(service, scope)
        for row in stored(service, scope):
            assert 0.0 <= row["importance"] <= 1.0
            assert 0.0 <= row["retention"] <= 1.0
            assert row["created_day"] <= row["accessed_day"] <= activity.of_subject(service, scope).days
    # Everything that was acknowledged is there, counted once, in the order in which it was done.
    assert [row["access_count"] for row in stored(service, scope)] == [4, 3, 2, 1]
    assert [row["status"] for row in stored(service, scope)] == ["ACTIVE"] * 4
    told = changes(service, scope)
    assert [change["targets"][0] for change in told if change["operation"] == "ADD"] == ids
    times = [change["at"] for change in told]
    assert times == sorted(times)
    # The dates of a day's jump and its neighbours: none is counted twice.
    assert activity.of_subject(service, scope).days <= 2
    clock.now = max(clock.now, right + jump + timedelta(hours=1))
    found_ids = {
        hit.memory.id for hit in search(service, scope, "how many herons did Ann see", limit=10).hits
    }
    assert found_ids == set(ids)


def test_the_last_access_never_goes_back(service: Service, scope: Scope, clock: Any) -> None:
    [found], _ = add(service, Call(scope, "test"), [Fact("Ann saw a heron.")])
    for jump in (timedelta(days=1), timedelta(days=-1)):
        clock.now += jump
        with counting(service) as accesses:
            accesses.note(scope, [str(found.id)])
    [row] = stored(service, scope)
    assert row["last_accessed_at"].to_native() == clock.now + timedelta(days=1)
    assert row["access_count"] == 2


@pytest.mark.parametrize("jump", [timedelta(hours=1), timedelta(days=1)], ids=named)
def test_a_slot_that_was_done_ahead_of_time_is_not_done_again_and_the_next_ones_come(
    service: Service, scope: Scope, clock: Any, jump: timedelta
) -> None:
    add(service, Call(scope, "test"), [Fact("Ann saw a heron.")])
    job, right = schedule.job("due"), clock.now
    done_slots = []
    for at in (right, right + jump, right, right + timedelta(minutes=1), right + jump, right + 2 * jump):
        clock.now = at
        ticks.tick(service, job, lambda job, to, id: send(service, scope, to, id, done_slots))
    assert len(set(done_slots)) == len(done_slots) == 4


def test_a_day_ahead_archives_what_expires_that_day_and_it_can_be_taken_back(
    service: Service, scope: Scope, clock: Any
) -> None:
    right = clock.now
    facts = [Fact("The parcel comes today.", expires_at=right + timedelta(hours=6)), Fact("Ann has a cat.")]
    found, _ = add(service, Call(scope, "test"), facts)
    parcel, cat = (str(each.id) for each in found)
    clock.now = right + timedelta(days=1)
    tenant = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, tenant, schedule.job("archive"))
    assert execute(service, tenant, run.id).result["archived"] == 1
    clock.now = right
    revert(service, Call(scope, "test"), run.id)
    memories = reading.get_many(service, scope, [parcel, cat])
    assert [memory.status for memory in memories if memory] == ["ACTIVE", "ACTIVE"]


def done(service: Service, scope: Scope) -> None:
    tenant = Scope(scope.tenant_name)
    for name in DAILY:
        run, _ = slots.by_hand(service, tenant, schedule.job(name))
        assert execute(service, tenant, run.id).status is Status.DONE


def send(service: Service, scope: Scope, to: Scope, id: str, sent: list[Any]) -> None:
    """Carries out the runs of this test's tenant; others' wait for their own."""
    if to.tenant_name == scope.tenant_name:
        run = execute(service, to, id)
        assert run.status is Status.DONE
        sent.append(run.slot)


def stored(service: Service, scope: Scope) -> list[dict[str, Any]]:
    text = "MATCH (m:Memory {tenant: $t}) RETURN m {.*, embedding: null} AS m ORDER BY m.text"
    return cypher(service, text, t=scope.tenant)


@pytest.mark.parametrize("ahead", [timedelta(days=31), timedelta(days=365)], ids=named)
def test_a_month_ahead_stops_no_later_rescoring_and_no_day_of_activity(
    service: Service, scope: Scope, clock: Any, ahead: timedelta
) -> None:
    """The database's own clock is right all the while, so this begins at the present time."""
    right, tenant, call = system_clock(), Scope(scope.tenant_name), Call(scope, "test")
    clock.now = right + ahead
    [found], _ = add(service, call, [Fact("Ann saw a heron.")])
    assert rescored(service, tenant, again=False) == 1
    clock.now = right
    assert ahead_of_now(service, tenant, right) == [True]
    # Neither what was planned nor what a person asks for is taken for done already.
    rewind(service, scope, right - timedelta(days=100))
    assert rescored(service, tenant, again=False) == 1
    assert ahead_of_now(service, tenant, right) == [False]
    assert stored(service, scope)[0]["retention"] < 0.3
    days = activity.of_subject(service, scope).days
    add(service, call, [Fact("Ann saw two herons.")])
    assert activity.of_subject(service, scope).days == days + 1
    clock.now = right + timedelta(days=1)
    with counting(service) as accesses:
        accesses.note(scope, [str(found.id)])
    add(service, call, [Fact("Ann saw three herons.")])
    told = activity.of_subject(service, scope)
    assert (told.days, told.last_active_on) == (days + 2, f"{clock.now:%Y-%m-%d}")


def test_a_rescoring_that_is_asked_for_again_is_carried_out_whatever_was_done(
    service: Service, scope: Scope, clock: Any
) -> None:
    tenant = Scope(scope.tenant_name)
    add(service, Call(scope, "test"), [Fact("Ann saw a heron.")])
    assert rescored(service, tenant, again=False) == 1
    clock.now += timedelta(days=3)
    rescore_tenant(service, tenant, clock.now)
    clock.now -= timedelta(days=1)
    assert rescored(service, tenant, again=False) == 0
    assert rescored(service, tenant, again=True) == 1


def test_a_recall_counts_its_day_although_a_later_date_was_noted_by_mistake(
    service: Service, scope: Scope, clock: Any
) -> None:
    clock.now = right = system_clock()
    add(service, Call(scope, "test"), [Fact("Ann saw a heron.")])
    note = "MATCH (s:Subject {tenant: $t, id: $s}) SET s.last_active_on = $on"
    cypher(
        service,
        note,
        t=scope.tenant,
        s=scope.for_writing().subject,
        on=f"{right + timedelta(days=40):%Y-%m-%d}",
    )
    with counting(service) as accesses:
        accesses.note(scope, [])
    told = activity.of_subject(service, scope)
    assert (told.days, told.last_active_on) == (2, f"{right:%Y-%m-%d}")


def rescored(service: Service, tenant: Scope, *, again: bool) -> int:
    run, _ = slots.by_hand(service, tenant, schedule.job("rescore"), again)
    return int(execute(service, tenant, run.id).result["rescored"])


def ahead_of_now(service: Service, tenant: Scope, now: datetime) -> list[bool]:
    return cypher(service, "MATCH (t:Tenant {id: $t}) RETURN t.rescored_at > $now", t=tenant.tenant, now=now)


def rewind(service: Service, scope: Scope, to: datetime) -> None:
    """As if the memories had been made and used then."""
    text = "MATCH (m:Memory {tenant: $t}) SET m.created_at = $to, m.last_accessed_at = null"
    cypher(service, text, t=scope.tenant, to=to)

"""Jobs whose process is killed, whose message comes twice, whose clocks disagree: each has one effect."""

from __future__ import annotations

import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any

import pytest

import tasks
from graph_memory.base.clock import system_clock
from graph_memory.base.scope import Scope
from graph_memory.ingest import submission
from graph_memory.jobs import overview, runs, schedule, slots
from graph_memory.jobs.schedule import Job
from graph_memory.ledger import activity
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.model.run import Status
from graph_memory.store.service import Service
from graph_memory.verify import verify
from tasks import execute
from tests.conftest import Clock
from tests.integration.conversation_world import said
from tests.integration.forks import forked

pytestmark = pytest.mark.stack

KILLED = 137
FADED = 6
ARCHIVE = schedule.job("archive")
# Each point when it is first passed, and later, with some memories archived already.
POINTS = [
    ("before_claim", 1), ("after_read", 1), ("after_read", 2), ("before_commit", 1), ("before_commit", 2),
    ("before_commit", 4), ("after_commit", 1), ("after_commit", 2), ("after_commit", 4), ("between_batches", 1),
    ("between_batches", 2), ("before_ack", 1),
]  # fmt: skip
UNKNOWN_RUN = "00000000-0000-4000-8000-000000000000"
ARGS: dict[str, dict[str, Any]] = {
    schedule.EXTRACT: {"subject": "ann"},
    schedule.QUARANTINE: dict.fromkeys(("subject", "kind", "ref", "author", "since"))
    | {"session_id": "x", "reason": "y"},
    "graph_memory.consolidation.promote": {"plan": UNKNOWN_RUN},
    "graph_memory.consolidation.revert": {"run": UNKNOWN_RUN, "subject": "ann"},
}


@pytest.fixture
def tenant(scope: Scope) -> Scope:
    """The whole tenant, for which jobs run."""
    return Scope(scope.tenant_name)


def test_f1_a_worker_killed_at_a_named_point_leaves_each_memory_archived_once(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = replace(service, clock=system_clock)
    monkeypatch.setenv("GRAPH_MEMORY_ARCHIVE_BATCH", "2")
    found = {(point, nth): _after_a_kill(real, point, nth) for point, nth in POINTS}
    assert found == dict.fromkeys(POINTS, (KILLED, Status.DONE, None, FADED, {1}, ()))


def _after_a_kill(service: Service, point: str, nth: int) -> tuple[object, ...]:
    """How the killed process ended, how the run ended that took it up, and how often each memory was archived."""
    scope = Scope(f"test-{uuid.uuid4().hex}", "ann")
    tenant = Scope(scope.tenant_name)
    _faded(service, scope)
    run, _ = slots.by_hand(service, tenant, ARCHIVE, again=True)
    code = forked("tests.integration.faulty", tenant.tenant_name, run.id, point, str(nth))
    ended = execute(service, tenant, run.id)
    targets = Counter(
        id
        for each in changes(service, scope, first=100)
        if each["operation"] == "ARCHIVE"
        for id in each["targets"]
    )
    findings = verify(service, [tenant.tenant_name]).findings
    return code, ended.status, ended.error, len(targets), set(targets.values()), findings


@pytest.mark.parametrize("job", schedule.JOBS, ids=lambda job: job.name)
def test_f9_a_message_that_comes_five_times_at_once_and_an_hour_later_has_one_effect(
    service: Service, scope: Scope, tenant: Scope, clock: Clock, monkeypatch: pytest.MonkeyPatch, job: Job
) -> None:
    add(
        service,
        Call(scope, "test"),
        [Fact("Ann has a cat."), Fact("The shop is closed.", expires_at=clock.now + timedelta(hours=1))],
    )
    submission.submit(service, Call(scope, "test"), "s", said("I live in Lyon.", at=clock.now))
    submission.close(service, Call(scope, "test"), "s")
    clock.forward(days=1)
    run = runs.open_run(service, tenant, job, args=ARGS.get(job.name))
    real, carried_out = tasks.BODIES[job.name], []

    def counted(context: Any) -> schedule.Result:
        carried_out.append(job.name)
        return real(context)

    monkeypatch.setitem(tasks.BODIES, job.name, counted)
    gate = Barrier(5)

    def deliver(_: int) -> None:
        gate.wait()
        execute(service, tenant, run.id)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(deliver, range(5)))
    done = runs.get(service, tenant, run.id)
    assert (done.status, done.error, done.attempts) == (Status.DONE, None, 1)
    told = changes(service, tenant, first=1000)
    clock.forward(hours=1)
    assert execute(service, tenant, run.id) == done
    assert changes(service, tenant, first=1000) == told
    assert carried_out == [job.name]


@pytest.mark.parametrize(
    ("before", "dates"),
    [(datetime(2026, 3, 28, 20, tzinfo=UTC), 3), (datetime(2026, 10, 24, 20, tzinfo=UTC), 3)],
    ids=["23 hours", "25 hours"],
)
def test_f11_a_day_of_summer_time_is_one_day_and_no_slot_is_left_out_or_doubled(
    service: Service, scope: Scope, tenant: Scope, clock: Clock, before: datetime, dates: int
) -> None:
    clock.now = before
    call = Call(scope, "test")
    activity.set_time_zone(service, call, "Europe/Berlin")
    due, done = schedule.job("due"), []
    for hour in range(30):
        clock.now = before + timedelta(hours=hour)
        add(service, call, [Fact(f"Ann saw {hour + 2} herons.")])
        run = slots.claim(service, tenant, due, slots.slot_of(clock.now, 60))
        assert run is not None
        done.append(execute(service, tenant, run.id).slot)
        assert slots.claim(service, tenant, due, slots.slot_of(clock.now, 60)) is None
    assert done == [before + timedelta(hours=hour) for hour in range(30)]
    assert activity.of_subject(service, scope).days == dates


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(hours=-1), timedelta(days=1)], ids=str)
def test_f11_a_worker_whose_clock_is_not_the_beats_does_each_slot_once(
    service: Service, scope: Scope, tenant: Scope, clock: Clock, ahead: timedelta
) -> None:
    worker = replace(service, clock=lambda: clock.now + ahead)
    soon = Fact("The shop is closed.", valid_to=clock.now + timedelta(minutes=30))
    add(service, Call(scope, "test"), [soon, Fact("Ann has a cat.")])
    due, done = schedule.job("due"), []
    for minute in range(0, 60, 10):
        clock.now += timedelta(minutes=10)
        slot = slots.slot_of(clock.now, 60)
        run = slots.claim(service, tenant, due, slot)
        if run is not None:
            done.append(execute(worker, tenant, run.id).slot)
            assert execute(service, tenant, run.id).attempts == 1
        standing = next(each for each in overview.overview(service, tenant) if each.job == due)
        assert standing.lag >= timedelta(0), minute
    assert len(done) == len(set(done)) > 0
    # What a clock that lagged left undone is done by the next run of one that is right.
    clock.forward(days=2)
    run, _ = slots.by_hand(service, tenant, due)
    assert execute(service, tenant, run.id).status is Status.DONE
    assert verify(service, [tenant.tenant_name]).findings == ()


def _faded(service: Service, scope: Scope) -> None:
    """Memories that are so old that a rule is for them."""
    past = replace(service, clock=lambda: system_clock() - timedelta(days=300))
    add(past, Call(scope, "test"), [Fact(f"Ann saw bird {n}.", importance=0.1) for n in range(FADED)])
    run, _ = slots.by_hand(service, Scope(scope.tenant_name), schedule.job("rescore"), again=True)
    assert execute(service, Scope(scope.tenant_name), run.id).status is Status.DONE

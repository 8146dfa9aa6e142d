"""Every planned job of the table, end to end: a real beat asks, a real broker carries, a real worker does it.

Periods are seconds here. A job that is added to the table is tested without a word more.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import redis

from graph_memory.base.clock import system_clock
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import compose
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.overview import overview
from graph_memory.jobs.schedule import Job
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import reading
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.model.run import Status
from graph_memory.recall.access import counting
from graph_memory.settings import Settings
from graph_memory.store.protocols import Embedder
from graph_memory.store.service import Service, open_driver
from graph_memory.upkeep.migrations import migrate

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import cypher, own_broker, processes, signal_all, until, with_own_broker

pytestmark = [pytest.mark.stack, pytest.mark.long]

PERIOD = 5
PLANNED = schedule.planned()
LONG_AGO = timedelta(days=300)
SCOPE = Scope("every-job", "ann")
TENANT = Scope(SCOPE.tenant_name)
QUICK = {"reconcile": 5}
# A process that is stopped inside a transaction keeps its locks until the database ends the transaction.
FAULTY = {"JOBS_LEASE": "3", "NEO4J_WRITE_TIMEOUT": "5"}
QUEUES = ",".join(queue.value for queue in schedule.Queue)


@dataclass(frozen=True)
class World:
    """What stands there when worker and beat have gone round."""

    service: Service
    faded: str
    expired: str
    ended: str
    kept: str


@pytest.fixture(scope="module")
def service(own_stack: Settings, embedder: Embedder) -> Iterator[Service]:
    with open_driver(own_stack) as driver:
        migrate(driver, own_stack)
        redis.Redis.from_url(own_broker(own_stack)).flushdb()
        yield compose(with_own_broker(own_stack), driver, embedder, system_clock)


@pytest.fixture(scope="module")
def world(
    own_stack: Settings, service: Service, embedder: Embedder, tmp_path_factory: pytest.TempPathFactory
) -> World:
    then = system_clock() - LONG_AGO
    past = compose(service.settings, service.driver, embedder, lambda: then)
    soon = system_clock() + timedelta(seconds=1)
    facts = [
        Fact("Ann once saw a heron.", importance=0.1),
        Fact("The shop is closed today.", expires_at=then + timedelta(days=1)),
        Fact("Ann rents a room in Oslo.", valid_to=soon),
        Fact("Ann is allergic to peanuts."),
    ]
    found, _ = add(past, Call(SCOPE, "test"), facts)
    ids = [str(each.id) for each in found]
    periods = {job.period: PERIOD for job in PLANNED if job.period}
    log = tmp_path_factory.mktemp("jobs") / "celery.log"
    with processes(own_stack, log, JOBS_PERIODS=json.dumps({**QUICK, **periods})) as started:
        started.worker(QUEUES, concurrency=2), started.beat()
        until(lambda: all(_done(service, job) for job in PLANNED), 150)
        until(lambda: _status(service, ids[0]) == "ARCHIVED", 60)
        with counting(service) as accesses:
            accesses.note(SCOPE, [ids[0]])
        until(lambda: _status(service, ids[0]) == "ACTIVE", 60)
    return World(service, *ids)


@pytest.mark.parametrize("job", PLANNED, ids=lambda job: job.name)
def test_the_job_runs_end_to_end_and_each_slot_once(world: World, job: Job) -> None:
    found = _done(world.service, job)
    assert found
    assert len({run.slot for run in found}) == len(found)
    assert [(run.attempts, run.error) for run in found] == [(1, None)] * len(found)
    every = runs.recent(world.service, Scope(SCOPE.tenant_name), job)
    assert [run.error for run in every if run.status is Status.FAILED] == []


def test_the_jobs_did_what_they_are_for(world: World) -> None:
    service = world.service
    assert [_status(service, id) for id in (world.faded, world.expired, world.kept)] == [
        "ACTIVE", "ARCHIVED", "ACTIVE",
    ]  # fmt: skip
    told = {(each["operation"], each["classification"]) for each in changes(service, SCOPE, first=1000)}
    assert {("ARCHIVE", "EXPIRED"), ("ARCHIVE", "TIER"), ("RESTORE", "USED")} <= told
    [labels] = cypher(service, "MATCH (m:Memory {id: $id}) RETURN labels(m)", id=world.ended)
    assert "Past" in labels
    [tier] = cypher(service, "MATCH (m:Memory {id: $id}) RETURN m.tier", id=world.kept)
    assert tier == "COLD"


def test_case_148_the_overview_tells_of_every_job_that_it_succeeded(world: World) -> None:
    for standing in overview(world.service, Scope(SCOPE.tenant_name)):
        assert standing.succeeded_at is not None, standing.job.name
        assert standing.failures == 0, standing.job.name
        assert standing.state in ("ok", "waiting", "running", "late"), standing.job.name


@pytest.fixture
def faint(service: Service, embedder: Embedder) -> Scope:
    """A tenant with ninety memories that a rule is for, of three people."""
    then = system_clock() - LONG_AGO
    past = compose(service.settings, service.driver, embedder, lambda: then)
    scope = Scope(f"faint-{time.time_ns()}")
    for name in ("ann", "bob", "cy"):
        facts = [Fact(f"{name} saw bird {n}.", importance=0.1) for n in range(30)]
        add(past, Call(scope.of(name), "test"), facts)
    return scope


@pytest.mark.long_form
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["F1-killed", "F12-paused"])
def test_archiving_is_gone_on_from_and_each_memory_is_archived_once(
    own_stack: Settings, service: Service, faint: Scope, tmp_path: Path, number: signal.Signals
) -> None:
    """The first worker is killed or paused on the way; what it still writes when it wakes up is refused."""
    slow = {"ARCHIVE_BATCH": "1", "ARCHIVE_CAP_LEAST": "100"}
    with processes(
        own_stack, tmp_path / "celery.log", JOBS_PERIODS=json.dumps(QUICK), **FAULTY, **slow
    ) as started:
        first, _ = started.worker(), started.beat()
        [run] = until(lambda: runs.recent(service, faint, schedule.job("archive")), 60)
        until(lambda: 5 < _archived(service, faint) < 90, 60)
        signal_all(first, number)
        reached = _archived(service, faint)
        assert reached < 90
        started.worker()
        until(lambda: runs.get(service, faint, run.id).status is Status.DONE, 90)
        if number is signal.SIGSTOP:
            signal_all(first, signal.SIGCONT)
            # It learns of it by the fence, or by a connection that the server has ended meanwhile.
            with suppress(AssertionError):
                until(lambda: "run_taken_over" in (tmp_path / "celery.log").read_text(), 15)
        targets = [
            id
            for change in changes(service, faint, first=1000)
            if change["operation"] == "ARCHIVE"
            for id in change["targets"]
        ]
        assert (len(targets), len(set(targets))) == (90, 90)
        assert _archived(service, faint) == 90


def test_f10_a_beat_that_is_killed_and_one_that_is_paused_double_nothing(
    own_stack: Settings, service: Service, faint: Scope, tmp_path: Path
) -> None:
    with processes(
        own_stack, tmp_path / "celery.log", JOBS_PERIODS=json.dumps({**QUICK, "tidy": 3}), **FAULTY
    ) as started:
        one, two, _ = started.beat(), started.beat(), started.worker()
        tidy, begun = schedule.job("tidy"), system_clock()

        def since(at: datetime) -> list[runs.Run]:
            return [run for run in _done(service, tidy, faint) if run.created_at > at]

        until(lambda: since(begun), 60)
        signal_all(one, signal.SIGSTOP)
        paused = system_clock()
        until(lambda: len(since(paused)) >= 2, 60)
        signal_all(two, signal.SIGKILL)
        signal_all(one, signal.SIGCONT)
        woken = system_clock()
        until(lambda: len(since(woken)) >= 2, 60)
        slots = [run.slot for run in _done(service, tidy, faint)]
        assert len(set(slots)) == len(slots)


def test_f6_a_broker_that_is_killed_comes_back_and_no_job_is_lost(
    own_stack: Settings, service: Service, faint: Scope, tmp_path: Path
) -> None:
    broker = redis.Redis.from_url(own_broker(own_stack))
    with processes(
        own_stack, tmp_path / "celery.log", JOBS_PERIODS=json.dumps({**QUICK, "tidy": 3}), **FAULTY
    ) as started:
        started.beat(), started.worker()
        tidy, begun = schedule.job("tidy"), system_clock()
        until(lambda: any(run.created_at > begun for run in _done(service, tidy, faint)), 60)
        os.kill(int(broker.info("server")["process_id"]), signal.SIGKILL)
        # Asked for while it is away: the store keeps what the broker cannot carry.
        asked = [
            runs.open_run(service, faint, schedule.job(name)).id for name in ("rescore", "archive", "nightly")
        ]
        until(lambda: _answers(broker), 60)
        until(lambda: all(runs.get(service, faint, id).status is Status.DONE for id in asked), 90)
        back = system_clock()
        until(lambda: any(run.created_at > back for run in _done(service, tidy, faint)), 60)


def _answers(broker: redis.Redis) -> bool:
    try:
        return bool(broker.ping())
    except redis.RedisError:
        return False


def _done(service: Service, job: Job, scope: Scope = TENANT) -> list[runs.Run]:
    found = runs.recent(service, scope, job)
    return [run for run in found if run.status is Status.DONE and run.slot is not None]


def _status(service: Service, id: str) -> str:
    found = reading.get(service, SCOPE, id)
    assert found is not None
    return found.status.value


def _archived(service: Service, scope: Scope) -> int:
    text = "MATCH (m:Memory {tenant: $t}) WHERE m.status = 'ARCHIVED' RETURN count(m)"
    return int(cypher(service, text, t=scope.tenant)[0])

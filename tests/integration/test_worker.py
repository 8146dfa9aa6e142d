"""Jobs through real workers, real beats and the real broker, with what goes wrong there."""

from __future__ import annotations

import signal
import sys
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import redis

from graph_memory.base.scope import Scope
from graph_memory.ingest import submission
from graph_memory.ingest.pipeline import plan, remember
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.broker import celery, publisher
from graph_memory.ledger.changes import Call
from graph_memory.model.memory import Fact
from graph_memory.model.message import Message
from graph_memory.model.run import Status
from graph_memory.settings import Settings
from graph_memory.store.protocols import Embedder
from graph_memory.store.service import Service
from tests.unit.hostile_texts import families

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import (
    Processes,
    a_service,
    a_tenant,
    cypher,
    own_broker,
    processes,
    signal_all,
    until,
    with_own_broker,
)
from slow_job import SLOW

pytestmark = [pytest.mark.stack, pytest.mark.long]

# A process that is stopped inside a transaction keeps its locks until the database ends the transaction.
QUICK = {"JOBS_LEASE": "2", "JOBS_PERIODS": '{"reconcile": 1}', "NEO4J_WRITE_TIMEOUT": "5"}


@pytest.fixture(scope="module")
def stack(own_stack: Settings) -> Settings:
    """A store without the tenants of other tests: a beat serves them all."""
    return own_stack


@pytest.fixture
def service(stack: Settings) -> Iterator[Service]:
    with a_service(with_own_broker(stack), jobs={"periods": {"reconcile": 1}}) as service:
        redis.Redis.from_url(own_broker(stack)).flushdb()
        yield service


@pytest.fixture
def scope(service: Service) -> Iterator[Scope]:
    with a_tenant(service) as scope:
        yield scope


@pytest.fixture
def started(stack: Settings, tmp_path: Path) -> Iterator[Processes]:
    with processes(stack, tmp_path / "celery.log", **QUICK) as started:
        yield started


def send_slow(service: Service, scope: Scope, steps: int = 20) -> str:
    run = runs.open_run(service, scope, SLOW, args={"steps": steps})
    publisher(celery(lambda: service.settings), service.settings)(SLOW, scope, run.id)
    return run.id


def steps(service: Service, scope: Scope, run: str) -> list[dict[str, int]]:
    text = "MATCH (s:SlowStep {tenant: $t, run: $run}) RETURN s.step AS step, s.fence AS fence ORDER BY s.at"
    return cypher(service, text, t=scope.tenant, run=run)


def is_done(service: Service, scope: Scope, run: str) -> bool:
    found = runs.get(service, scope, run)
    assert found.status is not Status.FAILED, found.error
    return found.status is Status.DONE


@pytest.mark.long_form
def test_two_beats_give_each_slot_one_run(service: Service, scope: Scope, started: Processes) -> None:
    started.environment["GRAPH_MEMORY_JOBS_PERIODS"] = '{"reconcile": 1, "rescore": 3}'
    started.beat(), started.beat(), started.worker()
    rescore = schedule.job("rescore")

    def three_done() -> list[runs.Run]:
        found = [run for run in runs.recent(service, scope, rescore) if run.status is Status.DONE]
        return found if len(found) >= 3 else []

    found = until(three_done, 60)
    slots = [run.slot for run in found]
    assert len(set(slots)) == len(slots)
    assert all(run.attempts == 1 for run in found)


def test_a_killed_worker_is_gone_on_from(service: Service, scope: Scope, started: Processes) -> None:
    worker = started.worker()
    run = send_slow(service, scope)
    until(lambda: len(steps(service, scope, run)) > 5)
    signal_all(worker, signal.SIGKILL)
    started.worker(), started.beat()
    until(lambda: is_done(service, scope, run))
    assert [row["step"] for row in steps(service, scope, run)] == list(range(20))


def test_a_killed_child_is_replaced_at_once(
    stack: Settings, service: Service, scope: Scope, tmp_path: Path
) -> None:
    with processes(stack, tmp_path / "celery.log", JOBS_LEASE="60") as started:
        worker = started.worker()
        run = send_slow(service, scope, steps=40)
        until(lambda: len(steps(service, scope, run)) > 5)
        before = len(steps(service, scope, run))
        for child in psutil.Process(worker.pid).children():
            child.kill()
        until(lambda: len(steps(service, scope, run)) > before + 2, seconds=15)
        until(lambda: is_done(service, scope, run))
        assert [row["step"] for row in steps(service, scope, run)] == list(range(40))


def test_a_wiped_broker_loses_nothing(
    stack: Settings, service: Service, scope: Scope, started: Processes
) -> None:
    run = send_slow(service, scope, steps=3)
    redis.Redis.from_url(own_broker(stack)).flushdb()
    started.worker(), started.beat()
    until(lambda: is_done(service, scope, run))


@pytest.mark.long_form
def test_a_message_delivered_five_times_has_one_effect(
    service: Service, scope: Scope, started: Processes
) -> None:
    run = runs.open_run(service, scope, SLOW, args={"steps": 5})
    publish = publisher(celery(lambda: service.settings), service.settings)
    for _ in range(5):
        publish(SLOW, scope, run.id)
    started.worker(concurrency=2)
    until(lambda: is_done(service, scope, run.id))
    assert [row["step"] for row in steps(service, scope, run.id)] == list(range(5))


def test_what_a_paused_holder_still_writes_is_refused(
    service: Service, scope: Scope, started: Processes, tmp_path: Path
) -> None:
    first = started.worker()
    run = send_slow(service, scope, steps=30)
    until(lambda: len(steps(service, scope, run)) > 5)
    signal_all(first, signal.SIGSTOP)
    started.worker(), started.beat()
    until(lambda: any(row["fence"] > 1 for row in steps(service, scope, run)), 60)
    signal_all(first, signal.SIGCONT)
    until(lambda: is_done(service, scope, run))
    until(lambda: "run_taken_over" in (tmp_path / "celery.log").read_text(), 60)
    written = steps(service, scope, run)
    assert [row["step"] for row in written] == list(range(30))
    fences = [row["fence"] for row in written]
    assert fences == sorted(fences)


@pytest.mark.long_form
def test_hostile_texts_of_one_tenant_keep_no_other_waiting(
    stack: Settings, embedder: Embedder, service: Service, started: Processes
) -> None:
    """Through the whole way: planned, remembered, submitted, and read by real workers."""
    texts = [text for text in families(3900).values() if text.strip() and "\u202e" not in text]
    started.worker("ingest,maintenance", concurrency=2), started.beat()
    hostile, modest = (Scope(f"test-{uuid.uuid4().hex}") for _ in range(2))
    whole = replace(service, embedder=embedder)
    for text in texts[::8]:
        plan(whole, hostile, Fact(text))
        remember(whole, Call(hostile, "test"), Fact(text))
    sent = [_submitted(service, hostile, f"s{at}", text) for at, text in enumerate(texts[::4])]
    last = _submitted(service, modest, "s", "I live in Lyon.")
    until(lambda: is_done(service, modest, last), 120)
    assert not all(is_done(service, hostile, run) for run in sent)
    until(lambda: all(is_done(service, hostile, run) for run in sent), 280)


def _submitted(service: Service, scope: Scope, session: str, text: str) -> str:
    call = Call(scope, "test")
    submission.submit(service, call, session, [Message("Ann", service.clock(), text)])
    run = submission.close(service, call, session).run_id
    publisher(celery(lambda: service.settings), service.settings)(schedule.job(schedule.EXTRACT), scope, run)
    return run

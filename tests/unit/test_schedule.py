"""When jobs are due, what beat sends, and how Celery is set."""

from __future__ import annotations

import socket
import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tasks
from graph_memory.base.errors import NotFound, Unavailable
from graph_memory.base.scope import Scope
from graph_memory.jobs import owners
from graph_memory.jobs import schedule as names
from graph_memory.jobs.broker import celery, configuration, publisher, schedule, soft_limit
from graph_memory.jobs.slots import slot_of
from graph_memory.settings import Settings, load
from tasks.beat import SteadyScheduler
from tasks.celery import app

moments = st.integers(0, 4_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
periods = st.integers(1, 30 * 86_400)


@pytest.fixture
def settings() -> Settings:
    return load(
        broker={"url": "redis://127.0.0.1:1/0"}, neo4j={"uri": "bolt://127.0.0.1:1", "password": "x" * 12}
    )


@given(moments, periods)
def test_a_slot_begins_no_later_than_its_moment_and_ends_after_it(at: datetime, period: int) -> None:
    slot = slot_of(at, period)
    assert slot <= at < slot + timedelta(seconds=period)
    assert slot.timestamp() % period == 0
    assert slot_of(slot, period) == slot


def test_case_148_every_planned_job_has_a_tick(settings: Settings) -> None:
    entries = schedule(settings)
    assert set(entries) == {job.name for job in names.planned()} | {names.RECONCILE, names.LOOK}
    for job in names.planned():
        seconds = job.seconds(settings)
        assert seconds is not None
        assert entries[job.name]["schedule"] == min(seconds, 300)
        assert entries[job.name]["kwargs"] == {"v": 1, "job": job.name}


@pytest.mark.parametrize("job", names.JOBS, ids=lambda job: job.name)
def test_a_job_has_a_body_a_period_and_a_name_of_ours(job: names.Job, settings: Settings) -> None:
    assert callable(tasks.BODIES[job.name])
    assert job.name.startswith("graph_memory.")
    assert job.seconds(settings) is None or job.seconds(settings) > 0  # type: ignore[operator]
    assert names.job(job.name.rpartition(".")[2]) is job


def test_an_unknown_job_is_refused_with_what_shows_the_names_there_are() -> None:
    with pytest.raises(NotFound, match="`graph-memory jobs` lists those there are"):
        names.job("nonsense")


def test_workers_know_every_task_name_that_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPH_MEMORY_BROKER_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("GRAPH_MEMORY_NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("GRAPH_MEMORY_NEO4J_PASSWORD", "some password")
    assert {names.TICK, names.RECONCILE, *(job.name for job in names.JOBS)} <= set(app.tasks)


def test_a_job_is_asked_to_end_before_it_is_ended_and_ended_before_it_is_sent_again(
    settings: Settings,
) -> None:
    made = configuration(settings)
    assert made["task_soft_time_limit"] < made["task_time_limit"]
    assert 2 * made["task_time_limit"] <= made["broker_transport_options"]["visibility_timeout"]
    assert all(soft_limit(job, settings) < settings.broker.task_time_limit for job in names.JOBS)


def test_another_kind_of_broker_gets_no_redis_options(settings: Settings) -> None:
    rabbit = load(
        broker={"url": "amqp://guest@127.0.0.1:1//"},
        neo4j={"uri": "bolt://127.0.0.1:1", "password": "x" * 12},
    )
    assert configuration(rabbit)["broker_transport_options"] == {}
    assert configuration(settings)["broker_transport_options"]["unacked_restore_throttle"] == 1


def test_a_broker_that_is_away_is_told_after_few_tries(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[tuple[str, int]] = []
    connect = socket.socket.connect
    monkeypatch.setattr(
        socket.socket, "connect", lambda self, address: tries.append(address) or connect(self, address)
    )
    publish = publisher(celery(lambda: settings), settings)
    with pytest.raises(Unavailable):
        publish(names.JOBS[0], Scope("t"), "some-run")
    assert set(tries) == {("127.0.0.1", 1)} and len(tries) <= 3


class Beat(SteadyScheduler):
    """A beat that notes what it would send."""

    def apply_entry(self, entry: object, producer: object = None) -> None:
        sent.append(entry.name)  # type: ignore[attr-defined]

    producer = None


sent: list[str] = []


def run_through(beat: Beat) -> list[str]:
    sent.clear()
    while beat.tick() == 0:
        pass
    return sorted(sent)


def test_beat_sends_everything_at_start_and_then_waits(settings: Settings) -> None:
    beat = Beat(celery(lambda: settings))
    assert run_through(beat) == sorted(schedule(settings))
    assert run_through(beat) == []


def test_beat_goes_on_when_the_clock_is_set_back_an_hour(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = celery(lambda: settings)
    beat = Beat(app)
    run_through(beat)
    real, now = time.time, app.now
    monkeypatch.setattr(time, "time", lambda: real() - 3600)
    monkeypatch.setattr(app, "now", lambda: now() - timedelta(hours=1))
    assert run_through(beat) == sorted(schedule(settings))
    assert run_through(beat) == []


def test_a_lease_holder_is_gone_only_when_its_process_is() -> None:
    me = owners.new()
    assert not owners.is_gone(me)
    machine, _, began, id = me.split("/")
    assert owners.is_gone(f"{machine}/999999999/{began}/{id}")
    assert owners.is_gone(f"{machine}/{me.split('/')[1]}/1.00/{id}")
    assert not owners.is_gone(f"elsewhere/999999999/{began}/{id}")
    assert not owners.is_gone("nonsense")

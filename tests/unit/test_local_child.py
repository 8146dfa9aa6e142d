from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import redis

from graph_memory.base.errors import StackFault
from graph_memory.local import child as module
from graph_memory.local import health_checks
from graph_memory.local.child import Child
from graph_memory.local.parts import Part, Unasked
from graph_memory.local.ports import free_ports
from graph_memory.local.state import PartState, Process, StackState, read, write
from graph_memory.local.supervisor import Supervisor
from graph_memory.settings import Settings, load
from graph_memory.store.stack_folder import claim

SLEEP = "import time; time.sleep(60)"
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('up', flush=True)
time.sleep(60)
"""

LEAVES = """
import subprocess, sys, time
print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid, flush=True)
time.sleep(60)
"""

Answers = Callable[[Settings, int], str | None]


def a_child(data: Path, code: str, grace: float = 5, answers: Answers = lambda *_: None) -> Child:
    claim(data)
    part = Part("broker", "Broker", (), lambda _: [sys.executable, "-c", code], answers, grace=grace)
    return Child(part, load(stack={"data": data, "silence": 0.3}))


@pytest.fixture
def healthy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Child]]:
    """Makes a child that answers well until its check is exchanged; it is ended with the test."""
    monkeypatch.setattr(module, "FIRST_WAIT", 0.05)
    made: list[Child] = []

    def make() -> Child:
        answers: list[Answers] = [lambda *_: None]
        child = a_child(tmp_path, SLEEP, answers=lambda *given: answers[0](*given))
        child.answer_by = lambda check: answers.__setitem__(0, check)  # type: ignore[attr-defined]
        made.append(child)
        child.start()
        until(lambda: child.mind() and child.state == "healthy")
        return child

    yield make
    for each in made:
        each.stop()


def hangs(*_: object) -> None:
    time.sleep(60)


def cannot_be_asked(*_: object) -> None:
    raise Unasked("the broker does not answer")


def fails(*_: object) -> None:
    raise redis.exceptions.ConnectionError("Error 111 connecting to the broker")


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_child_that_dies_is_started_again_after_a_wait_that_doubles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "FIRST_WAIT", 0.05)
    child = a_child(tmp_path, "raise SystemExit(7)")
    child.start()
    child._wait = 0.05
    waits = []
    for expected in (1, 2, 3):
        until(lambda: child.mind() and child.state == "restarting")
        waits.append(child._wait)
        assert "ended with code 7" in child.note
        until(lambda: child.mind())
        assert child.restarts == expected
    assert waits == [0.1, 0.2, 0.4]
    child.stop()


def test_a_port_that_was_taken_meanwhile_is_told_as_before_the_start(tmp_path: Path):
    port = free_ports(1)[0]
    settings = load(stack={"data": tmp_path, "broker_port": port})
    claim(tmp_path)
    strangers: list[socket.socket] = []

    def command(_: Settings) -> list[str]:
        strangers.append(socket.create_server(("127.0.0.1", port)))
        return [sys.executable, "-c", "raise SystemExit('Could not create server TCP listening socket')"]

    part = Part("broker", "Broker", ("broker_port",), command, lambda *_: "it does not answer")
    stack = Supervisor(settings, [part])
    with pytest.raises(StackFault) as caught:
        stack._start()
    strangers[0].close()
    assert f"port {port} is taken by" in str(caught.value)
    assert "GRAPH_MEMORY_STACK_BROKER_PORT" in str(caught.value)
    assert "TCP" not in str(caught.value)


def test_a_child_keeps_running_and_tells_its_process(tmp_path: Path):
    child = a_child(tmp_path, SLEEP)
    child.start()
    until(lambda: child.mind() and child.state == "healthy")
    assert not child.mind()
    told = child.told()
    assert told.process
    assert told.process.alive()
    child.stop()
    assert child.state == "stopped"
    assert told.process.alive() is None


def test_a_child_that_ignores_the_polite_signal_is_ended(tmp_path: Path):
    child = a_child(tmp_path, STUBBORN, grace=0.3)
    child.start()
    log = tmp_path / "logs" / "broker.log"
    until(lambda: "up" in log.read_text())
    child.stop()
    assert child.ended() == -signal.SIGKILL


def test_whatever_its_check_meets_makes_it_unhealthy_with_this_reason(healthy: Callable[..., Child]):
    child = healthy()
    child.answer_by(fails)
    until(lambda: child.mind() and child.state == "unhealthy")
    assert "ConnectionError: Error 111 connecting to the broker" in child.note


@pytest.mark.parametrize("check", [lambda *_: "it does not answer", fails, hangs])
def test_a_child_that_lives_and_does_not_answer_is_started_again(
    healthy: Callable[..., Child], check: Answers, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(health_checks, "LIMIT", 0.1)
    child = healthy()
    before = child.told().process
    child.answer_by(check)
    until(lambda: child.mind() and child.state == "restarting")
    assert before
    assert before.alive() is None
    assert "did not answer for 0.3 s" in child.note
    child.answer_by(lambda *_: None)
    until(lambda: child.mind() and child.state == "healthy")
    assert child.restarts == 1


def test_a_child_that_was_stopped_is_found_also_where_its_check_sees_nothing(healthy: Callable[..., Child]):
    child = healthy()
    told = child.told().process
    assert told
    os.kill(told.pid, signal.SIGSTOP)
    until(lambda: child.mind() and child.state == "unhealthy")
    assert f"stopped by a signal: process {told.pid}" in child.note
    until(lambda: child.mind() and child.state == "healthy")
    assert child.restarts == 1


def test_a_fault_between_us_and_the_child_is_no_silence_of_its_own(healthy: Callable[..., Child]):
    child = healthy()
    child.answer_by(cannot_be_asked)
    until(lambda: child.mind() and child.state == "unhealthy")
    end = time.monotonic() + 1
    until(lambda: child.mind() or time.monotonic() > end)
    assert (child.state, child.note, child.restarts) == ("unhealthy", "the broker does not answer", 0)


def test_what_is_not_ready_in_time_is_given_longer_the_next_time(tmp_path: Path):
    child = a_child(tmp_path, SLEEP, answers=lambda *_: "it reads its log")
    child.start()
    child._patience = 0.2
    until(lambda: child.mind() and child.state == "restarting")
    assert "was not ready after 0.2 s (it reads its log)" in child.note
    assert child._patience == 0.4
    child.stop()


def test_a_child_that_cannot_be_started_again_just_now_is_tried_later(
    healthy: Callable[..., Child], monkeypatch: pytest.MonkeyPatch
):
    child = healthy()
    part = child.part
    child.part = replace(part, command=lambda _: ["/no/such/program"])
    told = child.told().process
    assert told
    os.kill(told.pid, signal.SIGKILL)
    until(lambda: child.mind() and "could not be started" in child.note)
    child.part = part
    child._due = 0
    until(lambda: child.mind() and child.state == "healthy")
    assert child.restarts == 2


def test_what_a_killed_child_leaves_behind_is_ended(tmp_path: Path):
    child = a_child(tmp_path, LEAVES)
    child.start()
    log = tmp_path / "logs" / "broker.log"
    until(lambda: log.read_text().endswith("\n"))
    left = Process.of(int(log.read_text()))
    told = child.told().process
    assert told
    os.kill(told.pid, signal.SIGKILL)
    until(lambda: child.mind() and child.state == "restarting")
    until(lambda: left.alive() is None)
    child.stop()


def test_a_pid_that_was_given_to_another_process_is_not_ours(tmp_path: Path):
    mine = Process.of(os.getpid())
    assert mine.alive()
    assert Process(mine.pid, mine.started - 1000).alive() is None


def test_state_is_read_as_it_was_written(tmp_path: Path):
    claim(tmp_path)
    me = Process.of(os.getpid())
    state = StackState(me, (PartState("broker", "healthy", me, 2, "note"), PartState("api", "waiting")), True)
    write(tmp_path, state)
    assert read(tmp_path) == state
    assert state.is_running()
    assert [part.name for part in state.orphans()] == ["broker"]


def test_a_folder_without_state_has_none(tmp_path: Path):
    assert read(tmp_path) is None


def test_what_a_part_writes_is_for_us_alone(tmp_path: Path):
    log = tmp_path / "logs" / "broker.log"
    log.parent.mkdir(parents=True)
    log.touch(mode=0o644)
    child = a_child(
        tmp_path, f"open({str(tmp_path / 'append.aof')!r}, 'w'); print('up', flush=True); {SLEEP}"
    )
    child.start()
    until(lambda: log.read_text())
    child.stop()
    assert {path.stat().st_mode & 0o777 for path in (log, tmp_path / "append.aof")} == {0o600}

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from graph_memory.local import child as module
from graph_memory.local.child import Child
from graph_memory.local.folder import claim
from graph_memory.local.parts import Part
from graph_memory.local.state import PartState, Process, StackState, read, write
from graph_memory.settings import load

SLEEP = "import time; time.sleep(60)"
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('up', flush=True)
time.sleep(60)
"""


def a_child(data: Path, code: str, grace: float = 5) -> Child:
    claim(data)
    part = Part("broker", "Broker", (), lambda _: [sys.executable, "-c", code], lambda _: None, grace=grace)
    return Child(part, load(stack={"data": data}))


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


def test_a_child_keeps_running_and_tells_its_process(tmp_path: Path):
    child = a_child(tmp_path, SLEEP)
    child.start()
    child.ask()
    assert child.state == "healthy"
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

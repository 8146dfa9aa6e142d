"""One process of the stack while the supervisor looks after it."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import BinaryIO

import psutil

from graph_memory.local.parts import Part, environment
from graph_memory.local.state import PartState, Process
from graph_memory.settings import Settings

FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
STEADY = 60.0
LARGE_LOG = 20_000_000
# What a part writes (logs, the append files of the broker, stores) nobody else on the machine may read.
OURS_ALONE = 0o077


class Child:
    """Starts a part, asks how it is, starts it again when it has ended, ends it."""

    def __init__(self, part: Part, settings: Settings) -> None:
        self.part = part
        self.state = "waiting"
        self.note = ""
        self.restarts = 0
        self._settings = settings
        self._popen: subprocess.Popen[bytes] | None = None
        self._process: Process | None = None
        self._wait = FIRST_WAIT
        self._due = 0.0
        self._begun = 0.0

    def told(self) -> PartState:
        """What others may know of it."""
        return PartState(self.part.name, self.state, self._process, self.restarts, self.note)

    def start(self) -> None:
        """Begin; whether it is well shows later."""
        self.part.prepare(self._settings)
        with open_log(self._settings.stack.data, self.part.name) as log:
            self._popen = subprocess.Popen(
                self.part.command(self._settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment(self._settings),
                start_new_session=True,
                umask=OURS_ALONE,
            )
        self._process = Process.of(self._popen.pid)
        self._begun = time.monotonic()
        self.state, self.note = "starting", ""

    def ended(self) -> int | None:
        """Its exit code, once it has one."""
        return self._popen.poll() if self._popen else None

    def ask(self) -> None:
        """Find out whether it is well."""
        settling = time.monotonic() - self._begun < self.part.settles
        reason = "it has only just begun" if settling else self.part.answers(self._settings)
        if reason is None:
            self.state, self.note = "healthy", ""
        else:
            self.state = "starting" if self.state == "starting" else "unhealthy"
            self.note = reason

    def is_late(self) -> bool:
        """Whether it should have become healthy by now."""
        return self.state == "starting" and time.monotonic() - self._begun > self.part.patience

    def mind(self) -> bool:
        """Whether it had ended or was started again; waits twice as long each time it ends early."""
        code = self.ended()
        if code is None:
            return False
        if self.state != "restarting":
            self._give_way(code)
            return True
        if time.monotonic() < self._due:
            return False
        self.restarts += 1
        self.start()
        return True

    def stop(self) -> None:
        """Ask it to end, then end it and whatever it started."""
        if self._process:
            end(self._process, self.part.grace)
        if self._popen:
            self._popen.wait()
        self.state, self.note, self._process = "stopped", "", None

    def _give_way(self, code: int) -> None:
        steady = time.monotonic() - self._begun > STEADY
        self._wait = FIRST_WAIT if steady else min(2 * self._wait, LONGEST_WAIT)
        self._due = time.monotonic() + self._wait
        self.state, self._process = "restarting", None
        self.note = f"ended with code {code}; starts again in {self._wait:.0f} s"


def end(process: Process, grace: float) -> None:
    """SIGTERM, then after `grace` seconds SIGKILL for it and its children."""
    found = process.alive()
    if found is None:
        return
    try:
        family = found.children(recursive=True)
        found.terminate()
        found.wait(grace)
    except psutil.TimeoutExpired:
        found.kill()
    except psutil.NoSuchProcess:
        return
    for each in family:
        if each.is_running():
            each.kill()


def open_log(data: Path, name: str) -> BinaryIO:
    """A part's log, to write on; nobody else may read it."""
    return open(log_file(data, name), "ab", opener=_for_us_alone)


def _for_us_alone(path: str, flags: int) -> int:
    descriptor = os.open(path, flags, 0o600)
    os.fchmod(descriptor, 0o600)
    return descriptor


def log_file(data: Path, name: str) -> Path:
    """Where a part's output goes; a large one is put aside, and only one such is kept."""
    path = data / "logs" / f"{name}.log"
    if path.exists() and path.stat().st_size > LARGE_LOG:
        path.replace(path.with_suffix(".log.1"))
    return path

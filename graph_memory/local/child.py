"""One process of the stack while the supervisor looks after it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import psutil

from graph_memory.local.health_checks import Answer, Question
from graph_memory.local.parts import Part, environment
from graph_memory.local.state import PartState, Process
from graph_memory.settings import Settings
from graph_memory.store.settings import StackSettings

FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
STEADY = 60.0
QUICK = 0.1
ASK_EVERY = 10.0
KILLED_WITHIN = 5.0
LARGE_LOG = 20_000_000
# What a part writes (logs, the append files of the broker, stores) nobody else on the machine may read.
OURS_ALONE = 0o077


class Child:
    """Starts a part, checks its health, restarts it when it has died or no longer answers, and stops it."""

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
        self._patience = part.patience
        self._question: Question | None = None
        self._asked = 0.0
        self._silent_since: float | None = None

    def told(self) -> PartState:
        """What others may know of it."""
        return PartState(self.part.name, self.state, self._process, self.restarts, self.note)

    def start(self) -> None:
        """Begin; whether it is well shows later."""
        self.part.prepare(self._settings)
        with open_log(self._settings[StackSettings].data, self.part.name) as log:
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
        self._question = self._silent_since = None
        self.state, self.note = "starting", ""

    def ended(self) -> int | None:
        """Its exit code, once it has one."""
        return self._popen.poll() if self._popen else None

    def look(self) -> None:
        """Take the answer that has come, ask again when it is time; waits for nothing."""
        now = time.monotonic()
        if self._question is None:
            rests = now - self._begun < self.part.settles or now - self._asked < self._pause()
            if self._process and not rests:
                self._question = Question(self.part, self._settings, self._process.pid)
        elif answer := self._question.answer:
            self._question, self._asked = None, now
            self._take(answer, now)

    def is_late(self) -> bool:
        """Whether it should have become healthy by now."""
        return self.state == "starting" and time.monotonic() - self._begun > self._patience

    def mind(self) -> bool:
        """Do what is due, and tell whether anything is different now.

        It is started again when it has ended, when it did not become healthy in time and when it was silent too long:
        at first at once, then after a wait that is twice as long each time it does not last.
        """
        if self.state == "restarting":
            return self._start_again()
        before = self.told()
        code = self.ended()
        if code is not None:
            self._give_way(f"ended with code {code}")
        else:
            self.look()
            if self.is_late():
                # What needs longer than it was given, as a database that mends itself, is given longer the next time.
                self._give_way(f"was not ready after {self._patience:g} s ({self.note})")
                self._patience *= 2
            elif self._is_silent():
                silence = self._settings[StackSettings].silence
                self._give_way(f"did not answer for {silence:g} s ({self.note})")
        return self.told() != before

    def stop(self) -> None:
        """Ask it to end, then end it and whatever it started."""
        if self._process:
            end(self._process, self.part.grace)
        if self._popen:
            self._popen.wait()
        self.state, self.note, self._process = "stopped", "", None

    def _pause(self) -> float:
        return (
            QUICK if self.state == "starting" else min(ASK_EVERY, self._settings[StackSettings].silence / 3)
        )

    def _take(self, answer: Answer, now: float) -> None:
        if answer.reason is None:
            self.state, self.note = "healthy", ""
            self._silent_since, self._patience = None, self.part.patience
            return
        self.state = "starting" if self.state == "starting" else "unhealthy"
        self.note = answer.reason
        if not answer.is_silence:
            self._silent_since = None
        elif self._silent_since is None:
            self._silent_since = now

    def _is_silent(self) -> bool:
        silent = self.state == "unhealthy" and self._silent_since is not None
        return silent and time.monotonic() - (self._silent_since or 0) > self._settings[StackSettings].silence

    def _start_again(self) -> bool:
        if time.monotonic() < self._due:
            return False
        self.restarts += 1
        try:
            self.start()
        except Exception as error:  # noqa: BLE001 - it is tried again, whatever was in the way
            self._give_way(f"could not be started ({error})")
        return True

    def _give_way(self, reason: str) -> None:
        self._kill()
        steady = time.monotonic() - self._begun > STEADY
        self._wait = FIRST_WAIT if steady else min(2 * self._wait, LONGEST_WAIT)
        self._due = time.monotonic() + self._wait
        self.state, self._process, self._question = "restarting", None, None
        self.note = f"{reason}; starts again in {self._wait:.0f} s"

    def _kill(self) -> None:
        """Whatever is left of it: what is stopped heeds no request, and a worker's processes outlive it."""
        if self._popen:
            with suppress(OSError):
                os.killpg(self._popen.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                self._popen.wait(KILLED_WITHIN)


def end(process: Process, grace: float) -> None:
    """SIGTERM, then after `grace` seconds SIGKILL for it and its children."""
    found = process.alive()
    if found is None:
        return
    try:
        family = found.children(recursive=True)
        found.terminate()
        # One that is stopped hears it only when it goes on.
        found.resume()
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

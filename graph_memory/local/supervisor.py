"""The process that keeps a stack running: `python -m graph_memory.local.supervisor`, started by `up`."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event
from typing import TypeVar

from graph_memory.base.errors import GraphMemoryError, StackFault
from graph_memory.local import class_archive, state
from graph_memory.local.child import QUICK, Child, log_file
from graph_memory.local.parts import Part, chosen, environment, ports, reached_by
from graph_memory.local.ports import require_free
from graph_memory.local.state import Process, StackState
from graph_memory.settings import Settings, load
from graph_memory.store.settings import StackSettings
from graph_memory.store.stack_folder import forget_listening, write_listening

T = TypeVar("T")

log = logging.getLogger("graph_memory.supervisor")

TICK = 0.5
IDLE_BEFORE_ARCHIVE = 45.0
LAST_LINES = 8


class Supervisor:
    """Starts the parts in order, watches them, stops them in reverse order.

    With an owner it ends when that process has ended, and removes the data folder.
    """

    def __init__(self, settings: Settings, parts: Sequence[Part], owner: int | None = None) -> None:
        self._settings = settings
        self._data = settings[StackSettings].data
        self._children = [Child(part, settings) for part in parts]
        self._me = Process.of(os.getpid())
        self._owner = Process.of(owner) if owner else None
        self._stopping = Event()
        self._ready = False
        self._fault: str | None = None
        self._last_fault: str | None = None
        self._last_told: StackState | None = None
        self._archive: subprocess.Popen[bytes] | None = None

    def run(self) -> int:
        """Until a signal comes, or the start failed: 0 or 3."""
        with (self._data / "run" / "supervisor.lock").open("w") as lock:
            _hold(lock.fileno())
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, lambda *_: self._stopping.set())
            try:
                write_listening(self._data, reached_by(self._settings))
                self._start()
                self._watch()
            except (GraphMemoryError, OSError) as error:
                self._fault = str(error)
                log.error("the stack could not be started: %s", error)
            finally:
                self._stop()
                forget_listening(self._data)
                if self._is_abandoned():
                    shutil.rmtree(self._data, ignore_errors=True)
        return 3 if self._fault else 0

    def _start(self) -> None:
        servers = [child for child in self._children if not child.part.serves]
        services = [child for child in self._children if child.part.serves]
        self._bring_up(servers)
        if services and not self._stopping.is_set():
            _prepare(self._settings)
        self._bring_up(services)
        self._ready = not self._stopping.is_set()
        self._tell()

    def _bring_up(self, children: list[Child]) -> None:
        running = [child for child in self._children if child.state != "waiting"]
        for child in children:
            self._require_free(child)
            child.start()
            log.info("%s is starting", child.part.name)
            self._tell()
        waiting = list(children)
        while waiting and not self._stopping.is_set():
            for child in waiting:
                self._look_first(child)
            waiting = [child for child in waiting if child.state != "healthy"]
            self._mind(running)
            self._stopping.wait(QUICK)

    def _look_first(self, child: Child) -> None:
        code = child.ended()
        if code is not None:
            self._require_free(child)
            raise StackFault(self._told(child, f"ended with code {code} while it was starting"))
        child.look()
        if child.state == "healthy":
            log.info("%s is healthy", child.part.name)
            self._tell()
        elif child.is_late():
            raise StackFault(
                self._told(child, f"was not ready after {child.part.patience:.0f} s ({child.note})")
            )

    def _require_free(self, child: Child) -> None:
        """Somebody may have taken a port since `up` looked."""
        require_free(ports(self._settings, [child.part]))

    def _watch(self) -> None:
        begun = time.monotonic()
        while not self._stopping.wait(TICK):
            self._mind(self._children)
            if time.monotonic() - begun > IDLE_BEFORE_ARCHIVE:
                self._unfailing(self._make_archive)

    def _is_abandoned(self) -> bool:
        return self._owner is not None and self._owner.alive() is None

    def _mind(self, children: Sequence[Child]) -> None:
        if self._is_abandoned():
            self._stopping.set()
            return
        changed = [child for child in children if self._unfailing(child.mind)]
        for child in changed:
            log.log(
                logging.INFO if child.state in ("starting", "healthy") else logging.WARNING,
                "%s is %s %s", child.part.name, child.state, child.note,
            )  # fmt: skip
        self._unfailing(self._tell)

    def _unfailing(self, work: Callable[[], T]) -> T | None:
        """Does one thing while the stack runs: a full disk or a fault of ours must not take down what works."""
        try:
            return work()
        except Exception as error:
            if str(error) != self._last_fault:
                log.exception("looking after the stack failed, and goes on")
            self._last_fault = str(error)
            return None

    def _make_archive(self) -> None:
        runs_neo4j = any(child.part.name == "neo4j" for child in self._children)
        if (
            self._archive is None
            and runs_neo4j
            and not class_archive.archive_file(self._settings[StackSettings].cache).exists()
        ):
            command = [sys.executable, "-m", "graph_memory.local.class_archive_maker"]
            self._archive = subprocess.Popen(
                command, env=environment(self._settings), stdin=subprocess.DEVNULL, start_new_session=True
            )

    def _stop(self) -> None:
        if self._archive and self._archive.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._archive.pid, signal.SIGKILL)
            self._archive.wait()
        for child in reversed(self._children):
            child.stop()
            log.info("%s has stopped", child.part.name)
            self._tell()

    def _tell(self) -> None:
        parts = tuple(child.told() for child in self._children)
        now = StackState(self._me, parts, self._ready, self._fault)
        if now != self._last_told:
            state.write(self._data, now)
            self._last_told = now

    def _told(self, child: Child, what: str) -> str:
        path = log_file(self._data, child.part.name)
        end = _last_lines(path.read_text("utf-8", "replace"))
        return f"{child.part.title} {what}; the end of {path}:\n{end}"


def main() -> None:
    """Run the parts that the first argument names, separated by commas, for the process that the second names."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    settings = load()
    names = sys.argv[1].split(",") if len(sys.argv) > 1 else None
    owner = int(sys.argv[2]) if len(sys.argv) > 2 else None
    try:
        sys.exit(Supervisor(settings, chosen(settings, names), owner).run())
    except GraphMemoryError as error:
        sys.exit(str(error))


def _prepare(settings: Settings) -> None:
    """Bring the store's schema to what this version needs, before anything uses it."""
    command = [sys.executable, "-m", "graph_memory", "migrate"]
    done = subprocess.run(command, env=environment(settings), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise StackFault(f"`graph-memory migrate` failed:\n{_last_lines(done.stderr or done.stdout)}")
    log.info("the schema is current")


def _hold(lock: int) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise StackFault("Another `graph-memory up` is at work in this data folder; wait for it.") from error


def _last_lines(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join(f"    {line}" for line in lines[-LAST_LINES:])


if __name__ == "__main__":
    main()

"""Starts and stops a stack from outside: what `up` and `down` do, and what tests and benches call."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psutil

from graph_memory.base.errors import StackFault
from graph_memory.local import state
from graph_memory.local.child import OURS_ALONE, end, open_log
from graph_memory.local.locks import only_one
from graph_memory.local.parts import PARTS, Part, chosen, environment, ports
from graph_memory.local.ports import require_free
from graph_memory.local.progress import Progress, Silent
from graph_memory.local.state import StackState
from graph_memory.settings import PREFIX, Settings
from graph_memory.store.settings import StackSettings
from graph_memory.store.stack_folder import claim, forget_listening, is_claimed

SUPERVISOR = "supervisor"
# What only those who ask the service read.
_OF_CLIENTS = (f"{PREFIX}API_URL", f"{PREFIX}API_KEY")
SUPERVISOR_GRACE = 150.0
POLL = 0.1

# Supervisors that this process has started. They are meant to outlive it.
_launched: list[subprocess.Popen[bytes]] = []


def start(
    settings: Settings,
    parts: Sequence[str] | None = None,
    progress: Progress | None = None,
    owner: int | None = None,
) -> bool:
    """Returns when every part is healthy. False if they ran already; raises StackFault if they cannot run.

    A stack with an owner ends with the process of this pid, however that ends; the data folder goes with it.
    """
    progress = progress or Silent()
    wanted = chosen(settings, parts)
    with _claimed(settings):
        running = _running(settings)
        if running:
            _require_all(running, wanted)
            return False
        _make_ready(settings, wanted, progress)
        _launch(settings, wanted, progress, owner)
    return True


def start_here(settings: Settings, parts: Sequence[str] | None, progress: Progress) -> int:
    """The same, but this process stays and is the supervisor; its exit code."""
    from graph_memory.local.supervisor import Supervisor

    wanted = chosen(settings, parts)
    with _claimed(settings):
        running = _running(settings)
        if running:
            raise StackFault(f"It runs already (pid {running.supervisor.pid}); `graph-memory down` stops it.")
        _make_ready(settings, wanted, progress)
    return Supervisor(settings, wanted).run()


def stop(settings: Settings, progress: Progress | None = None) -> bool:
    """Stops everything, orphans included. False if nothing ran."""
    progress = progress or Silent()
    told = state.read(settings[StackSettings].data) if is_claimed(settings[StackSettings].data) else None
    if told is None:
        return False
    ran = told.is_running()
    if ran:
        end(told.supervisor, SUPERVISOR_GRACE)
    ran = _end_orphans(told, progress) or ran
    state.forget(settings[StackSettings].data)
    forget_listening(settings[StackSettings].data)
    _launched[:] = [process for process in _launched if process.poll() is None]
    return ran


@atexit.register
def _let_go() -> None:
    """Nobody waits for what goes on; Python warns of a process that is forgotten without an exit code."""
    for process in _launched:
        if process.poll() is None:
            process.returncode = 0


def changed(settings: Settings) -> list[str]:
    """What this environment sets and the stack was started without; of its own settings with the value that it has."""
    here, there = environment(settings), _environment_of(_running(settings))
    if there is None:
        return []
    names = sorted(
        name
        for name in os.environ
        if name.startswith(PREFIX) and name not in _OF_CLIENTS and here[name] != there.get(name)
    )
    return [
        f"{name}={there[name]}" if name.startswith(f"{PREFIX}STACK_") and name in there else f"another {name}"
        for name in names
    ]


def _require_all(running: StackState, wanted: Sequence[Part]) -> None:
    have = {part.name for part in running.parts}
    missing = [part.name for part in wanted if part.name not in have]
    if missing:
        raise StackFault(
            f"A stack runs already, with {' and '.join(sorted(have))} but without {' and '.join(missing)}; "
            "run `graph-memory down`, then `graph-memory up`."
        )


@contextmanager
def _claimed(settings: Settings) -> Iterator[None]:
    data = settings[StackSettings].data
    claim(data)
    with only_one(data / "run" / "up.lock"):
        yield


def _running(settings: Settings) -> StackState | None:
    told = state.read(settings[StackSettings].data)
    return told if told and told.is_running() else None


def _environment_of(running: StackState | None) -> dict[str, str] | None:
    """What the parts of a stack were started with; None where that cannot be read. The broker writes over its own."""
    if running is None:
        return None
    alive = [each.process.alive() for each in running.orphans() if each.process]
    try:
        found = [process.environ() for process in (*alive, running.supervisor.alive()) if process]
    except psutil.Error:
        return None
    return next((dict(each) for each in found if f"{PREFIX}STACK_DATA" in each), None)


def _make_ready(settings: Settings, wanted: Sequence[Part], progress: Progress) -> None:
    told = state.read(settings[StackSettings].data)
    if told:
        _end_orphans(told, progress)
    state.forget(settings[StackSettings].data)
    require_free(ports(settings, wanted))
    if any(part.name == "neo4j" for part in wanted):
        from graph_memory.local.assemble import assemble

        assemble(settings[StackSettings].cache, progress)


def _end_orphans(told: StackState, progress: Progress) -> bool:
    orphans = told.orphans()
    grace = {part.name: part.grace for part in PARTS}
    for each in reversed(orphans):
        if each.process:
            progress.say(f"Stopping {each.name} (pid {each.process.pid}), which outlived its supervisor")
            end(each.process, grace.get(each.name, SUPERVISOR_GRACE))
    return bool(orphans)


def _launch(settings: Settings, wanted: Sequence[Part], progress: Progress, owner: int | None) -> None:
    words = [",".join(part.name for part in wanted), *([str(owner)] if owner else [])]
    with open_log(settings[StackSettings].data, SUPERVISOR) as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "graph_memory.local.supervisor", *words],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment(settings),
            start_new_session=True,
            umask=OURS_ALONE,
        )
    _launched.append(process)
    try:
        _follow(settings, process, progress)
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        raise


def _follow(settings: Settings, process: subprocess.Popen[bytes], progress: Progress) -> None:
    begun = time.monotonic()
    shown: set[tuple[str, str]] = set()
    while True:
        ended = process.poll() is not None
        told = state.read(settings[StackSettings].data)
        if told and told.supervisor.pid == process.pid:
            _show(told, shown, progress, time.monotonic() - begun)
            if told.ready and not ended:
                return
        if ended:
            raise StackFault(_why(settings, told))
        time.sleep(POLL)


def _show(told: StackState, shown: set[tuple[str, str]], progress: Progress, seconds: float) -> None:
    for part in told.parts:
        step = (part.name, part.state)
        if part.state in ("starting", "healthy", "stopped") and step not in shown:
            shown.add(step)
            progress.say(
                f"{seconds:6.1f} s  {part.name} {'is starting' if part.state == 'starting' else part.state}"
            )


def _why(settings: Settings, told: StackState | None) -> str:
    if told and told.fault:
        return told.fault
    return f"The supervisor ended early; see {settings[StackSettings].data / 'logs' / 'supervisor.log'}"

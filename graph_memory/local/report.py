"""What `status` shows: what the supervisor told last, compared with the processes that really live."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass

import psutil

from graph_memory.local import state
from graph_memory.local.parts import PARTS
from graph_memory.local.state import PartState
from graph_memory.settings import Settings
from graph_memory.store.settings import StackSettings

MEGABYTE = 1e6


@dataclass(frozen=True)
class PartReport:
    """One part as it is now."""

    name: str
    state: str
    pid: int | None
    port: int | None
    uptime_s: float | None
    restarts: int
    memory_mb: float | None
    note: str


@dataclass(frozen=True)
class Report:
    """The stack as it is now. `running` says whether its supervisor lives."""

    data: str
    running: bool
    ready: bool
    supervisor_pid: int | None
    fault: str | None
    parts: tuple[PartReport, ...]

    @property
    def is_healthy(self) -> bool:
        """Whether every part works; not where nothing runs."""
        return bool(self.parts) and all(part.state == "healthy" for part in self.parts)


def report(settings: Settings) -> Report:
    """Of the stack in the data folder; no part if there never was one."""
    told = state.read(settings[StackSettings].data)
    if told is None:
        return Report(str(settings[StackSettings].data), False, False, None, None, ())
    running = told.is_running()
    parts = tuple(_part(settings, each, running) for each in told.parts)
    pid = told.supervisor.pid if running else None
    return Report(str(settings[StackSettings].data), running, running and told.ready, pid, told.fault, parts)


def _part(settings: Settings, told: PartState, running: bool) -> PartReport:
    port = next(part for part in PARTS if part.name == told.name).port(settings[StackSettings])
    found = told.process.alive() if told.process else None
    if found is None:
        shown = told.state if running else "stopped"
        return PartReport(told.name, shown, None, port, None, told.restarts, None, told.note)
    shown = told.state if running else "orphaned"
    uptime = round(time.time() - found.create_time(), 1)
    return PartReport(
        told.name,
        shown,
        found.pid,
        port,
        uptime,
        told.restarts,
        round(_memory(found) / MEGABYTE, 1),
        told.note,
    )


def _memory(process: psutil.Process) -> float:
    total = 0.0
    with suppress(psutil.Error):
        for each in (process, *process.children(recursive=True)):
            total += each.memory_info().rss
    return total

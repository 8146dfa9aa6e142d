"""What the supervisor tells others through `run/state.json`: which parts there are, and how each one is."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from graph_memory.store.stack_folder import write_private

STATE = "state.json"
# A process's start is worked out from the boot time, which a clock adjustment may shift a little.
SAME_START = 5.0


@dataclass(frozen=True)
class Process:
    """A pid together with its start, because pids are used again."""

    pid: int
    started: float

    @classmethod
    def of(cls, pid: int) -> Process:
        return cls(pid, psutil.Process(pid).create_time())

    def alive(self) -> psutil.Process | None:
        """The process, if it is still the same one and has not ended."""
        try:
            found = psutil.Process(self.pid)
            same = abs(found.create_time() - self.started) < SAME_START
            return found if same and found.status() != psutil.STATUS_ZOMBIE else None
        except psutil.Error:
            return None


@dataclass(frozen=True)
class PartState:
    """One part: starting, healthy, unhealthy, restarting or stopped."""

    name: str
    state: str
    process: Process | None = None
    restarts: int = 0
    note: str = ""


@dataclass(frozen=True)
class StackState:
    """The whole stack. `ready` once everything was healthy; `fault` is why it gave up."""

    supervisor: Process
    parts: tuple[PartState, ...] = ()
    ready: bool = False
    fault: str | None = None

    def is_running(self) -> bool:
        """Whether its supervisor lives."""
        return self.supervisor.alive() is not None

    def orphans(self) -> list[PartState]:
        """Parts whose process lives, in the order they were started."""
        return [each for each in self.parts if each.process and each.process.alive()]


def write(data: Path, state: StackState) -> None:
    """Replace what was told before."""
    write_private(data / "run" / STATE, json.dumps(asdict(state), indent=1))


def read(data: Path) -> StackState | None:
    """What the last supervisor told; None if there never was one."""
    try:
        row = json.loads((data / "run" / STATE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    parts = tuple(PartState(**{**each, "process": _process(each["process"])}) for each in row.pop("parts"))
    return StackState(**{**row, "supervisor": Process(**row["supervisor"]), "parts": parts})


def forget(data: Path) -> None:
    """Remove what was told."""
    (data / "run" / STATE).unlink(missing_ok=True)


def _process(row: dict[str, float] | None) -> Process | None:
    return Process(int(row["pid"]), row["started"]) if row else None

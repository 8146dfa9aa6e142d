"""Writers of one tenant wait in line, in the order in which they came. A line that is too long refuses at once.

Whoever writes many rows in several transactions makes them small while others wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock
from time import monotonic

from graph_memory.base.errors import Overloaded
from graph_memory.store.settings import Neo4jSettings

# Rows of one transaction at most while others wait.
FEW = 100
# Seconds for the start of a transaction; longer means that it stood behind others.
_PROMPT = 0.05


@dataclass
class _Line:
    inside: int = 0
    waiting: deque[Event] = field(default_factory=deque)


class Gate:
    """Lets so many writers of each tenant through at once. One for each process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._lines: dict[str, _Line] = {}

    @contextmanager
    def passing(self, tenant: str, settings: Neo4jSettings) -> Iterator[None]:
        """Waits for a place and keeps it until the block ends; Overloaded when too many wait, or for too long."""
        self._enter(tenant, settings)
        try:
            yield
        finally:
            self._leave(tenant)

    def is_crowded(self, tenant: str) -> bool:
        """Whether anybody waits."""
        line = self._lines.get(tenant)
        return line is not None and bool(line.waiting)

    def _enter(self, tenant: str, settings: Neo4jSettings) -> None:
        with self._lock:
            line = self._lines.setdefault(tenant, _Line())
            if line.inside < settings.max_writers:
                line.inside += 1
                return
            if len(line.waiting) >= settings.max_waiting_writers:
                raise Overloaded
            turn = Event()
            line.waiting.append(turn)
        if turn.wait(settings.write_timeout):
            return
        with self._lock:
            if not turn.is_set():
                line.waiting.remove(turn)
                raise Overloaded

    def _leave(self, tenant: str) -> None:
        """The place goes to who has waited longest."""
        with self._lock:
            line = self._lines[tenant]
            if line.waiting:
                line.waiting.popleft().set()
                return
            line.inside -= 1
            if not line.inside:
                del self._lines[tenant]


class Pace:
    """How many rows a writer of many puts into its next transaction: few while others of the tenant wait.

    Writers of this process are seen in the gate's line. Those of other processes are felt, and cost no round trip: they
    stand in the database's line for the subject's lock, so that a transaction that follows another one begins late.
    """

    def __init__(self, gate: Gate, tenant: str, most: int) -> None:
        self._gate = gate
        self._tenant = tenant
        self._most = most
        self._sent = 0.0
        self._waited = False

    def rows(self) -> int:
        """Rows for the next transaction."""
        crowded = self._waited or self._gate.is_crowded(self._tenant)
        return min(self._most, FEW) if crowded else self._most

    def sent(self) -> None:
        """A transaction is about to be asked for."""
        self._sent = monotonic()

    def begun(self) -> None:
        """That transaction has its locks."""
        self._waited = monotonic() - self._sent > _PROMPT

"""A provider that fails again and again is left alone for a while, then tried with one call."""

from __future__ import annotations

from enum import StrEnum
from threading import Lock

from graph_memory.base.stopwatch import Watch


class State(StrEnum):
    """Whether calls are let through."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Breaker:
    """Opens after `failures` in a row, for `seconds`; then one probe closes it or opens it again."""

    def __init__(self, watch: Watch, failures: int, seconds: float) -> None:
        self._watch = watch
        self._most = failures
        self._seconds = seconds
        self._lock = Lock()
        self._failed = 0
        self._opened_at: float | None = None
        self._probed_at: float | None = None

    @property
    def state(self) -> State:
        if self._opened_at is None:
            return State.CLOSED
        return State.HALF_OPEN if self._watch.now() - self._opened_at >= self._seconds else State.OPEN

    def lets_through(self) -> bool:
        """Whether to call now. While half open only one caller hears yes, again after as long without a result."""
        with self._lock:
            state, now = self.state, self._watch.now()
            if state is not State.HALF_OPEN:
                return state is State.CLOSED
            if self._probed_at is not None and now - self._probed_at < self._seconds:
                return False
            self._probed_at = now
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._failed, self._opened_at, self._probed_at = 0, None, None

    def failed(self) -> None:
        with self._lock:
            self._failed += 1
            if self._opened_at is not None or self._failed >= self._most:
                self._opened_at, self._probed_at = self._watch.now(), None

"""Seconds that only grow, for time-outs, pauses and limits; a test puts one in its place that obeys."""

from __future__ import annotations

import time
from typing import Protocol


class Watch(Protocol):
    """Tells seconds since some moment, and waits."""

    def now(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...


class SystemWatch:
    """The machine's."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

"""How a Run of a job stands, and why there is one."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """PENDING waits for a worker, RUNNING has or had one; the others are ends."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    DONE = "DONE"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class Kind(StrEnum):
    """Why there is a run: the clock, a person, or a request that needs more than one transaction."""

    PLANNED = "PLANNED"
    BY_HAND = "BY_HAND"
    REQUESTED = "REQUESTED"

"""Which tools there are for whom."""

from __future__ import annotations

from enum import StrEnum


class Profile(StrEnum):
    """Which tools are offered."""

    READ_ONLY = "read-only"
    FULL = "full"

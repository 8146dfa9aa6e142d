"""What happens to a community between two runs."""

from __future__ import annotations

from enum import StrEnum


class CommunityChange(StrEnum):
    """What became of a community. SPLIT leads to the part that left, MERGED to what took it in, the others to itself."""

    BORN = "BORN"
    GROWN = "GROWN"
    SHRUNK = "SHRUNK"
    EXCHANGED = "EXCHANGED"
    SPLIT = "SPLIT"
    MERGED = "MERGED"
    DIED = "DIED"

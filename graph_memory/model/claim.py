"""What a claim may be: the subject's own entity, and whether a value holds or is denied."""

from __future__ import annotations

from enum import StrEnum

# The entity that is the subject itself: who says I, or is called the user.
SELF, SELF_NAME = "SELF", "User"


class Polarity(StrEnum):
    """Whether a memory says that the value holds, or that it does not."""

    AFFIRMED = "AFFIRMED"
    DENIED = "DENIED"

"""How far a recall reaches: which tiers, and whether into what is superseded or put away.

A moment that is past has no tiers: they are of today.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graph_memory.memory.model import STATE_RANK, Status
from graph_memory.scoring.scores import TIERS, Tier


class Mode(StrEnum):
    """From what is near at hand to all that was ever known."""

    REFLEXIVE = "REFLEXIVE"
    STANDARD = "STANDARD"
    DEEP = "DEEP"
    EXHAUSTIVE = "EXHAUSTIVE"


@dataclass(frozen=True)
class Reach:
    """The last tier that answers, and of retired memories the last rank of state; None when only live ones do."""

    tier: Tier
    state_rank: int | None = None

    @property
    def tier_rank(self) -> int:
        """As the indexes hold it."""
        return TIERS.index(self.tier)


REACH = {
    Mode.REFLEXIVE: Reach(Tier.HOT),
    Mode.STANDARD: Reach(Tier.WARM),
    Mode.DEEP: Reach(Tier.COLD, STATE_RANK[Status.ACTIVE]),
    Mode.EXHAUSTIVE: Reach(Tier.ARCHIVED, STATE_RANK[Status.MERGED]),
}

# What STANDARD reaches where the warm memories do not fill the page.
WIDENED = Reach(Tier.COLD)

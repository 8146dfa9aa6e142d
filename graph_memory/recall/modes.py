"""How far a recall reaches: which tiers, and whether into what is superseded or put away.

STANDARD is for what is hot or warm. A cold memory has a handicap there (RecallSettings.cold_handicap, taken off its score): it
answers where it is nearer all the same, or where the others do not fill the page, so that what was said once and never
again is not lost. DEEP has what has ended, expired or was superseded as well, whatever its tier: that follows from its end.
A moment that is past has no tiers: they are of today.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graph_memory.model.memory import STATE_RANK, Status
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
    Mode.STANDARD: Reach(Tier.COLD),
    Mode.DEEP: Reach(Tier.COLD, STATE_RANK[Status.ACTIVE]),
    Mode.EXHAUSTIVE: Reach(Tier.ARCHIVED, STATE_RANK[Status.MERGED]),
}

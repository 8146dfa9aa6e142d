"""Where a new version enters a chain, as a pure function: design section 4, "Chains"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.clock import FOREVER


@dataclass(frozen=True)
class Member:
    """One version of a truth and the interval in which it holds; an open end is FOREVER."""

    id: str
    valid_from: datetime
    valid_to: datetime


@dataclass(frozen=True)
class Insertion:
    """What changes when a version enters: its own interval, the one before cut short, the one after re-joined."""

    valid_from: datetime
    valid_to: datetime
    before: Member | None
    before_ends: datetime | None
    after: Member | None
    is_correction: bool
    notes: tuple[str, ...]


def insert(members: Sequence[Member], valid_from: datetime, valid_to: datetime | None) -> Insertion:
    """How a version that holds from `valid_from` enters the chain, whose members come oldest first.

    It stands after every member that began no later. The member before it never ends later than it begins; its own
    end is never later than the next begins: a later given one is cut, and a note says so. The same moment as the
    member before is a correction: it takes that one's interval, which becomes empty.
    """
    position = sum(member.valid_from <= valid_from for member in members)
    before = members[position - 1] if position else None
    after = members[position] if position < len(members) else None
    is_correction = before is not None and before.valid_from == valid_from
    ceiling = after.valid_from if after else FOREVER
    inherited = before.valid_to if before is not None and is_correction else ceiling
    wanted = valid_to if valid_to is not None else inherited
    end = min(wanted, ceiling)
    cut = valid_to is not None and end < valid_to
    return Insertion(
        valid_from=valid_from,
        valid_to=max(end, valid_from),
        before=before,
        before_ends=min(before.valid_to, valid_from) if before else None,
        after=after,
        is_correction=is_correction,
        notes=(f"Its end was cut to {end.isoformat()}, where the next version begins.",) if cut else (),
    )

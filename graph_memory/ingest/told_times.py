"""The times that a statement names by itself: when what it tells of happens, and when it stops mattering.

A message of a conversation is read likewise; there the words of the talk decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from graph_memory.ingest.when import when
from graph_memory.language.coverage import is_readable
from graph_memory.model.memory import Fact


def timed(facts: Sequence[Fact], now: datetime, zone: ZoneInfo) -> list[Fact]:
    """The facts, those that are given without times with the ones of their words, said at their start or `now`.

    Days are those of `zone`. Times that the caller gives stand as they are.
    """
    return [fact if fact.happens_at or fact.expires_at else _timed(fact, now, zone) for fact in facts]


def _timed(fact: Fact, now: datetime, zone: ZoneInfo) -> Fact:
    if not is_readable(fact.text):
        return fact
    try:
        said_at = (fact.valid_from or now).astimezone(zone)
    except (OverflowError, ValueError):
        return fact  # a start outside the calendar is refused later
    found = when(fact.text, said_at)
    # What has ended for its caller has its end already.
    expires_at = None if fact.valid_to else found.expires_at
    return replace(fact, happens_at=found.happens_at, expires_at=expires_at)

"""The one place that asks what time it is. A fake clock replaces it in tests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]

# An open interval ends here in the store: a range filter cannot match a missing value. Outside it is null.
FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
# What is not known to have begun at some moment has always been so.
ALWAYS = datetime(1, 1, 1, tzinfo=UTC)


def system_clock() -> datetime:
    """Now, in UTC, to the millisecond: what Neo4j, JSON and people can all carry exactly."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)

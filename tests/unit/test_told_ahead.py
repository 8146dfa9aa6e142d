"""From when on what takes another's place holds."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from graph_memory.ingest.told_ahead import told_ahead

NIGHT = datetime(2026, 5, 29, 3, 30, tzinfo=UTC)


def test_tomorrow_is_that_of_the_person() -> None:
    """It is the evening of the 28th in New York."""
    new = {"text": "From tomorrow the fee is 95.", "valid_from": NIGHT, "kind": "fact"}
    known = {"text": "The fee is 88.", "valid_from": NIGHT, "kind": "fact"}
    zone = ZoneInfo("America/New_York")
    assert told_ahead(new, known, zone) == datetime(2026, 5, 29, tzinfo=zone)
    assert told_ahead(new, known, ZoneInfo("UTC")) == datetime(2026, 5, 30, tzinfo=UTC)

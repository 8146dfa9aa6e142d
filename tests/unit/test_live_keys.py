"""The key that two live memories of one subject never share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from graph_memory.memory.live_keys import happening, live_key

NOW = datetime(2026, 6, 20, 9, tzinfo=UTC)
MAY = datetime(2026, 5, 5, tzinfo=UTC)


def key(
    happens_at: datetime | None = None, text: str = "Ann just had a seizure.", begins: datetime = MAY
) -> str:
    return live_key("fact", text, happens_at, begins, NOW)


def test_the_same_words_about_another_day_are_another_statement() -> None:
    assert len({key(), key(MAY), key(MAY + timedelta(days=31)), key(datetime(1931, 5, 5, tzinfo=UTC))}) == 4
    assert key(MAY) == key(MAY.astimezone(ZoneInfo("America/Lima")), "ann just had a seizure")


def test_what_happens_at_no_time_keeps_the_key_that_it_had() -> None:
    assert key() == "c666f4abd427821acfd4909bd5e17cbf"


def test_a_start_ahead_stands_in_front_of_the_whole_key() -> None:
    ahead = key(MAY, begins=NOW + timedelta(days=1))
    assert ahead.split("@")[2] == key(MAY)


def test_a_key_from_before_is_told_when_it_happens_once() -> None:
    assert happening(key(), MAY) == key(MAY)
    assert happening(key(MAY), MAY) == key(MAY)
    assert happening(key(), None) == key()

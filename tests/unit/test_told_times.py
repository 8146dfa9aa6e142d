"""The times that a statement names by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from graph_memory.ingest.told_times import timed
from graph_memory.model.memory import Fact

NOW = datetime(2026, 1, 2, 3, tzinfo=UTC)
HERE = ZoneInfo("America/Los_Angeles")


def test_days_are_those_of_the_zone() -> None:
    [told] = timed([Fact("I saw the dentist yesterday.")], NOW, HERE)
    assert told.happens_at == datetime(2025, 12, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    "fact",
    [
        Fact("I saw the dentist yesterday.", happens_at=NOW),
        Fact("I saw the dentist yesterday.", expires_at=NOW),
        Fact("I saw the dentist yesterday.", valid_from=datetime.min.replace(tzinfo=UTC)),
        Fact("Gestern war ich beim Zahnarzt, yesterday."),
        Fact("I like figs."),
        Fact("The permit is valid until 31.12.9999."),
        Fact("The clock stops on 9999-12-31."),
        Fact("The clock began on 0001-01-01."),
    ],
)
def test_what_has_times_or_names_none_stays_as_it_is(fact: Fact) -> None:
    assert timed([fact], NOW, HERE) == [fact]


def test_what_its_caller_has_ended_gets_no_expiry() -> None:
    ended = Fact("The permit is valid until 10 January.", valid_to=datetime(2026, 2, 1, tzinfo=UTC))
    assert timed([ended], NOW, HERE) == [ended]

"""What the words for times in a message set."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from graph_memory.ingest.when import When, when
from graph_memory.language.times.tense import is_just_done

LIMA = ZoneInfo("America/Lima")
# A Tuesday, already Wednesday in UTC.
SAID = datetime(2026, 3, 10, 22, 30, tzinfo=LIMA)


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, tzinfo=UTC)


def local(month: int, number: int) -> datetime:
    return datetime(2026, month, number, tzinfo=LIMA).astimezone(UTC)


@pytest.mark.parametrize(
    ("text", "is_planned", "wanted"),
    [
        ("the plumber came today", False, When(day(3, 10), local(3, 10))),
        ("we moved here on 3 march", False, When(day(3, 3), local(3, 3))),
        ("on night shifts since 2 march", False, When(None, local(3, 2))),
        ("the fee is 95 from 1 may", True, When(None, None, local(5, 1))),
        ("exam tomorrow at 9:30 am", True, When(datetime(2026, 3, 11, 14, 30, tzinfo=UTC), None, datetime(2026, 3, 11, 14, 30, tzinfo=UTC))),
        ("on leave until 20 march", False, When(expires_at=local(3, 21))),
        ("we had it until 20 february", False, When()),
        ("either on 12 march or on 13 march", True, When()),
        ("some day", True, When()),
        ("the plan is in trouble, the plumber saw it on Friday", True, When(day(3, 6), local(3, 6))),
        ("tuesdays at the pub from this week", True, When(None, local(3, 9))),
        ("tuesdays at the pub this week", True, When()),
        ("ever since last week i want to go", True, When()),
        ("open mon to sat from april", True, When(None, None, local(4, 1))),
        ("4 days from april, fridays off", True, When(None, None, local(4, 1))),
        ("slots are 15 min from monday", True, When(None, None, local(3, 16))),
        ("i signed up for the race on 12 october", True, When(day(10, 12), None, local(10, 12))),
    ],
)  # fmt: skip
def test_days_are_those_of_who_speaks(text: str, is_planned: bool, wanted: When) -> None:
    assert when(text, SAID, is_planned) == wanted


@pytest.mark.parametrize(("hour", "minute"), [(0, 0), (0, 1), (9, 0), (23, 59)])
def test_a_day_named_on_that_day_is_today_at_any_hour(hour: int, minute: int) -> None:
    thursday = datetime(2026, 5, 21, hour, minute, tzinfo=LIMA)
    assert when("My exam is on 21 May.", thursday, True).happens_at == day(5, 21)
    assert when("We're off on the 21st.", thursday).happens_at == day(5, 21)
    assert when("The fee is 95 from 21 May.", thursday, True) == When(begins=local(5, 21))
    assert when("I must pay the rent by 21 May.", thursday, True).expires_at == local(5, 22)
    assert when("We got the keys on Thursday.", thursday, True) == When(day(5, 14), local(5, 14))


def test_a_feast_named_on_its_day_is_today() -> None:
    eve = datetime(2026, 12, 31, 9, tzinfo=LIMA)
    assert when("The party is on New Year's Eve.", eve, True).happens_at == day(12, 31)


def test_a_day_without_its_month_is_of_the_month_of_what_it_is_about() -> None:
    assert when("no, the 13th", SAID, True, date(2026, 6, 12)).happens_at == day(6, 13)


@pytest.mark.parametrize(
    ("text", "is_done"),
    [
        ("Just paid the plumber", True),
        ("the bank’s just texted me", True),
        ("they've just left the house", True),
        ("what if we just moved to the sea", False),
        ("i could have just asked", False),
        ("he was just bored", False),
        ("it's just a scratch", False),
        ("we had just learnt to swim", False),
        ("just come over", False),
        ("she paid the plumber", False),
    ],
)
def test_what_has_just_been_done_is_told_by_its_verb(text: str, is_done: bool) -> None:
    assert is_just_done(text) is is_done

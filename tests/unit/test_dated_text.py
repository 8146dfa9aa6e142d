"""Texts that have the dates of their times beside them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.ingest.dated_text import dated, place_in_dated, undated
from graph_memory.ingest.when import when
from graph_memory.language.times.resolver import resolve

BRUSSELS = ZoneInfo("Europe/Brussels")
SAID = datetime(2026, 5, 20, 18, 30, tzinfo=BRUSSELS)
PAST = ["on Monday", "last spring", "last month", "since yesterday", "half an hour ago", "two years ago"]
LATER = st.datetimes(timezones=st.just(BRUSSELS))
RELATIVE = [
    "on Monday", "until Friday", "in two weeks", "tomorrow at 9", "tonight", "this week",
    "from Monday to Wednesday", "a week from tomorrow", "by the end of the month", "next weekend",
    "early next month", "Friday the 13th",
]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The interview was yesterday.", "The interview was yesterday (19 May 2026)."),
        ("Ann will start on Monday.", "Ann will start on Monday (25 May 2026)."),
        ("Ann moved to Porto last spring.", "Ann moved to Porto last spring (March to May 2025)."),
        ("Tuesday's release went out.", "Tuesday's (19 May 2026) release went out."),
        ("The flat is free until Friday.", "The flat is free until Friday (22 May 2026)."),
        ("Ben rests this week.", "Ben rests this week (18 to 24 May 2026)."),
        ("We close from Friday to Monday.", "We close from Friday to Monday (22 to 25 May 2026)."),
        ("The call is tomorrow at 9.", "The call is tomorrow at 9 (21 May 2026, 09:00)."),
        ("Ann will sing on Friday the 5th.", "Ann will sing on Friday the 5th (5 June 2026)."),
        ("Ann will sing next Tuesday.", "Ann will sing next Tuesday (26 May 2026)."),
        ("It was wet all day yesterday.", "It was wet all day yesterday (19 May 2026)."),
        ("Bo has been away since two years.", "Bo has been away since two years (2024)."),
        ("Bo slept in and will call on Friday.", "Bo slept in and will call on Friday (22 May 2026)."),
        ("On Monday, Bo got great news.", "On Monday (18 May 2026), Bo got great news."),
        ("Bo went for a scan Monday.", "Bo went for a scan Monday (18 May 2026)."),
        ("Bo got married on Sunday.", "Bo got married on Sunday (17 May 2026)."),
        ("The first swim is in two weeks.", "The first swim is in two weeks (3 June 2026)."),
        ("Ann saw Dr. Ode on Monday and is fine.", "Ann saw Dr. Ode on Monday (18 May 2026) and is fine."),
    ],
)
def test_a_relative_time_has_its_date_beside_it(said: str, kept: str) -> None:
    assert dated(said, SAID) == kept


@pytest.mark.parametrize(
    "said",
    [
        "Ann's birthday is on 3 May.",
        "The exam is on 3 June 2026.",
        "The shop is closed over Christmas.",
        "Ben swims every Monday.",
        "Ben comes some day.",
        "We train Tuesday and Thursday, 6:30 in the morning. You will hate me.",
        "Training was moved to Tuesday and Thursday.",
        "The food was great, 10/10",
        "Ben wrote back within an hour.",
        "Nothing is said of times.",
        # A day of some month, or an hour of some day.
        "The plumber comes on the 8th.",
        "We are away from the 5th to the 20th.",
        "Ben pays until the 14th.",
        "Ann is home by 6:30 most days.",
        "The shop was shut from noon.",
        "Ben bakes from four in the morning.",
        # Not one weekday, or not surely the nearest.
        "Ann was born on a Monday.",
        "We walked on a rainy Sunday.",
        "Come for tea any Thursday.",
        "Bo has a free Saturday.",
        "Ann joined the Tuesday choir.",
        "Her aunt came on the Saturday.",
        "That made my Monday.",
        "Those Friday dinners kept us going.",
        "Ann taught Thursday evenings.",
        "The review will be next Friday.",
        "We swim in summer.",
        # How long it took, or how long it has been so.
        "That was the first holiday in two years.",
        "Ann has read it in one night.",
        "Ben wrote 40 letters in five days.",
        "Ann was at the desk all day.",
        "It rained for the last two weeks.",
        # Which day it was is told by another clause, or by what somebody would do.
        "We worked all night, exam on Friday.",
        "Ann said she would come on Friday.",
        "Can only come late, got a shift Sunday.",
    ],
)
def test_other_times_stay_as_they_are(said: str) -> None:
    assert dated(said, SAID) == said


def test_a_day_of_the_month_has_the_month_of_what_is_talked_of() -> None:
    about = datetime(2026, 7, 2, tzinfo=BRUSSELS).date()
    assert dated("Ann comes on the 8th.", SAID, about=about) == "Ann comes on the 8th (8 July 2026)."


def test_what_has_begun_did_so_before_it_was_said_whatever_day_the_talk_is_of() -> None:
    about = datetime(2025, 7, 3, tzinfo=BRUSSELS).date()
    assert dated("Ann comes since the 8th.", SAID, about=about) == "Ann comes since the 8th (8 May 2026)."


def test_an_answer_is_read_by_its_own_words() -> None:
    asked = 'Asked "What was on your list today?", Bo answered: '
    assert dated(f"{asked}Can fetch it Friday.", SAID, is_planned=True).endswith("Friday (22 May 2026).")
    assert dated(f"{asked}Nothing.", SAID) == f"{asked}Nothing."
    assert dated(f"{asked}Maybe in spring.", SAID) == f"{asked}Maybe in spring."


def test_a_plan_dates_no_day_back_that_was_not_surely_one() -> None:
    for said in ("Can only come late, got a shift Sunday.", "We can paint it, Bo has a free Saturday."):
        assert dated(said, SAID, is_planned=True) == said


def test_what_is_planned_lies_ahead() -> None:
    assert dated("Dinner with Ann on Thursday", SAID, is_planned=True).endswith("(21 May 2026)")


@given(st.sampled_from(RELATIVE), LATER)
def test_the_date_says_the_same_on_any_later_day(phrase: str, later: datetime) -> None:
    text = f"Ann will be in Porto {phrase}."
    kept, read_at = dated(text, SAID), later
    assert kept != text
    [told], [read] = resolve(text, SAID), resolve(kept, read_at)
    assert (told.means, told.start, told.end, told.precision) == (
        read.means,
        read.start,
        read.end,
        read.precision,
    )


@given(st.sampled_from(RELATIVE), LATER)
def test_a_date_is_set_once(phrase: str, later: datetime) -> None:
    kept = dated(f"Ann will be in Porto {phrase}.", SAID)
    assert dated(kept, later) == kept


@pytest.mark.parametrize("phrase", PAST)
def test_it_happens_when_its_date_says(phrase: str) -> None:
    text = f"Ann was in Porto {phrase}."
    assert when(dated(text, SAID), SAID) == when(text, SAID)


@pytest.mark.parametrize(
    ("text", "without", "part"),
    [
        ("Ann moves on Monday (1 June 2026) to Porto.", "Ann moves on Monday to Porto.", "Porto"),
        ("Ann moves on Monday (1 June 2026) to Porto.", "Ann moves on Monday to Porto.", "Monday"),
        (
            "This week (1 to 7 June 2026) at 9 it is Ann, from Monday (8 June 2026, 12:00) Ben (her boss).",
            "This week at 9 it is Ann, from Monday Ben (her boss).",
            "Ben (her boss)",
        ),
        ("Ann (born in 1984) moved last year (2025).", "Ann (born in 1984) moved last year.", "moved"),
        (
            "It is from 9 to 10 (3 May 2026, 09:00 to 3 May 2026, 10:00) there.",
            "It is from 9 to 10 there.",
            "there",
        ),
    ],
)
def test_what_stands_in_the_text_without_dates_is_found_in_the_text(
    text: str, without: str, part: str
) -> None:
    assert undated(text) == without
    at = without.index(part)
    start, end = place_in_dated(text, (at, at + len(part)))
    assert text[start:end] == part


def test_a_date_in_figures_is_no_weekday() -> None:
    text = "I will have a new 12.06.2026 start."
    assert dated(text, datetime(2026, 5, 8, 14, 30, tzinfo=UTC), is_planned=True) == text

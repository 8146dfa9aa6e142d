"""Which part of two texts is meant: a value goes where both readings of the linker put it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from graph_memory.ingest.linked_parts import clauses
from graph_memory.ingest.message_reading import stated
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.talk import KnownMemory, Told
from graph_memory.model.message import Message
from graph_memory.model.verdict import Action

MAY = datetime(2026, 5, 20, 9, tzinfo=UTC)


def told(said: str, known: str, speaker: str = "Ann", before: timedelta = timedelta(days=3)) -> list[Told]:
    at = MAY - before
    memory = KnownMemory("m", known, "Ann", at, at, "fact")
    return stated(Message(speaker, MAY, said), [], [memory], LinkerSettings(), ZoneInfo("UTC"))


def test_the_clauses_of_a_text() -> None:
    text = "Fabiola is 28 an hour and Gisèle 24, from 20 to 24."
    assert [text[slice(*each)].strip() for each in clauses(text)] == [
        "Fabiola is 28 an hour",
        "Gisèle 24",
        "from 20",
        "24.",
    ]
    assert clauses("1,450 or 17.99") == [(0, 14)]
    assert len(clauses("Ann and others pay 95")) == 1
    dated = "Malasadas are 2.25 from sunday (24 November 2024), sorry"
    assert [dated[slice(*each)].strip() for each in clauses(dated)] == [
        "Malasadas are 2.25 from sunday",
        "sorry",
    ]


@pytest.mark.parametrize(
    ("known", "said", "text"),
    [
        (
            "Ann takes 5 mg of warfarin and 20 mg of statin.",
            "statin is 40 now",
            "Ann takes 5 mg of warfarin and 40 mg of statin.",
        ),
        (
            "Room 12 costs 80 and room 14 costs 95.",
            "room 14 is 99 now",
            "Room 12 costs 80 and room 14 costs 99.",
        ),
    ],
)
def test_of_several_values_the_one_that_is_meant_changes(known: str, said: str, text: str) -> None:
    [one] = told(said, known)
    assert one.verdict is not None and one.verdict.action is Action.SUPERSEDE
    assert one.statement.text == text


@pytest.mark.parametrize(
    ("known", "said", "speaker", "why"),
    [
        (
            "Ann pays 9.99 for Netflix and 5 for Spotify.",
            "spotify is 6 now",
            "Ann",
            "which of its values changes is not certain",
        ),
        (
            "Ann plays the cello.",
            "I gave up the cello",
            "Ben",
            "Ben speaks of themselves, and it is about Ann",
        ),
    ],
)
def test_where_another_may_be_meant_a_person_is_asked(known: str, said: str, speaker: str, why: str) -> None:
    one = next(each for each in told(said, known, speaker) if each.verdict)
    assert one.verdict is not None
    assert (one.verdict.abstained, one.verdict.proposal) == (True, Action.SUPERSEDE)
    assert (one.verdict.held_back, one.verdict.text) == (why, None)


def test_what_a_message_tells_beside_is_kept() -> None:
    first, second = told("Correction: 88 mg. I was born in 1988 in Lyon.", "Ann takes 100 mg in the morning.")
    assert first.statement.text == "Ann takes 88 mg in the morning."
    assert second.statement.text == "Ann was born in 1988 in Lyon."


def test_what_leans_on_the_part_that_is_meant_stays_with_it() -> None:
    before = [
        KnownMemory("m", "Ann wants to run the Pasadena half.", "Ann", MAY - timedelta(days=90), MAY, "plan")
    ]
    message = Message("Ann", MAY, "sooo i ran the pasadena half. the sunday before last")
    found = stated(message, [], before, LinkerSettings(), ZoneInfo("UTC"))
    assert any("the sunday before last" in each.statement.text.lower() for each in found)


def test_a_long_message_is_read_to_its_end() -> None:
    """Its first 72 tokens are nothing but a request."""
    said = (
        "Could you help me write a polite email to my landlord? It should be friendly but firm, not too long, in "
        "British English, and it should mention that the heating has been broken, that we called twice and nobody "
        "came, and that we would like somebody to have a look at it as soon as possible, please. For context: I live "
        "at 12 Hill Street with my wife Eva, and I have asthma."
    )
    found = told(said, "Ann's manager is Tom.")
    assert any("asthma" in each.statement.text for each in found)
    plain = (
        "The garden has roses along the wall and a pond with four fish in it. The kitchen was painted green by my "
        "uncle Peter in 2019. The roof is made of slate from Wales and it is quite old. The stairs have fourteen "
        "steps and creak at night. The cellar holds two hundred bottles of wine from Lyon. "
        "My manager is now Eva, no longer Tom."
    )
    found = told(plain, "Ann's manager is Tom.")
    assert any(each.statement.text == "Ann's manager is Eva." for each in found)


def test_what_is_today_can_still_be_cancelled() -> None:
    day = datetime(2026, 5, 20, tzinfo=UTC)
    known = KnownMemory("m", "The plumber comes today (20 May 2026).", "Ann", day, day, "event", day)
    assert not known.is_past_event(MAY)
    assert known.is_past_event(MAY + timedelta(days=1))
    assert KnownMemory("m", "Lunch.", "Ann", day, day, "event", MAY).is_past_event(MAY)


def test_what_is_decided_ahead_holds_from_then_on() -> None:
    [one] = told("rent is 700 from next month", "The rent is 640 euros a month.")
    assert one.valid_from == datetime(2026, 6, 1, tzinfo=UTC)

"""Which new statements of a message are kept, by what they tell somebody who reads them alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph_memory.ingest.keeping import kept
from graph_memory.ingest.rules import MAX_LENGTH, Statement
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.talk import Told
from graph_memory.model.verdict import Action, Verdict

SAID = datetime(2026, 5, 20, 18, tzinfo=UTC)
PLAYS = "Ann plays the clarinet!"
# It leaves open what was started, and still tells something.
SINCE = "Started when Ann was young and it's been great."
EMPTY = "Thanks so much, that means the world."


def stated(text: str, **more: object) -> Told:
    return Told(replace(Statement(text, "Ann", SAID, None, "fact", "m1"), **more))  # type: ignore[arg-type]


def texts(*told: Told, states_surely: bool = False, worth: float = 0.2) -> list[str]:
    settings = LinkerSettings(worth=worth)
    return [each.statement.text for each in kept(told, states_surely, settings)]


def test_what_tells_nothing_is_left_out() -> None:
    assert texts(stated(PLAYS), stated(EMPTY)) == [PLAYS]
    assert texts(stated(EMPTY), worth=0) == [EMPTY]


def test_of_a_message_that_surely_states_something_what_tells_most_is_kept() -> None:
    glasses = stated("271, with glasses")
    assert texts(glasses, states_surely=True) == ["271, with glasses"]
    assert texts(glasses) == []
    assert texts(stated(PLAYS), stated(EMPTY), states_surely=True) == [PLAYS]
    [most] = texts(glasses, stated(EMPTY), states_surely=True)
    assert texts(stated(EMPTY), glasses, states_surely=True) == [most]
    assert texts(glasses, stated(EMPTY)) == []


def test_what_leaves_a_part_open_stays_with_what_was_said_before_it() -> None:
    assert texts(stated(PLAYS), stated(SINCE)) == [f"{PLAYS} {SINCE}"]


def test_what_stands_for_itself_stays_apart() -> None:
    alone = ["Ann moved to Lyon in May.", "Ben sold the boat to his cousin Marek."]
    assert texts(*map(stated, alone)) == alone


def test_two_that_are_about_a_time_stay_apart() -> None:
    timed = [stated(each, happens_at=SAID) for each in (PLAYS, SINCE)]
    assert texts(*timed) == [PLAYS, SINCE]


@pytest.mark.parametrize("place", [0, 1])
def test_the_time_of_either_is_that_of_both(place: int) -> None:
    told = [stated(PLAYS), stated(SINCE)]
    told[place] = stated(told[place].statement.text, happens_at=SAID)
    [both] = kept(told, False, LinkerSettings())
    assert both.statement.happens_at == SAID


def test_what_is_about_a_known_memory_is_kept_as_it_is() -> None:
    verdict = Verdict("1", Action.COEXIST, 1.0, "It adds to it.")
    linked = replace(stated(SINCE), verdict=verdict)
    assert texts(stated(PLAYS), linked) == [PLAYS, SINCE]
    assert texts(replace(stated(EMPTY), verdict=verdict)) == [EMPTY]


def test_both_are_no_longer_than_a_memory_of_a_message_may_be() -> None:
    long = f"Ann plays the clarinet, the {'bass ' * (MAX_LENGTH // 5 - 10)} clarinet!"
    assert SINCE in texts(stated(long), stated(SINCE))


def test_what_is_not_english_is_kept() -> None:
    assert texts(stated("Vielen Dank, das bedeutet mir sehr viel.")) == [
        "Vielen Dank, das bedeutet mir sehr viel."
    ]

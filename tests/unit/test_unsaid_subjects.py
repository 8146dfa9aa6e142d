from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.ingest.rules import extract
from graph_memory.language import unsaid_subjects
from graph_memory.language.unsaid_subjects import About, with_i
from graph_memory.model.message import Message

SAID = datetime(2026, 5, 8, 14, 30, tzinfo=UTC)


def kept(text: str, *before: tuple[str, str]) -> list[str]:
    previous = [Message(speaker, SAID - timedelta(minutes=1), said) for speaker, said in before]
    return [each.text for each in extract(Message("Jo", SAID, text), previous)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Sold the piano.", "Jo sold the piano."),
        ("Sold my piano.", "Jo sold their piano."),
        ("Just got back from Crete.", "Jo just got back from Crete."),
        ("Got a job with the harbour office.", "Jo got a job with the harbour office."),
        ("Finally handed in the thesis.", "Jo finally handed in the thesis."),
        ("Can't be there on Friday.", "Jo can't be there on Friday."),
        ("Can't find my keys.", "Jo can't find their keys."),
        ("Thinking of moving to Derry.", "Jo is thinking of moving to Derry."),
        ("Been learning the cello.", "Jo has been learning the cello."),
        ("Haven't slept since Monday.", "Jo hasn't slept since Monday."),
        ("Didn't get the flat.", "Jo didn't get the flat."),
        ("Yeah, started a pottery class.", "Jo started a pottery class."),
    ],
)
def test_the_speaker_is_who_a_sentence_without_a_subject_is_about(said: str, told: str) -> None:
    assert kept(said) == [told]


@pytest.mark.parametrize(
    "said",
    [
        "Save me two seats.",
        "Have fun at the lake.",
        "Put the kettle on.",
        "Don't forget the candles.",
        "Taught me to swim.",
        "Took two hours to get home.",
        "Turns out they were closed.",
        "Worked like a charm.",
        "Laid off on Friday.",
        "Looked really tired.",
        "Could be worse.",
        "Might rain tomorrow.",
        "Couldn't happen to a better person.",
        "Raining in Oslo.",
        "Oven door's on.",
        "Broken arm and two ribs.",
        "Sold the van?",
    ],
)
def test_what_may_be_an_order_or_of_something_else_stays(said: str) -> None:
    assert (found := with_i(said)) is None or not found.is_sure


def test_what_follows_a_sentence_about_somebody_else_stays() -> None:
    assert kept("My sister rang from Perth. Sold the piano.")[0].endswith("Sold the piano.")
    assert kept("I quit the bank in March. Sold the piano.") == [
        "Jo quit the bank in March.",
        "Jo sold the piano.",
    ]
    assert kept("I met Maria at noon. Sold the piano.")[0].endswith("Sold the piano.")


def test_an_answer_to_what_somebody_else_did_stays() -> None:
    said = "Sold the piano and the harp to a school in Perth."
    assert kept(said, ("Ann", "What did Tom do?")) == [said]
    assert kept(said, ("Ann", "What did you do?")) == ["Jo sold the piano and the harp to a school in Perth."]


def test_what_is_too_long_for_a_sentence_is_not_read() -> None:
    assert with_i("Sold the piano, " * 100) is None
    assert not unsaid_subjects.asks_of_you("Did you swim, " * 100)
    assert unsaid_subjects.about("I swam. " * 100) is About.OTHERS


def test_a_long_text_is_no_message_that_leaves_its_subjects_out() -> None:
    assert all(each.startswith("Sold") for each in kept("Sold the piano to a school. " * 40))


def test_what_the_parser_gives_two_subjects_is_left_as_it_is() -> None:
    assert with_i("*64, missed the last truck's docket") is None

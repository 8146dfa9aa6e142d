"""What a known memory tells beside the sentence that is replaced."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from graph_memory.ingest.message_reading import stated
from graph_memory.ingest.other_facts import others, with_others
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.talk import KnownMemory
from graph_memory.language.sentences import places
from graph_memory.model.message import Message

HOUSE = "Service charge remains 6,500. Um. Gate code is 4471, do not share"


def test_each_sentence_has_its_place() -> None:
    assert [HOUSE[slice(*each)] for each in places(HOUSE)] == [
        "Service charge remains 6,500.",
        "Um.",
        "Gate code is 4471, do not share",
    ]
    assert places("No. No.") == [(0, 3), (4, 7)]


@pytest.mark.parametrize(
    ("text", "place", "whole"),
    [
        ("Gate code is 9026", 2, "Service charge remains 6,500. Gate code is 9026"),
        ("Service charge is 7,000", 0, "Service charge is 7,000. Gate code is 4471, do not share"),
    ],
)
def test_what_else_tells_anything_stays_in_its_place(text: str, place: int, whole: str) -> None:
    assert with_others(text, HOUSE, places(HOUSE)[place], lambda each: len(each) > 3) == whole


def test_the_others_end_as_sentences_do() -> None:
    assert others(HOUSE, places(HOUSE)[0], lambda each: len(each) > 3) == "Gate code is 4471, do not share."
    assert others(HOUSE, (0, len(HOUSE)), lambda _: True) == ""


def test_the_whole_known_text_leaves_nothing_beside_it() -> None:
    assert with_others("All is new.", HOUSE, (0, len(HOUSE)), lambda _: True) == "All is new."


def test_a_change_of_one_fact_leaves_the_others_of_the_memory() -> None:
    at = datetime(2025, 9, 8, 9, tzinfo=UTC)
    known = KnownMemory(
        "m",
        "The service charge of the block is 6,500. The gate code of the block is 4471.",
        "Wanjiru",
        at,
        at,
        "fact",
    )
    message = Message("Wanjiru", at.replace(day=20), "The gate code of the block is 9026 now.", role="user")
    made, rest = stated(message, [], [known], LinkerSettings(), ZoneInfo("UTC"))
    assert made.verdict is not None
    assert made.statement.text == "The gate code of the block is 9026."
    assert (rest.statement.text, rest.verdict) == ("The service charge of the block is 6,500.", None)
    assert (rest.statement.speaker, rest.valid_from) == ("Wanjiru", known.valid_from)

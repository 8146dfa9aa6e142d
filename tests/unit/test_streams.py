"""The chat streams that the linker learns from."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from graph_memory.bench.chat_questions import QUESTIONS
from graph_memory.judge.training.streams import Stream, parse, read

FOLDER = Path(__file__).parents[1] / "data" / "streams"
# Hands whose chats are short.
SHORT = ("h38", "h39", "h40", "h41")
MESSAGE = "== s | Europe/Lisbon | a flat\n2025-03-02 19:05 Ana: moving to porto\n"


@pytest.fixture(scope="module")
def streams() -> list[Stream]:
    return read(FOLDER)


def test_every_stream_is_read_and_has_a_name_of_its_own(streams: list[Stream]) -> None:
    assert max(Counter(stream.name for stream in streams).values()) == 1
    assert {stream.name for stream in streams if not 25 <= len(stream.lines) <= 45} == {
        stream.name for stream in streams if stream.name[:3] in SHORT
    }


def test_most_changes_do_not_name_what_they_change(streams: list[Stream]) -> None:
    """Of the first word of a slot with four letters or more, which the message would name."""
    changes = [
        (line.text.lower(), said.slot.lower())
        for stream in streams
        for line in stream.lines
        for said in line.said
        if said.outcome in ("changes", "corrects", "ends")
    ]
    unnamed = [not any(word in text for word in slot.split() if len(word) > 3) for text, slot in changes]
    assert sum(unnamed) / len(unnamed) > 0.5


def test_what_is_linked_is_far_back_as_well(streams: list[Stream]) -> None:
    distances = [
        number - said.link[0]
        for stream in streams
        for number, line in enumerate(stream.lines, 1)
        for said in line.said
        if said.link is not None
    ]
    assert sum(distance >= 10 for distance in distances) / len(distances) > 0.2


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("2025-03-02 19:05 Ana: hi\n  - chatter\n", "head"),
        (MESSAGE + "  + changes planned | Ana's home | porto | | Ana moves to Porto.\n", "about"),
        (MESSAGE + "  + new planned | Ana's home | lisbon | | Ana moves to Porto.\n", "letter for letter"),
        (MESSAGE + "  + new planned | Ana's home | porto | moving = soon | Ana moves.\n", "a time is"),
        (MESSAGE + "  + adds planned >1 | Ana's home | porto | | Ana moves.\n", "no statement"),
        (MESSAGE, "no annotation"),
        (MESSAGE + "  - forgets\n", "forgets >N"),
        (MESSAGE + "  - forgets >1\n", "no statement"),
        (MESSAGE + "  - chatter >1\n", "forgets >N"),
        (MESSAGE.replace("Lisbon", "Nowhere"), "zone"),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        list(parse(text, "a.txt"))


def test_an_order_to_forget_names_the_statement(streams: list[Stream]) -> None:
    orders = [(stream, line) for stream in streams for line in stream.lines if line.forgets]
    assert len(orders) >= 40
    assert all(stream.lines[line.forgets[0] - 1].said for stream, line in orders if line.forgets)


def test_questions_name_chats_and_messages_that_there_are(streams: list[Stream]) -> None:
    sizes = {stream.name: len(stream.lines) for stream in streams}
    asked = [json.loads(line) for line in (FOLDER / QUESTIONS).read_text("utf-8").splitlines()]
    assert {each["kind"] for each in asked} == {"current", "past", "fact", "none"}
    for each in asked:
        assert all(1 <= place <= sizes[each["stream"]] for place in (*each["answers"], *each["outdated"]))
        assert bool(each["answers"]) is (each["kind"] != "none")

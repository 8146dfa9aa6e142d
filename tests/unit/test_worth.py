"""What a sentence of a chat tells somebody who reads it alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph_memory.base.errors import Invalid
from graph_memory.bench.worth_quality import bench_worth
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.judge.worth import opened

CHATS = Path(__file__).parents[1] / "data" / "chats"
# None of these stands in the chats that the model has learnt from.
TELLING = [
    "Ruta's mother teaches chemistry at a school in Kaunas.",
    "Oskar sold the boat in March.",
    "Bea is allergic to penicillin.",
    "Dmitri prefers trains to planes.",
    "The board moved the launch to 14 June 2027.",
]
EMPTY = [
    "Thank you so much, that means the world.",
    "That must have been such a hard day.",
    "You are doing an amazing job, keep it up!",
    "It really shows what matters in life.",
    "Can't wait to hear all about it!",
]


@pytest.mark.parametrize(
    ("sentence", "tells"), [*((each, True) for each in TELLING), *((each, False) for each in EMPTY)]
)
def test_praise_and_thanks_tell_nothing_and_facts_do(sentence: str, tells: bool) -> None:
    found = opened().read(sentence)
    assert (found.tells >= LinkerSettings().worth) is tells
    assert 0 <= found.complete <= 1


def test_on_a_hand_that_was_not_learnt_from_little_junk_is_kept_and_most_of_what_is_good() -> None:
    found = bench_worth(CHATS, ["w5"], LinkerSettings())
    assert found["kept_of_good"] >= 0.93
    assert found["kept_of_junk"] <= 0.25


def test_graded_chats_that_break_the_format_are_told(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="no graded memories"):
        bench_worth(tmp_path, [], LinkerSettings())
    for wrong in ("[]", "{}", "nonsense", json.dumps({"memories": [{"text": "a", "grade": 3}]})):
        (tmp_path / "a.jsonl").write_text(wrong, "utf-8")
        with pytest.raises(Invalid, match="cannot be read"):
            bench_worth(tmp_path, [], LinkerSettings())

"""What answers a question, as the small model reads it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from graph_memory.judge.answering import KEPT, KEPT_FOR, AnswerModel, opened

DATA = Path(__file__).parents[1] / "data"
TALK = DATA / "talks" / "h.json"
DECOYS = [DATA / "answers" / name for name in ("d.jsonl", "f.jsonl")]
# None of these stands in the conversations that the model has learnt from.
STATEMENTS = [
    "Ruta's mother teaches chemistry at a school in Kaunas.",
    "Oskar sold the boat to a fisherman in March.",
    "Bea is allergic to penicillin.",
    "Dmitri: We had a lovely evening, and the boat was full of people!",
    "Oskar: What did your mother say about the school?",
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does Ruta's mother do for a living?", 0),
        ("Who bought Oskar's boat?", 1),
        ("Which medicine must Bea avoid?", 2),
        ("penicillin", 2),
    ],
)
def test_what_answers_stands_out(question: str, answer: int) -> None:
    found = opened().read(question, STATEMENTS)
    assert max(range(len(found)), key=found.__getitem__) == answer


def test_in_a_conversation_that_was_not_learnt_from_the_answer_is_mostly_first_of_its_sitting() -> None:
    record = json.loads(TALK.read_text("utf-8"))
    sittings = {name: turns for name, turns in record["conversation"].items() if isinstance(turns, list)}
    asked = [item for item in record["qa"] if item["category"] == 4][:40]
    firsts = 0
    for item in asked:
        session, _, place = item["evidence"][0].removeprefix("D").partition(":")
        turns = sittings[f"session_{session}"]
        found = opened().read(item["question"], [f"{turn['speaker']}: {turn['text']}" for turn in turns])
        firsts += found.index(max(found)) == int(place) - 1
    assert firsts >= 0.6 * len(asked)


def test_long_texts_are_read_from_their_beginning_alone() -> None:
    [short, long] = opened().read("Who has a dog?", ["Ann has a dog. " * 40, "Ann has a dog. " * 4_000])
    assert short == pytest.approx(long)


@pytest.mark.parametrize("file", DECOYS, ids=lambda file: file.stem)
def test_among_decoys_that_it_has_not_learnt_from_an_answer_is_mostly_first(file: Path) -> None:
    asked = [json.loads(line) for line in file.read_text("utf-8").splitlines()][:60]
    firsts = 0
    for each in asked:
        found = opened().read(each["question"], [*each["answers"], *each["others"]])
        firsts += found.index(max(found)) < len(each["answers"])
    assert firsts >= 0.5 * len(asked)


def test_what_was_read_before_is_read_in_the_same_way_and_for_a_while_alone() -> None:
    model = AnswerModel()
    first = model.read("Who bought Oskar's boat?", STATEMENTS)
    assert model.read("Who bought Oskar's boat?", STATEMENTS[::-1]) == first[::-1]
    assert model._kept.maxsize == KEPT
    now = time.monotonic()
    assert len(model._kept) == len(STATEMENTS)
    model._kept.expire(now + KEPT_FOR + 60)
    assert len(model._kept) == 0

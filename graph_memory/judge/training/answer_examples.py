"""Invented questions with the statements that hold their answers: about the conversations of `tests/data/talks`, in LoCoMo's
format, about the chats of `tests/data/chats`, and among decoys, in `tests/data/answers`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TALKS, CHATS, ANSWERS = "talks", "chats", "answers"
FILES = (f"{TALKS}/*.json", f"{CHATS}/questions/*.jsonl", f"{ANSWERS}/*.jsonl")


@dataclass(frozen=True)
class Said:
    """A message as it is read, with its speaker; the memories that were made of it, if any; and the chat it belongs to."""

    text: str
    told: str
    chat: str


@dataclass(frozen=True)
class Asked:
    """A question, and the places in `pool` of what holds the answer, never empty. `chat` is what it is about, `source` the folder
    and file that it is from."""

    source: str
    chat: str
    question: str
    pool: tuple[Said, ...]
    answers: tuple[int, ...]

    @property
    def is_among_decoys(self) -> bool:
        """Whether all that does not answer was written to mislead."""
        return self.source.startswith(ANSWERS)


def read(folder: Path) -> list[Asked]:
    """All questions of a folder, in the order of its files. Raises KeyError for a message that there is not."""
    ways = zip(FILES, (_of_talk, _of_chats, _among), strict=True)
    return [each for files, asked in ways for file in sorted(folder.glob(files)) for each in asked(file)]


def _of_talk(file: Path) -> Iterator[Asked]:
    record = json.loads(file.read_text("utf-8"))
    turns = [turn for value in record["conversation"].values() if isinstance(value, list) for turn in value]
    pool = tuple(Said(f"{turn['speaker']}: {turn['text']}", "", file.stem) for turn in turns)
    places = {turn["dia_id"]: place for place, turn in enumerate(turns)}
    for item in record["qa"]:
        found = tuple(places[ref] for ref in item["evidence"])
        yield Asked(f"{TALKS}/{file.stem}", file.stem, item["question"], pool, found)


def _of_chats(file: Path) -> Iterator[Asked]:
    pool: list[Said] = []
    places: dict[tuple[str, int], int] = {}
    counts: dict[str, int] = {}
    for row in _lines(file.parents[1] / file.name):
        chat = row["chat"]
        counts[chat] = counts.get(chat, 0) + 1
        places[chat, counts[chat]] = len(pool)
        told = " ".join(memory["text"] for memory in row["memories"])
        pool.append(Said(f"{row['speaker']}: {row['text']}", told, chat))
    whole = tuple(pool)
    for row in _lines(file):
        found = tuple(places[row["chat"], number] for number in row["evidence"])
        yield Asked(f"{CHATS}/{file.stem}", row["chat"], row["question"], whole, found)


def _among(file: Path) -> Iterator[Asked]:
    """Each question has its own statements, so nobody else's answers it."""
    for number, row in enumerate(_lines(file)):
        pool = tuple(Said(text, "", str(number)) for text in [*row["answers"], *row["others"]])
        yield Asked(
            f"{ANSWERS}/{file.stem}", str(number), row["question"], pool, tuple(range(len(row["answers"])))
        )


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, file.read_text("utf-8").splitlines())

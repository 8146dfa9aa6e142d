"""Questions about invented conversations with the messages that hold their answers: those of `tests/data/talks`, in LoCoMo's
format, and those about the chats of `tests/data/chats`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TALKS, CHATS = "talks", "chats"


@dataclass(frozen=True)
class Said:
    """A message as it is read, with its speaker; the memories that were made of it, if any; and the chat it belongs to."""

    text: str
    told: str
    chat: str


@dataclass(frozen=True)
class Asked:
    """A question, and the places in `pool` of the messages that hold the answer, never empty. `chat` is what it is about."""

    source: str
    chat: str
    question: str
    pool: tuple[Said, ...]
    answers: tuple[int, ...]


def read(folder: Path) -> list[Asked]:
    """All questions of a folder, in the order of its files. Raises KeyError for a message that there is not."""
    talks = [each for file in sorted((folder / TALKS).glob("*.json")) for each in _of_talk(file)]
    chats = [
        each for file in sorted((folder / CHATS / "questions").glob("*.jsonl")) for each in _of_chats(file)
    ]
    return [*talks, *chats]


def _of_talk(file: Path) -> Iterator[Asked]:
    record = json.loads(file.read_text("utf-8"))
    turns = [turn for value in record["conversation"].values() if isinstance(value, list) for turn in value]
    pool = tuple(Said(f"{turn['speaker']}: {turn['text']}", "", file.stem) for turn in turns)
    places = {turn["dia_id"]: place for place, turn in enumerate(turns)}
    for item in record["qa"]:
        found = tuple(places[ref] for ref in item["evidence"])
        yield Asked(file.stem, file.stem, item["question"], pool, found)


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
    for row in _lines(file):
        found = tuple(places[row["chat"], number] for number in row["evidence"])
        yield Asked(file.stem, row["chat"], row["question"], tuple(pool), found)


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, file.read_text("utf-8").splitlines())

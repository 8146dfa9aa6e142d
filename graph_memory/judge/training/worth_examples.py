"""Sentences of chats with what readers thought them worth, and messages that ask to forget something or do not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from graph_memory.judge.training.streams import read as read_streams

# What a grade says: nothing that anybody would look for; something, but with a part left open; all that one needs.
GRADES = (0, 1, 2)


@dataclass(frozen=True)
class Graded:
    """A memory that was made of a message, and its grade. `hand` is who wrote the chat."""

    hand: str
    text: str
    grade: int


@dataclass(frozen=True)
class Asked:
    """What somebody said, and whether it is an order to forget. `hand` is who wrote it."""

    hand: str
    text: str
    is_order: bool


def read_orders(folder: Path) -> list[Asked]:
    """All that is told of orders in a folder: in the files of its `orders`, and in the messages of its `streams`."""
    written = [
        Asked(file.stem, line["text"], line["forget"])
        for file in sorted((folder / "orders").glob("*.jsonl"))
        for line in map(json.loads, file.read_text("utf-8").splitlines())
    ]
    return written + [
        Asked(stream.name[:3], line.text, bool(line.forgets))
        for stream in read_streams(folder / "streams")
        for line in stream.lines
    ]


def read(folder: Path) -> list[Graded]:
    """All graded memories of a folder of chats, in the order of its files. Raises ValueError for a grade there is not."""
    found = [
        Graded(file.stem, memory["text"], memory["grade"])
        for file in sorted(folder.glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
        for memory in json.loads(line)["memories"]
    ]
    for each in found:
        if each.grade not in GRADES:
            raise ValueError(f"{each.hand}: {each.grade!r} is no grade.")
    return found

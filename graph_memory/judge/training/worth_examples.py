"""Sentences of chats with what readers thought them worth, from the files of `tests/data/chats`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

# What a grade says: nothing that anybody would look for; something, but with a part left open; all that one needs.
GRADES = (0, 1, 2)


@dataclass(frozen=True)
class Graded:
    """A memory that was made of a message, and its grade. `hand` is who wrote the chat."""

    hand: str
    text: str
    grade: int


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

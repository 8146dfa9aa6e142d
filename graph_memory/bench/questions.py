"""The questions of a LoCoMo file, with the turns that hold their answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph_memory.ingest.conversation_file import Conversation

_REF = re.compile(r"D\d+:\d+")


@dataclass(frozen=True)
class Question:
    """What is asked, its category (1 to 5), and the ids of the turns that answer it, never empty."""

    text: str
    category: int
    evidence: tuple[str, ...]


def questions(path: Path, conversations: list[Conversation]) -> list[list[Question]]:
    """For each conversation of the file its questions whose evidence lies in it."""
    records = json.loads(path.read_text("utf-8"))
    records = [records] if isinstance(records, Mapping) else records
    return [_of(record, conversation) for record, conversation in zip(records, conversations, strict=True)]


def _of(record: Mapping[str, Any], conversation: Conversation) -> list[Question]:
    turns = {message.ref for message in conversation.messages}
    found = []
    for item in record.get("qa", ()):
        evidence = dict.fromkeys(
            ref for ref in _REF.findall(" ".join(map(str, item.get("evidence", ())))) if ref in turns
        )
        if evidence:
            found.append(Question(item["question"], int(item["category"]), tuple(evidence)))
    return found

"""The sample conversation that comes with the package, and the tour through it.

Mara and Theo, 10 January to 30 June 2026: facts that change, plans that fail, two people called Dana.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from graph_memory.ingest.conversation_file import Conversation, read

CONVERSATION = Path(__file__).parent / "conversation.jsonl"
# Words for times, and what each comes to.
PHRASES = Path(__file__).parent / "phrases.json"
_ASKED = Path(__file__).parent / "questions.json"
_TOUR = Path(__file__).parent / "tour.json"


@dataclass(frozen=True)
class Supersession:
    """A fact that changed: the refs of the messages that state the old and the new, and why it changed."""

    old: str
    new: str
    reason: str


@dataclass(frozen=True)
class Question:
    """A question, and the ref of the message that answers it."""

    question: str
    ref: str


@dataclass(frozen=True)
class Asked:
    """A natural question, and the refs of the messages that answer it; none when the conversation holds no answer."""

    question: str
    refs: tuple[str, ...]


@dataclass(frozen=True)
class Past:
    """A question for a day that is past."""

    question: str
    at: datetime


@dataclass(frozen=True)
class Pack:
    """What a pack is made for, and how many tokens it may take."""

    query: str
    budget: int


@dataclass(frozen=True)
class Tour:
    """What the demonstration does with the sample once it is imported."""

    supersessions: tuple[Supersession, ...]
    questions: tuple[Question, ...]
    past: Past
    # Questions for a time, which a memory proves.
    times: tuple[str, ...]
    pack: Pack


@cache
def conversation() -> Conversation:
    """The sample conversation."""
    return read(CONVERSATION)[0]


@cache
def tour() -> Tour:
    """The tour through the sample conversation."""
    held = json.loads(_TOUR.read_text("utf-8"))
    return Tour(
        tuple(Supersession(**given) for given in held["supersessions"]),
        tuple(Question(**given) for given in held["questions"]),
        Past(held["past"]["question"], datetime.fromisoformat(held["past"]["at"])),
        tuple(held["times"]),
        Pack(**held["pack"]),
    )


@cache
def asked() -> tuple[Asked, ...]:
    """Questions over the sample conversation, written without looking at what is found."""
    return tuple(
        Asked(given["question"], tuple(given["refs"])) for given in json.loads(_ASKED.read_text("utf-8"))
    )

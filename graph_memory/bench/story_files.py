"""Life stories: what people said over months, and what is checked afterwards. Read from a file, and cut into sessions.

A file is `{"stories": [{"id", "title", "timezone", "messages": [{"at", "speaker", "role", "text"}], "checks": [...]}]}`
with local times that grow. A check has a type, what that type needs, and Python's regular expressions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from graph_memory.base.errors import Invalid
from graph_memory.bench.wording import pattern
from graph_memory.ingest import json_lines
from graph_memory.ingest.conversation_file import MAX_MESSAGE
from graph_memory.ingest.faults import Faults
from graph_memory.model.message import Message

Check = Mapping[str, Any]

# A longer silence begins a new session.
GAP = timedelta(hours=3)
# What a check of each type must have.
TYPES: Mapping[str, tuple[str, ...]] = {
    "current": ("question", "want", "not"),
    "as_of": ("on", "question", "want", "not"),
    "history": ("question", "ordered"),
    "date": ("question", "which", "day"),
    "distinct": ("question_a", "a", "question_b", "b"),
    "duplicate": ("question", "which"),
    "conflict": ("question", "a", "b"),
    "cause": ("question", "cause", "effect"),
    "absent": ("question", "which"),
    "forget": ("topic", "question", "probe", "which"),
}
_PATTERNS = ("want", "not", "ordered", "which", "a", "b", "about_a", "about_b", "cause", "effect")
_ASSISTANT = "Assistant"


@dataclass(frozen=True)
class Story:
    """What was said, by time, in the time zone of the one who tells it, and what is checked."""

    id: str
    title: str
    zone: ZoneInfo
    sessions: tuple[tuple[Message, ...], ...]
    checks: tuple[Check, ...]

    @property
    def size(self) -> int:
        """How many messages it has."""
        return sum(map(len, self.sessions))


def read(path: Path, only: Collection[str] = ()) -> list[Story]:
    """The stories of a file, or those with one of the ids. Raises Invalid, naming every fault."""
    try:
        told = json.loads(path.read_text("utf-8"))["stories"]
        chosen = [each for each in told if not only or each["id"] in only]
        faults = [f"{each['id']}: {fault}" for each in chosen for fault in _faults(each)]
        stories = [] if faults else [story_of(each) for each in chosen]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise Invalid(
            f"{path} does not hold stories ({type(error).__name__}: {error}).", path="data"
        ) from error
    if faults:
        raise Invalid(f"{path} has faults: " + "; ".join(faults), path="data")
    if not stories:
        raise Invalid(f"{path} has no such story.", path="only")
    return stories


def story_of(told: Mapping[str, Any]) -> Story:
    """A story from the record that a file holds of it."""
    zone = ZoneInfo(told["timezone"])
    sessions = tuple(_sessions(_messages(told, zone)))
    return Story(told["id"], told["title"], zone, sessions, tuple(told["checks"]))


def _messages(told: Mapping[str, Any], zone: ZoneInfo) -> Sequence[Message]:
    """The messages by the rules for all that comes in, each named by its place."""
    faults = Faults()
    lines = [json.dumps(_line(place, each, zone)) for place, each in enumerate(told["messages"])]
    found = json_lines.parse("\n".join(lines), told["id"], MAX_MESSAGE, faults).messages
    if faults.found:
        raise ValueError("; ".join(f"message {line - 1}: {fault}" for line, fault in faults.found))
    return found


def _line(place: int, told: Mapping[str, Any], zone: ZoneInfo) -> dict[str, str]:
    at = datetime.fromisoformat(told["at"]).replace(tzinfo=zone)
    line = {"speaker": told["speaker"], "at": at.isoformat(), "text": told["text"], "ref": f"m{place}"}
    is_assistant = told.get("role", "user") != "user" or told["speaker"] == _ASSISTANT
    return line | ({"role": "assistant"} if is_assistant else {})


def _sessions(messages: Sequence[Message]) -> Iterator[tuple[Message, ...]]:
    begins = [
        place
        for place, message in enumerate(messages)
        if place == 0 or message.at - messages[place - 1].at >= GAP
    ]
    for begin, end in zip(begins, [*begins[1:], len(messages)], strict=True):
        yield tuple(messages[begin:end])


def _faults(told: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a story's form."""
    times = [each["at"] for each in told["messages"]]
    if times != sorted(set(times)):
        yield "the messages' times do not grow"
    try:
        ZoneInfo(told["timezone"])
    except ZoneInfoNotFoundError:
        yield f"there is no time zone {told['timezone']}"
    for number, check in enumerate(told["checks"]):
        yield from (f"check {number} {fault}" for fault in _faults_of_check(check))


def _faults_of_check(check: Check) -> Iterator[str]:
    if check.get("type") not in TYPES:
        yield "has no known type"
        return
    if lacking := [key for key in TYPES[check["type"]] if key not in check]:
        yield f"lacks {', '.join(lacking)}"
    given = [check[key] for key in _PATTERNS if key in check]
    for source in (source for each in given for source in ([each] if isinstance(each, str) else each)):
        try:
            pattern(source)
        except re.error as error:
            yield f"has {source!r}: {error}"

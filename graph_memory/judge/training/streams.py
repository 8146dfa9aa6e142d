"""Chat streams with what a careful reader would keep of them: read from the files of `tests/data/streams`.

The format stands in the README beside the files. A stream that breaks it is refused with the file and the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

OUTCOMES = ("new", "repeats", "adds", "changes", "corrects", "ends", "disputes")
MOODS = ("asserted", "planned", "wished", "conditional")
SKIPPED = ("asked", "joked", "supposed", "ordered", "chatter")

# Who speaks for the service in a chat.
ASSISTANT = "Assistant"
# A statement by its message (from 1) and its number in it.
Place = tuple[int, int]

_DAY = r"\d{4}(?:-\d\d(?:-\d\d(?: \d\d:\d\d)?)?)?"
_TIME = re.compile(rf"(?:{_DAY})?(?:\.\.)?(?:{_DAY})?")
_MESSAGE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d) ([^:]{1,40}): (.+)")
_PARTS = 5
_FORGETS = "forgets"


@dataclass(frozen=True)
class Said:
    """One thing to keep of a message. `link` is the message (from 1) and the statement of it (from 1) that it is about.

    `answers` is the message whose question it answers; `times` are spans with what they come to. `causes` are statements that
    led to this one, `effects` those that this one led to.
    """

    outcome: str
    mood: str
    link: Place | None
    answers: int | None
    slot: str
    value: str
    times: tuple[tuple[str, str], ...]
    statement: str
    causes: tuple[Place, ...] = ()
    effects: tuple[Place, ...] = ()


@dataclass
class Line:
    """One message, with what is to be kept of it, or why nothing is. `forgets` is the statement that it asks to forget."""

    at: datetime
    speaker: str
    text: str
    said: list[Said] = field(default_factory=list)
    skipped: str | None = None
    forgets: Place | None = None


@dataclass
class Stream:
    """One chat. Times are those of its zone."""

    name: str
    zone: str
    about: str
    lines: list[Line] = field(default_factory=list)


def read(folder: Path) -> list[Stream]:
    """All streams of a folder, by name. Raises ValueError for the first line that breaks the format."""
    return [
        stream
        for path in sorted(folder.glob("*.txt"))
        for stream in parse(path.read_text("utf-8"), path.name)
    ]


def parse(text: str, name: str) -> Iterator[Stream]:
    """The streams of one file."""
    stream: Stream | None = None
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.startswith("== "):
                if stream is not None:
                    yield _complete(stream)
                stream = _head(line)
            elif line.strip():
                _take(_require(stream), line)
        except ValueError as error:
            raise ValueError(f"{name}:{number}: {error}: {line[:80]}") from None
    if stream is not None:
        yield _complete(stream)


def _head(line: str) -> Stream:
    parts = [part.strip() for part in line[3:].split("|")]
    if len(parts) != len(("name", "zone", "about")):
        raise ValueError("a head has three parts")
    try:
        ZoneInfo(parts[1])
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"there is no zone {parts[1]}") from None
    name, zone, about = parts
    return Stream(name, zone, about)


def _require(stream: Stream | None) -> Stream:
    if stream is None:
        raise ValueError("a stream begins with its head")
    return stream


def _take(stream: Stream, line: str) -> None:
    told = line.strip()
    if found := _MESSAGE.fullmatch(line):
        at = datetime.strptime(found[1], "%Y-%m-%d %H:%M")  # noqa: DTZ007 - local time of the stream's zone
        if stream.lines and at <= stream.lines[-1].at:
            raise ValueError("times only grow")
        stream.lines.append(Line(at, found[2], found[3]))
    elif not stream.lines:
        raise ValueError("what is kept stands below its message")
    elif told.startswith("- "):
        stream.lines[-1].skipped, stream.lines[-1].forgets = _skipped(told[2:].strip(), stream.lines)
    elif told.startswith("+ "):
        stream.lines[-1].said.append(_said(told[2:], stream.lines))
    else:
        raise ValueError("it is neither a message nor an annotation")


def _skipped(told: str, lines: Sequence[Line]) -> tuple[str, Place | None]:
    """Why nothing is kept; of "forgets >3" an order and the statement that is to be forgotten."""
    kind, _, link = told.partition(" >")
    if kind == _FORGETS and link:
        return "ordered", _place(link, lines[:-1])
    if kind not in SKIPPED or link:
        raise ValueError(f"one of {', '.join(SKIPPED)}, or {_FORGETS} >N, is needed")
    return kind, None


def _said(told: str, lines: Sequence[Line]) -> Said:
    parts = [part.strip() for part in told.split("|")]
    if len(parts) != _PARTS:
        raise ValueError(f"{_PARTS} parts are needed")
    head, slot, value, times, statement = parts
    outcome, mood, *links = head.split()
    if outcome not in OUTCOMES or mood not in MOODS:
        raise ValueError("the outcome or the mood is unknown")
    linked, causes, effects = (
        [_place(each[1:], lines) for each in links if each.startswith(mark)] for mark in (">", "<", "^")
    )
    asked = [int(each[1:]) for each in links if each.startswith("?")]
    if (outcome == "new") is bool(linked):
        raise ValueError("all but what is new says what it is about")
    text = lines[-1].text
    if value not in text:
        raise ValueError("the value stands in the message, letter for letter")
    if not statement:
        raise ValueError("the statement is missing")
    spans = tuple(_span(each, text) for each in times.split(";") if each.strip())
    return Said(
        outcome,
        mood,
        linked[0] if linked else None,
        asked[0] if asked else None,
        slot,
        value,
        spans,
        statement,
        tuple(causes),
        tuple(effects),
    )


def _place(told: str, lines: Sequence[Line]) -> Place:
    message, _, statement = told.partition(".")
    place = int(message), int(statement or 1)
    if not 1 <= place[0] <= len(lines) or len(lines[place[0] - 1].said) < place[1]:
        raise ValueError(f">{told} is no statement that stands before")
    return place


def _span(told: str, text: str) -> tuple[str, str]:
    span, _, resolved = (part.strip() for part in told.rpartition(" = "))
    if not span or span not in text or not _TIME.fullmatch(resolved) or not resolved:
        raise ValueError("a time is a span of the message and what it comes to")
    return span, resolved


def _complete(stream: Stream) -> Stream:
    bare = [number for number, line in enumerate(stream.lines, 1) if not line.said and line.skipped is None]
    if bare:
        raise ValueError(f"message {bare[0]} of {stream.name} has no annotation")
    return stream

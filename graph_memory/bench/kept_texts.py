"""What the service keeps of each message of annotated chats, and messages beside that (`bench links --kept`).

It is what `ingest` makes of a message beside which nothing is known: the rules' statements, of which some are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from graph_memory.ingest.message_reading import stated
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.judge.training.linker_examples import CONTEXT, Candidate, Situation, sitting
from graph_memory.judge.training.streams import ASSISTANT, Line, Place, Said, Stream
from graph_memory.model.message import Message


def texts_kept(stream: Stream) -> Sequence[Sequence[str]]:
    """The texts that are kept of each message of a chat; none of what an assistant says."""
    zone = ZoneInfo(stream.zone)
    return [
        _kept(stream.lines[max(0, at - CONTEXT) : at], line, zone) for at, line in enumerate(stream.lines)
    ]


def as_kept(situation: Situation, texts: Sequence[Sequence[str]]) -> Situation:
    """The message beside the texts that the service would hold then; `texts` are those of each message of the stream.

    A text stands for the statements that it tells best of those of its message, and is gone when none of them holds. One that
    tells none of them is a candidate that nothing is about. What was not kept is no candidate.
    """
    held = {each.place for each in situation.open}
    found: list[Candidate] = []
    # Where the statements that are kept stand among the texts.
    moved: dict[Place, Place] = {}
    for number, line in enumerate(situation.stream.lines[: situation.number - 1], 1):
        told: dict[int, list[Place]] = {}
        for index, said in enumerate(line.said, 1):
            if texts[number - 1]:
                told.setdefault(_telling(said, texts[number - 1]), []).append((number, index))
        for index, text in enumerate(texts[number - 1]):
            places = [each for each in told.get(index, ()) if each in held]
            if index in told and not places:
                continue
            place = (number, index + 1)
            moved |= dict.fromkeys(places, place)
            found.append(Candidate(place, text, "", line))
    links = {moved[place]: said for place, said in reversed(situation.links.items()) if place in moved}
    return replace(situation, open=tuple(found), links=links)


def _telling(said: Said, texts: Sequence[str]) -> int:
    """Which of the texts of a message tells a statement: one with its value, else the one that shares most words with it."""
    value, words = said.value.casefold(), set(said.statement.casefold().split())

    def told(text: str) -> tuple[bool, int]:
        folded = text.casefold()
        return bool(value) and value in folded, len(words & set(folded.split()))

    return max(range(len(texts)), key=lambda each: told(texts[each]))


def _kept(before: Sequence[Line], line: Line, zone: ZoneInfo) -> list[str]:
    if line.speaker == ASSISTANT:
        return []
    said_before = [_message(each, zone) for each in sitting(before, line)]
    told = stated(_message(line, zone), said_before, [], LinkerSettings(), zone)
    return [each.statement.text for each in told]


def _message(line: Line, zone: ZoneInfo) -> Message:
    role = "assistant" if line.speaker == ASSISTANT else "user"
    return Message(line.speaker, line.at.replace(tzinfo=zone), line.text, role=role)

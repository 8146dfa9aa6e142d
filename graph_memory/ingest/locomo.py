"""The format of the LoCoMo benchmark: records of sessions `session_1`, `session_2`, ... of turns.

The benchmark dates sessions, not turns, and names no time zone. UTC is assumed, and each turn is placed 30
seconds after the one before it, the first at the session's own time: this keeps the order, and nothing more
should be read into it. Its questions, summaries and picture addresses are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from graph_memory.ingest.faults import MAX_NAME, Faults
from graph_memory.language import patterns
from graph_memory.model.message import Conversation, Message

BETWEEN_TURNS = timedelta(seconds=30)

_SESSION = patterns.compile(r"session_(\d+)")
_DATE = "%I:%M %p on %d %B, %Y"


def parse(records: list[Any], ref: str, max_message: int, faults: Faults) -> list[Conversation]:
    """One conversation for each record, named by its `sample_id`. Faults go to `faults`, as line 1."""
    found = [
        _conversation(number, record, ref, max_message, faults) for number, record in enumerate(records, 1)
    ]
    names = [conversation.ref for conversation in found]
    for name in sorted({name for name in names if names.count(name) > 1}):
        faults.add(1, f"sample_id {name} is given twice; leave one of them out")
    return found


def _conversation(number: int, record: Any, ref: str, max_message: int, faults: Faults) -> Conversation:
    held = record.get("conversation") if isinstance(record, Mapping) else None
    if not isinstance(held, Mapping):
        faults.add(1, f"record {number}: has no object `conversation`")
        return Conversation(ref, ())
    name = str(record.get("sample_id") or f"{ref}-{number}")
    reader = _Reader(name, max_message, faults)
    numbers = sorted(int(match[1]) for match in map(_SESSION.fullmatch, held) if match)
    turns = [message for session in numbers for message in reader.session(f"session_{session}", held)]
    return Conversation(name, tuple(sorted(turns, key=lambda message: message.at)))


class _Reader:
    """Reads one record and remembers which turn ids it has seen."""

    def __init__(self, record: str, max_message: int, faults: Faults) -> None:
        self._record = record
        self._max_message = max_message
        self._faults = faults
        self._seen: set[str] = set()

    def session(self, name: str, held: Mapping[str, Any]) -> list[Message]:
        turns, start = held[name], self._start(name, held.get(f"{name}_date_time"))
        if not isinstance(turns, list):
            self._fault(name, "must be a list of turns")
            return []
        if start is None:
            return []
        read = (
            self._turn(name, number, turn, start + (number - 1) * BETWEEN_TURNS)
            for number, turn in enumerate(turns, 1)
        )
        return [message for message in read if message]

    def _start(self, name: str, value: Any) -> datetime | None:
        try:
            return datetime.strptime(str(value), _DATE).replace(tzinfo=UTC)
        except ValueError:
            self._fault(f"{name}_date_time", f"must be as in 1:56 pm on 8 May, 2023, but is {value}")
            return None

    def _turn(self, session: str, number: int, turn: Any, at: datetime) -> Message | None:
        where = f"{session}, turn {number}"
        if not isinstance(turn, Mapping):
            self._fault(where, "must be an object")
            return None
        speaker = self._text(where, "speaker", turn, MAX_NAME)
        ref = self._text(where, "dia_id", turn, MAX_NAME)
        text = self._text(where, "text", turn, self._max_message)
        caption = (
            self._text(where, "blip_caption", turn, self._max_message) if turn.get("blip_caption") else None
        )
        if speaker is None or ref is None or text is None:
            return None
        if ref in self._seen:
            self._fault(where, f"dia_id {ref} was used already")
        self._seen.add(ref)
        return Message(speaker, at, text, ref, session, caption)

    def _text(self, where: str, name: str, turn: Mapping[str, Any], limit: int) -> str | None:
        return self._faults.text(1, f"{self._record}, {where}: {name}", turn.get(name), limit)

    def _fault(self, where: str, fault: str) -> None:
        self._faults.add(1, f"{self._record}, {where}: {fault}")

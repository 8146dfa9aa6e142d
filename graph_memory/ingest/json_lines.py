"""Our own conversation format: JSON Lines, one message a line.

    {"speaker": "Ann", "at": "2026-03-01T18:30:00+01:00", "text": "I moved to Lyon.",
     "ref": "m17", "session": "s2", "caption": "a photo of a bridge", "role": "user"}

The last four may be missing. `role` is user, assistant or tool; without it a person spoke.
`at` is RFC 3339 with its offset. Blank lines are skipped.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from graph_memory.ingest.faults import MAX_NAME, Faults
from graph_memory.language import patterns
from graph_memory.model.message import ROLES, Conversation, Message

REQUIRED = ("speaker", "at", "text")
OPTIONAL = ("ref", "session", "caption", "role")

_RFC_3339 = patterns.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)


class _RepeatedFieldError(ValueError):
    pass


def parse(text: str, ref: str, max_message: int, faults: Faults) -> Conversation:
    """The messages of a file, by time, those of one moment in its order. Notes what is wrong in `faults`."""
    seen: dict[str, int] = {}
    found: list[Message] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        message = _message(number, line, max_message, faults)
        if message and message.ref:
            _note_repeated(message.ref, number, seen, faults)
        found += [message] if message else []
    return Conversation(ref, tuple(sorted(found, key=lambda message: message.at)))


def moment(text: str) -> datetime:
    """A moment in UTC, to the millisecond, from RFC 3339 text. Raises ValueError that says what is wrong."""
    written = _RFC_3339.fullmatch(text)
    if not written:
        raise ValueError("must be a time as in 2026-03-01T18:30:00Z")
    if not written[2]:
        raise ValueError("has no offset from UTC; write 2026-03-01T18:30:00Z or +01:00")
    try:
        at = datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("is not a moment of the calendar") from None
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def _message(number: int, line: str, max_message: int, faults: Faults) -> Message | None:
    fields = _fields(number, line, faults)
    if fields is None:
        return None
    before = len(faults.found)
    for name in [*REQUIRED, *OPTIONAL]:
        _check_presence(number, name, fields, faults)
    unknown = sorted(set(fields) - {*REQUIRED, *OPTIONAL})
    if unknown:
        faults.add(
            number, f"unknown field(s) {', '.join(unknown)}; known are {', '.join(REQUIRED + OPTIONAL)}"
        )
    at = _at(number, fields["at"], faults) if "at" in fields else None
    read = {name: _read(number, name, fields, max_message, faults) for name in fields if name != "at"}
    if at is None or len(faults.found) > before:
        return None
    return Message(at=at, **{name: value for name, value in read.items() if value is not None})


def _fields(number: int, line: str, faults: Faults) -> dict[str, Any] | None:
    try:
        fields = json.loads(line, object_pairs_hook=_once)
    except _RepeatedFieldError as error:
        faults.add(number, f"the field {error} is there twice")
        return None
    except (ValueError, RecursionError):
        faults.add(number, "is not JSON")
        return None
    if not isinstance(fields, dict):
        faults.add(number, "is not a JSON object")
        return None
    return fields


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise _RepeatedFieldError(name)
        fields[name] = value
    return fields


def _check_presence(number: int, name: str, fields: dict[str, Any], faults: Faults) -> None:
    if name in REQUIRED and name not in fields:
        faults.add(number, f"{name} is missing")


def _at(number: int, value: Any, faults: Faults) -> datetime | None:
    try:
        return moment(value if isinstance(value, str) else "")
    except ValueError as error:
        faults.add(number, f"at {error}")
        return None


def _read(number: int, name: str, fields: dict[str, Any], max_message: int, faults: Faults) -> str | None:
    value = fields[name]
    if name not in REQUIRED + OPTIONAL or (name in OPTIONAL and value is None):
        return None
    if name == "role" and value not in ROLES:
        faults.add(number, f"role must be one of {', '.join(ROLES)}")
        return None
    if name in ("text", "caption"):
        return faults.text(number, name, value, max_message)
    if isinstance(value, str) and len(value.strip().splitlines()) > 1:
        faults.add(number, f"{name} must stand on one line")
        return None
    return faults.text(number, name, value, MAX_NAME)


def _note_repeated(ref: str, number: int, seen: dict[str, int], faults: Faults) -> None:
    if ref in seen:
        faults.add(number, f"ref {ref} was used on line {seen[ref]} already")
    seen.setdefault(ref, number)

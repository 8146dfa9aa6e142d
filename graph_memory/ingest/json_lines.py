"""Our own conversation format: JSON Lines, one message a line.

    {"speaker": "Ann", "at": "2026-03-01T18:30:00+01:00", "text": "I moved to Lyon.",
     "ref": "m17", "session": "s2", "caption": "a photo of a bridge", "role": "user"}

The last four may be missing. `role` is user, assistant or tool; without it a person spoke.
`at` is RFC 3339 with its offset. Blank lines are skipped.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, ValidationError, ValidationInfo

from graph_memory.base.errors import Invalid
from graph_memory.base.incoming import Incoming, faults_of, json_object, rule
from graph_memory.ingest.faults import MAX_NAME, Faults
from graph_memory.language import patterns, texts
from graph_memory.model.message import Conversation, Message, Role

_RFC_3339 = patterns.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)


def parse(text: str, ref: str, max_message: int, faults: Faults) -> Conversation:
    """The messages of a file, by time, those of one moment in its order. Notes what is wrong in `faults`."""
    seen: dict[str, int] = {}
    found: list[Message] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        message = _message(number, line, max_message, faults)
        if message is None:
            continue
        found.append(message)
        if message.ref is not None and seen.setdefault(message.ref, number) != number:
            faults.add(number, f"ref {message.ref} was used on line {seen[message.ref]} already")
    return Conversation(ref, tuple(sorted(found, key=lambda message: message.at)))


def moment(given: Any) -> datetime:
    """A moment in UTC, to the millisecond, from RFC 3339 text. Raises ValueError that says what is wrong."""
    written = _RFC_3339.fullmatch(given) if isinstance(given, str) else None
    if not written:
        raise ValueError("must be a time as in 2026-03-01T18:30:00Z")
    if not written[2]:
        raise ValueError("has no offset from UTC; write 2026-03-01T18:30:00Z or +01:00")
    try:
        at = datetime.fromisoformat(written[0].upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("is not a moment of the calendar") from None
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def _name(given: str, what: str) -> str:
    if len(given.strip().splitlines()) > 1:
        raise Invalid("must stand on one line", path=what)
    return texts.clean(given, MAX_NAME, what)


def _said(given: str, info: ValidationInfo) -> str:
    try:
        return texts.clean(given, int(info.context or 0), "")
    except Invalid as error:
        raise ValueError(error.message) from None


_Name = Annotated[str, rule(_name)]
# Its greatest length is the context of the validation.
_Said = Annotated[str, AfterValidator(_said)]


class _Line(Incoming):
    """A message as a line holds it."""

    speaker: _Name
    at: Annotated[datetime, BeforeValidator(moment)]
    text: _Said
    ref: _Name | None = None
    session: _Name | None = None
    caption: _Said | None = None
    role: Role | None = None


def _message(number: int, line: str, max_message: int, faults: Faults) -> Message | None:
    try:
        read = _Line.model_validate(json_object(line), context=max_message)
    except Invalid as error:
        faults.add(number, error.message)
    except ValidationError as error:
        for field, broken in faults_of(error, _Line):
            faults.add(number, f"{field} {broken}")
    else:
        return Message(**dict(read))
    return None

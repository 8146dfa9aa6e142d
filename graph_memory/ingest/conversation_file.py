"""Reading conversation files, and cutting conversations into sittings."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from graph_memory.base.errors import Invalid, InvalidFile
from graph_memory.ingest import json_lines, locomo
from graph_memory.ingest.faults import Faults
from graph_memory.memory.settings import TextsSettings
from graph_memory.model.message import Conversation, Message

__all__ = ["Conversation", "Message", "read", "sessions"]

SITTING_GAP = timedelta(minutes=120)
MAX_MESSAGE: int = TextsSettings.model_fields["max_message"].default


def read(path: Path, max_message: int = MAX_MESSAGE) -> list[Conversation]:
    """The conversations of a file, UTF-8, with or without a byte order mark.

    Two formats, told apart by their content: JSON Lines with one message a line (`json_lines.py`), which is
    one conversation named after the file; and one or many records of the LoCoMo benchmark (`locomo.py`). The
    whole file is checked first. Raises InvalidFile, naming every broken line; Invalid if it cannot be opened.
    """
    faults = Faults()
    text = _content(path, faults)
    records = _records(text)
    if records is None:
        found = [json_lines.parse(text, path.stem, max_message, faults)]
    else:
        found = locomo.parse(records, path.stem, max_message, faults)
    if not faults.found and not any(conversation.messages for conversation in found):
        faults.add(1, "the file holds no message")
    if faults.found:
        raise InvalidFile(path.name, faults.found)
    return found


def sessions(conversation: Conversation) -> list[tuple[Message, ...]]:
    """The sittings, in the order of their first message.

    Messages that name a session belong to it; among the others a pause of over 120 minutes begins a new one.
    """
    sittings: dict[Hashable, list[Message]] = {}
    previous: Message | None = None
    nameless = 0
    for message in conversation.messages:
        if message.session is None:
            nameless += previous is None or message.at - previous.at > SITTING_GAP
            previous = message
        key: Hashable = ("nameless", nameless) if message.session is None else message.session
        sittings.setdefault(key, []).append(message)
    return [tuple(messages) for messages in sittings.values()]


def _content(path: Path, faults: Faults) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Invalid(
            f"{path} cannot be read ({error.strerror}); name a file that can be.", path="path"
        ) from error
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return "\n".join(_line(number, line, faults) for number, line in enumerate(lines, 1))


def _line(number: int, line: bytes, faults: Faults) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        faults.add(number, "is not UTF-8")
        return ""


def _records(text: str) -> list[Any] | None:
    """The records of the benchmark's format, None if this is not it."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(whole, Mapping):
        return [whole] if "conversation" in whole else None
    return whole if isinstance(whole, list) else None

"""Messages of a conversation on their way in: their secrets are taken out before they are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_memory.memory.screening import screened
from graph_memory.memory.settings import ScreeningSettings
from graph_memory.model.message import Message


def screened_messages(
    settings: ScreeningSettings, messages: Sequence[Message]
) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """The messages as they may be stored, and the kinds of secrets that were masked in them, sorted.

    Invalid, naming the message and the kind, where settings refuse one.
    """
    settings = settings.model_copy(update={"labels": False})  # they are given to what is extracted
    kept, kinds = [], set[str]()
    for at, message in enumerate(messages):
        text = screened(settings, message.text, f"messages[{at}].text")
        caption = screened(settings, message.caption, f"messages[{at}].caption") if message.caption else None
        kinds |= {*text.masked, *(caption.masked if caption else ())}
        kept.append(replace(message, text=text.text, caption=caption.text if caption else message.caption))
    return tuple(kept), tuple(sorted(kinds))

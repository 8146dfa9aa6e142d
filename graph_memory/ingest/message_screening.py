"""Messages of a conversation on their way in: secrets and our own packs are taken out before they are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_memory.language.own_output import is_own, without_own
from graph_memory.memory.screening import screened
from graph_memory.memory.settings import ScreeningSettings
from graph_memory.model.message import Message


def screened_messages(
    settings: ScreeningSettings, messages: Sequence[Message]
) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """The messages as they may be stored, and the kinds of secrets that were masked in them, sorted.

    A message that was nothing but a pack stays in its place, without text. Invalid, naming the message and the kind,
    where settings refuse one.
    """
    settings = settings.model_copy(update={"labels": False})  # they are given to what is extracted
    kept, kinds = [], set[str]()
    for at, message in enumerate(messages):
        text = screened(settings, _given(message.text), f"messages[{at}].text")
        caption = (
            screened(settings, _given(message.caption), f"messages[{at}].caption")
            if message.caption
            else None
        )
        kinds |= {*text.masked, *(caption.masked if caption else ())}
        kept.append(replace(message, text=text.text, caption=(caption.text if caption else "") or None))
    return tuple(kept), tuple(sorted(kinds))


def _given(text: str) -> str:
    """What is the caller's own of a text."""
    return without_own(text).strip() if is_own(text) else text

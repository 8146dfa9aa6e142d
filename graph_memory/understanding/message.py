"""What was said: messages and conversations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

ROLES = ("user", "assistant", "tool")


@dataclass(frozen=True)
class Message:
    """One turn. `at` is in UTC, `ref` is its name in the conversation, `caption` tells a shared picture.

    `role` is user, assistant or tool; None is a person.
    """

    speaker: str
    at: datetime
    text: str
    ref: str | None = None
    session: str | None = None
    caption: str | None = None
    role: str | None = None

    @property
    def is_of_person(self) -> bool:
        """Whether a person said it, not an assistant or a tool."""
        return self.role in (None, "user")


@dataclass(frozen=True)
class Conversation:
    """Messages in the order in which they were said. `ref` is the name its file gives it."""

    ref: str
    messages: tuple[Message, ...]

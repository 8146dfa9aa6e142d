"""What was said: messages and conversations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from graph_memory.base.errors import Invalid

Role = Literal["user", "assistant", "tool"]

# Nothing was said in writing to a machine before, nor will be said later; a clock or a unit is wrong.
EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
AHEAD = timedelta(days=366)


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


def check_said_at(at: datetime, now: datetime, path: str) -> None:
    """Nothing, if something can have been said then; Invalid for a moment before 1900 or more than a year ahead."""
    if not EARLIEST <= at <= now + AHEAD:
        raise Invalid(
            f"{path}.at is {at:%Y-%m-%d}; a message was said between 1900 and a year from now.",
            path=f"{path}.at",
        )

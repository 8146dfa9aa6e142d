"""How much a way of extracting keeps, measured on conversations whose evidence is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from graph_memory.understanding.conversation import Conversation, sessions
from graph_memory.understanding.extraction import extract


@dataclass(frozen=True)
class Coverage:
    """Messages read, statements made of them, and how many of the messages wanted gave at least one."""

    messages: int
    statements: int
    wanted: int
    covered: int

    @property
    def per_message(self) -> float:
        """Statements for each message, 0 if there was none."""
        return self.statements / self.messages if self.messages else 0.0

    @property
    def share(self) -> float:
        """Share of the wanted messages that gave a statement, 1 if none was wanted."""
        return self.covered / self.wanted if self.wanted else 1.0


def coverage(conversations: Iterable[Conversation], wanted: Collection[tuple[str, str]]) -> Coverage:
    """What extraction keeps. `wanted` are (conversation ref, message ref) of messages to be found."""
    made: dict[tuple[str, str], int] = {}
    for conversation in conversations:
        for sitting in sessions(conversation):
            for at, message in enumerate(sitting):
                made[conversation.ref, message.ref or f"#{len(made)}"] = len(extract(message, sitting[:at]))
    held = [made[key] for key in wanted if key in made]
    return Coverage(len(made), sum(made.values()), len(held), sum(count > 0 for count in held))

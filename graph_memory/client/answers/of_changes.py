"""What was done with memories, and what the ledger holds of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph_memory.client.answers.listed import Listed
from graph_memory.client.answers.of_memories import Link, Linked, Memory
from graph_memory.client.answers.words import (
    AddOutcome,
    ChangeOperation,
    JudgedAction,
    LinkKind,
    LinkOutcome,
    RememberState,
)


@dataclass(frozen=True)
class Outcome:
    """What was done with a statement, and why."""

    operation: ChangeOperation
    classification: JudgedAction | None
    confidence: float | None
    reason: str
    text: str | None
    provider: str | None
    proposed: JudgedAction | None
    trace: tuple[RememberState, ...]


@dataclass(frozen=True)
class Considered:
    """A known memory that the statement was compared with."""

    similarity: float
    action: JudgedAction | None
    confidence: float | None
    link: LinkKind | None
    link_from_memory: bool
    hindrance: str | None
    memory: Linked | None


@dataclass(frozen=True)
class Proposed:
    """What waits for a person because of a statement."""

    id: str
    action: JudgedAction
    hindrance: str
    is_held: bool


@dataclass(frozen=True)
class Remembered:
    """The answer of `remember`: what was done, the memory that holds the statement, and the known one it concerned."""

    outcome: Outcome
    memory: Memory | None
    target: Memory | None
    candidates: tuple[Considered, ...]
    review: Proposed | None
    replayed: bool

    def __str__(self) -> str:
        return f"{self.outcome.operation}: {self.memory or self.target or self.outcome.reason}"


@dataclass(frozen=True)
class Added:
    """The answer of `add`; `memory` is the one that says it already where the outcome is DUPLICATE."""

    memory: Memory | None
    outcome: AddOutcome
    replayed: bool

    def __str__(self) -> str:
        return f"{self.outcome}: {self.memory}" if self.memory else self.outcome


@dataclass(frozen=True)
class Superseded:
    """The new version, the memory that was named, and what was adjusted."""

    memory: Memory | None
    superseded: Memory | None
    notes: tuple[str, ...]
    replayed: bool

    def __str__(self) -> str:
        return f"{self.memory} (it was: {self.superseded})"


@dataclass(frozen=True)
class Revised:
    """A memory as it stands after it was revised."""

    memory: Memory | None
    replayed: bool

    def __str__(self) -> str:
        return str(self.memory)


@dataclass(frozen=True)
class Moved(Listed):
    """Memories as they are after they were retracted: `for each in moved`."""

    memories: tuple[Memory, ...]
    replayed: bool

    def __iter__(self) -> Iterator[Memory]:
        return iter(self.memories)


@dataclass(frozen=True)
class LinkMade:
    """A link that holds, and whether it is new."""

    link: Link | None
    outcome: LinkOutcome
    replayed: bool

    def __str__(self) -> str:
        return f"{self.outcome}: {self.link}" if self.link else self.outcome


@dataclass(frozen=True)
class Certificate:
    """What was erased, to keep as evidence. It holds no text."""

    request_id: str
    at: datetime
    memories: int
    revisions: int
    entities: int
    messages: int
    changes: int
    requests: int
    tombstones: int
    beyond: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.memories} memories, {self.revisions} former states and {self.messages} messages were erased."


@dataclass(frozen=True)
class Forgotten:
    """The answer of `forget`."""

    certificate: Certificate
    replayed: bool

    def __str__(self) -> str:
        return str(self.certificate)


@dataclass(frozen=True)
class Undone:
    """The sequence numbers that were taken back, and the memories that changed by it."""

    undone: tuple[int, ...]
    memories: tuple[Memory, ...]
    replayed: bool

    def __str__(self) -> str:
        taken_back = ", ".join(str(each) for each in self.undone)
        return "\n".join([f"Undone: {taken_back}", *(f"  {each}" for each in self.memories)])


@dataclass(frozen=True)
class Change:
    """One decision of the ledger. Keep its `sequence`, and `changes(after=sequence)` goes on from there."""

    sequence: int
    operation: ChangeOperation
    targets: tuple[str, ...]
    reason: str
    actor: str
    at: datetime
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.sequence} {self.operation} {self.reason}".rstrip()

"""Conversations: what was said, and what was taken in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph_memory.client.answers.of_jobs import Job
from graph_memory.client.answers.of_memories import Linked
from graph_memory.client.answers.words import SegmentStatus


@dataclass(frozen=True)
class Segment:
    """A stretch of a conversation. While it is OPEN it takes messages."""

    uuid: str
    session: str | None
    status: SegmentStatus
    started_at: datetime
    ended_at: datetime | None
    message_count: int
    extracted_count: int
    left_out_count: int
    set_aside_count: int


@dataclass(frozen=True)
class Message:
    """What was said, and the memories that came of it; `set_aside` is why it could not be read."""

    uuid: str
    speaker: str
    role: str | None
    at: datetime
    text: str
    ref: str | None
    is_extracted: bool
    is_erased: bool
    set_aside: str | None
    memories: tuple[Linked, ...]

    def __str__(self) -> str:
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True)
class Session:
    """A conversation: whose, from when to when, how many messages it has and how many of them were read for memories.

    `left_out_count` of those became no memory; `set_aside_count` of these could not be read.
    """

    name: str | None
    subject: str
    started_at: datetime
    ended_at: datetime
    is_open: bool
    segment_count: int
    message_count: int
    extracted_count: int
    left_out_count: int
    set_aside_count: int
    first_message: Message | None
    last_message: Message | None

    def __str__(self) -> str:
        return self.name or f"{self.subject}, {self.started_at:%Y-%m-%d}"


@dataclass(frozen=True)
class Submitted:
    """Messages that were taken in. `job` reads them for memories, once their session was closed."""

    segment_uuid: str | None
    stored: int
    length: int
    masked: tuple[str, ...]
    replayed: bool
    job: Job | None = None

    def __str__(self) -> str:
        return f"{self.stored} messages were stored{f'; {self.job}' if self.job else ''}."


@dataclass(frozen=True)
class Closed:
    """A session that was closed, and the job that reads it for memories."""

    segment_uuid: str | None
    messages: int
    job: Job | None
    replayed: bool

    def __str__(self) -> str:
        return f"{self.messages} messages were closed{f'; {self.job}' if self.job else ''}."


@dataclass(frozen=True)
class Retried:
    """Messages that had been set aside, and the job that reads them again."""

    messages: int
    job: Job | None
    replayed: bool

    def __str__(self) -> str:
        return f"{self.messages} messages are read again{f'; {self.job}' if self.job else ''}."

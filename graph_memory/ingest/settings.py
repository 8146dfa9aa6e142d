"""The settings of ingest: what each is for, its default and its rule."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from graph_memory.base.sections import Count, Section, Share


class CaptureSettings(Section):
    """How sure a language model's extraction must be that a statement is worth keeping."""

    enabled: bool = Field(
        False,
        description="Whether it is asked for five factors of each statement, and what they come to decides. Rules give none.",
    )
    approve_at: Share = Field(0.9, description="A capture confidence from which on a statement is kept.")
    queue_at: Share = Field(
        0.7, description="One from which on it waits for a person; below, it is left out."
    )


class ConversationsSettings(Section):
    """How conversations become memories: when, in which pieces, and what is shown beside them."""

    idle_minutes: Count = Field(
        120, description="Minutes without a message after which the sweep closes a segment and extracts it."
    )
    # Messages in one question to a language model at most.
    chunk: ClassVar[int] = 40
    max_extraction_tokens: Count = Field(
        6000, description="Tokens of messages in one question at most, by an estimate of 4 characters each."
    )
    lookback: int = Field(
        6, ge=0, description="Earlier messages that are shown so that the new ones are understood."
    )
    nearest: int = Field(
        20,
        ge=0,
        le=100,
        description="Nearest known memories that a language model is shown beside the messages.",
    )
    assistants: bool = Field(
        False,
        description="Whether what an assistant or a tool said is extracted; else only what people said.",
    )
    link_candidates: int = Field(
        0,
        ge=0,
        le=100,
        description="Known memories that a language model is asked to link a new one to, in a second question for each new "
        "memory; 0: the links of the first answer are all.",
    )


class LinkerSettings(Section):
    """How sure the linker must be, of 0 to 1, that a message is about something known, and what it does to it."""

    model: Path | None = Field(
        None,
        description="A linker's file of your own, with its card beside it; without it, the packaged one.",
    )
    # Nearest known memories that a message is read beside.
    nearest: ClassVar[int] = 8
    # A message is about the likeliest known memory from this chance on.
    link: ClassVar[float] = 0.4
    retire: Share = Field(
        0.84,
        description="It takes the place of that memory by itself from this chance on; below, a person is asked.",
    )
    # A person is asked from this chance on; of 24 proposals below it in chats not learnt from 3 were right, above it half.
    propose: ClassVar[float] = 0.3
    # Somebody disputes what another said from this chance on.
    dispute: ClassVar[float] = 0.5
    # It only repeats that memory from this chance on.
    repeat: ClassVar[float] = 0.7
    drop: Share = Field(
        0.9,
        description="A message that is a question, a joke or mere talk from this chance on becomes no memory.",
    )
    worth: Share = Field(
        0.2,
        description="What a message states anew is no memory if the chance that it tells anything by itself is less.",
    )
    # Of a message that surely states something in the talk, what tells most is kept whatever it tells by itself.
    states: ClassVar[float] = 0.7

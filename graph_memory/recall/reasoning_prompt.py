"""What do these memories answer? A model is asked for prose that rests on numbered sources, and names them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from types import MappingProxyType

from pydantic import BaseModel, Field

from graph_memory.model.memory import Memory
from graph_memory.model.purpose import Purpose
from graph_memory.models import json_answer
from graph_memory.models.fence import Fence
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt

_SYSTEM = """\
You answer a question from memories alone. Each memory has a number, since when it holds, until when if it has ended, and \
when it was said: "yesterday" in a memory is the day before that one was said. Answer in one or two sentences and in the \
question's language, with full dates. Name in `source_numbers` every memory that your answer rests on, and no other. Where the \
memories do not answer the question, give an empty `answer` and no source: never guess, and add nothing that they do not say. \
`temporal_resolutions` holds the words for times that you worked out. `requires_inference` is true where the answer follows \
from a memory without standing in it. `confidence` is from 0 to 1; `reasoning` is one short sentence."""


class Resolved(BaseModel):
    """Words for a time of a memory and the date that they come to."""

    original_text: str = Field(description="The words, as they stand in the memory.")
    memory_number: int
    resolved_date: str = Field(description="ISO 8601.")
    confidence: float


class Reasoned(BaseModel):
    """An answer as a model is asked to give it."""

    answer: str = Field(description="Empty where the memories do not answer.")
    confidence: float
    reasoning: str
    temporal_resolutions: list[Resolved]
    source_numbers: list[int]
    requires_inference: bool


def prompt(
    question: str,
    memories: Sequence[Memory],
    now: datetime,
    zone: tzinfo,
    said_at: Mapping[str, datetime] = MappingProxyType({}),
) -> Prompt[Reasoned]:
    """The question, and what may answer it, in local time; `said_at` is when memories of talk were said, by their ids."""
    fence = Fence()
    shown = "\n\n".join(
        _shown(fence, number, each, zone, said_at.get(each.id)) for number, each in enumerate(memories, 1)
    )
    user = f"TODAY\n{now.astimezone(zone):%A, %-d %B %Y}\n\nQUESTION\n{fence.data(question)}\n\nMEMORIES\n{shown}"
    count = len(memories)
    return Prompt(
        Purpose.ASK, f"{_SYSTEM}\n\n{fence.rule}", user, strict(Reasoned), lambda text: read(text, count)
    )


def read(text: str, count: int) -> Reasoned:
    """The answer, of its sources only those that were offered. Unreadable where it is no such answer."""
    found = json_answer.answer(Reasoned, text)
    sure = min(1.0, max(0.0, found.confidence)) if math.isfinite(found.confidence) else 0.0
    numbers = [number for number in dict.fromkeys(found.source_numbers) if 1 <= number <= count]
    resolved = [each for each in found.temporal_resolutions if each.memory_number in numbers]
    return found.model_copy(
        update={
            "confidence": sure,
            "source_numbers": numbers,
            "temporal_resolutions": resolved,
            "answer": found.answer.strip(),
        }
    )


def _shown(fence: Fence, number: int, memory: Memory, zone: tzinfo, said_at: datetime | None) -> str:
    since = f"since {memory.valid_from.astimezone(zone):%A, %-d %B %Y %H:%M}"
    until = f", until {memory.valid_to.astimezone(zone):%-d %B %Y}" if memory.valid_to else ""
    said = f", said by {fence.inline(memory.source.author)}" if memory.source.author else ""
    # Words like "on Wednesday" are counted from then.
    on = f", said on {said_at.astimezone(zone):%A, %-d %B %Y}" if said_at else ""
    return f"[{number}] {since}{until}{said}{on}\n{fence.data(memory.text)}"

"""Is a wordy memory better trimmed, or split into several?"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from graph_memory.prompts import reading
from graph_memory.prompts.fence import Fence
from graph_memory.prompts.hiding import HIDDEN
from graph_memory.prompts.schema import strict
from graph_memory.providers.prompt import Prompt, Purpose

TRIM_CONFIDENCE, SPLIT_CONFIDENCE = 0.95, 0.9
_LEAST_PARTS = 2

_SYSTEM = """\
You are given one memory that may be too wordy. Choose one action. trim: it says one thing in too many words; `text` \
says it in 30 to 70 percent fewer, with every name, number and date. split: it says several things that do not depend \
on each other; `parts` says each alone, complete and understandable without the others. do_nothing: it is well as it \
is, or something would be lost; this is the usual case. `text` is empty unless you trim, `parts` unless you split. \
`confidence` is from 0 to 1. `reason` is one short sentence."""


class Refined(BaseModel):
    """What to do with a memory."""

    action: Literal["trim", "split", "do_nothing"]
    text: str
    parts: list[str]
    confidence: float | None = Field(description="From 0 to 1.")
    reason: str = Field(description="One short sentence.")


def prompt(text: str) -> Prompt[Refined]:
    """The question about one memory."""
    fence = Fence()
    return Prompt(Purpose.REFINE, f"{_SYSTEM}\n\n{fence.rule}", fence.data(text), strict(Refined), read)


def read(text: str) -> Refined:
    """What to do. A trim without a text and a split into fewer than two parts do nothing."""
    found = reading.answer(Refined, text)
    parts = [part.strip() for part in found.parts if part.strip()]
    trims = found.action == "trim" and bool(found.text.strip()) and HIDDEN not in found.text
    splits = found.action == "split" and len(parts) >= _LEAST_PARTS and HIDDEN not in " ".join(parts)
    if not trims and not splits:
        return found.model_copy(update={"action": "do_nothing", "text": "", "parts": []})
    usual = TRIM_CONFIDENCE if trims else SPLIT_CONFIDENCE
    sure = found.confidence
    confidence = sure if sure is not None and 0 <= sure <= 1 else usual
    return found.model_copy(update={"parts": parts if splits else [], "confidence": confidence})

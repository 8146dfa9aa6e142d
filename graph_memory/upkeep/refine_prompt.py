"""Would a long memory be better in fewer words, or as several? Asked before a second model reviews the answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, Field

from graph_memory.model.purpose import Purpose
from graph_memory.models import json_answer
from graph_memory.models.fence import Fence
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt
from graph_memory.upkeep.shown_memory import Shown

_SYSTEM = """\
You are given one memory about a person, the day on which it happened or from which it holds, and, where it was talk, who \
said it on which day; that stays beside it, so it need not be said. Answer what would serve a reader who searches for single \
facts. `SPLIT`: it states several separate things; give each as one sentence in `statements`, complete without the others: \
name who and what it is about instead of he, she, it or there. `TRIM`: it states one thing in too many words; give it in one \
text of `statements`, about half as long. `DO_NOTHING`: it is well as it is, or its parts need one another; in doubt choose \
this. Every fact, name, number, date, condition and denial must stand in the statements, in the memory's own words where \
possible, and nothing that it does not say; "yesterday" and the like stay as they are, and so does "we" of who said it. What \
merely leads in, greets or exclaims may go, and so may a joke beside a fact; a denial or a condition may not. What begins \
with `Asked "..."` is an answer: say what it comes to, not that somebody asked. `reason` is one sentence."""
_SURE = {"TRIM": 0.95, "SPLIT": 0.90}
_LONGEST_REASON = 500


class Action(StrEnum):
    """What is done to a memory."""

    TRIM = "TRIM"
    SPLIT = "SPLIT"
    DO_NOTHING = "DO_NOTHING"


class Answered(BaseModel):
    """What a model is asked for."""

    action: Action
    statements: list[str] = Field(description="One for TRIM, two or more for SPLIT, none for DO_NOTHING.")
    confidence: float | None = Field(description="0 to 1.")
    reason: str = Field(description="One sentence.")


@dataclass(frozen=True)
class Refined:
    """The statements that say what a memory says; none where it stays as it is."""

    statements: tuple[str, ...]
    reason: str
    confidence: float = 1.0


def prompt(memory: Shown) -> Prompt[Refined]:
    """The question about one memory."""
    fence = Fence()
    return Prompt(
        Purpose.CLASSIFY,
        f"{_SYSTEM}\n\n{fence.rule}",
        f"MEMORY, {memory.under(fence)}",
        strict(Answered),
        read,
    )


def read(text: str) -> Refined:
    """The answer. One part of a split, or no text of a trim, is nothing to be done; Unreadable for no answer at all."""
    found = json_answer.answer(Answered, text)
    statements = tuple(line for each in found.statements if (line := " ".join(each.split())))
    reason = found.reason[:_LONGEST_REASON]
    fits = len(statements) == 1 if found.action is Action.TRIM else len(statements) > 1
    if found.action is Action.DO_NOTHING or not fits:
        return Refined((), reason)
    sure = _SURE[found.action] if found.confidence is None else min(max(found.confidence, 0.0), 1.0)
    return Refined(statements, reason, sure)

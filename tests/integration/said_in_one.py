"""A small question of the tests' own, for what has to do with asking and not with what is asked."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from graph_memory.model.purpose import Purpose
from graph_memory.models import json_answer
from graph_memory.models.fence import Fence
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt

PURPOSE = Purpose.CLASSIFY


class Said(BaseModel):
    """Some statements in one."""

    text: str
    reason: str


def prompt(texts: Sequence[str]) -> Prompt[Said]:
    """How are these said in one?"""
    fence = Fence()
    user = "\n\n".join(fence.data(text) for text in texts)
    return Prompt(PURPOSE, f"Say these in one.\n\n{fence.rule}", user, strict(Said), read)


def read(text: str) -> Said:
    """What was said."""
    return json_answer.answer(Said, text)

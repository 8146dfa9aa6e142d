"""Does a cluster of memories repeat itself, and what would it say in one?"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from graph_memory.prompts import reading
from graph_memory.prompts.fence import Fence
from graph_memory.prompts.hiding import HIDDEN
from graph_memory.prompts.schema import strict
from graph_memory.providers.prompt import Prompt, Purpose

_SYSTEM = """\
You are given memories that look alike. Decide whether they say substantially the same and can be replaced by one text \
from which nothing is missing. Being about the same person, place or topic is no reason; neither is a shared wording \
about different things. If in doubt, do not. If you do, `consolidated_text` keeps every detail, name, number, date and \
the words people used, without repeating and without adding; else it is empty. `reasoning` says in one or two \
sentences what is the same and what is not."""


class Proposal(BaseModel):
    """Whether to consolidate, into what, and why."""

    should_consolidate: bool
    consolidated_text: str
    reasoning: str = Field(description="One or two sentences.")


def prompt(texts: Sequence[str]) -> Prompt[Proposal]:
    """The question about the memories of one cluster."""
    fence = Fence()
    user = "\n\n".join(f"Memory {number}\n{fence.data(text)}" for number, text in enumerate(texts, 1))
    return Prompt(Purpose.PROPOSE, f"{_SYSTEM}\n\n{fence.rule}", user, strict(Proposal), read)


def read(text: str) -> Proposal:
    """The proposal; a no where it has no text, or would lose what was hidden from the model."""
    found = reading.answer(Proposal, text)
    is_whole = bool(found.consolidated_text.strip()) and HIDDEN not in found.consolidated_text
    return found if is_whole else found.model_copy(update={"should_consolidate": False})

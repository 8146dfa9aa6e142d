"""How are two statements said in one, without losing anything?"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from graph_memory.prompts import reading
from graph_memory.prompts.fence import Fence
from graph_memory.prompts.hiding import HIDDEN
from graph_memory.prompts.schema import strict
from graph_memory.providers.prompt import Prompt, Purpose

_SYSTEM = """\
You are given statements about the same thing. Say them in one, as short as it goes, in plain sentences. Every name, \
number, date, negation and condition of each must be in it, in the words used there, and nothing that is in none of \
them. If they contradict each other or are about different things, `text` is null. `reason` is one short sentence."""


class Merged(BaseModel):
    """`text` is null where they cannot be said in one."""

    text: str | None = Field(description="All statements in one, or null.")
    reason: str = Field(description="One short sentence.")


def prompt(texts: Sequence[str]) -> Prompt[Merged]:
    """The question about statements of one subject."""
    fence = Fence()
    user = "\n\n".join(fence.data(text) for text in texts)
    return Prompt(Purpose.MERGE, f"{_SYSTEM}\n\n{fence.rule}", user, strict(Merged), read)


def read(text: str) -> Merged:
    """The merged statement; without a text where the model gave none, or would lose what was hidden from it."""
    found = reading.answer(Merged, text)
    is_whole = bool(found.text and found.text.strip()) and HIDDEN not in (found.text or "")
    return found if is_whole else found.model_copy(update={"text": None})

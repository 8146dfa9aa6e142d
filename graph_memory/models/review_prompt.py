"""Is a proposed consolidation right? Asked of a second model, which may say a bare yes or no."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel, Field

from graph_memory.language import patterns
from graph_memory.model.purpose import Purpose
from graph_memory.models import json_answer
from graph_memory.models.fence import Fence
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt

_SYSTEM = """\
Somebody proposes to replace some memories by one text. You are given the memories, the text and the reason; a text of \
several lines is several statements. Approve only if every fact, name, number, date, condition and denial of every memory is \
in the text and the text says nothing that they do not. Who said a memory and when stays beside it, so it need not be said. \
That somebody asked, greeted, exclaimed or joked is no fact. `reason` names in one sentence what is missing or added, or \
says that nothing is."""
_BARE = patterns.compile(r"\W*(yes|no)\W*", re.IGNORECASE)


class Reviewed(BaseModel):
    """Whether it may be done."""

    approved: bool
    reason: str = Field(description="One sentence.")


def prompt(texts: Sequence[str], proposal: str, reason: str, heads: Sequence[str] = ()) -> Prompt[Reviewed]:
    """The question about one proposal; `heads` tell who said each memory when, where that is known."""
    fence = Fence()
    said = [f", said by {fence.inline(head)}" if head else "" for head in heads or [""] * len(texts)]
    memories = "\n\n".join(
        f"Memory {number}{head}\n{fence.data(text)}"
        for number, (head, text) in enumerate(zip(said, texts, strict=True), 1)
    )
    user = f"{memories}\n\nPROPOSED TEXT\n{fence.data(proposal)}\n\nREASON GIVEN\n{fence.data(reason)}"
    return Prompt(Purpose.REVIEW, f"{_SYSTEM}\n\n{fence.rule}", user, strict(Reviewed), read)


def read(text: str) -> Reviewed:
    """The verdict. A bare yes or no is one; whatever else is not the JSON that was asked for is a no."""
    bare = _BARE.fullmatch(text.strip())
    if bare:
        return Reviewed(approved=bare[1].lower() == "yes", reason="")
    try:
        found = json_answer.value(text)
    except json_answer.Unreadable:
        found = None
    given = found if isinstance(found, dict) else {}
    reason = given.get("reason")
    told = reason if isinstance(reason, str) else "the answer could not be read"
    return Reviewed(approved=given.get("approved") is True, reason=told)

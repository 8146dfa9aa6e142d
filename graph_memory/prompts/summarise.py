"""What do the memories of a community say together?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from graph_memory.prompts import reading
from graph_memory.prompts.fence import Fence, Offered
from graph_memory.prompts.hiding import HIDDEN
from graph_memory.prompts.schema import strict
from graph_memory.providers.prompt import Prompt, Purpose

_SYSTEM = """\
You are given memories that belong together, each with its id. Sum them up in at most five plain sentences that would \
help somebody who knows none of them: what holds now first, with names, numbers and dates. Use only what stands there. \
Where they contradict each other, say both. `label` names what they are about in at most five words. `sources` are the \
ids of the memories you used."""


@dataclass(frozen=True)
class Summary:
    """A summary with its label and the ids it was made of."""

    label: str
    text: str
    sources: tuple[str, ...]


class Summed(BaseModel):
    """A summary as a model is asked to give it."""

    label: str = Field(description="At most five words.")
    text: str
    sources: list[str]


def prompt(memories: Sequence[tuple[str, str]]) -> Prompt[Summary]:
    """The question about memories, each an id and a text."""
    fence, offered = Fence(), Offered(id for id, _ in memories)
    user = "\n\n".join(f"[{offered.short(id)}]\n{fence.data(text)}" for id, text in memories)
    return Prompt(
        Purpose.SUMMARISE,
        f"{_SYSTEM}\n\n{fence.rule}",
        user,
        strict(Summed),
        lambda text: read(text, offered),
    )


def read(text: str, offered: Offered) -> Summary:
    """The summary. Unreadable without a text, or when it names no memory that was shown."""
    found = reading.answer(Summed, text)
    sources = tuple(dict.fromkeys(id for each in found.sources if (id := offered.real(each)) is not None))
    if not found.text.strip() or not sources or HIDDEN in found.text:
        raise reading.Unreadable("the summary has no text or no source that was shown")
    return Summary(" ".join(found.label.split())[:60], found.text.strip(), sources)

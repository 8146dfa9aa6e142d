"""Which of some memories say the same, and one text for each group? Asked before a second model reviews each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from graph_memory.language.texts import normalised
from graph_memory.model.purpose import Purpose
from graph_memory.models import json_answer
from graph_memory.models.fence import Fence, Offered
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt
from graph_memory.upkeep.shown_memory import Shown

_SYSTEM = """\
You are given memories of one person, each with its id, the day on which it happened or from which it holds, and, where it \
was talk, who said it on which day. Find groups of memories that say the same thing in other words, or of which one says all \
that another says, and for each group write one text in their place. Every fact, name, number, date, condition and denial of \
every member must stand in the text, and nothing that no member says. Keep the members' own words: where one says "drives" \
and another "car", both must stand in it, and a text that leaves such a word out is refused. Memories are no group that are \
merely about the same matter or follow one another, of which each has a number, a name or a date that the other lacks, of \
which only one denies something, or of which one has taken the other's place. "Yesterday" and the like are counted from the \
day on which it was said, so the same words of two days tell of two things; "I", "we" and "our" are of who said it. Most \
memories belong to no group; in doubt leave them apart, and answer with an empty list when there is no group at all. \
`should_consolidate` tells whether you stand by a group; `reasoning` is one sentence."""


class Proposed(BaseModel):
    """One group."""

    ids: list[str] = Field(description="The ids of its members, two at least.")
    should_consolidate: bool
    consolidated_text: str
    reasoning: str = Field(description="One sentence.")


class Answer(BaseModel):
    """All groups, or none."""

    groups: list[Proposed]


@dataclass(frozen=True)
class Proposal:
    """A group that a model would merge into one text."""

    ids: tuple[str, ...]
    text: str
    reason: str


def prompt(memories: Mapping[str, Shown]) -> Prompt[tuple[Proposal, ...]]:
    """The question about memories of one subject, by id."""
    fence, offered = Fence(), Offered(memories)
    told = "\n\n".join(f"[{offered.short(id)}] {each.under(fence)}" for id, each in memories.items())
    return Prompt(
        Purpose.CLASSIFY,
        f"{_SYSTEM}\n\n{fence.rule}",
        f"MEMORIES\n{told}",
        strict(Answer),
        lambda text: read(text, offered),
    )


def read(text: str, offered: Offered) -> tuple[Proposal, ...]:
    """The groups. A bare no is none, and so is a bare yes, which has no text; whatever is unclear is left out.

    One object instead of a list, without ids, speaks of all memories.
    """
    if normalised(text).strip(" .!") in ("yes", "no"):
        return ()
    groups, taken = [], set[str]()
    for item in json_answer.parts(text, "groups"):
        found = _group(item, offered) if isinstance(item, dict) else None
        if found is not None and taken.isdisjoint(found.ids):
            taken |= set(found.ids)
            groups.append(found)
    return tuple(groups)


def _group(item: Mapping[str, Any], offered: Offered) -> Proposal | None:
    given = item.get("ids", list(map(offered.short, offered.ids)))
    shown: Sequence[object] = given if isinstance(given, list) else []
    ids = tuple(dict.fromkeys(id for each in shown if (id := offered.real(each)) is not None))
    text, reason = item.get("consolidated_text"), item.get("reasoning")
    if item.get("should_consolidate") is not True or len(ids) < len(shown) or len(ids) < 2:
        return None
    if not isinstance(text, str) or not text.strip():
        return None
    return Proposal(ids, text.strip(), reason[:500] if isinstance(reason, str) else "")

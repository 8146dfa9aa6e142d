"""A community in two or three sentences, its key facts and its decisions, by a language model.

What it answers counts only where every number, date and name stands in a member: what says more is Unreadable.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from graph_memory.base.moments import day_of_event
from graph_memory.language import texts
from graph_memory.language.grounding import ungrounded
from graph_memory.model.purpose import Purpose
from graph_memory.models import json_answer
from graph_memory.models.fence import Fence
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt
from graph_memory.upkeep.shown_memory import Shown
from graph_memory.upkeep.summary_drafts import MOST_LISTED, Draft, Member

# So many members are shown at most, the newest.
MOST_SHOWN = 60
_LONGEST, _LONGEST_LINE = 1500, 300

_SYSTEM = """\
You are given statements from somebody's memory that belong together, each with its kind, the day on which it happened or \
from which it holds, and, where it was talk, who said it on which day; oldest first. Sum them up for a reader who will not \
see them. Say only what they say: no number, name, date, cause or judgement that is in none of them, and do not count them or \
what they tell of. Where one statement changes what an earlier one says, tell what holds now and what held before. "I", \
"we" and "our" are of who said it. "Yesterday", "last Friday" and the like are counted from the day on which it was said. \
Where the first day is another one and fits them, that is what they come to: tell it in their place ("on 17 April 2026"). \
The first day of a month or year may stand for all of it: of "in December" or "two years ago" tell no day. Else tell when \
it was said with them ("last Friday, told on 19 April 2026"). Leave out remarks that say nothing to who was not there, \
however many they are; where all are such, say in one sentence what they are about.

`summary`: two or three sentences that stand by themselves; name people and things instead of he, she or it.
`key_facts`: what must not be lost, one short sentence each, with names, numbers and dates as the statements spell them.
`decisions`: what was decided, one sentence each, with the reason and the outcome if they are stated; empty if nothing was.
Leave out what a statement merely asks for or tells a reader to do."""


class Summed(BaseModel):
    """A summary as a model is asked to give it."""

    summary: str = Field(description="Two or three sentences.")
    key_facts: list[str]
    decisions: list[str]


def prompt(members: Sequence[Member]) -> Prompt[Draft]:
    """The question about the members of one community."""
    newest = sorted(members, key=lambda each: (each.at, each.id))[-MOST_SHOWN:]
    fence = Fence()
    said = [Shown(each.text, day_of_event(each.at, each.zone), each.heading, each.said_by) for each in newest]
    told = "\n\n".join(f"{each.kind}, {one.under(fence)}" for each, one in zip(newest, said, strict=True))
    sources = [each.whole for each in said]
    return Prompt(
        Purpose.SUMMARISE,
        f"{_SYSTEM}\n\n{fence.rule}",
        f"STATEMENTS\n{told}",
        strict(Summed),
        lambda text: read(text, sources),
    )


def read(text: str, sources: Sequence[str]) -> Draft:
    """What was said, as a draft. Unreadable for an empty summary, and for one that says what no source says."""
    found = json_answer.answer(Summed, text)
    summary = _line(found.summary, _LONGEST)
    facts, decisions = (
        tuple(line for each in given[:MOST_LISTED] if (line := _line(each, _LONGEST_LINE)))
        for given in (found.key_facts, found.decisions)
    )
    if not summary:
        raise json_answer.Unreadable("the summary is empty")
    count = sum(len(ungrounded(each, sources)) for each in (summary, *facts, *decisions))
    if count:
        raise json_answer.Unreadable(f"it has {count} numbers, dates or names that no statement has")
    return Draft(summary, facts, decisions)


def _line(text: str, longest: int) -> str:
    return (
        " ".join(texts.clean(text, json_answer.MAX_LENGTH, "summary").split())[:longest]
        if text.strip()
        else ""
    )

"""Which statements of a conversation are worth keeping, and what each does to what is known: one question for both.

Known memories are shown with since when they hold and who said so, messages in the local time of the person, all as lines
of JSON between marks, so that no text can pass for another line. The answer is read in `extract_answer.py`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal

from pydantic import BaseModel, Field

from graph_memory.ingest.extract_answer import Found, read
from graph_memory.model.message import Message
from graph_memory.model.purpose import Purpose
from graph_memory.models.fence import Fence, Offered
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt
from graph_memory.models.redaction import hidden

_SYSTEM = """\
You keep the memory of an assistant. You are given numbered messages of a conversation, each with its local time and \
speaker; what is known already, each memory with its id, since when it holds and who said so; names that are known; \
perhaps earlier messages, only so that you understand these. Answer with the statements worth keeping, under \
`memories`.

Keep what people state about themselves, their life, work, plans, decisions, likes and people, and agreements of a \
group: all that would still matter in some weeks, small details too. A statement is worth keeping though others could \
look it up, if people here decided or dispute it. Leave out small talk, questions, jokes and irony, what is only \
imagined, what an assistant said or did (unless a person agrees to it), and orders to it; but keep how it shall treat \
somebody. Only what is said outright: draw no conclusions. When nothing is worth keeping, the list is empty. Of what \
is corrected or changes within these messages give only what holds in the end.

For each statement:
text: one self-contained sentence for one fact (what can change apart is two statements), third person, present where \
it holds ("from" a day that is still to come), with the names of people and things as they are known here instead of \
he, it, we or there; two who share a name are told apart ("Lena from the choir"). Keep every number, unit, name and \
condition. Write out dates in full. Give what holds now without what held before: that stays in the history. Of what \
somebody says against another: "According to Ben, ...".
kind: fact, preference, decision, plan, event or rule; what comes again and again, such as training on Mondays, is a \
fact.
confidence: .9 and more when it was said outright, .7 when it is clear from the context, .5 when it is likely.
importance: from 0 to 1; .5 is usual, .9 what could harm if forgotten, such as an allergy.
speaker: who says it, as the message has the name; of a proposal, who agrees to it.
messages: the numbers of the messages it comes from.
outcome: what it does to one known memory, and `known` the id of that memory:
  NEW: nothing of the kind is known; `known` is null. Also what conflicts only with another statement of your own \
list: link it.
  REPEATS: the known memory says it already, if in other words, by somebody else, or with more than this.
  EXTENDS: it says all that the known memory says, and more that matters: it can stand in its place.
  ADDS: it is about the same; both hold and are needed.
  CHANGES: it was so, and is different now or from some day on. So is a newer measurement of the same thing, a plan \
that is carried out or moved, and a new state after one that ended.
  CORRECTS: the known memory was wrong.
  ENDS: the known memory holds no longer and nothing takes its place, or its condition is not met; the text says so.
  DISPUTES: somebody else says otherwise, and it is not settled who is right.
What is planned or announced changes nothing before its day: give `since`. What holds for one day only, for somebody \
or something else, or as a further item of several, ends nothing. What takes the place of a known memory repeats what \
still holds of it. When in doubt NEW or ADDS.
sure: how sure you are of the outcome and of `known`, from 0 to 1; where you are sure, .9 and more, it is done, else a \
person is asked.
since, until: from when and until when it holds, if that is said or plain from the message; for ENDS, since when the \
known memory holds no longer, which is the day after a last day; else null. Reckon with dates where that is plain. \
Local dates or times as 2024, 2024-05, 2024-05-03 or 2024-05-03T18:30, of a week its first day; never made up.
happens_at: the local day or moment of an event or appointment, in the same form; else null.
expires_at: when it is of no use to anybody any more, only if it is worthless then; null for events and plans.
links: other known memories (their `id`) or statements of your own list (`place`, counted from 0; the other of the two \
is null) that it is tied to, if that is said. `type` reads from this statement to that one: CAUSED_BY, CAUSES, \
SUPPORTS, EXAMPLE_OF, FOLLOWS, CONFLICTS. Usually [].
reason: a few words: why it is kept, or what it does to the known memory.

Under `relations`: how people, places, organisations and things that the statements name stand to one another, if a \
statement says so outright and it still holds; usually few. subject and object: two names as the statement has them; \
type: how the first stands to the second, in capitals, WORKS_AT, EMPLOYS, LIVES_IN, BORN_IN, MARRIED_TO, SIBLING_OF, \
PARENT_OF, CHILD_OF, FRIEND_OF, MEMBER_OF, MANAGES, OWNS, USES, LOCATED_IN, PART_OF, FOUNDED, STUDIES_AT, MADE, KNOWS \
or another one of that make, such as DOCTOR_OF; memory: the place of the statement in your list."""


_WEIGHED = """

For each statement in `memories` give also `factors`, each from 0 to 1: relevance (it is about the person, their life or \
their work), actionability (something can be done with it later), novelty (no known memory says it), specificity (it \
names who, what, when), coherence (it stands by itself and makes sense)."""


@dataclass(frozen=True)
class Known:
    """A memory as the model is shown it: since when it holds, who said so, and the day of what happens.

    `said_at` is when it was said last, which it is not shown.
    """

    id: str
    text: str
    since: datetime | None = None
    author: str | None = None
    kind: str = ""
    happens_at: datetime | None = None
    said_at: datetime | None = None


class Link(BaseModel):
    """A tie to another memory, as a model is asked to give it."""

    type: Literal["CAUSED_BY", "CAUSES", "SUPPORTS", "EXAMPLE_OF", "FOLLOWS", "CONFLICTS"]
    id: str | None
    place: int | None


class Extracted(BaseModel):
    """A statement as a model is asked to give it."""

    text: str
    kind: str
    confidence: float
    importance: float
    speaker: str
    messages: list[int]
    outcome: Literal["NEW", "REPEATS", "EXTENDS", "ADDS", "CHANGES", "CORRECTS", "ENDS", "DISPUTES"]
    known: str | None
    sure: float
    since: str | None
    until: str | None
    happens_at: str | None
    expires_at: str | None
    links: list[Link]
    reason: str


class Weight(BaseModel):
    """What speaks for keeping a statement, each from 0 to 1."""

    relevance: float = Field(description="It is about the person, their life or their work.")
    actionability: float = Field(description="Something can be done with it later.")
    novelty: float = Field(description="No known memory says it.")
    specificity: float = Field(description="It names who, what, when.")
    coherence: float = Field(description="It stands by itself and makes sense.")


class ExtractedAndWeighed(Extracted):
    """A statement with what speaks for keeping it."""

    factors: Weight


class Relation(BaseModel):
    """How two names of a statement relate, as a model is asked to give it."""

    subject: str
    type: str
    object: str
    memory: int


class Memories(BaseModel):
    """What is worth keeping."""

    memories: list[Extracted]
    relations: list[Relation]


class WeighedMemories(Memories):
    """What is worth keeping, and how much."""

    memories: list[ExtractedAndWeighed]  # type: ignore[assignment] # a list of what is also one


def prompt(
    messages: Sequence[Message],
    known: Sequence[Known] = (),
    before: Sequence[Message] = (),
    *,
    names: Sequence[str] = (),
    zone: tzinfo = UTC,
    is_weighed: bool = False,
) -> Prompt[tuple[Found, ...]]:
    """The question about a stretch of one conversation. `known` are memories of the same tenant and subject.

    `before` are the messages before it, which are shown and not asked about; `names` are how people and things are called;
    all times are shown and meant in `zone`. With `is_weighed` the factors are asked for that say how much each statement
    is worth keeping (`capture.py`).
    """
    fence, offered = Fence(), Offered(each.id for each in known)
    parts = {
        "KNOWN MEMORIES": [_known(each, offered, zone) for each in known],
        "NAMES": [_line(list(map(hidden, names)))] if names else [],
        "EARLIER MESSAGES": [_line(_message(each, zone)) for each in before],
        "MESSAGES": [_line({"n": number} | _message(each, zone)) for number, each in enumerate(messages)],
    }
    shown = "\n\n".join(f"{title}\n" + "\n".join(lines) for title, lines in parts.items() if lines)
    return Prompt(
        Purpose.EXTRACT,
        f"{_SYSTEM}{_WEIGHED if is_weighed else ''}\n\n{fence.rule}",
        f"Local time: {zone}.\n{fence.between(shown)}",
        strict(WeighedMemories if is_weighed else Memories),
        lambda text: read(text, offered, len(messages), zone),
    )


def _known(memory: Known, offered: Offered, zone: tzinfo) -> str:
    told = {
        "id": offered.short(memory.id),
        "since": _day(memory.since, zone),
        "by": hidden(memory.author) if memory.author else None,
        "kind": memory.kind,
        "on": _day(memory.happens_at, UTC),
        "text": hidden(memory.text),
    }
    return _line({name: value for name, value in told.items() if value})


def _message(message: Message, zone: tzinfo) -> dict[str, str]:
    told = {
        "at": message.at.astimezone(zone).strftime("%a %Y-%m-%d %H:%M"),
        "by": hidden(message.speaker),
        "role": "" if message.is_of_person else message.role,
        "text": hidden(message.text),
        "picture": hidden(message.caption) if message.caption else None,
    }
    return {name: value for name, value in told.items() if value}


def _day(at: datetime | None, zone: tzinfo) -> str | None:
    return at.astimezone(zone).date().isoformat() if at else None


def _line(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False)

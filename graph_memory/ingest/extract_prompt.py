"""Which statements of a conversation are worth keeping?

The answer is repaired where that loses nothing: an unknown type of link, an id that was not offered or a hint to
nothing is dropped, a confidence that is none is .9. What is no statement is dropped as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from graph_memory.entities.relations import type_of
from graph_memory.ingest.capture import Factors
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import Relates
from graph_memory.model.message import Message
from graph_memory.model.purpose import Purpose
from graph_memory.models import json_answer
from graph_memory.models.fence import Fence, Offered
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt
from graph_memory.models.redaction import HIDDEN

MIN_LENGTH = 10
DEFAULT_CONFIDENCE = 0.9

# What a model may say of a new statement and one that it was shown.
LINKS = (
    LinkKind.CONFLICTS,
    LinkKind.SUPERSEDES,
    LinkKind.CAUSES,
    LinkKind.INSTANCE_OF,
    LinkKind.INVALIDATED_BY,
    LinkKind.MOTIVATED_BY,
)
_OLDEST, _LATEST = datetime(1900, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
_MOST_KIND = 40
_MOST_RELATIONS = 500
_LONGEST_NAME = 100
_MOST_WORDS = 6

_SYSTEM = """\
You decide what an assistant should remember of a conversation. You are given numbered messages and some memories that \
are known already, each with its id; perhaps also earlier messages, only so that you understand these. \
Answer with the statements worth keeping, as a list under `memories`.

Keep what somebody states about themselves, their life, work, plans, decisions, likes and people, and what would still \
matter in some weeks. Only what is said outright: draw no conclusions, fill no gaps. Leave out small talk, questions, \
what an assistant said or did, instructions to it, reminders, and what anybody could look up. Say nothing again that a \
known memory says already. When nothing is worth keeping, the list is empty.

For each:
text: one self-contained sentence in the third person with the person's name, plain and present, without "said that"; \
keep every name, number and date; write out relative dates by the date of the message.
confidence: .9 and more when it was said outright, .7 when it is clear from the context, .5 when it is likely; leave \
out what is less sure.
kind: one word, such as fact, event, plan, decision, preference.
messages: the numbers of the messages it comes from.
happens_at: the day or moment it speaks of, ISO 8601, if it is an event with a date; else null.
expires_at: when it stops mattering, if that was said or follows from the event; null for what lasts. The two do not \
depend on each other.
relationship_type and related_memory_ids: how it stands to known memories, by their ids, if it clearly does: CONFLICTS, \
SUPERSEDES, CAUSES, INSTANCE_OF, INVALIDATED_BY, MOTIVATED_BY; else null and [].
consolidates_memory_ids: ids of known memories that it says in full, so that they need not be kept beside it; usually [].
linking_hints: places in your own list, counted from 0, of statements that belong together with it; usually [].

Answer also, under `relations`, how people, places, organisations and things that the statements name stand to one \
another, if a statement says so outright and still holds; usually few. For each:
subject and object: the two names, as the statement has them.
type: how the first stands to the second, WORKS_AT, EMPLOYS, LIVES_IN, BORN_IN, MARRIED_TO, SIBLING_OF, PARENT_OF, \
CHILD_OF, FRIEND_OF, MEMBER_OF, MANAGES, OWNS, USES, LOCATED_IN, PART_OF, FOUNDED, STUDIES_AT, MADE or KNOWS; only if none \
fits another one of the same make.
memory: the place in your own list, counted from 0, of the statement that says so."""


_WEIGHED = """

For each statement in `memories` give also `factors`, each from 0 to 1: relevance (it is about the person, their life or \
their work), actionability (something can be done with it later), novelty (no known memory says it), specificity (it \
names who, what, when), coherence (it stands by itself and makes sense)."""


@dataclass(frozen=True)
class Known:
    """A memory as the model is shown it."""

    id: str
    text: str


@dataclass(frozen=True)
class Found:
    """One statement. `messages` are places in the messages shown, `hints` places in the list of found statements.

    Ids are those of known memories that were shown, in full. `relations` are between names that stand in the text.
    """

    text: str
    confidence: float
    kind: str
    messages: tuple[int, ...] = ()
    happens_at: datetime | None = None
    expires_at: datetime | None = None
    link: LinkKind | None = None
    related: tuple[str, ...] = ()
    consolidates: tuple[str, ...] = ()
    hints: tuple[int, ...] = ()
    relations: tuple[Relates, ...] = ()
    factors: Factors | None = None


class Extracted(BaseModel):
    """A statement as a model is asked to give it."""

    text: str
    confidence: float = Field(description="From 0 to 1.")
    kind: str = Field(description="One word.")
    messages: list[int] = Field(description="Numbers of the messages it comes from.")
    happens_at: str | None = Field(description="ISO 8601, or null.")
    expires_at: str | None = Field(description="ISO 8601, or null.")
    relationship_type: (
        Literal["CONFLICTS", "SUPERSEDES", "CAUSES", "INSTANCE_OF", "INVALIDATED_BY", "MOTIVATED_BY"] | None
    )
    related_memory_ids: list[str]
    consolidates_memory_ids: list[str]
    linking_hints: list[int]


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
    type: str = Field(description="As in WORKS_AT.")
    object: str
    memory: int = Field(description="Place of the statement in `memories`, counted from 0.")


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
    is_weighed: bool = False,
) -> Prompt[tuple[Found, ...]]:
    """The question about a stretch of one conversation. `known` are memories of the same tenant and subject.

    `before` are the messages before it, which are shown and not asked about. With `is_weighed` the factors are asked for
    that say how much each statement is worth keeping (`understanding/capture.py`).
    """
    fence, offered = Fence(), Offered(each.id for each in known)
    told = "\n".join(f"[{number}] {_told(fence, each)}" for number, each in enumerate(messages))
    earlier = "EARLIER MESSAGES\n" + "\n".join(_told(fence, each) for each in before) if before else ""
    seen = "\n".join(f"[{offered.short(each.id)}]\n{fence.data(each.text)}" for each in known) or "none"
    return Prompt(
        Purpose.EXTRACT,
        f"{_SYSTEM}{_WEIGHED if is_weighed else ''}\n\n{fence.rule}",
        "\n\n".join(filter(None, (f"KNOWN MEMORIES\n{seen}", earlier, f"MESSAGES\n{told}"))),
        strict(WeighedMemories if is_weighed else Memories),
        lambda text: read(text, offered, len(messages)),
    )


def _told(fence: Fence, message: Message) -> str:
    """A message with its time and speaker, and what a picture in it shows."""
    spoken = "" if message.is_of_person else f" ({message.role})"
    picture = f"\nshares a picture:\n{fence.data(message.caption)}" if message.caption else ""
    text = fence.data(message.text)
    return f"{message.at.isoformat()} {fence.inline(message.speaker)}{spoken}\n{text}{picture}"


def read(text: str, offered: Offered, count: int) -> tuple[Found, ...]:
    """The statements in an answer about `count` messages; () when there are none. Unreadable when it is no list."""
    items = json_answer.parts(text, "memories")
    kept = [at for at, each in enumerate(items) if _is_statement(each)]
    places = {at: place for place, at in enumerate(kept)}
    related = _related(text)
    return tuple(
        replace(
            _found(items[at], offered, count, {old: new for old, new in places.items() if old != at}),
            relations=tuple(dict.fromkeys(each for place, each in related if place == at)),
        )
        for at in kept
    )


def _is_statement(item: Any) -> bool:
    text = item.get("text") if isinstance(item, Mapping) else None
    return isinstance(text, str) and len(text.strip()) >= MIN_LENGTH and HIDDEN not in text


def _found(item: Mapping[str, Any], offered: Offered, count: int, others: Mapping[int, int]) -> Found:
    return Found(
        " ".join(item["text"].split()),
        _confidence(item.get("confidence")),
        _kind(item.get("kind")),
        tuple(dict.fromkeys(at for at in _numbers(item.get("messages")) if at < count)),
        _time(item.get("happens_at")),
        _time(item.get("expires_at")),
        _link(item.get("relationship_type")),
        _ids(item.get("related_memory_ids"), offered),
        _ids(item.get("consolidates_memory_ids"), offered),
        tuple(dict.fromkeys(others[at] for at in _numbers(item.get("linking_hints")) if at in others)),
        factors=_factors(item.get("factors")),
    )


def _factors(given: Any) -> Factors | None:
    """The five factors; None unless all are there and numbers."""
    named = [given.get(each.name) for each in fields(Factors)] if isinstance(given, Mapping) else []
    values = [float(each) for each in named if isinstance(each, int | float) and math.isfinite(each)]
    if not values or len(values) < len(named):
        return None
    return Factors(*values)


def _related(text: str) -> list[tuple[int, Relates]]:
    """The relations of an answer, each with the place of its statement; none where the answer broke off before them."""
    try:
        found = json_answer.value(text)
    except json_answer.Unreadable:
        return []
    given = found.get("relations") if isinstance(found, Mapping) else None
    made = (_relation(each) for each in (given if isinstance(given, list) else [])[:_MOST_RELATIONS])
    return [each for each in made if each is not None]


def _relation(item: Any) -> tuple[int, Relates] | None:
    if not isinstance(item, Mapping):
        return None
    names = [item.get(name) for name in ("subject", "type", "object")]
    if not all(isinstance(each, str) and 0 < len(each.strip()) <= _LONGEST_NAME for each in names):
        return None
    subject, type, other = (" ".join(str(each).split()) for each in names)
    places, kind = _numbers([item.get("memory")]), type_of(type)
    is_name = all(len(each.split()) <= _MOST_WORDS and HIDDEN not in each for each in (subject, other))
    if not places or kind is None or not is_name:
        return None
    return places[0], Relates(subject, kind, other)


def _confidence(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 1 else DEFAULT_CONFIDENCE


def _kind(value: Any) -> str:
    found = value.strip().lower() if isinstance(value, str) else ""
    return found if found.isidentifier() and len(found) <= _MOST_KIND else "fact"


def _numbers(value: Any) -> list[int]:
    given = value if isinstance(value, list) else []
    return [each for each in given if isinstance(each, int) and not isinstance(each, bool) and each >= 0]


def _ids(value: Any, offered: Offered) -> tuple[str, ...]:
    given = value if isinstance(value, list) else []
    return tuple(dict.fromkeys(id for each in given if (id := offered.real(each)) is not None))


def _link(value: Any) -> LinkKind | None:
    found = LinkKind.__members__.get(value.strip().upper()) if isinstance(value, str) else None
    return found if found in LINKS else None


def _time(value: Any) -> datetime | None:
    """A moment in UTC; None for what is none, or lies in another age."""
    try:
        found = datetime.fromisoformat(value.strip()) if isinstance(value, str) else None
    except ValueError:
        return None
    if found is None:
        return None
    found = found.replace(tzinfo=UTC) if found.tzinfo is None else found
    return found.astimezone(UTC) if _OLDEST < found < _LATEST else None

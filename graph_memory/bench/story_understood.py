"""What a careful reader understood of each message of a story, read from a file, and which memory holds it.

A file is `{"stories": [{"id", "messages": [{"message", "mood", "keep", "statements": [...]}]}]}`, messages by their place. A
statement has a `text`, and where that is so: what it `does` (an effect) `to` an earlier one, named by message and place in it
("0.1"), the new `value` in the message and the `old` one; `valid_from`, `valid_to`, `happens_at`, local days or moments; and the
earlier ones that it is so `because` of, and that it `led_to`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph_memory.judge.linker import Act
from graph_memory.model.memory import Memory
from graph_memory.model.verdict import Effect

_WORD = re.compile(r"\w+")

# A statement by its message and its place there.
Place = tuple[int, int]


@dataclass(frozen=True)
class Gold:
    """One statement of a message as a careful reader keeps it. Times are local, as they were written."""

    text: str
    does: Effect | None = None
    to: Place | None = None
    value: str = ""
    old: str = ""
    valid_from: str | None = None
    valid_to: str | None = None
    happens_at: str | None = None
    because: tuple[Place, ...] = ()
    led_to: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Understanding:
    """A message as a careful reader understands it; `keeps` tells whether its statements are worth keeping."""

    act: Act = Act.CHATTER
    keeps: bool = False
    statements: tuple[Gold, ...] = ()


def understanding(told: Mapping[str, Any]) -> Understanding:
    """What the file tells of one message. Raises ValueError, TypeError, KeyError."""
    statements = tuple(_gold(each) for each in told["statements"])
    return Understanding(Act(told["mood"]), bool(told["keep"]), statements)


def _gold(told: Mapping[str, Any]) -> Gold:
    known = dict(told)
    for name in ("valid_from", "valid_to", "happens_at"):
        datetime.fromisoformat(known.get(name) or "2000-01-01")
    does, to = known.pop("does", None), known.pop("to", None)
    because, led_to = (tuple(map(_place, known.pop(name, ()))) for name in ("because", "led_to"))
    return Gold(**known, does=does and Effect(does), to=to and _place(to), because=because, led_to=led_to)


def _place(named: str) -> Place:
    message, _, place = named.partition(".")
    return int(message), int(place or 0)


def find(
    messages: Mapping[int, Understanding], held: Sequence[Memory], place: Place, old: str = ""
) -> Memory | None:
    """The live memory that holds a statement: of those of its message the one with the old value, else the likest.

    Where that message left none, it is one of those that said the same again.
    """
    same = [place, *_same_as(messages, place)]
    for number, at in same:
        gold = _said(messages, (number, at))
        value = (old or gold.value).casefold()
        able = [each for each in held if number_of(each.source.ref) == number]
        if able:
            return max(able, key=lambda each: (value in each.text.casefold(), _alike(each.text, gold.text)))
    return None


def _said(messages: Mapping[int, Understanding], place: Place) -> Gold:
    """The statement at that place; one without words where the hand keeps none of the message, as of a joke."""
    number, at = place
    statements = messages.get(number, Understanding()).statements
    return statements[at] if at < len(statements) else Gold("")


def _same_as(messages: Mapping[int, Understanding], place: Place) -> Iterator[Place]:
    """Where else the same is said: what a statement repeats, and what repeats that."""
    said = _said(messages, place)
    first = said.to if said.does is Effect.REPEATS and said.to else place
    yield first
    for number, each in messages.items():
        for at, other in enumerate(each.statements):
            if other.does is Effect.REPEATS and other.to == first:
                yield number, at


def nearest(statements: Sequence[Gold], text: str) -> Gold | None:
    """The statement that a text most likely tells."""
    return max(
        statements,
        key=lambda each: (each.text == text, _alike(text, f"{each.text} {each.value}")),
        default=None,
    )


def _alike(one: str, other: str) -> float:
    """The share of their words that both have."""
    mine, its = ({*_WORD.findall(each.casefold())} for each in (one, other))
    return len(mine & its) / max(1, len(mine | its))


def number_of(ref: str | None) -> int:
    """The place of the message in its story."""
    return int(ref[1:]) if ref and ref[1:].isdecimal() else -1

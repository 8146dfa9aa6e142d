"""Orders to forget ("please strike my salary"): told from facts by what a model has learnt, and laid before a person.

An order is no fact. It is stored as archived, and a review asks whether the known memory that it is most likely about is to be
retracted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph_memory.judge.linker import Link
from graph_memory.judge.worth import opened
from graph_memory.language.coverage import is_readable
from graph_memory.language.sentences import split
from graph_memory.model.memory import Fact

# From this chance on a sentence is an order to forget: in 4,064 messages of chats not learnt from 32 of 39 are found, and 3 that
# are none.
SURE = 0.7
HELD = "order: it asks to forget something"
# The linker's chance, and its share of all, from which a memory is the one that an order is about; else it is the nearest.
# Of 110 orders in chats 71 find theirs so, by the nearest alone 66.
_LEAST, _SHARE = 0.1, 0.5


@dataclass(frozen=True)
class Parted:
    """What a text asks to forget, and what else it says; either may be ''."""

    order: str
    rest: str


def parted(text: str) -> Parted:
    """A text parted into its order to forget and the rest."""
    pieces = split(text)
    orders = [each for each in pieces if _is_order(each)]
    if orders:
        return Parted(" ".join(orders), " ".join(each for each in pieces if each not in orders))
    return Parted(text, "") if _is_order(text) else Parted("", text)


def held(fact: Fact) -> Fact:
    """The fact as an order to forget, which is held."""
    return replace(fact, held=HELD, asks_to_forget=True)


def marked(facts: Sequence[Fact]) -> list[Fact]:
    """The facts, those that are nothing but an order to forget held as such."""
    return [held(fact) if not fact.held and not parted(fact.text).rest else fact for fact in facts]


def meant(links: Sequence[Link]) -> int | None:
    """The place of the known memory that an order is about, as the linker says; None where it does not say so."""
    best = max(range(len(links)), key=lambda each: links[each].chance, default=None)
    if best is None:
        return None
    chance = links[best].chance
    return best if chance >= max(_LEAST, _SHARE * sum(each.chance for each in links)) else None


def _is_order(text: str) -> bool:
    return is_readable(text) and opened().read(text).order >= SURE

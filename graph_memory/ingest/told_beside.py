"""What a message tells beside the value that it puts into what is known: that would be lost with the message's own words.

"It's 88 now, and Dr Lee said no grapefruit. I was born in Lyon." puts 88 into what is known, and tells two things more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graph_memory.ingest.linked_parts import clauses
from graph_memory.judge import worth
from graph_memory.judge.worth import COMPLETE
from graph_memory.language.coverage import is_readable
from graph_memory.language.patterns import compile as pattern
from graph_memory.language.sentences import ended, places, words

# A clause that tells less is a remark: "sorry", "they blame the sea". Those worth keeping are at .57 and more, remarks below .2.
_TELLS = 0.5
# From this chance on that nothing is left open most statements stand alone.
_STANDS = 0.1
_REASON = pattern(r"(?<=\s)(?:so|because|cause|cos|cuz|bc|since)(?=\s)", re.IGNORECASE)


@dataclass(frozen=True)
class Beside:
    """`alone` stands for itself; `with_it` needs the sentence with the value. Each is empty where there is nothing."""

    alone: str = ""
    with_it: str = ""


def told_beside(text: str, value: str, least: float) -> Beside:
    """What a statement tells beside the sentence or the clause that holds a value; nothing where none holds it.

    Of its other sentences what tells anything with a chance of `least` is told.
    """
    value = _found(text, value)
    if not value:
        return Beside()
    alone, with_it = list[str](), list[str]()
    for sentence in (text[slice(*place)] for place in places(text)):
        if not holds(sentence, value):
            alone += [sentence] if tells(sentence, least) else []
            continue
        for clause in _clauses_without(sentence, value):
            (alone if worth.opened().read(clause).complete >= COMPLETE else with_it).append(clause)
    return Beside(" ".join(alone), " ".join(with_it))


def tells(sentence: str, least: float) -> bool:
    """Whether a sentence tells anything, with such a chance; one that cannot be read does."""
    return not is_readable(sentence) or worth.opened().read(sentence).tells >= least


def leans(text: str) -> bool:
    """Whether a statement most likely needs another: "The sunday before last"."""
    return is_readable(text) and worth.opened().read(text).complete < _STANDS


def holds(text: str, value: str) -> bool:
    """Whether a value stands in a text, as words of its own."""
    return _place(text, value) is not None


def _found(text: str, value: str) -> str:
    """As much of a value as stands in a text: all of it, else its longest number or word; the text may be told by another."""
    by_weight = sorted(words(value), key=lambda word: (any(map(str.isdigit, word)), len(word)), reverse=True)
    return next((each for each in (value, *by_weight) if holds(text, each)), "")


def _place(text: str, value: str) -> tuple[int, int] | None:
    """Where a value stands, in whatever case, with no letter or digit beside it."""
    said, sought = text.lower(), value.lower()
    at = said.find(sought) if sought else -1
    while at >= 0:
        end = at + len(sought)
        if not (said[at - 1 : at].isalnum() or said[end : end + 1].isalnum()):
            return at, end
        at = said.find(sought, at + 1)
    return None


def _clauses_without(sentence: str, value: str) -> Iterator[str]:
    """The clauses of a sentence that have no part of a value and tell something, as sentences; a reason is one too."""
    first, last = _place(sentence, value) or (0, 0)
    for start, end in _with_reasons(sentence):
        clause = sentence[start:end].strip()
        told = ended(clause[:1].upper() + clause[1:])
        if clause and (end <= first or last <= start) and is_readable(told) and tells(told, _TELLS):
            yield told


def _with_reasons(sentence: str) -> Iterator[tuple[int, int]]:
    for start, end in clauses(sentence):
        for reason in _REASON.finditer(sentence, start, end):
            yield start, reason.start()
            start = reason.start()
        yield start, end

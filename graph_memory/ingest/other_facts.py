"""What a known memory of several sentences tells beside the one that a message is about: it stays when that one is replaced.

"The service charge is 6,500. The gate code is 4471." and "The gate is now 9026" leave the service charge as it is.
"""

from __future__ import annotations

from collections.abc import Callable

from graph_memory.judge.linker import Span
from graph_memory.language.sentences import split

_ENDS = ".!?…\"”’')"


def parts(text: str) -> list[Span]:
    """Where each sentence of a text stands."""
    found, at = list[Span](), 0
    for sentence in split(text):
        at = text.index(sentence, at)
        found.append((at, at + len(sentence)))
        at += len(sentence)
    return found


def with_others(text: str, known: str, part: Span, tells: Callable[[str], bool]) -> str:
    """The text in the place of a part of what is known, between the other sentences of that which tell anything."""
    others = [span for span in parts(known) if span[1] <= part[0] or part[1] <= span[0]]
    before = [known[slice(*span)] for span in others if span[1] <= part[0]]
    after = [known[slice(*span)] for span in others if part[1] <= span[0]]
    kept = [*filter(tells, before), text, *filter(tells, after)]
    return " ".join([*map(_ended, kept[:-1]), kept[-1]])


def _ended(sentence: str) -> str:
    return sentence if sentence[-1:] in _ENDS else f"{sentence}."

"""What a known memory of several sentences tells beside the one that a message is about: it stays when that one is replaced.

"The service charge is 6,500. The gate code is 4471." and "The gate is now 9026" leave the service charge as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graph_memory.judge.linker import Span
from graph_memory.language.sentences import ended, places


def others(known: str, part: Span, tells: Callable[[str], bool]) -> str:
    """The sentences of what is known that do not meet a part of it and tell anything; '' for none."""
    return " ".join(ended(each) for _, each in _beside(known, part, tells))


def with_others(text: str, known: str, part: Span, tells: Callable[[str], bool]) -> str:
    """The text in the place of a part of what is known, between the other sentences of that which tell anything."""
    found = list(_beside(known, part, tells))
    before = [ended(each) for is_before, each in found if is_before]
    after = [each for is_before, each in found if not is_before]
    pieces = [*before, ended(text) if after else text, *map(ended, after[:-1]), *after[-1:]]
    return " ".join(pieces)


def _beside(known: str, part: Span, tells: Callable[[str], bool]) -> Iterator[tuple[bool, str]]:
    """Each other sentence that tells anything, and whether it stands before the part."""
    for start, end in places(known):
        if (end <= part[0] or part[1] <= start) and tells(known[start:end]):
            yield end <= part[0], known[start:end]

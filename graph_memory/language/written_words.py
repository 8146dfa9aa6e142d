"""The words of a text where they stand, as names are looked for among them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from graph_memory.language import patterns, sentences

TOKEN = patterns.compile(r"\.?[^\W_]+(?:['’.&+#/-]+[^\W_]+)*[+#]*")
_POSSESSIVE = patterns.compile(r"['’]s?$")


@dataclass(frozen=True)
class Word:
    """A word without its 's, whether a sentence begins with it, and whether it had one."""

    text: str
    start: int
    end: int
    is_first: bool
    is_owner: bool


def words_in(text: str) -> list[Word]:
    """The words of a text, in order."""
    words: list[Word] = []
    place = 0
    for sentence in sentences.split(text):
        start = text.index(sentence, place)
        place = start + len(sentence)
        for number, match in enumerate(TOKEN.finditer(text, start, place)):
            bare = _POSSESSIVE.sub("", match.group())
            owner = bare != match.group()
            words.append(Word(bare, match.start(), match.start() + len(bare), number == 0, owner))
    return words


def not_first(words: Iterable[Word]) -> set[str]:
    """Those that stand inside a sentence."""
    return {word.text for word in words if not word.is_first}

"""The words that tell what a statement is about, roughly: enough to see that two have nothing, or everything, in common."""

from __future__ import annotations

from graph_memory.judging.verdict import Statement
from graph_memory.texts import normalised
from graph_memory.understanding import sentences
from graph_memory.understanding.english import ADVERBS, NOT_A_VERB, PARTICIPLES, UNCHANGING

# The forms of a word share their beginning.
_STEM = 5
_SHORTEST = 4
_EMPTY = ADVERBS | NOT_A_VERB | UNCHANGING | PARTICIPLES


def matter(statement: Statement) -> frozenset[str]:
    """The beginnings of its longer words, without those that carry no matter and without its author's name."""
    author = normalised(statement.author or "").split()
    words = (word.removesuffix("'s") for word in sentences.words(normalised(statement.text)))
    return frozenset(
        word[:_STEM] for word in words if len(word) >= _SHORTEST and word not in author and word not in _EMPTY
    )

"""What a full-text index is asked, so that its answer tells which words each memory has and nothing else.

The index's own scores rest on all that it holds, that of other tenants too: who may read could find out from them whether
another tenant stores a word. So each word is asked for as a range from itself to itself, which counts a constant. The
constants are 1 and a power of a half, so that from the sum the words can be told, and what has more of them comes first.
How rare a word is, the search counts among what was read.
"""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory.language.index_words import index_words
from graph_memory.language.texts import lucene

# So many words are told apart at most; the sum is exact in 24 bits, as the index computes it.
MOST_WORDS = 16


@dataclass(frozen=True)
class Wording:
    """`terms` are for the index, '' when there is nothing to ask; `bits` those of a score's fraction, in 65536ths."""

    terms: str
    bits: list[int]


def wording(text: str) -> Wording:
    """The question that a text puts to the index. Of more words than can be told apart the longest are."""
    words = sorted(index_words(text), key=len, reverse=True)[:MOST_WORDS]
    if not words:
        return Wording("", [])
    bits = [2 ** (MOST_WORDS - 1 - place) for place in range(len(words))]
    marked = (
        f"search_text:[{word} TO {word}]^{1 + bit / 2**MOST_WORDS}"
        for word, bit in zip(words, bits, strict=True)
    )
    return Wording(f"+({lucene(text)})^0 {' '.join(marked)}", bits)

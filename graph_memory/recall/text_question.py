"""What a full-text index is asked, so that its answer tells which words each memory has and nothing else.

The index's own scores rest on all that it holds, that of other tenants too: who may read could find out from them whether
another tenant stores a word. So each word is asked for as a pattern, which counts a constant; it fits irregular forms of the
word as well. The constants are 1 and a power of a half: from the sum the words can be told, and what has more of them comes
first. How rare a word is, the search counts among what was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.language import patterns
from graph_memory.language.index_words import index_words

# Words that ask or help to ask tell nothing of what is asked for, unless there are no others.
_ASKING = frozenset(
    index_words(
        "who whom whose what which where when why how do does did done am were been being have has had can could would should "
        "shall may might must i me my mine you your yours he him his she her hers we us our ours them its about any some"
    )
)
# A question asks how things were where its verb stands in the past: English puts that into one of these.
_PAST = frozenset({"did", "was", "were", "had"})
_WORD = patterns.compile(r"[^\W\d_]+")
# So many words are told apart at most; the sum is exact in 24 bits, as the index computes it.
MOST_WORDS = 16
# Letters and digits mean themselves in a pattern of the index.
_SIGN = patterns.compile(r"([^\w])")
_PASSAGE_FIELDS = ("text", "picture", "speaker")


@dataclass(frozen=True)
class Wording:
    """`terms` are for the index, '' when there is nothing to ask; `bits` those of a score's fraction, in 65536ths.

    `in_passages` asks the same of the index of passages, which has no field of all that is said.
    """

    terms: str
    bits: list[int]
    in_passages: str = ""


def wording(text: str) -> Wording:
    """The question that a text puts to the index. Of more words than can be told apart the longest are."""
    every = index_words(text)
    words = sorted([word for word in every if word not in _ASKING] or every, key=len, reverse=True)[
        :MOST_WORDS
    ]
    if not words:
        return Wording("", [])
    bits = [2 ** (MOST_WORDS - 1 - place) for place in range(len(words))]
    marked = [
        (f"/{_either(every[word])}/", f"^{1 + bit / 2**MOST_WORDS}")
        for word, bit in zip(words, bits, strict=True)
    ]
    terms = " ".join(f"search_text:{pattern}{mark}" for pattern, mark in marked)
    return Wording(
        terms, bits, " ".join(_in_one_of(_PASSAGE_FIELDS, pattern) + mark for pattern, mark in marked)
    )


def _in_one_of(fields: Sequence[str], pattern: str) -> str:
    """A word in any of several fields, counted once: in one of them, and in none of those before."""
    parts = (
        " ".join([f"+{field}:{pattern}", *(f"-{before}:{pattern}" for before in fields[:place])])
        for place, field in enumerate(fields)
    )
    return f"({' '.join(f'({part})' for part in parts)})"


def is_of_now(text: str) -> bool:
    """Whether a question asks how things are, by its verb; what is no question does as well."""
    return not _PAST.intersection(_WORD.findall(text.lower().replace("n't", "")))


def _either(words: frozenset[str]) -> str:
    """A pattern of the index that any of the words fits, and nothing else."""
    return "|".join(_SIGN.sub(r"\\\1", word) for word in sorted(words))

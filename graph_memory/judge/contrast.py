"""Where two statements that look alike do not say the same: by small words, by their order."""

from __future__ import annotations

from graph_memory.language.analysis import read
from graph_memory.language.english import words_of
from graph_memory.language.texts import normalised

# Said of a thing, each of these small words makes another statement of it.
_TELLING = words_of(
    """
    must should could would can may might will only except some few many most usually often sometimes rarely almost
    before after with without was were used
    """
)


def says_otherwise(old: str, new: str) -> bool:
    """Whether small words or the order of words show that two texts do not say the same, whatever their
    words. Of texts that are not English only those with equal words do."""
    one, other = read(old), read(new)
    if not (one.is_readable and other.is_readable):
        return normalised(old) != normalised(new)
    return bool((one.plain ^ other.plain) & _TELLING) or turned(old, new)


def turned(old: str, new: str) -> bool:
    """Whether two texts have the same words in another order: Ann is taller than Ben, Ben is taller than Ann."""
    one, other = read(old).tokens, read(new).tokens
    return one != other and sorted(one) == sorted(other)

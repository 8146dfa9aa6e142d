"""Sentences that begin with a name, where the capital letter alone does not tell one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph_memory.language import patterns
from graph_memory.language.english import HABITUAL, UNCHANGING, words_of
from graph_memory.language.given_names import GIVEN_NAMES
from graph_memory.language.longer_names import opens_a_longer_name
from graph_memory.language.name_types import NEAR, RELATIVES
from graph_memory.language.name_words import ORDINARY
from graph_memory.language.written_words import Word

_AUXILIARIES = words_of("is are has have does doesn't isn't hasn't and")
# What goes on with one person or thing, never with several.
_OF_ONE = words_of("is was has does isn't wasn't hasn't doesn't")
# As plurals end, and forms of verbs and adverbs; but so do Ines, James, Fred and Emily.
_DOUBTFUL_ENDING = patterns.compile(r"(?:ed|ly|[b-eghj-mnp-rtv-z]s)$")
_NO_NAME_ENDING = patterns.compile(r"(?:ing|n't)$")
_NAME_NEXT = patterns.compile(r" ([A-Z][^\W_]+)")
# "Ines, my oldest friend, ..."
_APPOSED = patterns.compile(rf",\s+(?:my|our|his|her|their)\s+(?:\w+\s+){{0,2}}{RELATIVES},", re.IGNORECASE)


def opens_as_a_name(word: Word, after: Sequence[Word], text: str) -> bool:
    """Whether a sentence begins with this word as with a name: it owns or does something, or goes on.

    Where the word ends as plurals, verbs and adverbs do, only what cannot follow those counts.
    """
    if word.is_owner or _APPOSED.match(text, word.end):
        return True
    if word.text.lower() in GIVEN_NAMES or opens_a_longer_name(word, after, text):
        return True
    goes_on = bool(after) and not after[0].is_first and after[0].start == word.end + 1
    if not goes_on or _NO_NAME_ENDING.search(word.text):
        return False
    then = after[0].text
    if _DOUBTFUL_ENDING.search(word.text):
        return word.text.lower() not in HABITUAL and _is_of_one(
            word, then, text[after[0].end : after[0].end + NEAR]
        )
    return then in _AUXILIARIES or then in UNCHANGING or then[0].isupper() or then.endswith(("ed", "s"))


def _is_of_one(word: Word, then: str, rest: str) -> bool:
    """Whether only one person or thing goes on like this: "Ines works", "James Okafor", "Agnes and Noor"."""
    if then in _OF_ONE or then in HABITUAL:
        return True
    next_name = _NAME_NEXT.match(rest) if then == "and" else None
    is_joined = next_name is not None and next_name[1].lower() not in ORDINARY
    return word.text.endswith("s") and (is_joined or (then[0].isupper() and then.lower() not in ORDINARY))

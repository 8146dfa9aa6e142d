"""Known names in a text, also where no capital letter shows them: `pgvector`, `new york`.

Only distinctive names are found that way: of several words, or with a shape of their own (PostgreSQL, GPT-4, C++,
pgvector). A plain first name or a word like Will, Rose or Apple needs its capital letter, since in lower case it is
more often the word than the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from graph_memory.language import patterns
from graph_memory.language.english import ADVERBS, UNCHANGING
from graph_memory.language.names import key

_WORD = patterns.compile(r"\.?[^\W_]+(?:['’.&+#/-]+[^\W_]+)*[+#]*")
_PLAIN = patterns.compile(r"[A-Z]?[^\W\d_A-Z]*")
# Words of a known name at most, and words of a text that are looked at.
MOST_WORDS = 4
MOST_READ = 500
_SHORTEST = 3


def keys_in(text: str) -> set[str]:
    """The keys that a known name in the text could have: of every run of one to four words."""
    words = [match.group() for match in _WORD.finditer(text)][:MOST_READ]
    runs = (
        words[start : start + length]
        for start in range(len(words))
        for length in range(1, MOST_WORDS + 1)
        if start + length <= len(words)
    )
    return {key(" ".join(run)) for run in runs if _may_name(run)}


def stands_in(name: str, text: str) -> bool:
    """Whether a text has the name in it, in capital letters or not."""
    return patterns.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE).search(text) is not None


def is_distinctive(name: str) -> bool:
    """Whether a name can be meant where it stands without capital letters."""
    words = name.split()
    if len(words) > 1:
        return any(len(word) > _SHORTEST for word in words)
    has_shape = not _PLAIN.fullmatch(name) or (name == name.lower() and len(name) > _SHORTEST)
    return has_shape and len(name) >= _SHORTEST


def longest(keys: Iterable[str], taken: Iterable[str]) -> set[str]:
    """The keys that are no part of another one, nor of one that was found already."""
    found = set(keys)
    others = [f" {each} " for each in {*found, *taken}]
    return {
        each for each in found if not any(f" {each} " in other for other in others if other.strip() != each)
    }


def _may_name(run: list[str]) -> bool:
    low = [word.lower() for word in run]
    is_ordinary = all(word in UNCHANGING or word in ADVERBS for word in low)
    return not is_ordinary and not (len(run) == 1 and len(run[0]) < _SHORTEST)

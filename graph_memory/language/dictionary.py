"""Whether a word is English: the words of WordNet and their forms, as the parser's package holds them."""

from __future__ import annotations

from functools import cache

from graph_memory.language.parse import folder

_FILE = ("lemmatizer", "lookups", "lookups.bin")
_SHORTEST = 2


def is_word(word: str) -> bool:
    """Whether a word in small letters, or what it is a form of, stands in the dictionary."""
    words, endings = _held()
    if len(word) < _SHORTEST:
        return False
    return word in words or any(
        word.endswith(old) and word[: len(word) - len(old)] + new in words for old, new in endings
    )


@cache
def _held() -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """All words, irregular forms too, and how regular forms end: what stands there, and what the word itself has."""
    import srsly

    tables = srsly.msgpack_loads(folder().joinpath(*_FILE).read_bytes())
    words = {word for kind in tables["lemma_index"].values() for word in kind}
    words |= {word for kind in tables["lemma_exc"].values() for word in kind}
    endings = {(old, new) for kind in tables["lemma_rules"].values() for old, new in kind if old}
    return frozenset(words), tuple(sorted(endings))

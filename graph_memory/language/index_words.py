"""The words of a text as the full-text index keeps them, so that one word can be asked for by itself.

The index cuts a text into words, leaves out the commonest of English and keeps the stem of each, by Porter's rules
("An algorithm for suffix stripping", 1980) with the two changes that Lucene made. Where a script is cut otherwise, a word
here is one that the index does not have: it then counts as found nowhere.
"""

from __future__ import annotations

from functools import lru_cache

from graph_memory.language import characters, patterns
from graph_memory.language.english import words_of
from graph_memory.language.stems import forms

MOST_LETTERS = 60

# Where words are not told apart by blanks, the index keeps each sign.
_SIGN = "\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_LETTERS = rf"(?:(?![{_SIGN}])[^\W_])+"
_WORD = patterns.compile(rf"[{_SIGN}]|{_LETTERS}(?:(?:['’.](?=[^\W\d_])|[.,](?=\d)){_LETTERS})*")
_POSSESSIVE = patterns.compile(r"['’]s$")
_LEFT_OUT = words_of(
    """
    a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
    was will with
    """
)
_SHORTEST = 3
_DOUBLE_ENDINGS = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_LONG_ENDINGS = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_LAST_ENDINGS = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion", "al",
    "er", "ic", "ou",
)  # fmt: skip


def index_words(text: str) -> dict[str, frozenset[str]]:
    """The different words of a text as the index keeps them, in their order, each with its forms and other spellings."""
    words = (match.group() for match in _WORD.finditer(characters.plain(text).lower()))
    bare = (_POSSESSIVE.sub("", word) for word in words)
    kept = dict.fromkeys(word for word in bare if word not in _LEFT_OUT and len(word) <= MOST_LETTERS)
    return {_stem(word): frozenset(map(_stem, forms(word))) | {_stem(word)} for word in kept}


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    if len(word) < _SHORTEST:
        return word
    stem = _without_past(_without_plural(word))
    if stem.endswith("y") and _has_vowel(stem[:-1]):
        stem = stem[:-1] + "i"
    stem = _replaced(_replaced(stem, _DOUBLE_ENDINGS), _LONG_ENDINGS)
    return _without_e(_without_last(stem))


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _has_vowel(word[: -len(ending)]):
            return _mended(word[: -len(ending)])
    return word


def _mended(stem: str) -> str:
    """What an ending took along is put back: hop from hopping, hope from hoping."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _ends_double(stem):
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _replaced(word: str, endings: dict[str, str]) -> str:
    for length in range(min(7, len(word)), 2, -1):
        shorter = endings.get(word[-length:])
        if shorter is not None:
            return word[:-length] + shorter if _measure(word[:-length]) > 0 else word
    return word


def _without_last(word: str) -> str:
    for ending in _LAST_ENDINGS:
        if word.endswith(ending):
            stem = word[: -len(ending)]
            goes = _measure(stem) > 1 and (ending != "ion" or stem.endswith(("s", "t")))
            return stem if goes else word
    return word


def _without_e(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        count = _measure(stem)
        if count > 1 or (count == 1 and not _ends_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _kinds(word: str) -> str:
    """A c for each consonant and a v for each vowel: y is a vowel after a consonant."""
    kinds = ""
    for letter in word:
        is_vowel = letter in "aeiou" or (letter == "y" and kinds[-1:] == "c")
        kinds += "v" if is_vowel else "c"
    return kinds


def _measure(word: str) -> int:
    """How often consonants follow vowels."""
    return _kinds(word).count("vc")


def _has_vowel(word: str) -> bool:
    return "v" in _kinds(word)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _kinds(word)[-1] == "c"


def _ends_short(word: str) -> bool:
    return _kinds(word)[-3:] == "cvc" and word[-1] not in "wxy"

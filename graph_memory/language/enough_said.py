"""Whether a text is long enough to state something. In another language fewer letters may: "Я веган", "我对花生过敏"."""

from __future__ import annotations

import unicodedata

from graph_memory.language.coverage import is_foreign

MIN_LENGTH = 10
# Letters that are enough where no model and no rule knows what they say; one word is a call, a thanks or a yes.
_FEWEST_LETTERS = 6.0
_WITHOUT_BLANKS = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
# A letter of these is a syllable or a word.
_OF_SYLLABLES = ("CJK", "HANGUL")
_SYLLABLE = 1.5


def says_enough(text: str) -> bool:
    """Whether it has ten characters, or in another language several words of six letters together.

    Where words stand without blanks no word is told from the next. What is said again counts once: haha.
    """
    return len(text) >= MIN_LENGTH or (is_foreign(text) and _says_much(text))


def _says_much(text: str) -> bool:
    words = {word.casefold() for word in text.split() if any(map(str.isalpha, word))}
    is_several = len(words) > 1 or any(_is_of(char, _WITHOUT_BLANKS) for char in text)
    return sum(map(_matter, words)) >= (_FEWEST_LETTERS if is_several else MIN_LENGTH)


def _matter(word: str) -> float:
    letters = [char for char in word if char.isalpha()]
    dense = {char for char in letters if _is_of(char, (*_WITHOUT_BLANKS, *_OF_SYLLABLES))}
    plain = sum(char not in dense for char in letters)
    return plain + sum(_SYLLABLE if _is_of(char, _OF_SYLLABLES) else 1 for char in dense)


def _is_of(char: str, scripts: tuple[str, ...]) -> bool:
    return unicodedata.name(char, "").startswith(scripts)

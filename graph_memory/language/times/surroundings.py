"""What stands around words for a time and shows that they do not say which: "on a Sunday", "the best in ten years"."""

from __future__ import annotations

from graph_memory.language import patterns
from graph_memory.language.english import words_of
from graph_memory.language.grammar import is_verb
from graph_memory.language.stems import stem
from graph_memory.language.times.tense import CLAUSE, FUTURE, around, is_past
from graph_memory.language.times.time_reader import is_length_ahead, is_weekday
from graph_memory.language.times.time_words import COUNTS

_WORD = patterns.compile(r"\d[\d,.]*|[^\W\d_]+(?:'[^\W\d_]+)*")
_ANY = words_of("a an any some one no another")
_A = words_of("a an any some")
_OUTSTANDING = words_of("first only last best worst most least never no nobody none nothing anything once")
_NO_SUPERLATIVES = words_of(
    "test rest west guest forest request interest contest protest quest harvest arrest invest suggest honest digest modest"
)
_VERBS = words_of(
    "am is are was were be will shall can could would should might must has have had do does did"
)


def says_not_which(text: str, start: int, end: int) -> bool:
    """Whether the words around a time show that it is none that can be told."""
    plain, phrase = text.replace("’", "'"), text[start:end]
    opens, closes = around(plain, start, end, CLAUSE)
    before, after = plain[opens:start], plain[end:closes]
    if is_weekday(phrase):
        return _is_any(_words(before))
    if not is_length_ahead(phrase):
        return False
    clause = f"{before} {after}"
    is_back = is_past(clause) and not FUTURE.search(clause)
    return is_back or _took(_words(before), _words(after))


def _is_any(before: list[str]) -> bool:
    """On a Sunday, on a dull Sunday."""
    is_a_kind = before[-3:-2] == ["on"] and before[-2] in _A
    return bool(_ANY.intersection(before[-1:])) or is_a_kind


def _took(before: list[str], after: list[str]) -> bool:
    """Whether a length tells how long it took, or has been so: the first in two years, 40 calls in two hours."""
    marks = [at for at, word in enumerate(before) if word in _OUTSTANDING or _is_superlative(word)]
    is_outstanding = bool(marks) and not any(map(_may_be_verb, before[marks[-1] + 1 :]))
    is_counted = before[-1:] != [] and before[-1].endswith("s") and any(map(_is_number, before[-3:-1]))
    return is_outstanding or is_counted or after[:1] == ["of"]


def _is_superlative(word: str) -> bool:
    return word.endswith("est") and len(word) > len("best") and word not in _NO_SUPERLATIVES


def _may_be_verb(word: str) -> bool:
    return word in _VERBS or "'" in word or (word.endswith("s") and is_verb(stem(word)))


def _is_number(word: str) -> bool:
    return word[0].isdecimal() or (word in COUNTS and word not in _A)


def _words(text: str) -> list[str]:
    return [found[0] for found in _WORD.finditer(text.lower())]

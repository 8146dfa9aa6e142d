"""Names of several words: University of Ghent, St. Mary, iPhone 15 Pro, Marks & Spencer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph_memory.language.english import words_of
from graph_memory.language.given_names import GIVEN_NAMES
from graph_memory.language.name_words import BEARERS, BEGINNING, JOINING
from graph_memory.language.written_words import Word

_SAINTS = frozenset({"St", "Mt", "Ft"})
# What a model's number stands before: iPhone 15 Pro, Windows 11 Home.
_MODELS = words_of("Pro Max Plus Ultra Mini Air Lite SE XL Home Enterprise Edition Server")
# What a person's name with 's is part of the name of.
_OWNED = words_of("abbey academy cathedral chapel church college cross hospital school square university")


def goes_on(run: Sequence[Word], word: Word, after: Sequence[Word]) -> bool:
    """Whether a name goes on with this word, though the word alone is none."""
    return bool(run) and (_is_joint(run, word, after) or _is_of_a_model(run, word, after))


def begins(run: Sequence[Word], word: Word, after: Sequence[Word], text: str) -> bool:
    """Whether this is the New of New York, or the St. of St. Mary."""
    return _is_beginning(word, after) or (not run and _is_saint(word, after, text))


def joins(run: Sequence[Word], right: Word, text: str) -> bool:
    """Whether a word may belong to the name that stands before it."""
    left = run[-1]
    if right.is_first:
        return False
    between = text[left.end : right.start]
    if left.is_owner:
        return right.text[0].isupper() and right.text.lower() in _OWNED
    if between == " & ":
        return not {left.text.lower(), right.text.lower()} <= GIVEN_NAMES
    return between == " " or (between == ". " and left.text in _SAINTS)


def opens_a_longer_name(word: Word, after: Sequence[Word], text: str) -> bool:
    """Whether this is the Bank of Bank of America, the Marks of Marks & Spencer or the Windows of Windows 11 Pro."""
    if len(after) < 1 or after[0].is_first:
        return False
    follows = len(after) > 1 and not after[1].is_first
    if after[0].text == "of" and word.text.lower() in BEARERS:
        return follows and (after[1].text == "the" or after[1].text[0].isupper())
    if text[word.end : after[0].start] == " & ":
        return after[0].text[0].isupper()
    return follows and _is_number_of_a_model(after[0], after[1:])


def span(run: Sequence[Word]) -> Iterable[tuple[int, int]]:
    """Where the name stands that these words make, if they make one."""
    while run and (run[-1].text in JOINING or run[-1].text == "the"):
        run = run[:-1]
    if run:
        yield run[0].start, run[-1].end


def _is_joint(run: Sequence[Word], word: Word, after: Sequence[Word]) -> bool:
    """Whether this is the of of University of Ghent, or one of the two of Lake of the Woods."""
    if not after or after[0].is_first:
        return False
    if word.text == "of" and after[0].text == "the":
        return len(after) > 1 and not after[1].is_first and after[1].text[0].isupper()
    is_within = word.text in JOINING or (word.text == "the" and run[-1].text == "of")
    return is_within and after[0].text[0].isupper()


def _is_of_a_model(run: Sequence[Word], word: Word, after: Sequence[Word]) -> bool:
    return _is_number_of_a_model(word, after) or (run[-1].text.isdigit() and word.text in _MODELS)


def _is_number_of_a_model(word: Word, after: Sequence[Word]) -> bool:
    follows = bool(after) and not after[0].is_first and after[0].start == word.end + 1
    return word.text.isdigit() and follows and after[0].text in _MODELS


def _is_beginning(word: Word, after: Sequence[Word]) -> bool:
    """Whether this is the New of New York."""
    follows = bool(after) and not after[0].is_first and after[0].start == word.end + 1
    return word.text.istitle() and word.text.lower() in BEGINNING and follows and after[0].text[0].isupper()


def _is_saint(word: Word, after: Sequence[Word], text: str) -> bool:
    """Whether this is the St. of St. Mary."""
    follows = bool(after) and not after[0].is_first and after[0].text[0].isupper()
    return word.text in _SAINTS and follows and text[word.end : after[0].start] in (" ", ". ")

"""Names in a text, found by their capital letters or, if they are known already, by their spelling.

German writes every noun with a capital letter; there only titles, given names and shapes like GPT-4 show a name. Where
a script has no capitals (Chinese, Japanese, Arabic) nothing but what the caller gives is found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from graph_memory.language import capitals, patterns
from graph_memory.language.english import words_of
from graph_memory.language.given_names import GIVEN_NAMES
from graph_memory.language.longer_names import begins, goes_on, joins, span
from graph_memory.language.name_types import NEAR, UNKNOWN, is_titled, near_before, type_of
from graph_memory.language.name_words import BEGINNING, JOINING, ORDINARY, ROLES
from graph_memory.language.opening_names import opens_as_a_name
from graph_memory.language.texts import normalised
from graph_memory.language.written_words import TOKEN, Word, not_first, words_in

_OWN_SHAPE = patterns.compile(r"^\.[A-Z]|[a-z][A-Z]|[A-Z].*[A-Z]|[A-Z].*\d|\d.*[A-Z]|^[A-Z]\w*[+#]")
_LONE_LETTERS = words_of("C R")
_BEFORE_LETTER = words_of(
    "in using use uses learn learning know knows write writes than from like prefer prefers and or"
)


@dataclass(frozen=True)
class Mention:
    """A name as it is written, its key (equal keys, equal names) and a type: PERSON, ORG, GPE or UNKNOWN.

    A key alone says nothing about who is meant: two people, or a person and a country, can share it.
    """

    name: str
    key: str
    type: str


def mentions(
    text: str,
    known: Collection[str] = (),
    names: Collection[str] = (),
    beside: Iterable[str] = (),
) -> list[Mention]:
    """The names in a text, each once for each type, in the order of their first place.

    `known` are names of people, such as the speakers; `names` are others, found even where capital letters
    do not show them (pgvector). Months, weekdays and ordinary words that begin sentences are no names, unless
    they are names inside a sentence of the text, or of the texts `beside` it.
    """
    people = {normalised(name) for name in known}
    is_told = not capitals.is_on_all_nouns(text)
    spans = _spans(text, {*known, *names}, _inside_sentences(beside), is_told=is_told)
    found = (_typed(text, start, end, people) for start, end in spans)
    return _each_once(each for each in found if each.key not in ROLES)


def key(name: str) -> str:
    """The key of a name. It keeps every sign that tells names apart: C, C++ and C# stay three."""
    return normalised(name)


def spelled_in(text: str, names: Iterable[str]) -> list[str]:
    """Names as the text spells them, those left out that it does not hold, or that do not look like names there."""
    found = (
        patterns.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE).search(text) for name in names
    )
    spelled = dict.fromkeys(match.group() for match in found if match is not None)
    return [name for name in spelled if not name.islower() and not _is_filling(name)]


def without_names(text: str) -> str:
    """What a text says beside the names in it; the text itself where that is nothing."""
    left = text
    for name in sorted((each.name for each in mentions(text)), key=len, reverse=True):
        left = patterns.compile(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)").sub(" ", left)
    return " ".join(left.split()) if TOKEN.search(left) else text


def opens_with(name: str, text: str) -> bool:
    """Whether a sentence of the text begins with just this word, which is a known name and no ordinary word."""
    low = name.lower()
    if low in ORDINARY | BEGINNING | ROLES or low == "will" or not name[:1].isupper():
        return False
    return any(word.is_first and word.text == name for word in words_in(text))


def _is_filling(name: str) -> bool:
    words = normalised(name).split()
    return all(word in ORDINARY or word in JOINING for word in words) or normalised(name) in ROLES


def _spans(
    text: str, known: Collection[str], beside: Collection[str], *, is_told: bool
) -> list[tuple[int, int]]:
    """Where names stand, without overlaps, in order. `is_told`: capital letters tell of them."""
    spelled = [
        match.span() for name in sorted(known, key=len, reverse=True) for match in _spelled(name, text)
    ]
    taken, found = bytearray(len(text)), list[tuple[int, int]]()
    shown = _capitalised(text, {*known, *beside}) if is_told else _among_nouns(text)
    for start, end in spelled + list(shown):
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            found.append((start, end))
    return sorted(found)


def _spelled(name: str, text: str) -> Iterable[re.Match[str]]:
    return (
        patterns.compile(rf"(?<![\w.+#-]){re.escape(name)}(?![\w+#]|[-&]\w)(?!\s+[A-Z][a-z])").finditer(text)
        if name.strip()
        else ()
    )


def _capitalised(text: str, known: Collection[str]) -> Iterable[tuple[int, int]]:
    words = words_in(text)
    elsewhere = not_first(words) | set(known)
    run: list[Word] = []
    for at, word in enumerate(words):
        if run and not joins(run, word, text):
            yield from span(run)
            run = []
        after = words[at + 1 : at + 3]
        opens = word.is_first and opens_as_a_name(word, after, text)
        is_part = goes_on(run, word, after) or begins(run, word, after, text)
        if is_part or _is_name(word, words[at - 1 : at], elsewhere, opens=opens):
            run.append(word)
        else:
            yield from span(run)
            run = []
    yield from span(run)


def _among_nouns(text: str) -> Iterable[tuple[int, int]]:
    """What must be a name where every noun has a capital letter."""
    for word in words_in(text):
        has_title = word.text[0].isupper() and is_titled(near_before(text, word.start))
        if has_title or word.text.lower() in GIVEN_NAMES or _OWN_SHAPE.search(word.text):
            yield word.start, word.end


def _inside_sentences(texts: Iterable[str]) -> set[str]:
    """Words that stand inside sentences with a capital letter."""
    told = (text for text in texts if not capitals.is_on_all_nouns(text))
    return {word for text in told for word in not_first(words_in(text)) if word[0].isupper()}


def _is_name(word: Word, before: list[Word], elsewhere: Collection[str], *, opens: bool) -> bool:
    if len(word.text) == 1:
        return word.text in _LONE_LETTERS and bool(before) and before[-1].text.lower() in _BEFORE_LETTER
    low = word.text.lower().replace("’", "'")
    if low in ORDINARY or low.split("'")[0] in ("i", "you", "we", "they", "he", "she", "it", "that", "what"):
        return False
    if low in BEGINNING or (low == "will" and word.is_first and word.text not in elsewhere):
        return False
    if _OWN_SHAPE.search(word.text):
        return True
    if not word.text[0].isupper():
        return False
    return not word.is_first or word.text in elsewhere or opens


def _typed(text: str, start: int, end: int, people: Collection[str]) -> Mention:
    name = text[start:end]
    after = text[end : end + NEAR]
    return Mention(name, key(name), type_of(name, near_before(text, start), after, people))


def _each_once(found: Iterable[Mention]) -> list[Mention]:
    """Each key once for each type; one without a type goes where its key has one."""
    listed = list(found)
    typed = {mention.key for mention in listed if mention.type != UNKNOWN}
    first: dict[tuple[str, str], Mention] = {}
    for mention in listed:
        if mention.type != UNKNOWN or mention.key not in typed:
            first.setdefault((mention.key, mention.type), mention)
    return list(first.values())

"""Names in a text, found by their capital letters or, if they are known already, by their spelling.

German writes every noun with a capital letter; there only titles, given names and shapes like GPT-4 show a name. Where
a script has no capitals (Chinese, Japanese, Arabic) nothing but what the caller gives is found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from graph_memory.language import patterns
from graph_memory.language.coverage import is_on_all_nouns
from graph_memory.language.english import HABITUAL, UNCHANGING, words_of
from graph_memory.language.given_names import GIVEN_NAMES
from graph_memory.language.name_types import NEAR, UNKNOWN, is_titled, near_before, type_of
from graph_memory.language.name_words import JOINING, ORDINARY, ROLES
from graph_memory.language.texts import normalised
from graph_memory.language.written_words import TOKEN, Word, not_first, words_in

_OWN_SHAPE = patterns.compile(r"^\.[A-Z]|[a-z][A-Z]|[A-Z].*[A-Z]|[A-Z].*\d|\d.*[A-Z]|^[A-Z]\w*[+#]")
_SAINTS = ("St", "Mt", "Ft")
_BEFORE_A_VERB = words_of("is are has have does doesn't isn't hasn't and")
# What goes on with one person or thing, never with several.
_OF_ONE = words_of("is was has does isn't wasn't hasn't doesn't")
# As plurals end, and forms of verbs and adverbs; but so do Ines, James, Fred and Emily.
_DOUBTFUL_ENDING = patterns.compile(r"(?:ed|ly|[b-eghj-mnp-rtv-z]s)$")
_NO_NAME_ENDING = patterns.compile(r"(?:ing|n't)$")


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
    is_told = not is_on_all_nouns(text)
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
    if low in ORDINARY | ROLES or low == "will" or not name[:1].isupper():
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
        after = words[at + 1 : at + 3]
        opens = word.is_first and _opens(word, after, text)
        is_name = (not run and _is_saint(word, after)) or _is_name(word, elsewhere, opens=opens)
        if run and not ((is_name or _is_joint(run, word, after)) and _joins(run, word, text)):
            yield _span(run)
            run = []
        if run or is_name:
            run.append(word)
    if run:
        yield _span(run)


def _joins(run: Sequence[Word], right: Word, text: str) -> bool:
    """Whether a word may belong to the name that stands before it."""
    left = run[-1]
    if right.is_first or left.is_owner:
        return False
    between = text[left.end : right.start]
    if between == " & ":
        return not {left.text.lower(), right.text.lower()} <= GIVEN_NAMES
    return between == " " or (between == ". " and left.text in _SAINTS and len(run) == 1)


def _is_joint(run: Sequence[Word], word: Word, after: Sequence[Word]) -> bool:
    """Whether this is the of of University of Ghent, or one of the two of Lake of the Woods."""
    if not after or after[0].is_first:
        return False
    if word.text == "of" and after[0].text == "the":
        return len(after) > 1 and not after[1].is_first and after[1].text[0].isupper()
    is_within = word.text in JOINING or (word.text == "the" and run[-1].text == "of")
    return is_within and after[0].text[0].isupper()


def _is_saint(word: Word, after: Sequence[Word]) -> bool:
    """Whether this is the St. of St. Mary."""
    return (
        word.text in _SAINTS
        and bool(after)
        and not after[0].is_first
        and after[0].text[0].isupper()
        and after[0].start - word.end <= len(". ")
    )


def _span(run: Sequence[Word]) -> tuple[int, int]:
    """Where a name stands, without what only joins."""
    while run[-1].text in JOINING or run[-1].text == "the":
        run = run[:-1]
    return run[0].start, run[-1].end


def _opens(word: Word, after: Sequence[Word], text: str) -> bool:
    """Whether a sentence begins with this word as with a name: it owns or does something, or goes on."""
    if word.is_owner or word.text.lower() in GIVEN_NAMES:
        return True
    goes_on = bool(after) and not after[0].is_first and text[word.end : after[0].start] in (" ", " & ")
    if not goes_on or _NO_NAME_ENDING.search(word.text):
        return False
    then = after[0].text
    if _DOUBTFUL_ENDING.search(word.text):
        return word.text.lower() not in HABITUAL and (then in _OF_ONE or then in HABITUAL)
    return then in _BEFORE_A_VERB or then in UNCHANGING or then[0].isupper() or then.endswith(("ed", "s"))


def _among_nouns(text: str) -> Iterable[tuple[int, int]]:
    """What must be a name where every noun has a capital letter."""
    for word in words_in(text):
        has_title = word.text[0].isupper() and is_titled(near_before(text, word.start))
        if has_title or word.text.lower() in GIVEN_NAMES or _OWN_SHAPE.search(word.text):
            yield word.start, word.end


def _inside_sentences(texts: Iterable[str]) -> set[str]:
    """Words that stand inside sentences with a capital letter."""
    told = (text for text in texts if not is_on_all_nouns(text))
    return {word for text in told for word in not_first(words_in(text)) if word[0].isupper()}


def _is_name(word: Word, elsewhere: Collection[str], *, opens: bool) -> bool:
    low = word.text.lower().replace("’", "'")
    if len(low) == 1 or low in ORDINARY or (low == "will" and word.is_first and word.text not in elsewhere):
        return False
    if low.split("'")[0] in ("i", "you", "we", "they", "he", "she", "it", "that", "what"):
        return False
    if _OWN_SHAPE.search(word.text):
        return True
    return word.text[0].isupper() and (not word.is_first or word.text in elsewhere or opens)


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

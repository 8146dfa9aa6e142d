"""The words that tell what a statement is about, roughly: enough to see that two have nothing, or everything, in common."""

from __future__ import annotations

from graph_memory.language import sentences
from graph_memory.language.english import (
    ADVERBS,
    HABITUAL,
    NOT_A_VERB,
    NUMBERS,
    PARTICIPLES,
    UNCHANGING,
    words_of,
)
from graph_memory.language.grammar import is_verb
from graph_memory.language.stems import stem
from graph_memory.language.texts import normalised

# The forms of a word share their beginning.
_STEM = 5
_SHORTEST = 4
_SHORTEST_TOPIC = 3
_EMPTY = ADVERBS | NOT_A_VERB | UNCHANGING | PARTICIPLES
_HELPING = words_of(
    """
    am is are was were be been being have has had do does did will would shall should can could may might must cannot
    ok okay ya gonna gotta wanna get gets got let let's i'm it's that's there's him them us me mine yours ours theirs all any each
    few more most much many some such same own very again here there what how not no yes up out off over about around
    """
)

# After these a noun follows, or what describes one.
_BEFORE_A_NOUN = HABITUAL | words_of(
    """
    the a an this these those my your his her its our their no any some each every
    in on at for with from by of about over into onto near under without during between against
    """
)


def matter(text: str, author: str | None) -> frozenset[str]:
    """The beginnings of its longer words, without those that carry no matter and without its author's name."""
    own = frozenset(normalised(author or "").split())
    words = (word.removesuffix("'s") for word in sentences.words(normalised(text)))
    return frozenset(
        word[:_STEM] for word in words if len(word) >= _SHORTEST and word not in own and word not in _EMPTY
    )


def content(text: str, author: str | None) -> frozenset[str]:
    """The stems of all its words that say something, short verbs as well, without its author's name."""
    own = frozenset(normalised(author or "").split())
    words = (word.removesuffix("'s") for word in sentences.words(normalised(text)))
    empty = ADVERBS | NOT_A_VERB | _HELPING
    return frozenset(stem(word) for word in words if word not in own and word not in empty)


def topics(text: str, author: str | None) -> dict[str, str]:
    """The words that a text could be named after, each in small letters, by its stem: no numbers, no author's name."""
    own = frozenset(normalised(author or "").split())
    empty = _EMPTY | _HELPING | NUMBERS.keys()
    found: dict[str, str] = {}
    for word in sentences.words(normalised(text)):
        bare = word.removesuffix("'s")
        if len(bare) >= _SHORTEST_TOPIC and bare.isalpha() and bare not in own and bare not in empty:
            found.setdefault(stem(bare), bare)
    return found


def nouns(text: str) -> set[str]:
    """The stems of the words that stand where nouns do: behind an article, a preposition, a possessive or a number, or
    behind one word that describes them."""
    found, before, is_described = set[str](), "", False
    for word in sentences.words(normalised(text)):
        bare = word.removesuffix("'s")
        follows = before in _BEFORE_A_NOUN or before.endswith("'s") or before.isdigit()
        if follows or (is_described and not bare.endswith("ed") and not is_verb(stem(bare))):
            found.add(stem(bare))
        is_described, before = follows and word == bare and word not in _EMPTY, word
    return found

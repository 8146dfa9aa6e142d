"""Cutting a text of several sentences into statements, where it is certain that each says all that it says by itself."""

from __future__ import annotations

from graph_memory.language import patterns, sentences
from graph_memory.language.english import words_of
from graph_memory.language.grammatical_subjects import clauses
from graph_memory.language.keywords import content
from graph_memory.language.names import mentions
from graph_memory.language.stems import stem
from graph_memory.language.texts import normalised

# What leads out of a sentence: somebody or something said elsewhere, or a bond to what stands before or behind it.
_LEADS_OUT = words_of(
    """
    it its itself this that these those there then he him his she her hers they them their theirs we us our ours you your
    i me my mine one ones another other others else also too so such same both either neither instead here which who whose
    because therefore thus hence however but and or nor yet still except unless otherwise meanwhile later before after
    again only even yes no not
    """
)
_QUOTES = patterns.compile(r"[\"“”«»:]")


def separate(text: str) -> tuple[str, ...]:
    """The statements of a text, if it is two or more that each stand alone and are about separate things; else none."""
    found = sentences.split(text)
    if len(found) < 2 or _QUOTES.search(text) or not all(map(_stands_alone, found)):
        return ()
    told = set[str]()
    for each in found:
        matter = content(each, None) - _called(each)
        if not matter or matter & told:
            return ()
        told |= matter
    return tuple(found)


def _stands_alone(sentence: str) -> bool:
    """Whether somebody or something named does what it tells, and no word of it leads out of it."""
    words = [word.replace("’", "'").split("'")[0] for word in sentences.words(normalised(sentence))]
    [first, *rest] = clauses(sentence)
    named = _called(sentence)
    return (
        _LEADS_OUT.isdisjoint(words)
        and bool(first.subject)
        and not rest
        and any(stem(word.removesuffix("'s")) in named for word in first.subject or ())
    )


def _called(sentence: str) -> frozenset[str]:
    """The stems of the names in it."""
    return frozenset(
        stem(word) for name in mentions(sentence) for word in sentences.words(normalised(name.name))
    )

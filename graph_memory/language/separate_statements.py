"""Cutting a text of several sentences into statements, where it is certain that each says all that it says by itself."""

from __future__ import annotations

from typing import Any

from graph_memory.language import patterns, sentences
from graph_memory.language.english import words_of
from graph_memory.language.keywords import content
from graph_memory.language.names import mentions
from graph_memory.language.parse import parsed
from graph_memory.language.stems import stem
from graph_memory.language.texts import normalised

# What leads out of a sentence: somebody or something said elsewhere, or a bond to what stands before or behind it.
_LEADS_OUT = words_of(
    """
    it its itself this that these those there then he him his she her hers they them their theirs we us our
    ours you your i me my mine one ones another other others else also too so such same both either neither
    instead here which who whose because however but and or nor yet still except unless otherwise meanwhile
    later before after again only even yes no not
    """
)
# What is longer is no sentence that somebody would say.
_LONGEST = 400
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
    return (
        _LEADS_OUT.isdisjoint(words)
        and len(sentence) <= _LONGEST
        and bool(_called(sentence))
        and parsed(sentence, _is_of_a_name)
    )


def _is_of_a_name(doc: Any) -> bool:
    """Whether it is one clause whose subject has a name in it."""
    root = next(doc.sents).root
    subjects = [each for each in doc if each.dep_ in ("nsubj", "nsubjpass")]
    return (
        root.pos_ in ("VERB", "AUX")
        and len(subjects) == 1
        and subjects[0].head == root
        and any(each.pos_ == "PROPN" for each in subjects[0].subtree)
    )


def _called(sentence: str) -> frozenset[str]:
    """The stems of the names in it."""
    return frozenset(
        stem(word) for name in mentions(sentence) for word in sentences.words(normalised(name.name))
    )

"""What I, me and my are in a sentence, where only its parse shows it. Places are those of the sentence's characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from graph_memory.language import patterns
from graph_memory.language.english import words_of
from graph_memory.language.parse import parsed

# What is longer is no sentence that somebody would say.
_LONGEST = 600
# Without the apostrophe these are words of their own.
_UNMARKED = patterns.compile(r"(?<![\w'’.])(?P<i>i)(?P<helps>d|ll)(?![\w'’.])", re.IGNORECASE)
_BEFORE_A_NOUN = ("DT", "PRP$", "JJ")
_SUBJECTS = ("nsubj", "nsubjpass")
# A phrase beside the clause: it is no part of what the verb tells.
_BESIDE = ("npadvmod", "dep", "intj")
# "My goodness": nobody's.
_CRIES = words_of("goodness god gosh lord word days heavens")
_TALKING = words_of("i we you u")


@dataclass(frozen=True)
class FirstPerson:
    """Where I ends a list of several ("Ann and I"), where my belongs to a cry or a call ("my friend, ..."), and where
    what does something, or what it is done to, is named in the plural."""

    joined: frozenset[int] = field(default=frozenset())
    called: frozenset[int] = field(default=frozenset())
    plural: frozenset[int] = field(default=frozenset())


def read(sentence: str) -> FirstPerson:
    """What the parse shows; nothing for what is too long."""
    if len(sentence) > _LONGEST or not sentence.strip():
        return FirstPerson()
    return parsed(sentence, _read)


def with_apostrophes(sentence: str) -> str:
    """The sentence with I'll for ill and I'd for id where they are followed by what somebody will or would do."""
    found = list(_UNMARKED.finditer(sentence)) if len(sentence) <= _LONGEST else []
    if not found:
        return sentence
    meant = parsed(_marked(sentence, found), lambda doc: frozenset(_helped(doc)))
    # The apostrophes put in before one move it.
    return _marked(sentence, [each for n, each in enumerate(found) if each.start() + n in meant])


def _marked(sentence: str, found: list[re.Match[str]]) -> str:
    pieces, last = [], 0
    for each in found:
        pieces += [sentence[last : each.start()], "I'", each["helps"].lower()]
        last = each.end()
    return "".join([*pieces, sentence[last:]])


def _helped(doc: Any) -> Iterator[int]:
    """Where an I stands that is followed by 'll or 'd and a verb that these help."""
    for token in doc:
        if token.lower_ != "i" or token.dep_ not in _SUBJECTS or token.head.tag_ != "VB" or token.whitespace_:
            continue
        helps = any(each.i == token.i + 1 and each.dep_ == "aux" for each in token.head.children)
        before = token.nbor(-1) if token.i else None
        if helps and (
            before is None or (before.tag_ not in _BEFORE_A_NOUN and before.pos_ not in ("VERB", "AUX"))
        ):
            yield token.idx


def _read(doc: Any) -> FirstPerson:
    joined = (each.idx for each in doc if each.lower_ == "i" and each.dep_ == "conj")
    called = (each.idx for each in doc if each.lower_ == "my" and _is_called(each))
    plural = (each.idx for each in doc if _is_plural(each))
    return FirstPerson(frozenset(joined), frozenset(called), frozenset(plural))


def _is_plural(token: Any) -> bool:
    """Whether several do something or have it done to them. What has a capital may be a name that ends in s."""
    return token.tag_ == "NNS" and token.dep_ in (*_SUBJECTS, "dobj") and bool(token.is_lower)


def _is_called(my: Any) -> bool:
    """Whether this my is part of a cry, or of what the speaker calls who listens."""
    if my.dep_ == "intj" or my.tag_ == "UH":
        return True
    named = my.head
    if named.lower_ in _CRIES and my.i + 1 == named.i:
        return all(each.dep_ == "intj" or each.pos_ in ("INTJ", "PUNCT") for each in my.sent if each.i < my.i)
    told = named.head
    is_beside = my.dep_ == "poss" and named.dep_ in _BESIDE and named.i < told.i
    subject = next((each for each in told.children if each.dep_ in _SUBJECTS), None)
    return (
        is_beside
        and named.i + 1 < len(my.doc)
        and named.nbor(1).text == ","
        and subject is not None
        and subject.lower_ in _TALKING
    )

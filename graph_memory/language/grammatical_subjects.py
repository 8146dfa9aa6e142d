"""Who or what the clauses of a statement are about: the words before the verb. "Ann's manager" is not Ann.

A clause begins with the text, with a sentence, or after a comma, a semicolon, and or but where somebody does something
anew. What has no verb that is known has no subject that is known either; so much grammar only can be read off a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from graph_memory.language import patterns, sentences
from graph_memory.language.english import ADVERBS, HABITUAL, PAST_FORMS, UNCHANGING, words_of

_BREAK = patterns.compile(r"(?:\s*[;,]\s+(?:(?:and|but|so)\s+)?|\s+(?:and|but|so)\s+)")
_DETERMINERS = words_of("the a an this that these those our my your")
# What may stand before who it is about, or between that and the verb.
_PASSING = ADVERBS - words_of("all both of kind sort sorta kinda") | words_of(
    "no longer not today yesterday nowadays lately well yes no oh so and but anymore any more"
)
_VERBS = (
    HABITUAL
    | UNCHANGING
    | PAST_FORMS
    | words_of("is are am has have does do isn't aren't hasn't haven't doesn't don't live work likes like")
    | words_of(
        """
        accepts belongs breaks carries charges closes contains costs counts covers cycles dances delivers ends expires
        fits follows handles hangs holds hosts includes lasts leaves means measures names opens opposes pays plugs
        produces publishes reaches receives reports requires returns runs saves serves shares ships shows signs smells
        smokes sounds stands stops stores supplies suffers tastes throws trusts visits weighs
        """
    )
)
_NOT_PAST = words_of("need indeed feed speed hundred red bed wed shed")
# These stand for somebody or something that another sentence names.
_STANDING_IN = words_of("it this that these those there they we he she you one i who which what")
_LONGEST = 6


@dataclass(frozen=True)
class Clause:
    """A part of a statement with a verb: its words, and those of its subject; () where that goes on, None if unknown."""

    text: str
    subject: tuple[str, ...] | None


@lru_cache(maxsize=2048)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a statement, at least one. A part without a verb belongs to the one before, or after, it."""
    return tuple(clause for sentence in sentences.split(text) or [text] for clause in _of_sentence(sentence))


def _of_sentence(sentence: str) -> list[Clause]:
    found: list[Clause] = []
    breaks = [each.span() for each in _BREAK.finditer(sentence)]
    begins, ends = [0, *(end for _, end in breaks)], [*(start for start, _ in breaks), len(sentence)]
    for begin, end in zip(begins, ends, strict=True):
        part, subject = sentence[begin:end], _subject(sentence[begin:end])
        last = found[-1] if found else None
        if last is not None and last.subject is None and subject is not None:
            # "Tom and Ann moved": the first of them is part of who did.
            others = tuple(word for word in _plain(last.text) if word not in _DETERMINERS)
            found[-1] = Clause(f"{last.text} {part}", (*others, *subject))
        elif last is not None and subject is None:
            found[-1] = Clause(f"{last.text} {part}", last.subject)
        else:
            found.append(Clause(part, subject))
    return found


def _plain(clause: str) -> list[str]:
    """Its words in small letters, without those that pass by at its start."""
    words = [word.lower().replace("’", "'") for word in sentences.words(clause)]
    while words and (words[0] in _PASSING or words[0].endswith("ly") or words[:2] == ["these", "days"]):
        words = words[2 if words[0] == "these" else 1 :]
    return words


def _subject(clause: str) -> tuple[str, ...] | None:
    subject: list[str] = []
    for low in _plain(clause)[: _LONGEST + 1]:
        who = low.split("'")[0]
        if who != low and who in _STANDING_IN:
            return (*subject, who)
        if _is_verb(low):
            return tuple(subject)
        if low not in _DETERMINERS and low not in _PASSING:
            subject.append(low)
    return None


def _is_verb(low: str) -> bool:
    return low in _VERBS or (low.endswith("ed") and len(low) > len("need") and low not in _NOT_PAST)

"""What a question asks for: a date, a length, a number, a person, yes or no, a value; or whether it is a question at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from graph_memory.language import patterns, sentences
from graph_memory.language.english import words_of
from graph_memory.language.keywords import content
from graph_memory.language.texts import normalised
from graph_memory.language.times.resolver import find


class Wanted(StrEnum):
    """What would answer a question."""

    WHEN = "WHEN"
    HOW_LONG = "HOW_LONG"
    HOW_MANY = "HOW_MANY"
    WHO = "WHO"
    VALUE = "VALUE"
    YES_NO = "YES_NO"
    OPEN = "OPEN"


# The first that fits.
_FORMS: tuple[tuple[Wanted, re.Pattern[str]], ...] = tuple(
    (wanted, patterns.compile(form, re.IGNORECASE))
    for wanted, form in (
        (Wanted.HOW_LONG, r"\bhow long\b|\bhow many (?:minutes|hours|days|weeks|months|years)\b"),
        (Wanted.WHEN, r"\b(?:since |until )?when\b|\b(?:what|which) (?:date|day|time|month|year)\b"),
        (Wanted.HOW_MANY, r"\bhow many\b"),
        (Wanted.WHO, r"^\W*(?:and |so |with |to )?(?:who|whom)\b"),
        (Wanted.VALUE, r"\b(?:where|what|which|whose|how (?:much|old|often|far|tall|big))\b"),
        (
            Wanted.YES_NO,
            r"^\W*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should)(?:n't)? ",
        ),
    )
)
_ASKS = patterns.compile(r"\?\s*$|^\W*(?:who|whom|whose|what|which|where|why|how|when)\b", re.IGNORECASE)
# What asks, and says nothing of what is asked for.
_ASKING = words_of(
    "long ago date day time month year many much old often exactly happen take place currently now"
)


def wanted(question: str) -> Wanted:
    """What would answer it."""
    return next((each for each, form in _FORMS if form.search(question)), Wanted.OPEN)


def needs_reasoning(question: str, triggers: Sequence[str]) -> bool:
    """Whether more is asked for than a list of memories: a question is, and so is what has one of the phrases in it."""
    if _ASKS.search(question) or wanted(question) is Wanted.YES_NO:
        return True
    said = f" {' '.join(sentences.words(normalised(question)))} "
    return any(f" {trigger.lower()} " in said for trigger in triggers)


def asked_about(question: str) -> frozenset[str]:
    """The stems of what a question is about, without the words that ask and without those for a time."""
    for span in reversed(find(question)):
        question = f"{question[: span.start]} {question[span.end :]}"
    return content(question, None) - content(" ".join(_ASKING), None) - _ASKING

"""What a question asks for: a time, or something else; what it is about; and whether a text is a question at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph_memory.language import patterns, sentences
from graph_memory.language.english import words_of
from graph_memory.language.keywords import content
from graph_memory.language.texts import normalised
from graph_memory.language.times.resolver import find

# "When" elsewhere in a question tells when what is asked for was so: "What did she forget when she moved?"
_TIME = patterns.compile(
    r"^\W*(?:and |so )?when\b|\b(?:what|which) (?:date|day|time|month|year)\b|\bhow long ago\b", re.IGNORECASE
)
_ASKS = patterns.compile(
    r"\?\s*$|^\W*(?:who|whom|whose|what|which|where|why|how|when|is|are|was|were|am|do|does|did|has|have|had|can|could|will|would"
    r"|should)(?:n't)?\b",
    re.IGNORECASE,
)
# What asks, and says nothing of what is asked for.
_ASKING = words_of("long ago date day time month year")


def asks_for_time(question: str) -> bool:
    """Whether a time would answer it."""
    return bool(_TIME.search(question))


def is_question(text: str) -> bool:
    """Whether a text ends or begins as a question does."""
    return bool(_ASKS.search(text))


def needs_reasoning(question: str, triggers: Sequence[str]) -> bool:
    """Whether more is asked for than a list of memories: a question is, and so is what has one of the phrases in it."""
    if is_question(question):
        return True
    said = f" {' '.join(sentences.words(normalised(question)))} "
    return any(f" {trigger.lower()} " in said for trigger in triggers)


def asked_about(question: str) -> frozenset[str]:
    """The stems of what a question is about, without the words that ask and without those for a time."""
    for span in reversed(find(question)):
        question = f"{question[: span.start]} {question[span.end :]}"
    return content(question, None) - _ASKING

"""A first guess at what kind of statement a text is, from cue words."""

from __future__ import annotations

import re
from datetime import datetime

from graph_memory.language import patterns

FACT = "fact"
EVENT = "event"
PICTURE = "picture"

_ADVERB = r"(?:(?:really|always|still|also|just|only|much|never|mostly|now|\w+ly) ){0,4}"
_SUBJECT = r"(?:\bI|\bwe)"
_DECISION = patterns.compile(
    rf"{_SUBJECT}(?:'ve| have|'ve finally| have finally)? {_ADVERB}(?:decided|chose|chosen|settled on|"
    rf"picked|opted|"
    r"switched|went with|made up (?:my|our) minds?)\b|\bthe decision (?:is|was)\b|\bwe(?:'re|"
    r" are) going with\b",
    re.IGNORECASE,
)
_PREFERENCE = patterns.compile(
    rf"{_SUBJECT} {_ADVERB}(?:prefer|love|like|enjoy|adore|hate|dislike|detest|can't stand|cannot stand|"
    rf"don't like|"
    r"do not like|don't enjoy)\b(?! to see you)|\b(?:my|our) favou?rites?\b|\bI'd rather\b|"
    r"\b(?:not |big |huge )+(?:a )?(?:big )?fan of\b|\bI'm (?:really |very )?(?:keen on|fond of|into)\b",
    re.IGNORECASE,
)
_PLAN = patterns.compile(
    rf"{_SUBJECT}(?:'ll\b| will\b| (?:{_ADVERB})?(?:plan|hope|intend|want|aim)\b|'d (?:like|love) to\b|"
    rf"(?:'m|'re| am| are) {_ADVERB}(?:going to|gonna|planning|hoping|thinking of|thinking about|"
    rf"considering)\b)|"
    rf"\bmy (?:plan|goal) is to\b",
    re.IGNORECASE,
)


def guessed(text: str, happens_at: datetime | None, said_at: datetime) -> str:
    """decision, preference, plan, event or, where no cue is sure, fact. `text` is as it was said."""
    said = text.replace("’", "'")
    if _DECISION.search(said):
        return "decision"
    if _PREFERENCE.search(said):
        return "preference"
    if _PLAN.search(said) or (happens_at and happens_at > said_at):
        return "plan"
    return EVENT if happens_at and happens_at <= said_at else FACT

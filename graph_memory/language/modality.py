"""What small words say: whether something must or may be, for all or some, before or after, and who speaks.

Bags of words leave them out; two statements that differ in one of them do not say the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph_memory.language import patterns
from graph_memory.language.english import words_of

_PERSONS = {
    "first": words_of("i i'm i've i'll i'd me my mine myself we we're we've we'll us our ours"),
    "he": words_of("he he's he'll he'd him his himself"),
    "she": words_of("she she's she'll she'd her hers herself"),
    "they": words_of("they they're they've they'll them their theirs"),
    "you": words_of("you you're you've your yours"),
}
_Pair = tuple[frozenset[str], frozenset[str]]
_BEFORE_A_PERSON = words_of(
    "now also currently today still recently apparently so and but then yes no oh well for"
)


def _any(*phrases: str) -> re.Pattern[str]:
    return patterns.compile(rf"(?<![\w-])(?:{'|'.join(phrases)})(?![\w-])".replace(" ", r"\s+"))


# Said of a thing, each of these makes another statement of it.
_MARKS = {
    "must": _any("must", "mustn't", "ha(?:s|ve) to", "needs? to", "required to", "is to", "are to", "obliged to"),
    "had to": _any("had to"),
    "should": _any("should", "shouldn't", "ought to", "supposed to"),
    "could": _any("could", "couldn't"),
    "would": _any("would(?! (?:like|love|prefer|rather))", "wouldn't"),
    "can": _any("can", "can't", "cannot", "able to", "unable to"),
    "may": _any("may", "might", "perhaps", "maybe", "possibly", "probably"),
    "will": _any("will", "won't", "shall", "going to", "gonna", r"\w+'ll"),
    "meant": _any(
        r"(?:wants?|would like|plans?|planning|hopes?|hoping|intends?|tries|trying|learn(?:s|ing)?|about|aims?|ready) to",
    ),
    "used": _any("used to", "formerly", "previously", "once"),
    "only": _any(r"(?<!not\s)only", "solely", "exclusively", "nobody but", "except"),
    "some": _any("some", "several", "a few", "a couple of", "partly", "part of"),
    "few": _any(r"(?<!a\s)few", "hardly any", r"(?<!a\s)little"),
    "many": _any("many", "much", "lots", "a lot", "plenty"),
    "most": _any("most", "mostly", "mainly"),
    "often": _any("usually", "often", "frequently", "normally", "generally"),
    "sometimes": _any("sometimes", "occasionally", "now and then"),
    "rarely": _any("rarely", "seldom", "hardly(?! any)", "hardly ever"),
    "almost": _any("almost", "nearly"),
    "at least": _any("at least", "more than", "over #[a-z]+#", "minimum"),
    "at most": _any("at most", "less than", "up to", "under #[a-z]+#", "maximum", "no more than"),
    "again": _any("again"),
    "back": _any("back"),
}  # fmt: skip
# Small words of which one excludes the other; those that both texts have count for nothing.
_RIVALS = [
    (words_of(one), words_of(other))
    for one, other in (
        ("before", "after"), ("on", "off"), ("in inside into", "out outside"), ("up upstairs", "down downstairs"),
        ("with", "without"), ("over above", "under below beneath"), ("from", "into onto to"), ("until", "since"),
        ("before until till", "from since after"), ("early", "late"),
    )
]  # fmt: skip
# Which of two things of one sort is spoken of.
_SIDES = [
    (words_of(one), words_of(other))
    for one, other in (
        ("front", "rear back"), ("upper", "lower"), ("left", "right"), ("first", "second third last next"),
        ("second", "third last"), ("old former previous", "new current"), ("inbound", "outbound"), ("inner", "outer"),
        ("incoming", "outgoing"), ("big large", "small little"), ("internal", "external"), ("public", "private"),
        ("public", "internal"), ("main primary", "secondary backup spare guest"), ("older elder", "younger"),
    )
]  # fmt: skip


def marks_of(text: str) -> frozenset[str]:
    """The marks of a lower-case text. What holds for all is unmarked: "every" says what a plain plural says."""
    return frozenset(name for name, pattern in _MARKS.items() if pattern.search(text))


def person_of(tokens: Sequence[str]) -> str:
    """Who a text speaks of where it begins with a pronoun: first, he, she, they, you; "" where it does not."""
    for token in tokens[:3]:
        found = next((person for person, words in _PERSONS.items() if token in words), "")
        if found or token not in _BEFORE_A_PERSON:
            return found
    return ""


def are_rivals(old: frozenset[str], new: frozenset[str]) -> bool:
    """Whether a word of one text excludes one of the other (before, after)."""
    return _exclude(_RIVALS, old, new)


def are_sides(old: frozenset[str], new: frozenset[str]) -> bool:
    """Whether they speak of the two of a pair: the upper lock, the lower lock."""
    return _exclude(_SIDES, old, new)


def _exclude(pairs: Sequence[_Pair], old: frozenset[str], new: frozenset[str]) -> bool:
    gone, come = old - new, new - old
    return any((one & gone and other & come) or (other & gone and one & come) for one, other in pairs)


def other_person(old: str, new: str) -> bool:
    """Whether both begin with a pronoun, and with different ones. Who says "you" may mean who says "I"."""
    return bool(old and new and old != new) and {old, new} != {"first", "you"}


def tenses_part(old: str, new: str) -> bool:
    """Whether one tells what is and the other what was."""
    return "past" in (old, new) and bool({old, new} & {"present", "ongoing"})

"""What similarity may not override: values that differ, sources that are trusted less, statements about others.

A guard only ever holds back. What it objects to becomes a coexistence, and a review for a person. Its words name the
kind of difference, never the values: they are kept where texts are not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from graph_memory.language import modality, patterns, values
from graph_memory.language.analysis import read
from graph_memory.language.english import ADVERBS, NOT_A_VERB, UNCHANGING, WEEKDAYS, words_of
from graph_memory.language.names import mentions
from graph_memory.language.stems import stem
from graph_memory.language.texts import normalised
from graph_memory.memory.screening import ALARMING
from graph_memory.model.memory import SourceKind, Trust, trust_of
from graph_memory.model.verdict import Action

_WORD = patterns.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Numbers that a judge reads as mere words.
_SPELLED = {"zero": "0", "one": "1", "seventeen": "17", "nineteen": "19", "half": "1/2"}
# Days and times of day that are no calendar dates; they are compared without their plural's s.
_TIMES_OF_DAY = words_of(
    "today yesterday tomorrow tonight morning afternoon evening night spring summer autumn winter weekend"
)
_NEGATIONS = words_of(
    "not no never none nothing nobody neither nor without cannot hardly barely rarely seldom nowhere"
)
# Turns of phrase with a negation that deny nothing.
_NO_DENIAL = patterns.compile(
    r"\b(?:no (?:more|less|fewer|later|earlier|longer) than|not only|no doubt|no matter|no problem|nothing but)\b",
    re.IGNORECASE,
)
_OPPOSING = ("un", "dis", "in", "im", "non", "ir")
_FIRST_PERSON = words_of("i me my mine myself we us our ours")
# What may stand between a name that begins a sentence and its verb, which shows that it is a name.
_BETWEEN = patterns.compile(
    r"^(\w+) (?:now|also|still|just|recently|currently|usually|often|already|no longer)\b", re.IGNORECASE
)
# Says that somebody now has what another had: the one statement of two people that may end the other.
_HANDOVER = patterns.compile(
    r"\b(?:took|taken|takes|taking) over\b|\b(?:replac|succeed)(?:e?s|e?d|ing)\b|\bin (?:the )?place of\b|"
    r"\b(?:is|as|was|are) (?:now )?the new\b|\bstepped in\b|\bhas passed to\b|\bnow belongs to\b|"
    r"\b(?:was|were|been|got) (?:appointed|elected|promoted|named|made)\b",
    re.IGNORECASE,
)
_PLAIN = UNCHANGING | ADVERBS | NOT_A_VERB | words_of("is are be been has have had does do new over place")
# Words for whoever speaks, and days: no names.
_ANYBODY = words_of("user assistant speaker customer")
_DAYS = frozenset(f"{day.casefold()}s" for day in WEEKDAYS)


@dataclass(frozen=True)
class Side:
    """One of two statements: what it says, who said it, how far its source is trusted, what screening saw in it."""

    text: str
    author: str | None
    source: SourceKind
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Pair:
    """What is to be done to two statements, and whether the judge has read the talk that they are of."""

    action: Action
    new: Side
    old: Side
    is_read: bool

    @cached_property
    def values(self) -> tuple[_Values, _Values]:
        """What both hold that has to agree."""
        return _values(self.new), _values(self.old)


@dataclass(frozen=True)
class _Veto:
    """What speaks against some actions. `is_for_talk`: also where the judge has read the talk, of whom it speaks and in what
    words, or the new statement tells of a change of hands."""

    actions: frozenset[Action]
    is_for_talk: bool
    reason: Callable[[_Pair], str | None]


def objection(action: Action, new: Side, old: Side, has_read: bool = False) -> str | None:
    """Why this action must not be taken by itself; None when nothing speaks against it: the first veto that holds.

    `has_read` tells that the judge has read the talk, so that names and denials need not be compared; numbers and dates of
    a duplicate always are.
    """
    pair = _Pair(action, new, old, has_read or (action is Action.SUPERSEDE and _hands_over(new, old)))
    vetoes = (veto for veto in _VETOES if action in veto.actions and (veto.is_for_talk or not pair.is_read))
    return next((reason for veto in vetoes if (reason := veto.reason(pair))), None)


def are_of_others(new: str, old: str) -> bool:
    """Whether two texts begin with different names or pronouns."""
    return _begin_apart(Side(new, None, SourceKind.USER), Side(old, None, SourceKind.USER))


def _alarms(pair: _Pair) -> str | None:
    seen = {*pair.new.labels, *(pair.old.labels if pair.action is not Action.SUPERSEDE else ())}
    alarm = sorted(ALARMING & seen)
    return (
        f"screening saw in one of them: {', '.join(each.replace('_', ' ') for each in alarm)}"
        if alarm
        else None
    )


def _different_people(pair: _Pair) -> str | None:
    return "they speak of different people" if _speaks_of_others(pair.new, pair.old) else None


def _less_trusted(pair: _Pair) -> str | None:
    new, old = pair.new.source, pair.old.source
    if not _is_less_trusted(new, old):
        return None
    return f"a {new.value} source is trusted less than a {old.value} source"


def _under_doubt(pair: _Pair) -> str | None:
    if not _is_doubtful(pair.old.source) or _is_doubtful(pair.new.source):
        return None
    return f"it would stand under a {pair.old.source.value} source, which is trusted less"


def _denials(pair: _Pair) -> str | None:
    new, old = pair.values
    is_denied = new.is_negated != old.is_negated or _oppose(new.words, old.words)
    return "one of them denies something" if is_denied else None


def _numbers(pair: _Pair) -> str | None:
    new, old = pair.values
    return "their numbers differ" if _changed(pair.action, new.numbers, old.numbers) else None


def _other_dates(pair: _Pair) -> str | None:
    new, old = pair.values
    return "their dates differ" if _changed(pair.action, new.dates, old.dates) else None


def _other_names(pair: _Pair) -> str | None:
    new, old = pair.values
    everyone = new.topics | new.names, old.topics | old.names
    # What a statement begins with is compared by `_speaks_of_others`; a merge may say it of one thing in two ways.
    own = everyone if pair.action is Action.DUPLICATE else (new.names - everyone[1], old.names - everyone[0])
    return "their names differ" if _changed(pair.action, *own) else None


_SAME = frozenset({Action.DUPLICATE, Action.MERGE})
_CHANGING = frozenset({Action.MERGE, Action.SUPERSEDE})
# Everything that may veto what a judge says of two statements, in the order in which it is told.
_VETOES = (
    _Veto(_SAME | _CHANGING, True, _alarms),
    _Veto(_SAME | _CHANGING, False, _different_people),
    _Veto(_CHANGING, True, _less_trusted),
    _Veto(frozenset({Action.MERGE}), True, _under_doubt),
    _Veto(_SAME, False, _denials),
    _Veto(_SAME, True, _numbers),
    _Veto(_SAME, True, _other_dates),
    _Veto(_SAME, False, _other_names),
)


@dataclass(frozen=True)
class _Values:
    numbers: frozenset[str]
    dates: frozenset[str]
    topics: frozenset[str]
    names: frozenset[str]
    is_negated: bool
    words: frozenset[str]


def _changed(action: Action, new: frozenset[str], old: frozenset[str]) -> bool:
    """A duplicate brings nothing of its own; what is merged may add, but not say otherwise."""
    return bool(new - old) if action is Action.DUPLICATE else bool(new - old) and bool(old - new)


def _apart(new: frozenset[str], old: frozenset[str]) -> bool:
    return bool(new) and bool(old) and not new & old


def _speaks_of_others(new: Side, old: Side) -> bool:
    if new.author and old.author and normalised(new.author) != normalised(old.author):
        return _is_first_person(new.text) or _is_first_person(old.text)
    return _begin_apart(new, old)


def _begin_apart(new: Side, old: Side) -> bool:
    if modality.other_person(read(new.text).person, read(old.text).person):
        return True
    return _apart(_people(new), _people(old))


def _hands_over(new: Side, old: Side) -> bool:
    """Whether the new statement tells of a change of hands in what the old one speaks of."""
    return bool(_HANDOVER.search(new.text)) and bool(_subjects(new) & _subjects(old))


def _subjects(side: Side) -> frozenset[str]:
    topics, names = _named(side)
    return frozenset(stem(word) for word in _words(side.text) - topics - names - _PLAIN)


def _people(side: Side) -> frozenset[str]:
    """Whom a statement begins with: more often than not it speaks of them."""
    return _named(side)[0]


def _is_first_person(text: str) -> bool:
    return bool(_words(text) & _FIRST_PERSON)


def _is_less_trusted(new: SourceKind, old: SourceKind) -> bool:
    order = list(SourceKind)
    return order.index(new) > order.index(old)


def _is_doubtful(source: SourceKind) -> bool:
    return trust_of(source, None) is Trust.UNVERIFIED


def _values(side: Side) -> _Values:
    rest, found = values.taken_out(side.text)
    spelled = {_SPELLED[word] for word in _words(rest) if word in _SPELLED}
    words = _words(_NO_DENIAL.sub(" ", side.text))
    topics, names = _named(side)
    return _Values(
        numbers=frozenset(each.spelled for each in found if each.kind in (values.NUMBER, values.TIME))
        | spelled,
        dates=_dates(found, words),
        topics=topics,
        names=names,
        is_negated=bool(words & _NEGATIONS) or any(word.endswith("n't") for word in words),
        words=words,
    )


def _dates(found: Sequence[values.Value], words: frozenset[str]) -> frozenset[str]:
    """Dates, months and weekdays, and words for times of day."""
    calendar = {each.spelled for each in found if each.kind in (values.DATE, values.MONTH, values.WEEKDAY)}
    return frozenset(calendar | ({word.removesuffix("s") for word in words} & _TIMES_OF_DAY))


@lru_cache(maxsize=256)
def _named(side: Side) -> tuple[frozenset[str], frozenset[str]]:
    """The words of the name that a statement begins with, and those of its other names.

    The author's own name tells nothing new.
    """
    text = normalised(side.text)
    found = {mention.key for mention in mentions(_BETWEEN.sub(r"\1", side.text), or_nouns=True)}
    first = {key for key in found if text.startswith(key)}
    known = {*_ANYBODY, *_DAYS, *(normalised(side.author).split() if side.author else ())}
    return _split(first) - known, _split(found - first) - known


def _split(keys: set[str]) -> frozenset[str]:
    return frozenset(word for key in keys for word in key.split())


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold().replace("’", "'") for word in _WORD.findall(text))


def _oppose(new: frozenset[str], old: frozenset[str]) -> bool:
    """Whether a word of one is a word of the other with a syllable that denies it."""
    return any(
        syllable + word in other and len(word) > len(syllable) + 1
        for one, other in ((new, old), (old, new))
        for word in one - other
        for syllable in _OPPOSING
    )

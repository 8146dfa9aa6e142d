"""The policy: what no judge may do by itself, however sure it is.

A guard only ever holds back. What it objects to becomes a coexistence, and a review for a person. Its words name the
kind of difference, never the values: they are kept where texts are not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from graph_memory.judge.contrast import says_otherwise
from graph_memory.language import patterns, values
from graph_memory.language.analysis import read
from graph_memory.language.english import words_of
from graph_memory.language.predicates import joined_predicates
from graph_memory.language.texts import normalised
from graph_memory.memory.screening import ALARMING
from graph_memory.model.memory import SourceKind, Trust, trust_of
from graph_memory.model.verdict import Action

_WORD = patterns.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Numbers that are read as mere words elsewhere.
_SPELLED = {"zero": "0", "one": "1", "half": "1/2"}
# Syllables that deny the word that they stand before.
_OPPOSING = ("un", "dis", "in", "im", "non", "ir")
_TIMES_OF_DAY = words_of(
    "today yesterday tomorrow tonight morning afternoon evening night spring summer autumn winter weekend"
)
_FIRST_PERSON = words_of("i me my mine myself we us our ours")


@dataclass(frozen=True)
class Side:
    """One of two statements: what it says, who said it, how far its source is trusted, what screening saw in it."""

    text: str
    author: str | None
    source: SourceKind
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Pair:
    """What is to be done to two statements."""

    action: Action
    new: Side
    old: Side


@dataclass(frozen=True)
class _Veto:
    """What speaks against some actions. `is_for_talk`: also where the judge has read the talk, of whom it speaks and in what
    words."""

    actions: frozenset[Action]
    is_for_talk: bool
    reason: Callable[[_Pair], str | None]


def objection(action: Action, new: Side, old: Side, has_read: bool = False) -> str | None:
    """Why this action must not be taken by itself; None when nothing speaks against it: the first veto that holds.

    `has_read` tells that the judge has read the talk, so that it knows who speaks of whom; numbers are always compared.
    """
    pair = _Pair(action, new, old)
    vetoes = (veto for veto in _VETOES if action in veto.actions and (veto.is_for_talk or not has_read))
    return next((reason for veto in vetoes if (reason := veto.reason(pair))), None)


def _alarms(pair: _Pair) -> str | None:
    seen = {*pair.new.labels, *(pair.old.labels if pair.action is not Action.SUPERSEDE else ())}
    alarm = sorted(ALARMING & seen)
    return (
        f"screening saw in one of them: {', '.join(each.replace('_', ' ') for each in alarm)}"
        if alarm
        else None
    )


def _different_people(pair: _Pair) -> str | None:
    """Who says "I" speaks of nobody else."""
    new, old = pair.new, pair.old
    if not new.author or not old.author or normalised(new.author) == normalised(old.author):
        return None
    is_of_self = _words(new.text) & _FIRST_PERSON or _words(old.text) & _FIRST_PERSON
    return "they speak of different people" if is_of_self else None


def _less_trusted(pair: _Pair) -> str | None:
    new, old = pair.new.source, pair.old.source
    if not _is_less_trusted(new, old):
        return None
    return f"a {new.value} source is trusted less than a {old.value} source"


def _under_doubt(pair: _Pair) -> str | None:
    if not _is_doubtful(pair.old.source) or _is_doubtful(pair.new.source):
        return None
    return f"it would stand under a {pair.old.source.value} source, which is trusted less"


def _changed(pair: _Pair) -> str | None:
    """Numbers, times, days and months of one sort that differ: what says the same, or is one fact, has the same."""
    new, old = _values(pair.new.text), _values(pair.old.text)
    is_changed = any(new[kind] - old[kind] and old[kind] - new[kind] for kind in new.keys() & old.keys())
    return "their numbers or dates differ" if is_changed else None


def _new_figures(pair: _Pair) -> str | None:
    """What is dropped has no number in digits that was not known."""
    new = _values(pair.new.text)[values.NUMBER] - _values(pair.old.text)[values.NUMBER]
    is_new = any(number in pair.new.text for number in new)
    return "the new one has a number of its own" if is_new else None


def _turned(pair: _Pair) -> str | None:
    """The same words with another name, a denial, another small word or in another order do not say the same."""
    if _oppose(_words(pair.new.text), _words(pair.old.text)):
        return "a word of one denies a word of the other"
    new, old = read(pair.new.text), read(pair.old.text)
    if {*new.content} - new.names != {*old.content} - old.names:
        return None
    if new.names - old.names and old.names - new.names:
        return "their names differ"
    is_turned = new.denies != old.denies or says_otherwise(pair.old.text, pair.new.text)
    return "small words or their order differ" if is_turned else None


def _tells_of_other(pair: _Pair) -> str | None:
    """Of two things that the known one says of somebody the new one speaks of one alone: the other would be lost with it."""
    told = set(read(pair.new.text).content)
    said = [words for each in joined_predicates(pair.old.text) if (words := set(read(each).content))]
    is_part = any(told & words for words in said) and not all(told & words for words in said)
    return "the known one tells something else beside" if is_part else None


_ALL = frozenset({Action.DUPLICATE, Action.SUPERSEDE, Action.MERGE})
_SAME = frozenset({Action.DUPLICATE, Action.MERGE})
# Everything that may veto what a judge says of two statements, in the order in which it is told.
_VETOES = (
    _Veto(_ALL, True, _alarms),
    _Veto(_ALL, False, _different_people),
    _Veto(frozenset({Action.MERGE, Action.SUPERSEDE}), True, _less_trusted),
    _Veto(frozenset({Action.MERGE}), True, _under_doubt),
    _Veto(frozenset({Action.SUPERSEDE}), False, _tells_of_other),
    _Veto(_SAME, True, _changed),
    _Veto(frozenset({Action.DUPLICATE}), True, _new_figures),
    _Veto(_SAME, False, _turned),
)


def _values(text: str) -> dict[str, set[str]]:
    """The values of a text by their sort, in one spelling; a time of day counts as a number."""
    found: dict[str, set[str]] = {
        values.NUMBER: {_SPELLED[word] for word in _words(text) if word in _SPELLED}
    }
    if of_day := {word.removesuffix("s") for word in _words(text)} & _TIMES_OF_DAY:
        found["time of day"] = set(of_day)
    for each in values.taken_out(text)[1]:
        kind = values.NUMBER if each.kind == values.TIME else each.kind
        found.setdefault(kind, set()).add(each.spelled)
    return found


def _oppose(new: frozenset[str], old: frozenset[str]) -> bool:
    """Whether a word of one is a word of the other with a syllable that denies it: available, unavailable."""
    return any(
        syllable + word in other and len(word) > len(syllable) + 1
        for one, other in ((new, old), (old, new))
        for word in one - other
        for syllable in _OPPOSING
    )


def _is_less_trusted(new: SourceKind, old: SourceKind) -> bool:
    order = list(SourceKind)
    return order.index(new) > order.index(old)


def _is_doubtful(source: SourceKind) -> bool:
    return trust_of(source, None) is Trust.UNVERIFIED


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold().replace("’", "'") for word in _WORD.findall(text))

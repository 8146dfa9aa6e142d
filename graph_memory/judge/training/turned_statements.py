"""Pairs that are made of one statement: turned round by a small word, or said the same in other small words.

People write few pairs that differ in nothing but a "not", a "may" or the order of two names, and a model that has seen none
takes them for the same. Used in training alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from graph_memory.language.english import MONTHS, WEEKDAYS, words_of
from graph_memory.model.verdict import Action

_VERB = r"\b([a-z]{3,})s\b(?= (?:the|a|an|in|at|on|to|for|with|from|her|his|their)\b)"
# What is found, what stands there instead, and what the one statement does to the other.
_TURNED: tuple[tuple[str, str, Action], ...] = (
    (r"\b(is|are|was|were|has to|can|will|should|must|may)\b", r"\1 not", Action.SUPERSEDE),
    (r"\b(is|are|was|were|can|will|should) not\b", r"\1", Action.SUPERSEDE),
    (r"\b(is|are|was|were|does|do|did|has|have|wo|ca)n't\b", r"\1 indeed", Action.SUPERSEDE),
    (r"\b(likes?|loves?|enjoys?)\b", "hates", Action.SUPERSEDE),
    (r"\b(hates?|dislikes?)\b", "likes", Action.SUPERSEDE),
    (r"\bno longer\b", "still", Action.SUPERSEDE),
    (r"\bstill\b", "no longer", Action.SUPERSEDE),
    (r"\bnever\b", "always", Action.SUPERSEDE),
    (r"\balways\b", "never", Action.SUPERSEDE),
    *(
        (rf"\b{one}\b", other, Action.COEXIST)
        for one, other in (
            ("with", "without"), ("without", "with"), ("must", "may"), ("may", "must"), ("will", "may"),
            ("can|will", "should"), ("should", "must"), ("all", "most"), ("All", "Some"), ("every", "nearly every"),
            ("most", "all"), ("many", "few"), ("few", "many"), ("some", "all"), ("only ", ""), ("before", "after"),
            ("after", "before"), ("until", "from"), ("since", "until"), ("from", "to"), ("left", "right"), ("up", "down"),
            ("on", "off"), ("under", "over"), ("I", "She"), ("He", "I"), ("She", "He"), ("[Mm]y", "her"),
            ("his", "my"), ("her", "our"), ("first|upper|front|inner|old", "other"),
        )
    ),
    (_VERB, r"used to \1", Action.COEXIST),
    (_VERB, r"is about to \1", Action.COEXIST),
    (_VERB, r"would like to \1", Action.COEXIST),
    (r"^User\b", "User's sister", Action.COEXIST),
)  # fmt: skip
_SAME: tuple[tuple[str, str], ...] = (
    (r"\b(is|are|was|were|does|do|did|has|have|should|could|would) not\b", r"\1n't"),
    (r"\b(is|are|was|were|does|do|did|has|have|should|could|would)n't\b", r"\1 not"),
    (r"\bcannot\b", "can't"),
    (r"\bwill\b", "is going to"),
    (r"\bfrequently\b", "often"),
    (r"\b(?:really|actually|just|very) ", ""),
    (r"\bapproximately\b|\babout\b(?= \d)", "around"),
    (r"\bhas\b(?= an? )", "has got"),
    (r"\bbegins\b", "starts"),
    (r"\bstarts\b", "begins"),
    (r"\bneeds to\b", "has to"),
    (r"\b([a-z]{3,}) and ([a-z]{3,})(?=[.,;]|$)", r"\2 and \1"),
    (r"\bhas to\b", "needs to"),
)
_TIME_LAST = re.compile(
    r"^((?:The|User|A|An|Our|My) [^,]{8,60}?) ((?:on|at|in|since|from|every) [^,.;]{3,30})\.$"
)
_NAME = re.compile(r"\b[A-Z][a-z]{2,}\b")
_NO_NAMES = words_of("the this that these user") | {word.casefold() for word in (*WEEKDAYS, *MONTHS)}

Pair = tuple[str, str, Action]
_Made = Callable[[str], list[tuple[str, Action]]]


def pairs(texts: Sequence[str], rng: random.Random, turned: int, same: int) -> list[Pair]:
    """So many of either sort, of different statements: (earlier, later, action)."""
    return [*_drawn(texts, rng, turned, _turned), *_drawn(texts, rng, same, _same)]


def _drawn(texts: Sequence[str], rng: random.Random, count: int, made: _Made) -> list[Pair]:
    found: list[Pair] = []
    for text in rng.sample(list(texts), len(texts)):
        if len(found) >= count:
            break
        choices = made(text)
        if choices:
            other, action = rng.choice(choices)
            found.append((text, other, action) if rng.random() < 0.5 else (other, text, action))
    return found


def _turned(text: str) -> list[tuple[str, Action]]:
    made = [(re.sub(found, put, text, count=1), action) for found, put, action in _TURNED]
    made = [(other[:1].upper() + other[1:], action) for other, action in made if other != text]
    exchanged = _exchanged(text)
    return made + ([(exchanged, Action.COEXIST)] if exchanged else [])


def _exchanged(text: str) -> str | None:
    """The statement with its first two names in each other's place; None where they stand side by side, or there are none."""
    names = [each for each in _NAME.finditer(text) if each.group().casefold() not in _NO_NAMES][:2]
    if len(names) < 2 or names[0].group() == names[1].group():
        return None
    one, other = names
    between = text[one.end() : other.start()]
    if between.strip() in ("", "and", "or", "&"):
        return None
    return f"{text[: one.start()]}{other.group()}{between}{one.group()}{text[other.end() :]}"


def _same(text: str) -> list[tuple[str, Action]]:
    made = [re.sub(found, put, text, count=1) for found, put in _SAME]
    if last := _TIME_LAST.match(text):
        rest, time = last.groups()
        rest = rest if rest.startswith("User") else rest[:1].lower() + rest[1:]
        made += [f"{time[:1].upper()}{time[1:]} {rest}."] * 3
    return [(other, Action.DUPLICATE) for other in made if other != text]

"""Texts made to keep a reader busy: families of them by length, and those that are aimed at one pattern."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

from graph_memory import entities, ingest, judge, language, memory, models, recall

PACKAGES = (language, judge, entities, ingest, memory, models, recall)
TRAINING = "training"

_REPEATED = {
    "blanks": " ", "tabs": "\t", "newlines": "\n", "wide blanks": "\u00a0 \u3000", "one word": "a", "digits": "7",
    "dots": ".", "dashes": "-", "underlines": "_", "quotes": '"', "curly quotes": "“", "opened": "([{<", "closed": ")]}>",
    "letters and dots": "a.", "names": "Anna and ", "Maria and I": "Maria and I ", "owners": "Ann's friend, my ",
    "banks": "Bank of ", "number and dash": "12-", "numbers": "1 2 ", "cards": "4111 1111 ", "accounts": "DE12 ",
    "telephones": "+49 (0", "begins": "-----BEGIN ", "private keys": "-----BEGIN PRIVATE KEY-----", "tokens": "eyJ-",
    "api keys": "sk-a", "assigned": "key=", "secrets": "secret_", "password for": "my password for ",
    "password is": "password is ", "mails": "a@b.", "addresses": "http://a:", "percent": "%41", "escaped": "&amp;",
    "hexadecimal": "41 ", "base64": "QUJDRA", "spaced": "i g n o r e ", "ignore": "ignore all previous ",
    "told of": "told him to ignore all previous rules. ", "mark as": "mark as ", "roles": "system: ", "tags": "</data ",
    "verdicts": '"verdict": ', "I my": "I my ", "dates": "on 3 May ", "ends": "until next Friday ", "users": "user ",
    "commas": "a, ", "and": "and ", "not to": "not to ", "semicolons": "; ", "sentences": "I like tea. ",
    "clauses": "I like tea and I moved to Oslo ", "packs": "<memory_consolidated_summaries>",
    "combining marks": "e\u0301", "marks alone": "\u0301", "emoji": "\U0001f600\u200d", "flags": "\U0001f3f4\U000e0067",
    "mixed scripts": "p\u0430yp\u0430l ", "Chinese": "\u6211\u559c\u6b22", "Arabic": "\u0633\u0644\u0627\u0645 ",
    "backwards": "\u202eerongi ",
}  # fmt: skip
_BEFORE_BLANKS = {
    "tea": "I like tea",
    "my password": "My password for",
    "a quote": 'He said "',
    "user": "user",
}


def families(length: int) -> dict[str, str]:
    """A text of this length of each family."""
    found = {name: (part * (length // len(part) + 1))[:length] for name, part in _REPEATED.items()}
    for name, begin in _BEFORE_BLANKS.items():
        found[f"{name}, blanks, x"] = begin + " " * (length - len(begin) - 1) + "x"
    found["other words"] = " ".join(f"Name{at}" for at in range(length // 5))[:length]
    found["a word in quotes"] = '"' + "a" * (length - 2) + "!"
    return found


def modules() -> Iterator[ModuleType]:
    """Those that read what callers write."""
    for package in PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if TRAINING not in found.name and not found.name.endswith(
                ("_prompt", "_answer", ".settings", ".patterns")
            ):
                yield importlib.import_module(found.name)


def patterns_in(modules: Iterator[ModuleType]) -> dict[str, re.Pattern[str]]:
    """Every pattern that a module holds, by itself or in a table, after where it stands."""
    return {
        f"{module.__name__}.{name}{at}": found
        for module in modules
        for name, value in vars(module).items()
        for at, found in enumerate(_patterns(value, 3))
    }


def aimed_at(pattern: re.Pattern[str], length: int) -> Iterator[str]:
    """Texts in which a repetition of the pattern goes on and on, or begins again and again, and what follows is missing."""
    for before, repeated in _repetitions(_parser.parse(pattern.pattern, pattern.flags), ""):
        again = repeated or "a"
        yield before + again * ((length - len(before)) // len(again))
        near = f"{before}{again * 90}"[:200]
        yield (near * (length // len(near) + 1))[:length]


def _patterns(value: Any, depth: int) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for each in value.values():
            yield from _patterns(each, depth - 1)
    elif depth and isinstance(value, list | tuple):
        for each in value:
            yield from _patterns(each, depth - 1)


def _repetitions(parsed: Any, before: str) -> Iterator[tuple[str, str]]:
    """What stands before each repetition, and what it repeats."""
    for kind, value in parsed:
        name = str(kind)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            if value[1] > 8:
                yield before, _sample(value[2])
            yield from _repetitions(value[2], before)
        elif name == "SUBPATTERN":
            yield from _repetitions(value[-1], before)
        elif name == "BRANCH":
            for each in value[1]:
                yield from _repetitions(each, before)
        elif name in ("ASSERT", "ATOMIC_GROUP"):
            yield from _repetitions(value[1] if name == "ASSERT" else value, before)
        before += _sample([(kind, value)])


def _sample(parsed: Any) -> str:
    """The shortest text for a part of a pattern, or nearly."""
    return "".join(_one(str(kind), value) for kind, value in parsed)


def _one(kind: str, value: Any) -> str:
    if kind == "LITERAL":
        return chr(value)
    if kind in ("ANY", "NOT_LITERAL"):
        return "a" if value != ord("a") else "b"
    if kind == "IN":
        return _member(value)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _sample(value[2]) * value[0]
    if kind == "SUBPATTERN":
        return _sample(value[-1])
    if kind == "ATOMIC_GROUP":
        return _sample(value)
    return _sample(value[1][0]) if kind == "BRANCH" else ""


_KINDS = {"CATEGORY_SPACE": " ", "CATEGORY_WORD": "a", "CATEGORY_DIGIT": "1", "CATEGORY_NOT_SPACE": "a",
          "CATEGORY_NOT_WORD": " ", "CATEGORY_NOT_DIGIT": "a"}  # fmt: skip


def _member(members: Any) -> str:
    if str(members[0][0]) == "NEGATE":
        source = re.compile("[^" + "".join(_spelled(each) for each in members[1:]) + "]")
        return next(char for char in 'a 1.-"X,\u00e9' if source.match(char))
    kind, value = members[0]
    if str(kind) == "RANGE":
        return chr(value[0])
    return chr(value) if str(kind) == "LITERAL" else _KINDS[str(value)]


def _spelled(member: tuple[Any, Any]) -> str:
    kind, value = str(member[0]), member[1]
    if kind == "RANGE":
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    if kind == "LITERAL":
        return re.escape(chr(value))
    shapes = {"SPACE": "s", "WORD": "w", "DIGIT": "d"}
    sign = shapes[str(value).rpartition("_")[2]]
    return f"\\{sign.upper() if 'NOT' in str(value) else sign}"

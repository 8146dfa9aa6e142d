"""Numbers, times, dates, months and weekdays in a text, in one spelling: half past nine is 9:30."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from graph_memory.language import patterns
from graph_memory.language.english import MONTHS, WEEKDAYS

NUMBER, TIME, DATE, MONTH, WEEKDAY = "number", "time", "date", "month", "weekday"

COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90, "hundred": 100, "twice": 2, "once": 1, "dozen": 12, "both": 2,
}  # fmt: skip
_HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MONTH = "|".join(MONTHS)
_SHORT = "|".join(f"{month[:3]}" for month in MONTHS if month != "May")
_WEEKDAY = "|".join(WEEKDAYS)
_NUMBERED = {month[:3].lower(): number for number, month in enumerate(MONTHS, 1)}


class Value(NamedTuple):
    """A kind (number, time, date, month, weekday) and the value in its one spelling."""

    kind: str
    spelled: str


_Rule = Callable[[re.Match[str]], Value]


def taken_out(text: str) -> tuple[str, list[Value]]:
    """The text with each value replaced by a word of its own (` #0 `, ` #1 `), and the values in that order."""
    found: list[Value] = []

    def note(rule: _Rule) -> Callable[[re.Match[str]], str]:
        def replaced(match: re.Match[str]) -> str:
            found.append(rule(match))
            return f" #{_letters(len(found) - 1)}# "

        return replaced

    for pattern, rule in _RULES:
        text = pattern.sub(note(rule), text)
    return text, found


def place_of(token: str) -> int:
    """Which value a placeholder word stands for; -1 if it is none."""
    if len(token) < 3 or token[0] != "#" or token[-1] != "#":
        return -1
    place = 0
    for letter in token[1:-1]:
        place = place * 26 + ord(letter) - ord("a")
    return place


def _letters(place: int) -> str:
    """A number spelled without digits, which later rules would take for a number."""
    rest, letter = divmod(place, 26)
    return (_letters(rest) if rest else "") + chr(ord("a") + letter)


def _clock(hour: int, minute: int, half: str | None) -> Value:
    hour = hour % 12 + (12 if half.lower().startswith("p") else 0) if half else hour
    return Value(TIME, f"{hour}:{minute:02}")


def _spoken(match: re.Match[str]) -> Value:
    hour = _HOURS.index(match["hour"].lower()) + 1 if match["hour"].isalpha() else int(match["hour"])
    minutes = {"half": 30, "quarter": 15}[match["part"].lower()]
    return Value(TIME, f"{hour}:{minutes}" if match["to"].lower() == "past" else f"{hour - 1}:{60 - minutes}")


def _date(match: re.Match[str]) -> Value:
    return Value(DATE, f"{_NUMBERED[match['month'][:3].lower()]:02}-{int(match['day']):02}")


def _iso(match: re.Match[str]) -> Value:
    return Value(DATE, f"{match['month']}-{match['day']}")


def _number(match: re.Match[str]) -> Value:
    digits = match["digits"].replace(",", "")
    if match["thousand"]:
        digits = f"{float(digits) * 1000:g}" if digits.count(".") <= 1 else digits
        digits = str(int(float(digits))) if "e" in digits else digits
    return Value(NUMBER, digits)


_RULES: list[tuple[re.Pattern[str], _Rule]] = [
    (patterns.compile(r"\b\d{4}-(?P<month>\d\d)-(?P<day>\d\d)\b"), _iso),
    (
        patterns.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH}|{_SHORT})\b\.?"),
        _date,
    ),
    (
        patterns.compile(rf"\b(?P<month>{_MONTH}|{_SHORT})\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]?\d)"),
        _date,
    ),
    (
        patterns.compile(r"\b(?P<hour>\d{1,2})[:.](?P<minute>\d\d)\s?(?P<half>[ap]\.?m\b)", re.IGNORECASE),
        lambda match: _clock(int(match["hour"]), int(match["minute"]), match["half"]),
    ),
    (
        patterns.compile(r"\b(?P<hour>\d{1,2}):(?P<minute>\d\d)\b"),
        lambda match: _clock(int(match["hour"]), int(match["minute"]), None),
    ),
    (
        patterns.compile(r"\b(?P<hour>\d{1,2})\s?(?P<half>[ap]\.?m\b)", re.IGNORECASE),
        lambda match: _clock(int(match["hour"]), 0, match["half"]),
    ),
    (
        patterns.compile(rf"\b(?P<part>half|quarter) (?P<to>past|to) (?P<hour>\d{{1,2}}|{'|'.join(_HOURS)})\b", re.I),
        _spoken,
    ),
    (patterns.compile(r"\b(?:noon|midday)\b", re.IGNORECASE), lambda _: Value(TIME, "12:00")),
    (patterns.compile(r"\bmidnight\b", re.IGNORECASE), lambda _: Value(TIME, "0:00")),
    (
        patterns.compile(rf"\b(?P<day>{_WEEKDAY})s?\b"),
        lambda match: Value(WEEKDAY, match["day"].lower()),
    ),
    (patterns.compile(rf"\b(?P<month>{_MONTH})\b"), lambda match: Value(MONTH, match["month"].lower())),
    (patterns.compile(r"(?<![\w#])(?P<digits>\d[\d,]*(?:\.\d+)*)(?P<thousand>k\b)?(?=x\b)?", re.IGNORECASE), _number),
    (
        patterns.compile(rf"\b(?P<word>{'|'.join(COUNTS)})\b", re.IGNORECASE),
        lambda match: Value(NUMBER, str(COUNTS[match["word"].lower()])),
    ),
]  # fmt: skip

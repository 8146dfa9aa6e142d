"""The tokens of a text, and the smallest things that are read from them: numbers, lengths and hours.

Rules read some tokens from a place and answer what they may mean and where they end. What a rule found at a place is kept,
so that reading takes time with the length only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from graph_memory.language import patterns
from graph_memory.language.times import time_words as table
from graph_memory.language.times.clock_times import Clock


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    end: int


def _token(found: re.Match[str]) -> _Token:
    """A word without the ending of tomorrow's and friday's."""
    word = found[0].lower().replace("@", "at")
    owner = word.removesuffix("'s")
    has_day = owner != word and (owner in table.DAYS or owner in table.NEAR_DAYS)
    return (
        _Token(owner, found.start(), found.end() - 2) if has_day else _Token(word, found.start(), found.end())
    )


def _shortens(before: _Token | None, token: _Token) -> bool:
    """The dot of sept. and fri."""
    if before is None or token.text != "." or before.end != token.start:
        return False
    return before.text in (table.DAYS.keys() | table.MONTHS.keys()) - table.FULL_NAMES


_TOKEN = patterns.compile(r"\d{1,20}|[^\W\d_]+(?:'[^\W\d_]{1,8})?|[^\w\s]")
_T = TypeVar("_T")


def kept(rule: Callable[..., Iterator[_T]]) -> Callable[..., tuple[_T, ...]]:
    """Each rule reads a place once."""

    @wraps(rule)
    def reads(self: TokenReader, *at: int) -> tuple[_T, ...]:
        key = (rule.__name__, *at)
        if key not in self.kept:
            self.kept[key] = tuple(rule(self, *at))
        found: tuple[_T, ...] = self.kept[key]
        return found

    return reads


_HALF = {"year": (6, "month"), "day": (12, "hour"), "hour": (30, "minute")}
_LENGTHS = {
    "half a year": (6, "month"), "half a day": (12, "hour"), "half an hour": (30, "minute"), "half hour": (30, "minute"),
    "a quarter of an hour": (15, "minute"), "three quarters of an hour": (45, "minute"), "an hour's time": (1, "hour"),
    "a week's time": (1, "week"), "a month's time": (1, "month"), "a year's time": (1, "year"),
}  # fmt: skip


class TokenReader:
    """The tokens of a text and what rules found in them."""

    def __init__(self, text: str, is_time: bool = False) -> None:
        """`is_time` where all of the text is known to be words for a time: a bare number in it is then an hour."""
        self.text = text.replace("’", "'").replace("‘", "'")
        read = [_token(each) for each in _TOKEN.finditer(self.text)]
        self.tokens = [
            each for before, each in zip([None, *read], read, strict=False) if not _shortens(before, each)
        ]
        self.is_time = is_time
        self.words = [each.text for each in self.tokens] + [""] * 6
        self.kept: dict[tuple[object, ...], tuple[Any, ...]] = {}

    # Steps that every rule takes.

    def skip(self, at: int, words: tuple[str, ...]) -> int:
        while self.words[at] in words and self.words[at]:
            at += 1
        return at

    def ends_at(self, at: int) -> bool:
        return self.skip(at, table.SYMBOLS) == len(self.tokens)

    def touches(self, at: int) -> bool:
        """Whether nothing stands between a token and the one before it."""
        return 0 < at < len(self.tokens) and self.tokens[at].start == self.tokens[at - 1].end

    def told(self, at: int, entries: Mapping[str, _T]) -> Iterator[tuple[_T, int]]:
        """Entries of a table that stand here, the longest first."""
        for count in (4, 3, 2, 1):
            phrase = " ".join(self.words[at : at + count])
            if phrase in entries and self.words[at + count - 1]:
                yield entries[phrase], at + count

    def number(self, at: int, most: int = 31) -> int | None:
        word = self.words[at]
        return int(word) if word.isdecimal() and len(word) <= 4 and 0 <= int(word) <= most else None

    # Numbers and lengths.

    @kept
    def ordinal(self, at: int) -> Iterator[tuple[int, int]]:
        """A number in the order of things: 3rd, third, twenty-third."""
        number = self.number(at)
        if number and self.words[at + 1] in table.SUFFIXES and self.touches(at + 1):
            yield number, at + 2
        yield from self.told(at, table.ORDINALS)

    @kept
    def count(self, at: int) -> Iterator[tuple[int, int]]:
        """A number in figures or in words: 21, twelve, twenty-one."""
        if number := self.number(at, 999):
            yield number, at + 1
        yield from self.told(at, table.COUNTS)

    @kept
    def length(self, at: int) -> Iterator[tuple[tuple[int, str], int]]:
        """Two weeks, a fortnight, half an hour, an hour and a half, two and a half years."""
        yield from self.told(at, _LENGTHS)
        for count, end in self.count(at):
            for half_at, unit_at in ((end, end + 3), (end + 1, end)):
                unit = table.UNITS.get(self.words[unit_at], "")
                if unit in _HALF and self.words[half_at : half_at + 3] == ["and", "a", "half"]:
                    half, smaller = _HALF[unit]
                    yield (count * 2 * half + half, smaller), end + 4
            end += self.words[end] in ("more", "whole", "full")
            if self.words[end] in ("decade", "decades"):
                yield (count * 10, "year"), end + 1
            unit = table.UNITS.get(self.words[end], "weekend")
            if unit != "weekend":
                yield (count, unit), end + 1

    # Hours.

    @kept
    def clocks(self, at: int, bare: int) -> Iterator[tuple[Clock, int]]:
        """6pm, 17:55, 9.30, 0700, 1815 hrs, 15h, half 7, ten to seven, noon; a bare number only where one is expected."""
        if self.words[at] in table.MIDDAYS:
            yield Clock(table.MIDDAYS[self.words[at]], 0, "exact"), at + 1
        yield from self._past_and_to(at)
        word, hour = self.words[at], self.number(at, 2359)
        if hour is None:
            hour = table.HOURS.get(word)
            if hour:
                yield from self._halved(hour, 0, at + 1, bare)
                for past, end in self.told(at + 1, table.COUNTS):
                    if 10 <= past < 60:
                        yield from self._halved(hour, past, end, bare)
        elif len(word) == 4:
            clock = Clock(hour // 100, hour % 100, "exact")
            if hour % 100 < 60 and (word[0] == "0" or (bare and hour < 1900)):
                yield clock, at + 1
            if hour % 100 < 60 and bare and self.words[at + 1] in ("h", "hrs", "hours"):
                yield clock, at + 2
        elif hour < 24:
            mark, minute = self.words[at + 1], self.number(at + 2, 59)
            if (
                mark in (":", ".", "h")
                and minute is not None
                and len(self.words[at + 2]) == 2
                and self.touches(at + 2)
            ):
                yield from self._halved(hour, minute, at + 3, True, len(word) == 2 and word[0] == "0")
            if mark == "h" and self.touches(at + 1):
                yield Clock(hour, 0, "exact"), at + 2
            yield from self._halved(hour, 0, at + 1, bool(bare))

    def _halved(
        self, hour: int, minute: int, at: int, bare: int, exact: bool = False
    ) -> Iterator[tuple[Clock, int]]:
        o_clock = self.words[at] in ("o'clock", "oclock")
        at, bare = at + o_clock, bare or o_clock
        for half, end in self.told(at, table.HALF_OF_DAY) if 1 <= hour <= 12 else ():
            is_small = self.words[at : at + 2] == ["at", "night"] and (hour == 12 or hour < 6)
            yield Clock(hour, minute, "am" if is_small else half), end
        if bare:
            yield Clock(hour, minute, "exact" if exact or hour == 0 or hour > 12 else ""), at

    def _past_and_to(self, at: int) -> Iterator[tuple[Clock, int]]:
        """Quarter past 4, ten to midnight. "9 to 5" are two hours."""
        readings = list(self.told(at, table.FRACTIONS))
        spelled = table.COUNTS.get(self.words[at])
        minutes = spelled or self.number(at, 59)
        if minutes and self.words[at + 1] == "past":
            readings.append((minutes, at + 2))
        elif spelled and self.words[at + 1] == "to":
            readings.append((-spelled, at + 2))
        for away, after in readings:
            if self.words[after] in table.MIDDAYS:
                total = (table.MIDDAYS[self.words[after]] * 60 + away) % (24 * 60)
                yield Clock(*divmod(total, 60), "exact"), after + 1
            hour = self.number(after, 12) or table.HOURS.get(self.words[after])
            if hour:
                total = (hour * 60 + away) % (12 * 60)
                yield from self._halved(total // 60 or 12, total % 60, after + 1, True)

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
    word = found[0].lower()
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


# Half a year is six months, half an hour thirty minutes.
_HALF_OF = {"decade": (60, "month"), "year": (6, "month"), "day": (12, "hour"), "hour": (30, "minute")}
_HALVES = {f"half {a}{unit}": half for unit, half in _HALF_OF.items() for a in ("", "a ", "an ")} | {
    "a quarter of an": (15, "minute"), "quarter of an hour": (15, "minute"), "three quarters of an": (45, "minute"),
    "half - hour": (30, "minute"),
}  # fmt: skip


class TokenReader:
    """The tokens of a text and what rules found in them."""

    def __init__(self, text: str, is_time: bool = False) -> None:
        """`is_time` where all of the text is known to be words for a time: a bare number in it is then an hour."""
        plain = text.replace("’", "'").replace("‘", "'")
        read = [_token(each) for each in _TOKEN.finditer(plain)]
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
        if self.words[at] in table.TENS:
            unit = self.skip(at + 1, table.DASHES)
            if table.ORDINALS.get(self.words[unit], 10) < 10:
                yield table.TENS[self.words[at]] + table.ORDINALS[self.words[unit]], unit + 1
        if self.words[at] in table.ORDINALS:
            yield table.ORDINALS[self.words[at]], at + 1

    @kept
    def length(self, at: int) -> Iterator[tuple[tuple[int, str, bool], int]]:
        """Two weeks, a fortnight, exactly 3 months, half an hour."""
        exactly = self.words[at] in ("exactly", "exact")
        at += exactly
        for (parts, smaller), end in self.told(at, _HALVES):
            yield (parts, smaller, exactly), end
        count = self.count(at, 999)
        if not count:
            return
        unit_at = at + self.width(at)
        if (
            self.words[unit_at : unit_at + 3] == ["and", "a", "half"]
            and self.words[unit_at + 3] in table.UNITS
        ):
            yield from self._and_a_half(count, table.UNITS[self.words[unit_at + 3]], unit_at + 4, exactly)
        unit_at += self.words[unit_at] in ("more", "whole", "full", "further")
        unit = table.UNITS.get(self.words[unit_at])
        if unit == "decade":
            yield (count * 10, "year", exactly), unit_at + 1
        elif unit and unit != "weekend":
            yield (count, unit, exactly), unit_at + 1
            if self.words[unit_at + 1 : unit_at + 4] == ["and", "a", "half"]:
                yield from self._and_a_half(count, unit, unit_at + 4, exactly)

    def _and_a_half(
        self, count: int, unit: str, end: int, exactly: bool
    ) -> Iterator[tuple[tuple[int, str, bool], int]]:
        if unit in _HALF_OF:
            half, smaller = _HALF_OF[unit]
            yield (count * 2 * half + half, smaller, exactly), end

    def count(self, at: int, most: int) -> int | None:
        """A number in figures or in words: 21, twelve, twenty-one."""
        tens, unit = table.TENS.get(self.words[at]), self._unit_of_tens(at)
        if tens and unit:
            return tens + unit
        return self.number(at, most) or table.COUNTS.get(self.words[at])

    def width(self, at: int) -> int:
        """Over how many tokens `count` reads."""
        return self.skip(at + 1, table.DASHES) + 1 - at if self._unit_of_tens(at) else 1

    def _unit_of_tens(self, at: int) -> int | None:
        unit = table.COUNTS.get(self.words[self.skip(at + 1, table.DASHES)])
        spelled = self.words[self.skip(at + 1, table.DASHES)] not in ("a", "an")
        return unit if self.words[at] in table.TENS and unit and unit < 10 and spelled else None

    # Hours.

    @kept
    def clocks(self, at: int, bare: int) -> Iterator[tuple[Clock, int]]:
        """6pm, 17:55, 9.30, 0700, 15h, half 7, ten to seven, noon; a bare number only where one is expected."""
        if self.words[at] in table.MIDDAYS:
            yield Clock(table.MIDDAYS[self.words[at]], 0, "exact"), at + 1
        yield from self._past_and_to(at)
        word, hour = self.words[at], self.number(at, 2359)
        if hour is None:
            hour = table.COUNTS.get(word) if word not in ("a", "an") else None
            if hour and hour <= 12:
                yield from self._halved(hour, 0, at + 1, bare)
                minute = self.count(at + 1, 0)
                if minute and 10 <= minute < 60:
                    yield from self._halved(hour, minute, at + 1 + self.width(at + 1), bare)
        elif len(word) == 4:
            if hour % 100 < 60 and (word[0] == "0" or (bare and hour < 1900)):
                yield Clock(hour // 100, hour % 100, "exact"), at + 1
        elif hour < 24:
            minute = self.number(at + 2, 59)
            mark = self.words[at + 1]
            if (
                mark in (":", ".", "h")
                and minute is not None
                and len(self.words[at + 2]) == 2
                and self.touches(at + 2)
            ):
                exact = len(word) == 2 and word[0] == "0"
                yield from self._halved(hour, minute, at + 3, True, exact)
            if mark in ("h", "hrs") and self.touches(at + 1):
                yield Clock(hour, 0, "exact"), at + 2
            yield from self._halved(hour, 0, at + 1, bool(bare))

    def _halved(
        self, hour: int, minute: int, at: int, bare: int, exact: bool = False
    ) -> Iterator[tuple[Clock, int]]:
        o_clock = self.words[at] in ("o'clock", "oclock")
        at, bare = at + o_clock, bare or o_clock
        dotted = self.words[at] in ("a", "p") and self.words[at + 1] == "." and self.words[at + 2] == "m"
        half = f"{self.words[at]}m" if dotted else self.words[at]
        if half in ("am", "pm") and 1 <= hour <= 12:
            end = at + (3 if dotted else 1)
            yield (
                Clock(hour, minute, half),
                end + (dotted and self.words[end] == "." and self.words[end + 1] != ""),
            )
        for phrase in table.HALF_OF_DAY:
            for half, end in self.told(at, {phrase: table.HALF_OF_DAY[phrase]}) if hour <= 12 else ():
                is_small = half == "pm" and phrase == "at night" and (hour == 12 or hour < 6)
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
                yield Clock(total // 60, total % 60, "exact"), after + 1
            hour = self.number(after, 12) or table.COUNTS.get(self.words[after])
            if hour and hour <= 12 and self.words[after] not in ("a", "an"):
                total = (hour * 60 + away) % (12 * 60)
                yield from self._halved(total // 60 or 12, total % 60, after + 1, True)

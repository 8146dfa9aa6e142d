"""Weeks, months, quarters, seasons, years and decades."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import MAXYEAR

from graph_memory.language.english import ADVERBS, NOT_A_VERB, UNCHANGING
from graph_memory.language.times import period_meanings as period
from graph_memory.language.times import time_meanings as mean
from graph_memory.language.times import time_words as table
from graph_memory.language.times.calendar_time import Reading, of_century, one_year
from graph_memory.language.times.token_reader import TokenReader, kept

# Up to here four figures are more often a year than an amount.
_LATEST = 2100
# What follows a number and is not counted by it.
_NO_NOUN = (
    NOT_A_VERB
    | ADVERBS
    | UNCHANGING
    | table.DAYS.keys()
    | {*table.TO, "is", "are", "has", "at", "until", "till"}
)
_OF_EACH = ("a", "an", "per", "each", "of", "/")
_UNITS = ("%", "°", "€", "$", "£")


class PeriodReader(TokenReader):
    """Reads what is longer than a day."""

    @kept
    def years(self, at: int) -> Iterator[Reading]:
        """2027, '25, next year, three years ago."""
        number = self.number(at, _LATEST)
        if number and number >= (1900 if self.words[at - 1] == "," else 1000):
            yield (lambda _: one_year(number)), at + 1
        yield from self.short_years(at)
        for unit, end in self.units(at):
            if self.words[end - 1] in ("year", "yr"):
                yield unit, end
        for (count, name), end in self.length(at):
            if name == "year" and self.words[end] in ("ago", "back"):
                yield mean.ago(count, name), end + 1

    def years_behind(self, at: int) -> Iterator[Reading]:
        """The year of what is named before it. Far ahead it may be an amount as well, and it is not said when."""
        yield from self.years(self.skip(at, (",", "of", "in")))
        for _, end in self.far_years(at):
            yield mean.nothing, end

    def far_years(self, at: int) -> Iterator[Reading]:
        """2150, where it counts nothing, as in 5000 people."""
        number = self.number(at, MAXYEAR)
        if number and number > _LATEST and not self.is_measured(at + 1) and not self.may_be_noun(at + 1):
            yield (lambda _: one_year(number)), at + 1

    def is_measured(self, end: int) -> bool:
        """Whether what follows a number tells its unit, or of what it is: 18k a month, 6 of us, 5000 €."""
        follows = self.words[end]
        return follows in (*_OF_EACH, *_UNITS) or (self.touches(end) and follows.isalpha())

    def may_be_noun(self, at: int) -> bool:
        return self.words[at].isalpha() and self.words[at] not in _NO_NOUN

    def short_years(self, at: int) -> Iterator[Reading]:
        """'25, of a century that is meant."""
        number = self.number(at + 1, 99)
        if self.words[at] == "'" and number is not None and len(self.words[at + 1]) == 2:
            yield (lambda said: one_year(of_century(number, said))), at + 2

    @kept
    def larger(self, at: int) -> Iterator[Reading]:
        """July, next march, june 2027, last spring, Q3, this week, the week after next, the 90s."""
        yield from self._months(at)
        yield from self._seasons(at)
        yield from self._parts_of_years(at)
        yield from self._decades(at)
        yield from self.units(at)

    def _months(self, at: int) -> Iterator[Reading]:
        whole, number = self.number(at, _LATEST) or 0, self.number(at + 2, 12)
        is_joined = self.touches(at + 1) and self.touches(at + 2) and self.words[at + 3] != "-"
        if (
            whole >= 1000
            and self.words[at + 1] == "-"
            and number
            and len(self.words[at + 2]) == 2
            and is_joined
        ):
            yield period.month_in(number, lambda _: one_year(whole)), at + 3
        if self.words[at] in table.MONTHS:
            month = table.MONTHS[self.words[at]]
            for year, end in self.years_behind(at + 1):
                yield period.month_in(month, year), end
            yield period.month_named(month), at + 1
        for side, after in self.told(at, table.SIDES):
            if self.words[after] in table.MONTHS and self.words[at] != "the":
                month = table.MONTHS[self.words[after]]
                yield period.month_named(month, side, self.words[at] == "this"), after + 1

    def _seasons(self, at: int) -> Iterator[Reading]:
        for side, after in (*self.told(at, table.SIDES), (0, at)):
            name = self.words[after]
            if name not in table.SEASONS:
                continue
            yield period.season(name, side), after + 1
            for year, end in () if side else self.years_behind(after + 1):
                yield period.season_in(name, year), end
                if self.words[end] in ("/", *table.DASHES) and self.number(end + 1, _LATEST):  # 2024/25
                    yield period.season_in(name, year), end + 2

    def _parts_of_years(self, at: int) -> Iterator[Reading]:
        """Q3, H1 2025, the third quarter of next year, the second half of may."""
        count = {"q": 4, "h": 2}.get(self.words[at])
        number = self.number(at + 1, 4)
        parts = [(number, count, at + 2)] if count and number and self.touches(at + 1) else []
        start = at + (self.words[at] == "the")
        for order, end in (*self.ordinal(start), *self.told(start, {"last": 0})):
            named = {"quarter": 4, "half": 2}.get(self.words[end])
            if named and (order or self.words[end + 1] in ("of", "in")):
                parts.append((order or named, named, end + 1))
        for order, of, end in parts:
            yield period.part_of_year(order, of), end
            after = self.skip(end, (",", "of", "in"))
            is_the_year = self.words[after] == "the" and self.words[after + 1] not in table.UNITS
            for whole, stop in (
                *self.years(after + is_the_year),
                *(self.larger(after) if after > end else ()),
            ):
                yield period.part_of(order, of, whole), stop

    def _decades(self, at: int) -> Iterator[Reading]:
        """The 90s, 1920s."""
        at = self.skip(at, ("the", "'"))
        number = self.number(at, _LATEST)
        is_decade = number and number % 10 == 0 and (20 <= number < 100 or number >= 1000)
        if number and is_decade and self.words[at + 1] == "s" and self.touches(at + 1):
            yield period.decade(number), at + 2

    @kept
    def units(self, at: int) -> Iterator[Reading]:
        """This week, next month, the quarter after next, the weekend before last."""
        for side, after in self.told(at, table.SIDES):
            unit = table.UNITS.get(self.words[after])
            if unit not in table.CALENDAR or self.words[after] == f"{unit}s":
                continue
            if unit == "weekend" and self.words[after - 1] in ("coming", "upcoming"):
                side = 0
            for away, end in (*self.told(after + 1, {"after next": 2, "before last": -2}), (side, after + 1)):
                yield period.unit_away(unit, away), end

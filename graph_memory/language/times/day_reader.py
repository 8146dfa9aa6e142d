"""Days: near ones, weekdays, dates and feasts."""

from __future__ import annotations

from collections.abc import Iterator

from graph_memory.language.times import period_meanings as period
from graph_memory.language.times import time_meanings as mean
from graph_memory.language.times import time_words as table
from graph_memory.language.times.calendar_time import Meaning, Reading, exists
from graph_memory.language.times.period_reader import PeriodReader
from graph_memory.language.times.token_reader import kept


class DayReader(PeriodReader):
    """Reads single days."""

    @kept
    def days(self, at: int) -> Iterator[Reading]:
        """One day, with the part of it: the evening of the 3rd, late on friday evening, tonight, last night."""
        for _, end in self.told(at, dict.fromkeys(table.WITHIN_A_DAY)):
            yield from self.days(end)
        for meaning, end in self._single_days(at):
            stop = self.skip(end, (",", "at", "the"))
            stop += 2 * (self.words[stop : stop + 2] == ["in", "the"])
            if part := table.PARTS.get(self.words[stop]):
                yield mean.in_part(meaning, part), stop + 1
            yield meaning, end
        start = at + (self.words[at] == "the")
        part, joint = table.PARTS.get(self.words[start]), self.words[start + 1]
        for meaning, end in self._single_days(start + 2) if part and joint == "of" else ():
            yield mean.in_part(meaning, part or ""), end
        if part and self.words[start + 1 : start + 3] == ["before", "last"]:
            yield mean.near_day(-2, part), start + 3
        if self.words[at] == "tonight":
            yield mean.near_day(0, "tonight"), at + 1
        part = table.PARTS.get(self.words[at + 1])
        if part and (self.words[at] == "this" or (self.words[at] == "last" and part in ("night", "evening"))):
            yield mean.near_day(-(self.words[at] == "last"), part), at + 2

    def _single_days(self, at: int) -> Iterator[Reading]:
        for away, end in self.told(at, table.NEAR_DAYS):
            yield mean.near_day(away), end
        for away, end in self.told(at, table.THEN):
            yield mean.then(away), end
        if self.words[at] == "that" and self.words[at + 1] in table.DAYS:
            yield mean.beside(mean.then(-1), table.DAYS[self.words[at + 1]], 1), at + 2
        yield from self.dated_weekdays(at)
        yield from self.dates(at)
        yield from self.weekdays(at)
        yield from self.feasts(at)

    @kept
    def feasts(self, at: int) -> Iterator[Reading]:
        """Next easter, christmas 2024."""
        for side, after in (*self.told(at, table.SIDES), (0, at)):
            for feast, end in self.told(after, table.FEASTS):
                yield mean.feast_day(feast, side), end
                for year, stop in () if side else self.years_behind(end):
                    yield period.within(mean.feast_day(feast), year), stop

    @kept
    def weekdays(self, at: int) -> Iterator[Reading]:
        """Friday, next friday, the friday after next, friday week, friday gone, friday next week, two fridays ago."""
        for side, after in (*self.told(at, table.SIDES), (0, at)):
            number, end = table.DAYS.get(self.words[after]), after + 1
            if number is None:
                continue
            day = mean.named(number, side)
            yield (mean.this(day) if self.words[at] == "this" and not side else day), end
            for (way, weeks), stop in self.told(end, _WEEKS_ON):
                yield mean.named(number, way, weeks), stop
            for week, stop in self._weeks(self.skip(end, ("of", "in"))):
                yield mean.of_the_week(week, number), stop
        for week, end in self._weeks(at):
            after = self.skip(end, (",", "on", "the"))
            if self.words[after] in table.DAYS:
                yield mean.of_the_week(week, table.DAYS[self.words[after]]), after + 1
        for count, after in self.count(at):
            number = table.MANY_DAYS.get(self.words[after], table.DAYS.get(self.words[after]))
            for step, end in self.told(after + 1, table.FROM_NOW) if number is not None else ():
                yield mean.named(number or 0, step, step * (count - 1)), end

    def _weeks(self, at: int) -> Iterator[Reading]:
        """Next week, two weeks ago, in three weeks."""
        for week, end in self.units(at):
            if any(word in ("week", "wk") for word in self.words[at:end]):
                yield week, end
        start = at + (self.words[at] == "in")
        for (count, unit), end in self.length(start):
            weeks = count * {"week": 1, "fortnight": 2}.get(unit, 0)
            for step, stop in self.told(end, table.FROM_NOW) if weeks else ():
                yield period.unit_away("week", step * weeks), stop
            if weeks and self.words[start - 1] == "in":
                yield period.unit_away("week", weeks), end

    @kept
    def dated_weekdays(self, at: int) -> Iterator[Reading]:
        """Saturday the 5th, sat 26, 15th december, sunday."""
        if self.words[at] in table.DAYS:
            number = table.DAYS[self.words[at]]
            after = self.skip(at + 1, (",",))
            for meaning, end in self.dates(after):
                yield mean.on_weekday(meaning, number), end
            day = self.number(after)
            if day and (self.is_time or self.words[at] not in table.AMBIGUOUS):
                yield mean.weekday_and_day(number, day), after + 1
        for meaning, end in self.dates(at):
            after = self.skip(end, (",",))
            if self.words[after] in table.DAYS:
                yield mean.on_weekday(meaning, table.DAYS[self.words[after]]), after + 1

    @kept
    def dates(self, at: int) -> Iterator[Reading]:
        """12 sept, september the 12th, the 12th of next month, 14/3, 2025-09-12."""
        yield from self._written(at)
        after = at + (self.words[at] == "the")
        for number, end in self._day_numbers(at):
            month = self.skip(end, ("of", "in")[: 1 + (after > at)])
            if self.words[month] in table.MONTHS:
                yield from self._with_year(mean.dated(table.MONTHS[self.words[month]], number), month + 1)
            for unit, stop in self.units(month):
                if self.words[stop - 1] == "month":
                    yield mean.day_of_month(unit, number), stop
            is_ordinal = end > after + 1 or not self.words[after].isdecimal()
            is_day = is_ordinal and (self.is_time or self._is_day(at, end))
            if (after > at or is_day) and not self._counts_a_noun(after, end):
                yield mean.monthless(number), end
        if self.words[at] in table.MONTHS:
            for number, end in self._day_numbers(at + 1):
                yield from self._with_year(mean.dated(table.MONTHS[self.words[at]], number), end)

    def _day_numbers(self, at: int) -> Iterator[tuple[int, int]]:
        at += self.words[at] == "the"
        yield from self.ordinal(at)
        if number := self.number(at):
            yield number, at + 1

    def _is_day(self, at: int, end: int) -> bool:
        """Whether a day without its month and without "the" is one: not "Ann's 30th", not "the third night"."""
        return self.words[at].isdecimal() and end > at + 1 and not self.words[at - 1].endswith("'s")

    def _counts_a_noun(self, at: int, end: int) -> bool:
        """The first night, the second attempt: a spelled number before what may be a noun."""
        return self.words[at].isalpha() and self.may_be_noun(end)

    def _with_year(self, meaning: Meaning, at: int) -> Iterator[Reading]:
        after = self.skip(at, (",", "of"))
        for year, end in self.years(after):
            yield period.within(meaning, year), end
        for year, end in self.far_years(after):  # behind a comma it may be an amount
            yield period.within(meaning, year) if after == at else mean.nothing, end
        yield meaning, at

    def _written(self, at: int) -> Iterator[Reading]:
        """In figures. Where day and month could change places, nothing is said."""
        first, mark, second = self.words[at], self.words[at + 1], self.words[at + 2]
        if first.isdecimal() and len(first) == 8 and first[:2] in ("19", "20"):
            year, month, day = int(first[:4]), int(first[4:6]), int(first[6:])
            if exists(year, month, day):
                yield mean.exact(year, month, day), at + 1
        if not (first.isdecimal() and mark in ("/", ".", "-") and second.isdecimal()):
            return
        third = self.words[at + 4] if self.words[at + 3] == mark and self.words[at + 4].isdecimal() else ""
        if len(first) == 4 and len(second) <= 2 and third:
            yield mean.exact(int(first), int(second), int(third)), at + 5
        elif len(first) <= 2 and len(second) <= 2 and len(third) in (2, 4):
            yield mean.either(int(first), int(second), int(third), is_ordered=mark == "."), at + 5
        elif mark == "/" and len(first) <= 2 and len(second) <= 2:
            yield mean.either(int(first), int(second), None), at + 3


# On which side of today a weekday is, and how many weeks on.
_WEEKS_ON = {"week": (1, 1), "fortnight": (1, 2), "after next": (1, 1), "before last": (-1, -1), "gone": (-1, 0),
             "coming": (1, 0)}  # fmt: skip

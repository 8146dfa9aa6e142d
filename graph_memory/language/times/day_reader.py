"""Days: near ones, weekdays, dates and feasts."""

from __future__ import annotations

from collections.abc import Iterator

from graph_memory.language.english import ADVERBS, NOT_A_VERB, UNCHANGING
from graph_memory.language.times import period_meanings as period
from graph_memory.language.times import time_meanings as mean
from graph_memory.language.times import time_words as table
from graph_memory.language.times.calendar_time import Meaning, Reading, exists
from graph_memory.language.times.period_reader import PeriodReader
from graph_memory.language.times.token_reader import kept

_ALL_FIGURES = 8
_NO_NOUN = (
    NOT_A_VERB
    | ADVERBS
    | UNCHANGING
    | table.DAYS.keys()
    | {*table.TO, "is", "are", "has", "at", "until", "till"}
)


class DayReader(PeriodReader):
    """Reads single days."""

    @kept
    def days(self, at: int) -> Iterator[Reading]:
        """One day, with the part of it."""
        at = at + (self.words[at] in ("late", "later", "early", "earlier"))
        at = at + 2 * (self.words[at] == "first" and self.words[at + 1] == "thing")
        yield from self._parts_first(at)
        for meaning, end in self._single_days(at):
            stop = self.skip(end, (",",))
            stop += self.words[stop] == "in" and self.words[stop + 1] == "the"
            stop += self.words[stop] in ("the", "at") and self.words[stop + 1] in table.PARTS
            if self.words[stop] in table.PARTS:
                yield mean.in_part(meaning, table.PARTS[self.words[stop]]), stop + 1
            yield meaning, end
        if self.words[at] == "tonight":
            yield mean.near_day(0, "tonight"), at + 1
        start = at + (self.words[at] == "the")
        if self.words[start] in table.PARTS and self._follows(start + 1, "before last"):
            yield mean.near_day(-2, table.PARTS[self.words[start]]), start + 3
        if self._follows(at, "last thing"):
            yield mean.near_day(0, "night"), at + 2
        if self.words[at] in ("this", "last") and self.words[at + 1] in table.PARTS:
            past = self.words[at] == "last"
            if not past or self.words[at + 1] in ("night", "evening", "eve"):
                yield mean.near_day(-past, table.PARTS[self.words[at + 1]]), at + 2

    def _parts_first(self, at: int) -> Iterator[Reading]:
        """The evening of the 3rd, the morning of easter."""
        start = at + (self.words[at] == "the")
        if self.words[start] in table.PARTS and self.words[start + 1] == "of":
            for meaning, end in self._single_days(start + 2):
                yield mean.in_part(meaning, table.PARTS[self.words[start]]), end

    def _single_days(self, at: int) -> Iterator[Reading]:
        for away, end in self.told(at, table.NEAR_DAYS):
            yield mean.near_day(away), end
            if self.words[end] in ("week", "fortnight"):
                yield mean.near_day(away + {"week": 7, "fortnight": 14}[self.words[end]]), end + 1
        yield from self.dated_weekdays(at)
        yield from self.dates(at)
        yield from self.weekdays(at)
        for away, end in self.told(at, table.THEN):
            yield mean.then(away), end
        if self.words[at] == "that" and self.words[at + 1] in table.DAYS:
            yield mean.beside(mean.then(-1), table.DAYS[self.words[at + 1]], 1), at + 2
        for feast, end in self.told(at, table.FEASTS):
            yield mean.feast_day(feast), end
            for year, stop in self.years(self.skip(end, (",", "of", "in"))):
                yield period.within(mean.feast_day(feast), year), stop
        for side, after in self.told(at, table.SIDES):
            for feast, end in self.told(after, table.FEASTS):
                yield mean.toward(mean.feast_day(feast), side), end
                for year, stop in () if side else self.years(self.skip(end, (",", "of", "in"))):
                    yield period.within(mean.feast_day(feast), year), stop

    @kept
    def weekdays(self, at: int) -> Iterator[Reading]:
        """Friday, next friday, the friday after next, friday week, friday gone, friday next week."""
        for side, after in (*self.told(at, table.SIDES), (0, at)):
            if self.words[after] not in table.DAYS:
                continue
            number, end = table.DAYS[self.words[after]], after + 1
            if self._follows(end, "after next"):
                yield mean.named(number, 1, 1), end + 2
            if self._follows(end, "before last"):
                yield mean.named(number, -1, -1), end + 2
            yield (
                (
                    mean.this(mean.named(number))
                    if self.words[at:after] == ["this"]
                    else mean.named(number, side)
                ),
                end,
            )
            if self.words[end] in ("week", "wk", "fortnight") and self.words[at] not in ("last", "past"):
                yield mean.named(number, 1, 2 if self.words[end] == "fortnight" else 1), end + 1
            if self.words[end] in ("gone", "past"):
                yield mean.named(number, -1), end + 1
            if self.words[end] in ("coming", "next"):
                yield mean.named(number, 1), end + 1
            yield from self._of_week(number, end)
        for week, end in (*self.units(at), *self._weeks_away(at)):
            after = self.skip(end, (",", "on", "the"))
            if self.words[after] in table.DAYS and self._is_week(at, end):
                yield mean.of_the_week(week, table.DAYS[self.words[after]]), after + 1
        yield from self._weekdays_away(at)

    def _weeks_away(self, at: int) -> Iterator[Reading]:
        """Two weeks ago, in three weeks."""
        start = at + (self.words[at] == "in")
        for (count, unit, _), end in self.length(start):
            weeks = count * {"week": 1, "fortnight": 2}.get(unit, 0)
            if weeks and self.words[end] in ("ago", "back"):
                yield period.unit_away("week", -weeks), end + 1
            if weeks and self._follows(end, "from now"):
                yield period.unit_away("week", weeks), end + 2
            if weeks and (start > at or self.words[at - 1] == "in"):
                yield period.unit_away("week", weeks), end

    def _weekdays_away(self, at: int) -> Iterator[Reading]:
        """Two fridays ago, three mondays from now."""
        count, after = self.count(at, 52), at + self.width(at)
        weekday = table.MANY_DAYS.get(self.words[after], table.DAYS.get(self.words[after]))
        if not count or weekday is None:
            return
        if self.words[after + 1] in ("ago", "back"):
            yield mean.weekdays_away(weekday, -count), after + 2
        if self._follows(after + 1, "from now"):
            yield mean.weekdays_away(weekday, count), after + 3

    def _of_week(self, number: int, end: int) -> Iterator[Reading]:
        after = self.skip(end, ("of", "in"))
        for week, stop in (*self.units(after), *self._weeks_away(after)):
            if self._is_week(after, stop):
                yield mean.of_the_week(week, number), stop

    def _is_week(self, at: int, end: int) -> bool:
        return any(word in ("week", "weeks", "wk", "fortnight") for word in self.words[at:end])

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
        day = self.number(after)
        numbered = [(day, after + 1)] if day else []
        for number, end in (*self.ordinal(after), *numbered):
            month = self.skip(end, ("of", "in")[: 1 + (after > at)])
            if self.words[month] in table.MONTHS:
                yield from self._with_year(mean.dated(table.MONTHS[self.words[month]], number), month + 1)
            elif self.words[month] in ("this", "next", "last", "the", "previous", "following", "current"):
                for unit, stop in self.units(month):
                    if self.words[stop - 1] in ("month", "mth"):
                        yield mean.day_of_month(unit, number), stop
            is_day = (number, end) not in numbered and (self.is_time or self._is_day(at, end))
            if (after > at or is_day) and not self._counts_a_noun(after, end):
                yield mean.monthless(number), end
        if self.words[at] in table.MONTHS:
            after = at + 1 + (self.words[at + 1] == "the")
            day = self.number(after)
            numbered = [(day, after + 1)] if day else []
            for number, end in (*self.ordinal(after), *numbered):
                yield from self._with_year(mean.dated(table.MONTHS[self.words[at]], number), end)

    def _is_day(self, at: int, end: int) -> bool:
        """Whether a day without its month and without "the" is one: not "Ann's 30th", not "the third night"."""
        is_in_figures = self.words[at].isdecimal() and end > at + 1
        return is_in_figures and not self.words[at - 1].endswith("'s")

    def _counts_a_noun(self, at: int, end: int) -> bool:
        """The first night, the second attempt: a spelled number before what may be a noun."""
        follows = self.words[end]
        return self.words[at].isalpha() and follows.isalpha() and follows not in _NO_NOUN

    def _with_year(self, meaning: Meaning, at: int) -> Iterator[Reading]:
        after = self.skip(at, (",", "of"))
        for year, end in self.years(after):
            yield period.within(meaning, year), end
        yield meaning, at

    def _written(self, at: int) -> Iterator[Reading]:
        """In figures. Where day and month could change places, nothing is said."""
        word = self.words[at]
        if len(word) == _ALL_FIGURES and word.isdecimal() and word[:2] in ("19", "20"):
            year, month, day = int(word[:4]), int(word[4:6]), int(word[6:])
            if exists(year, month, day):
                yield mean.exact(year, month, day), at + 1
        first, mark, second = self.words[at], self.words[at + 1], self.words[at + 2]
        if not (first.isdecimal() and mark in ("/", ".", "-") and second.isdecimal()):
            return
        third = self.words[at + 4] if self.words[at + 3] == mark and self.words[at + 4].isdecimal() else ""
        if len(first) == 4 and mark in ("-", "/", ".") and third:
            yield mean.exact(int(first), int(second), int(third)), at + 5
        elif len(first) <= 2 and len(second) <= 2 and len(third) in (2, 4):
            yield mean.either(int(first), int(second), int(third), is_ordered=mark == "."), at + 5
        elif mark == "/" and len(first) <= 2 and len(second) <= 2:
            yield mean.either(int(first), int(second), None), at + 3

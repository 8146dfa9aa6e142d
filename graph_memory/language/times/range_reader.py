"""Stretches of time: from one point to another, some days of a month, what lies around now, what comes again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graph_memory.language.times import time_meanings as mean
from graph_memory.language.times import time_relations as relations
from graph_memory.language.times import time_words as table
from graph_memory.language.times.calendar_time import SHORT, Precision, Reading
from graph_memory.language.times.step_reader import StepReader
from graph_memory.language.times.token_reader import kept

DEPTH = 2


class RangeReader(StepReader):
    """Reads what has two ends, and what has no certain one."""

    @kept
    def ranges(self, at: int) -> Iterator[Reading]:
        """From 20 january until 10 february, 4 to 18 march, 26-28 june, between the 3rd and the 5th."""
        between = self.words[at] == "between"
        start = at + (self.words[at] in ("from", "between"))
        joins = ("and", "&", "to", *table.DASHES) if between else table.TO
        yield from self._days_of_a_month(start)
        yield from self._weekdays_of_a_week(start, joins)
        for (first_hour, last_hour), end in (
            self.hours(start, True, joins) if self.is_time or start > at else ()
        ):
            for day, stop in self.days(self.skip(end, (",", "on"))):
                yield mean.hours(day, first_hour, last_hour), stop
        now = [(mean.near_day(0), start + 1)] if self.words[start] == "now" else []
        for first, end in (*self.points(start, DEPTH), *now):
            if self.words[end] in joins:
                for last, stop in self.points(self.skip(end + 1, ("until",)), DEPTH):
                    if self._has_year(end + 1, stop) and not self._has_year(start, end):
                        yield relations.between_of_one_year(first, last), stop
                    yield relations.between(first, last), stop

    def _weekdays_of_a_week(self, at: int, joins: tuple[str, ...]) -> Iterator[Reading]:
        """Thursday to sunday next week."""
        first, last = table.DAYS.get(self.words[at]), table.DAYS.get(self.words[at + 2])
        if first is not None and last is not None and self.words[at + 1] in joins:
            for week, end in self._weeks(self.skip(at + 3, ("of", "in"))):
                yield relations.between(mean.of_the_week(week, first), mean.named(last, 1)), end

    def _has_year(self, at: int, end: int) -> bool:
        return any(
            len(word) == 4 and word.isdecimal() and self.words[max(at, place - 1)] != "at"
            for place, word in enumerate(self.words[at:end], at)
        )

    def _days_of_a_month(self, at: int) -> Iterator[Reading]:
        before = table.MONTHS.get(self.words[at])
        for first, end in self._day_numbers(at + bool(before)):
            if self.words[end] not in (*table.TO, "and", "&", "/"):
                continue
            for last, stop in self._day_numbers(end + 1):
                after = stop if before else self.skip(stop, ("of",)) + 1
                if month := before or table.MONTHS.get(self.words[after - 1]):
                    yield from self._with_year(mean.month_days(month, first, last), after)

    @kept
    def lengths_around_now(self, at: int) -> Iterator[Reading]:
        """The last two weeks, in the next two weeks, for another 3 days, within an hour."""
        is_inside = self.words[at] in ("in", "within", "over", "during")
        at = self.skip(at, ("for", "over", "during", "in", "within"))
        at = self.skip(at, ("the",))
        side, is_within = self.words[at], self.words[at - 1] == "within"
        for (count, unit), end in self.length(at if is_within else at + 1):
            is_past = side == "last" or self.words[at - 1 : at + 1] == ["the", "past"]
            if is_past and self.words[at + 1] not in ("a", "an"):
                yield relations.since(mean.ago(count, unit, True)), end
            elif is_inside and side == "next" and unit not in SHORT:
                yield relations.between(mean.near_day(0), mean.ago(-count, unit, True)), end
            elif is_within or side in ("next", "another"):
                yield relations.until(mean.ago(-count, unit, True)), end
        if side == "another" and self.words[at + 1] in table.UNITS:
            yield relations.until(mean.ago(-1, table.UNITS[self.words[at + 1]], True)), at + 2

    # What comes again.

    @kept
    def repeats(self, at: int) -> Iterator[Reading]:
        """Every friday, mondays and thursdays at 9, twice a week, the first monday of each month, daily."""
        for precision, end in self._repeated(at + (self.words[at] == "on")):
            stop = end + (self.words[end] in table.PARTS)
            for _, after in self.clocks(stop + 1, True) if self.words[stop] == "at" else ():
                yield mean.repeated("moment"), after
            yield mean.repeated(precision), stop

    def _repeated(self, at: int) -> Iterator[tuple[Precision, int]]:
        yield from self.told(at, table.HABITS)
        if self.words[at] in table.DAYS and self.words[at + 1] in table.MANY_PARTS:
            yield "day", at + 2
        if self.words[at] in table.MANY_DAYS:
            yield "day", self._more(at + 1, table.MANY_DAYS)
        if self.words[at] in table.REPEATING:
            yield from self._each(at + 1)
        for unit_at in (at + 1, at + 2):
            often = self.words[at] in ("once", "twice") or self.words[unit_at - 1] == "times"
            per = self.words[unit_at] in ("a", "an", "per", "every", "each")
            if often and per and self.words[unit_at + 1] in table.UNITS:
                yield "range", unit_at + 2
        for _, end in self.ordinal(at + (self.words[at] == "the")):
            end += self.words[end] in table.DAYS or self.words[end] in ("day", "weekend")
            each = self.words[end] in ("of", "in") and self.words[end + 1] in ("every", "each")
            if each and self.words[end + 2] in table.UNITS:
                yield "day", end + 3

    def _each(self, at: int) -> Iterator[tuple[Precision, int]]:
        at += self.words[at] in ("other", "single", *table.ORDINALS)
        at += self.number(at, 999) is not None or self.words[at] in table.COUNTS
        for precision, end in self.told(at, table.AGAIN):
            yield precision, self._more(end, table.AGAIN)

    def _more(self, end: int, entries: Mapping[str, object]) -> int:
        """Where a row of them ends: mondays, wednesdays and fridays."""
        while self.words[end] in ("and", ",", "&", "to") and self.words[end + 1] in entries:
            end += 2
        return end

    # What is some time.

    @kept
    def vague(self, at: int) -> Iterator[Reading]:
        """A few days ago, in a few weeks, soon, until further notice."""
        for _, end in self.told(at, dict.fromkeys(table.VAGUE)):
            yield mean.nothing, end
        into = self.words[at] == "in"
        for end in self._vague_counts(at + into):
            if self.words[end] in table.UNITS:
                for _, stop in self.told(end + 1, table.FROM_NOW | table.LATER):
                    yield mean.nothing, stop
                if into:
                    yield mean.nothing, end + 1

    def _vague_counts(self, at: int) -> Iterator[int]:
        """Where words for an unknown number end: a few, three or four, almost ten."""
        for _, end in self.told(at, dict.fromkeys(table.VAGUE_COUNTS)):
            yield end
        for _, joint in self.count(at):
            for _, end in self.count(joint + 1) if self.words[joint] in ("or", *table.DASHES) else ():
                yield end
        for _, number_at in self.told(at, dict.fromkeys(table.ABOUT)):
            yield from (end for _, end in self.count(number_at))

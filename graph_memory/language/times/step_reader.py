"""Points in time: days with their hours, and steps from one point to another."""

from __future__ import annotations

from collections.abc import Iterator

from graph_memory.language import patterns
from graph_memory.language.times import period_meanings as period
from graph_memory.language.times import time_meanings as mean
from graph_memory.language.times import time_relations as relations
from graph_memory.language.times import time_words as table
from graph_memory.language.times.calendar_time import SHORT, THIRDS, Reading, one_year
from graph_memory.language.times.clock_times import Clock
from graph_memory.language.times.day_reader import DayReader
from graph_memory.language.times.token_reader import kept


class StepReader(DayReader):
    """Reads points, to a bounded depth of one within another."""

    @kept
    def points(self, at: int, depth: int) -> Iterator[Reading]:
        """A point, with its hour where one is told."""
        yield from self.days(at)
        yield from self._timed(at, depth)
        if depth:
            yield from self.steps(at, depth)
        yield from self.larger(at)
        yield from self._hours_alone(at)
        yield from self._year_first(at)
        yield from self.short_years(at)
        yield from self._written_moments(at)
        year = self.number(at, 2099)
        if year and year >= 1900:
            yield (lambda _: one_year(year)), at + 1

    def _hours_alone(self, at: int) -> Iterator[Reading]:
        for clock, end in self.clocks(at, False):
            yield mean.hour(clock), end

    def _year_first(self, at: int) -> Iterator[Reading]:
        """Last year in march, three years ago in autumn, in 2019, on christmas day."""
        for year, end in self.years(at):
            after = self.skip(end, (",", "in", "on", "at", "the"))
            name = self.words[after] if after > end else ""
            if name in table.MONTHS:
                yield period.month_in(table.MONTHS[name], year), after + 1
            if name in table.SEASONS:
                yield period.season_in(name, year), after + 1
            for day, stop in (*self.dates(after), *self.feasts(after)) if name else ():
                yield period.within(day, year), stop

    def _written_moments(self, at: int) -> Iterator[Reading]:
        """2026-03-15T14:30:00Z, 2026-03-15 14:30+02:00."""
        if at < len(self.tokens) and (found := _MOMENT.match(self.text, self.tokens[at].start)):
            end = sum(each.start < found.end() for each in self.tokens)
            yield mean.written(found[0]), end

    def _timed(self, at: int, depth: int) -> Iterator[Reading]:
        for day, end in (*self.days(at), *(self.steps(at, depth) if depth else ())):
            same = self.skip(end, (",", ".", "at", "the"))
            if self.words[same] == "same" and self.words[same + 1] in ("time", "hour"):
                yield mean.at_the_same_hour(day), same + 2
            after = self.skip(end, (",",))
            if self.words[after] == "between":
                for (first, last), stop in self.hours(after + 1, True, ("and",)):
                    yield mean.hours(day, first, last), stop
            relation = relations.RELATIONS.get(self.words[after]) if self.words[after] in _TO_HOURS else None
            introduced = self.words[after] == "at" or relation is not None
            near = after == end and self.words[end - 1] in _BEFORE_HOURS
            is_hour = introduced or near or self.is_time
            for clock, stop in self.clocks(after + introduced, is_hour):
                meaning = mean.clocked(day, clock)
                yield (relation(meaning) if relation else meaning), stop
            for (first, last), stop in self.hours(after + introduced, is_hour, table.TO):
                yield mean.hours(day, first, last), stop
        led = self.words[at - 1] in table.LEADING or self.words[at - 1] == "at"
        for clock, end in self.clocks(at, led or self.is_time):
            after = self.skip(end, (",",))
            for day, stop in (*self.days(after + (self.words[after] == "on")), *self._lengths(after, 0)):
                yield mean.clocked(day, clock), stop

    def hours(self, at: int, bare: bool, joins: tuple[str, ...]) -> Iterator[tuple[tuple[Clock, Clock], int]]:
        """9 to 5, 9 and 5."""
        for first, end in self.clocks(at, bare):
            for last, stop in self.clocks(end + 1, True) if self.words[end] in joins else ():
                yield (first, last), stop

    @kept
    def steps(self, at: int, depth: int) -> Iterator[Reading]:
        yield from self._lengths(at, depth)
        yield from self._neighbours(at, depth)
        yield from self._parts_of(at)
        yield from self._whole(at)
        yield from self._of_a_day(at + (self.words[at] == "the"))
        for side, after in (
            self.told(at + 2, table.SIDES) if self.words[at : at + 2] == ["this", "time"] else ()
        ):
            if side and self.words[after] in ("week", "month", "year"):
                yield mean.ago(-side, self.words[after], True), after + 1

    def _of_a_day(self, at: int) -> Iterator[Reading]:
        """The weekend of the 24th, the week commencing 3 march."""
        joint = self.words[at + 1]
        for day, end in self.days(at + 2) if self.words[at] in ("week", "weekend") else ():
            if joint == "of":
                yield period.unit_of(self.words[at], day), end
            elif joint in ("commencing", "beginning", "starting") and self.words[at] == "week":
                yield mean.lasting(day, 1, "week"), end

    def _lengths(self, at: int, depth: int) -> Iterator[Reading]:
        """2 weeks ago, a year ago today, in a fortnight, exactly a month from now, a week later, a week on friday."""
        start = at + (self.words[at] == "in")
        into = start > at or (at > 0 and self.words[at - 1] == "in")
        exactly = self.words[start] == "exactly"
        for (count, unit), end in self.length(start + exactly):
            after = self.words[end]
            for step, stop in self.told(end, table.FROM_NOW):
                yield mean.ago(-step * count, unit, exactly), stop
                for away, last in self.told(stop, table.NEAR_DAYS) if step < 0 else ():
                    yield mean.stepped(mean.near_day(away), -count, unit), last
            if after in table.LATER:
                yield mean.stepped(mean.then(0), count * table.LATER[after], unit), end + 1
            if into:
                yield mean.within_a_length(count, unit, exactly), self.skip(end, ("'", "time"))
            is_weeks = unit in ("week", "fortnight") and after != "then"
            for point, stop in self.days(end + (after == "on")) if is_weeks else ():
                yield mean.stepped(mean.toward(point, 1), count, unit), stop
            step = {"from": 1, "after": 1, "before": -1}.get(after, 0)
            for point, stop in self._counted_from(end + 1, depth - 1, unit) if step and depth else ():
                yield mean.stepped(point, count * step, unit), stop

    def _counted_from(self, at: int, depth: int, unit: str) -> Iterator[Reading]:
        """What a length is counted from: a day, an hour for minutes. "4 days from october" are four, from then on."""
        if unit not in SHORT:
            yield from self.days(at)
        else:
            yield from self._hours_alone(at)
        yield from self._timed(at, depth)
        if depth:
            yield from self.steps(at, depth)

    def _neighbours(self, at: int, depth: int) -> Iterator[Reading]:
        """The night before easter, the saturday after the 8th, the saturday after, the weekend after next friday."""
        at += self.words[at] == "the"
        step, weekday = {"after": 1, "before": -1}.get(self.words[at + 1], 0), table.DAYS.get(self.words[at])
        if step and weekday is not None:
            yield mean.beside(mean.then(0), weekday, step), at + 2
        for point, end in self.points(at + 2, depth - 1) if step else ():
            if weekday is not None:
                yield mean.beside(point, weekday, step), end
            elif self.words[at] == "day" or self.words[at] in table.PARTS:
                yield mean.stepped(point, step, "day"), end
            elif self.words[at] == "week":
                yield period.week_beside(point, step), end
            elif self.words[at] == "weekend":
                yield period.unit_of("weekend", mean.beside(point, 5, step)), end

    def _parts_of(self, at: int) -> Iterator[Reading]:
        """End of july, mid november, month's end, the first monday in may, the last two weeks of august."""
        start = at + (self.words[at] == "the")
        word = self.words[start]
        if bit := table.BITS.get(word):
            is_inside = bit in THIRDS
            after = self.skip(start + 1, ("of", "in", *table.DASHES) if is_inside else ("of",))
            is_led = after > start + 1 or (bit == "end" and self.words[after] in table.MONTHS)
            for whole, end in self.larger(after) if is_led or is_inside else ():
                yield period.bit(bit, whole), end
            year = self.number(after, 2099)
            if year and year >= 1900:
                yield period.bit(bit, lambda _: one_year(year)), after + 1
        unit, end = table.UNITS.get(word.removesuffix("'s")), self.skip(start + 1, table.DASHES)
        if unit in table.CALENDAR and self.words[end] == "end":
            yield period.bit("end", period.unit_away(unit, 0)), end + 1
        for number, end in (*self.ordinal(start), *([(-1, start + 1)] if word == "last" else ())):
            yield from self._nth(number, end)

    def _nth(self, number: int, at: int) -> Iterator[Reading]:
        """Of a longer time: the first monday, the last weekend, the second week, the last three days."""
        what = self.words[at]
        counted = [(count, unit, end) for (count, unit), end in self.length(at)]
        if table.UNITS.get(what) in ("week", "month"):
            counted.append((1, table.UNITS[what], at + 1))
        for whole, stop in self._of_what(at + 1):
            if what == "weekend":
                yield period.nth_weekend(number, whole), stop
            elif what == "day" or what in table.DAYS:
                yield period.nth(number, table.DAYS.get(what), whole), stop
        for count, unit, end in counted:
            for whole, stop in self._of_what(end):
                yield period.nth_stretch(number, count, unit, whole), stop

    def _of_what(self, at: int) -> Iterator[Reading]:
        if self.words[at] in ("of", "in"):
            yield from self.larger(at + 1)
            yield from self.years(at + 1)

    def _whole(self, at: int) -> Iterator[Reading]:
        """All of november, all year, the rest of sept, earlier this week."""
        start = at + (self.words[at] == "the")
        word, after = self.words[start], self.skip(start + 1, ("of",))
        if word not in _WHOLES:
            return
        readings = list(self.larger(after))
        if self.words[after] in table.CALENDAR:
            readings.append((period.unit_away(self.words[after], 0), after + 1))
        for whole, end in readings:
            yield _WHOLES[word](whole), end
        if self.words[after] == "day":
            yield mean.near_day(0), after + 1


_MOMENT = patterns.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:[Zz]|[+-]\d\d:\d\d)?")
_WHOLES = dict.fromkeys(("all", "whole"), period.whole_of) | dict.fromkeys(("rest", "later"), period.rest)
_WHOLES |= dict.fromkeys(("earlier", "past"), period.so_far)
# What leads to the hour of a day.
_TO_HOURS = ("from", "by", "until", "till", "til")
_BEFORE_HOURS = (
    table.DAYS.keys() | table.PARTS.keys() | {"today", "tomorrow", "yesterday", "tonight"}
) - table.AMBIGUOUS

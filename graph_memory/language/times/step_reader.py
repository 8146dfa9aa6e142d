"""Points in time: days with their hours, and steps from one point to another."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

from graph_memory.language.times import period_meanings as period
from graph_memory.language.times import time_meanings as mean
from graph_memory.language.times import time_relations as relations
from graph_memory.language.times import time_words as table
from graph_memory.language.times.calendar_time import (
    SHORT,
    Meaning,
    Reading,
    Said,
    SpanTime,
    one_moment,
    one_year,
)
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
        for clock, end in self.clocks(at, False):
            yield mean.hour(clock), end
        year = self.number(at, 2099)
        yield from self.short_years(at)
        yield from self._written_moments(at)
        yield from self._year_first(at)
        if year and year >= 1900:
            yield (lambda _: one_year(year)), at + 1

    def _written_moments(self, at: int) -> Iterator[Reading]:
        """2026-03-15T14:30:00Z, 2026-03-15 14:30 +02:00."""
        for day, end in self._written(at):
            clock_at = end + (self.words[end] == "t")
            hour, minute = self.number(clock_at, 23), self.number(clock_at + 2, 59)
            if hour is None or minute is None or self.words[clock_at + 1] != ":":
                continue
            stop = clock_at + 3
            if self.words[stop] == ":" and self.number(stop + 1, 59) is not None:
                stop += 2
                stop += 2 * (self.words[stop] == "." and self.words[stop + 1].isdecimal())
            offset, stop = self._offset(stop)
            yield _clocked_at(day, hour, minute, offset), stop

    def _offset(self, at: int) -> tuple[timezone | None, int]:
        if self.words[at] in ("z", "utc", "gmt"):
            return UTC, at + 1
        hours, minutes = self.number(at + 1, 14), self.number(at + 3, 59)
        if (
            self.words[at] in ("+", "-")
            and hours is not None
            and self.words[at + 2] == ":"
            and minutes is not None
        ):
            length = timedelta(hours=hours, minutes=minutes)
            return timezone(length if self.words[at] == "+" else -length), at + 4
        return None, at

    def _year_first(self, at: int) -> Iterator[Reading]:
        """Last year in march, three years ago in autumn, in 2019, on christmas day."""
        for year, end in self.years(at):
            after = self.skip(end, (",",))
            after += self.words[after] in ("in", "on", "at", "around")
            if after == end:
                continue
            if self.words[after] in table.MONTHS:
                yield period.month_in(table.MONTHS[self.words[after]], year), after + 1
            start = after + (self.words[after] == "the")
            if self.words[start] in table.SEASON_TIMES:
                yield period.season_in(table.SEASON_TIMES[self.words[start]], year), start + 1
            for day, stop in (*self.dates(after), *self._feasts(after)):
                yield period.within(day, year), stop

    def _feasts(self, at: int) -> Iterator[Reading]:
        for feast, end in self.told(at, table.FEASTS):
            yield mean.feast_day(feast), end

    def _timed(self, at: int, depth: int) -> Iterator[Reading]:
        for day, end in (*self.days(at), *(self.steps(at, depth) if depth else ())):
            after = self.skip(end, (",",))
            same = self.skip(end, (",", ".", "at", "the"))
            if self._follows(same, "this time"):
                yield period.this_time(day), same + 2
            if self.words[same] == "same" and self.words[same + 1] in ("time", "hour"):
                yield mean.at_the_same_hour(day), same + 2
            if self.words[after] == "between":
                yield from self._between_clocks(day, after + 1)
            introduced = self.words[after] in ("at", "@", "from", "til", "till", "until", "by")
            near = after == end and self.words[end - 1] in _BEFORE_HOURS
            for clock, stop in self.clocks(after + introduced, introduced or near or self.is_time):
                relation = relations.RELATIONS.get(self.words[after]) if introduced else None
                meaning = mean.clocked(day, clock)
                yield (relation(meaning) if relation else meaning), stop
                yield from self._to_clock(day, clock, stop)
        led = self.words[at - 1] in table.LEADING or self.words[at - 1] in ("at", "@")
        for clock, end in self.clocks(at, led or self.is_time):
            yield from self._clock_first(clock, end)

    def _between_clocks(self, day: Meaning, at: int) -> Iterator[Reading]:
        for first, end in self.clocks(at, True):
            for last, stop in self.clocks(end + 1, True) if self.words[end] in ("and", "&") else ():
                yield mean.hours(day, first, last), stop

    def _to_clock(self, day: Meaning, first: Clock, at: int) -> Iterator[Reading]:
        for last, end in self.clocks(at + 1, True) if self.words[at] in table.TO else ():
            yield mean.hours(day, first, last), end

    def _clock_first(self, clock: Clock, end: int) -> Iterator[Reading]:
        after = self.skip(end, (",",))
        after += self.words[after] == "on"
        for day, stop in (*self.days(after), *self._lengths(after, 0)):
            yield mean.clocked(day, clock), stop

    @kept
    def steps(self, at: int, depth: int) -> Iterator[Reading]:
        yield from self._lengths(at, depth)
        yield from self._neighbours(at, depth)
        yield from self._parts_of(at)
        yield from self._whole(at)
        yield from self._of_a_week(at)
        if self._follows(at, "this time"):
            yield from self._this_time(at + 2)

    def _this_time(self, at: int) -> Iterator[Reading]:
        """This time tomorrow, this time last year."""
        for day, end in self.days(at):
            yield period.this_time(day), end
        for side, after in self.told(at, table.SIDES):
            unit = table.UNITS.get(self.words[after])
            if side and unit in ("week", "month", "year"):
                yield mean.ago(-side, unit, True), after + 1

    def _of_a_week(self, at: int) -> Iterator[Reading]:
        """The week of the 14th, the week commencing 3 march."""
        at += self.words[at] == "the"
        joint = self.words[at + 1]
        if self.words[at] not in ("week", "weekend") or joint not in (
            "of",
            "commencing",
            "beginning",
            "starting",
        ):
            return
        after = at + 2 + (self.words[at + 2] == "on")
        for day, end in self.days(after):
            if self.words[at] == "week":
                yield period.week_from(period.toward_near(day), joint != "of"), end
            elif joint == "of":
                yield period.weekend_of(day), end

    def _lengths(self, at: int, depth: int) -> Iterator[Reading]:
        """2 weeks ago, in a fortnight, a week from tomorrow, a week on friday."""
        into = self.words[at] == "in" or (at > 0 and self.words[at - 1] == "in")
        start = at + (self.words[at] == "in")
        for (count, unit, exactly), end in self.length(start):
            after = self.words[end]
            if after in ("ago", "back"):
                yield mean.ago(count, unit, exactly), end + 1
                if self.words[end + 1] == "today":
                    yield mean.ago(count, unit, True), end + 2
                for away, stop in self.told(end + 1, table.NEAR_DAYS):
                    yield mean.stepped(mean.near_day(away), -count, unit), stop
            if after in table.LATER:
                yield mean.stepped(mean.then(0), count * table.LATER[after], unit), end + 1
            if self._follows(end, "from now") or after == "hence":
                yield mean.ago(-count, unit, exactly), end + 1 + (after == "from")
            if into:
                yield mean.within_a_length(count, unit, exactly), end + (after in ("time", "'"))
                if after == "'" and self.words[end + 1] == "time":
                    yield mean.within_a_length(count, unit, exactly), end + 2
            step = {"from": 1, "after": 1, "before": -1}.get(after)
            if unit in ("week", "fortnight") and not step:
                for point, stop in self.days(end + (after == "on")):
                    yield mean.stepped(mean.toward(point, 1), count, unit), stop
            for point, stop in self._counted_from(end + 1, depth - 1, unit) if step and depth else ():
                yield mean.stepped(point, count * (step or 0), unit), stop
        if (
            into
            and self.words[start] in ("a", "one")
            and self.words[start + 1] in ("week's", "month's", "year's")
        ):
            unit = self.words[start + 1][:-2]
            if self.words[start + 2] == "time":
                yield mean.ago(-1, unit, False), start + 3
        if self.words[at] in ("week", "fortnight") and self.words[at + 1] in table.LATER:
            yield mean.stepped(mean.then(0), table.LATER[self.words[at + 1]], self.words[at]), at + 2
        if self.words[at] in ("week", "fortnight"):
            for point, stop in self.days(at + 1 + (self.words[at + 1] == "on")):
                yield mean.stepped(mean.toward(point, 1), 1, self.words[at]), stop

    def _counted_from(self, at: int, depth: int, unit: str) -> Iterator[Reading]:
        """What a length is counted from: a day, an hour for minutes. "4 days from october" are four, from then on."""
        if unit not in SHORT:
            yield from self.days(at)
        yield from self._timed(at, depth)
        if depth:
            yield from self.steps(at, depth)
        for clock, end in self.clocks(at, False):
            yield mean.hour(clock), end
        yield from self._written_moments(at)
        yield from self._year_first(at)

    def _neighbours(self, at: int, depth: int) -> Iterator[Reading]:
        """The day before easter, the saturday after the 8th, the week after next friday."""
        at = at + (self.words[at] == "the")
        step = {"after": 1, "before": -1}.get(self.words[at + 1])
        if step and self.words[at] in table.DAYS:
            yield mean.beside(mean.then(0), table.DAYS[self.words[at]], step), at + 2
        if not step:
            return
        for point, end in self.points(at + 2, depth - 1):
            if self.words[at] in table.DAYS:
                yield mean.beside(point, table.DAYS[self.words[at]], step), end
            elif self.words[at] in ("day", "night", "evening", "morning"):
                yield mean.stepped(point, step, "day"), end
            elif self.words[at] == "week":
                yield period.week_beside(point, step), end
            elif self.words[at] == "weekend":
                yield period.weekend_beside(point, step), end

    def _parts_of(self, at: int) -> Iterator[Reading]:
        """End of july, mid november, the first monday in may, the last two weeks of august."""
        start = at + (self.words[at] == "the")
        word = self.words[start]
        if word in table.BITS:
            is_inside = word in ("early", "mid", "middle", "late")
            after = self.skip(start + 1, ("of", "in", "the", *table.DASHES) if is_inside else ("of",))
            if after > start + 1 or is_inside:
                yield from self._bits(word, after)
            if is_inside and self.words[after - 1] == "the":
                yield from self._bits(word, after - 1)
            if self.words[after] in table.MONTHS:
                yield from self._bits(word, after)
        if word in _ENDS_OF:
            yield period.bit("end", period.unit_away(_ENDS_OF[word], 0)), start + 1
        unit = word.removesuffix("'s")
        end = self.skip(start + 1, table.DASHES)
        if unit in table.UNITS and self.words[end] == "end":
            yield period.bit("end", period.unit_away(table.UNITS[unit], 0)), end + 1
        last = [(-1, start + 1), *((-number, end) for number, end in self._but_last(start))] if word else []
        for number, end in (*self.ordinal(start), *(last if word == "last" else last[1:])):
            yield from self._nth(number, end)

    def _but_last(self, at: int) -> Iterator[tuple[int, int]]:
        """The second to last, the last but one."""
        if self.words[at] == "penultimate":
            yield 2, at + 1
        if self._follows(at + 1, "to last") or (
            self._follows(at + 1, "- to") and self._follows(at + 3, "- last")
        ):
            for number, end in self.ordinal(at):
                yield number, end + (2 if self.words[end] == "to" else 4)

    def _bits(self, word: str, at: int) -> Iterator[Reading]:
        for whole, end in self.larger(at):
            yield period.bit(word, whole), end
        year = self.number(at, 2099)
        if year and year >= 1900:
            yield period.bit(word, lambda _: one_year(year)), at + 1
        if word in ("start", "beginning", "end", "close") and self.words[at] in ("day", "today"):
            yield mean.near_day(0), at + 1

    def _nth(self, number: int, at: int) -> Iterator[Reading]:
        what = self.words[at]
        if (what in table.DAYS or what in ("day", "weekend")) and self.words[at + 1] in ("of", "in"):
            for whole, stop in (*self.larger(at + 2), *self.years(at + 2)):
                weekend = what == "weekend"
                yield (
                    period.nth_weekend(number, whole)
                    if weekend
                    else period.nth(number, table.DAYS.get(what), whole),
                    stop,
                )
        counted = [(length[0], length[1], end) for length, end in self.length(at)]
        if table.UNITS.get(what) in ("week", "month", "fortnight"):
            counted.append((1, table.UNITS[what], at + 1))
        for count, unit, end in counted:
            for whole, stop in (
                (*self.larger(end + 1), *self.years(end + 1)) if self.words[end] in ("of", "in") else ()
            ):
                yield period.nth_stretch(number, count, unit, whole), stop

    def _whole(self, at: int) -> Iterator[Reading]:
        """All of november, all year, the rest of sept."""
        start = at + (self.words[at] == "the")
        # "Later this week" is in what is left of it.
        word = {"later": "rest", "earlier": "past"}.get(self.words[start], self.words[start])
        if word not in ("all", "whole", "rest", "entire", "past"):
            return
        after = self.skip(start + 1, ("of",))
        readings = list(self.larger(after))
        if self.words[after] in table.CALENDAR:
            readings.append((period.unit_away(self.words[after], 0), after + 1))
        for whole, end in readings:
            yield {"rest": period.rest, "past": period.so_far}.get(word, period.whole_of)(whole), end
        if self.words[after] == "day":
            yield mean.near_day(0), after + 1


_BEFORE_HOURS = (
    table.DAYS.keys() | table.PARTS.keys() | {"today", "tomorrow", "yesterday", "tonight"}
) - table.AMBIGUOUS
_ENDS_OF = {"eod": "day", "eow": "week", "eom": "month", "eoq": "quarter", "eoy": "year"}


def _clocked_at(day: Meaning, hour: int, minute: int, offset: timezone | None) -> Meaning:
    def clocked_at(said: Said) -> SpanTime | None:
        found = mean.clocked(day, Clock(hour, minute, "exact"))(said)
        if not found or offset is None or not isinstance(found.start, datetime):
            return found
        return one_moment(found.start.replace(tzinfo=offset).astimezone(said.now.tzinfo))

    return clocked_at

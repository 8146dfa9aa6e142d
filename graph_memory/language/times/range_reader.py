"""Stretches of time: from one point to another, some days of a month, what lies around now, what comes again."""

from __future__ import annotations

from collections.abc import Iterator

from graph_memory.language.times import period_meanings as period
from graph_memory.language.times import time_meanings as mean
from graph_memory.language.times import time_relations as relations
from graph_memory.language.times import time_words as table
from graph_memory.language.times.calendar_time import Precision, Reading
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
        if self.is_time or start > at:
            yield from self._hours_first(start, joins)
        yield from self._weekdays_of_a_week(start, joins)
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
        if first is None or last is None or self.words[at + 1] not in joins or first >= last:
            return
        for week, end in self.units(self.skip(at + 3, ("of", "in"))):
            if self._is_week(at + 3, end):
                yield period.days_of_a_week(week, first, last), end

    def _has_year(self, at: int, end: int) -> bool:
        return any(
            len(word) == 4 and word.isdecimal() and self.words[max(at, place - 1)] != "at"
            for place, word in enumerate(self.words[at:end], at)
        )

    def _hours_first(self, at: int, joins: tuple[str, ...]) -> Iterator[Reading]:
        """9 to 5 tomorrow."""
        for first, end in self.clocks(at, True):
            for last, stop in self.clocks(end + 1, True) if self.words[end] in joins else ():
                after = self.skip(stop, (",", "on"))
                for day, close in self.days(after):
                    yield mean.hours(day, first, last), close

    def _days_of_a_month(self, at: int) -> Iterator[Reading]:
        month = self.words[at] if self.words[at] in table.MONTHS else ""
        for first, end in self._day_numbers(at + bool(month)):
            for last, stop in (
                self._day_numbers(end + 1) if self.words[end] in (*table.TO, "and", "&", "/") else ()
            ):
                named = self.words[self.skip(stop, ("of",))]
                if month:
                    yield from self._with_year(mean.month_days(table.MONTHS[month], first, last), stop)
                elif named in table.MONTHS:
                    after = self.skip(stop, ("of",)) + 1
                    yield from self._with_year(mean.month_days(table.MONTHS[named], first, last), after)

    def _day_numbers(self, at: int) -> Iterator[tuple[int, int]]:
        at = at + (self.words[at] == "the")
        yield from self.ordinal(at)
        if number := self.number(at):
            yield number, at + 1

    @kept
    def lengths_around_now(self, at: int) -> Iterator[Reading]:
        """The last two weeks, for the next 3 days, in the next month or so."""
        is_inside = self.words[at] in ("in", "within", "throughout", "over", "during")
        at = self.skip(at, ("for", "over", "during", "in", "within", "throughout"))
        at = self.skip(at, ("the",))
        side = self.words[at]
        if side in ("another", "further"):
            for (count, unit, _), end in self.length(at + 1):
                yield relations.until(mean.ago(-count, unit, True)), end
            if self.words[at + 1] in table.UNITS:
                yield relations.until(mean.ago(-1, table.UNITS[self.words[at + 1]], True)), at + 2
        for (count, unit, _), end in (
            self.length(at + 1)
            if (side in ("last", "next", "coming") or self._is_the_past(at))
            and self.words[at + 1] not in ("a", "an")
            else ()
        ):
            if side in ("last", "past"):
                yield relations.since(mean.ago(count, unit, True)), end
            elif is_inside:
                yield period.from_today(count, unit), end
            else:
                yield relations.until(mean.ago(-count, unit, True)), end
        if self.words[at - 1] == "within":
            for (count, unit, _), end in self.length(at):
                yield relations.until(mean.ago(-count, unit, True)), end

    def _is_the_past(self, at: int) -> bool:
        """The past two weeks; not "it lies there past two weeks"."""
        is_led = not at or not self.words[at - 1].isalpha() or self.words[at - 1] in _BEFORE_PAST
        return self.words[at] == "past" and is_led

    # What comes again.

    @kept
    def repeats(self, at: int) -> Iterator[Reading]:
        """Every friday, mondays and thursdays at 9, twice a week, the first monday of each month, daily."""
        for precision, end in self._repeated(at + (self.words[at] == "on")):
            stop = end + (self.words[end] in table.PARTS)
            for _, after in self.clocks(stop + 1, True) if self.words[stop] in ("at", "@") else ():
                yield mean.repeated("moment"), after
            yield mean.repeated(precision), stop

    def _repeated(self, at: int) -> Iterator[tuple[Precision, int]]:
        for unit, end in self.told(at, table.HABITS):
            yield _PRECISIONS.get(unit, "range"), end
        if self.words[at] in table.DAYS and self.words[at + 1] in table.MANY_PARTS:
            yield "day", at + 2
        if self.words[at] in table.MANY_DAYS:
            end = at + 1
            while self.words[end] in ("and", ",", "&", "or", "to") and self.words[end + 1] in table.MANY_DAYS:
                end += 2
            yield "day", end
        if self.words[at] in table.REPEATING:
            yield from self._each(at + 1)
        for count_at, unit_at in ((at, at + 1), (at, at + 2)):
            often = self.words[count_at] in ("once", "twice") or self.words[unit_at - 1] == "times"
            per = self.words[unit_at] in ("a", "an", "per", "every", "each")
            if often and per and self.words[unit_at + 1] in table.UNITS:
                yield "range", unit_at + 2
        for number, end in self.ordinal(at + (self.words[at] == "the")):
            what = self.words[end] in table.DAYS or self.words[end] in ("day", "weekend")
            joint = end + what
            each = self.words[joint] in ("of", "in") and self.words[joint + 1] in ("every", "each")
            if number and each and self.words[joint + 2] in (*table.UNITS, *table.MONTHS):
                yield "day", joint + 3
        if self._follows(at, "the last") or self.words[at] == "last":
            end = at + 1 + (self.words[at] == "the")
            known = self.words[end] in table.DAYS or self.words[end] in ("day", "weekend")
            if known and self.words[end + 1] in ("of", "in") and self.words[end + 2] in ("every", "each"):
                yield "day", end + 4

    def _each(self, at: int) -> Iterator[tuple[Precision, int]]:
        at += self.words[at] in ("other", "single", "second", "third", "fourth", "few")
        at += self.number(at, 999) is not None or self.words[at] in table.COUNTS
        for entries, precision in _AGAIN:
            for _, end in self.told(at, entries):
                while self.words[end] in ("and", ",", "&", "or") and self.words[end + 1] in entries:
                    end += 2
                yield precision, end

    # What is some time.

    @kept
    def vague(self, at: int) -> Iterator[Reading]:
        """A few days ago, three or four weeks ago, almost a year ago, soon, until further notice."""
        for _, end in self.told(at, table.VAGUE):
            yield mean.nothing, end
        into = self.words[at] in ("in", "within", "after", "for")
        for start, end in self._counted_vaguely(at + into):
            unit_at = end + (self.words[end] in ("more", "of"))
            unit = table.UNITS.get(self.words[unit_at])
            if not unit or start is None:
                continue
            stop = unit_at + 1
            if self.words[stop] in ("ago", "back", "earlier", "later", "hence"):
                yield mean.nothing, stop + 1
            elif self._follows(stop, "from now"):
                yield mean.nothing, stop + 2
            elif into and self.words[at] in ("in", "within"):
                yield mean.nothing, stop + (self.words[stop] == "time")

    def _counted_vaguely(self, at: int) -> Iterator[tuple[int, int]]:
        """Where words for an unknown number begin and end."""
        for _, end in self.told(at, dict.fromkeys(table.VAGUE_COUNTS, 0)):
            yield at, end
        count = self.count(at, 999)
        joint = at + self.width(at)
        if count and self.words[joint] in ("or", *table.DASHES, "to") and self.count(joint + 1, 999):
            yield at, joint + 1 + self.width(joint + 1)
        for _, end in self.told(at, dict.fromkeys(table.ABOUT, 0)):
            if self.count(end, 999):
                yield at, end + self.width(end)


_BEFORE_PAST = ("the", "for", "over", "during", "in", "within", "throughout", "these", "this", "of")
_PRECISIONS: dict[str, Precision] = {
    "day": "day",
    "hour": "moment",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
}
_AGAIN: tuple[tuple[dict[str, int], Precision], ...] = (
    (table.DAYS, "day"),
    (
        dict.fromkeys(
            ("day", "days", "night", "nights", "morning", "afternoon", "evening", "weekday", "weekdays"), 0
        ),
        "day",
    ),
    (dict.fromkeys(("month", "months", *table.MONTHS), 0), "month"),
    (dict.fromkeys(("year", "years"), 0), "year"),
    (dict.fromkeys(("quarter", "quarters"), 0), "quarter"),
    (dict.fromkeys(table.SEASON_TIMES, 0), "season"),
    (dict.fromkeys(table.UNITS, 0), "range"),
    (dict.fromkeys(table.FEASTS, 0), "day"),
)

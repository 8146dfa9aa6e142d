"""Whole times: a point or a stretch with the words before and after it, and whether it surely is one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import MAXYEAR

from graph_memory.language.times import time_meanings as mean
from graph_memory.language.times import time_relations as relations
from graph_memory.language.times import time_words as table
from graph_memory.language.times.calendar_time import Reading, of_century, one_year
from graph_memory.language.times.range_reader import DEPTH, RangeReader
from graph_memory.language.times.token_reader import kept

LONGEST = 80
_HOURS = 12
_BEFORE_YEARS = ("until", "till", "til", "untill", "before")
_BE = ("am", "is", "are", "be", "was", "were", "been", "not")


def is_bare_hour(phrase: str) -> bool:
    """Whether a phrase names an hour and no day: of habits, of distances and of scores as often as of today."""
    return _is_hour_after(phrase, table.IN)


def is_hour_alone(phrase: str) -> bool:
    """Whether a phrase names an hour and no day, whatever leads to it: since 3pm, till half five."""
    return _is_hour_after(phrase, (*table.IN, *table.LEADING, *table.TO))


def _is_hour_after(phrase: str, leading: tuple[str, ...]) -> bool:
    reader = TimeReader(phrase, is_time=True)
    return any(reader.ends_at(end) for _, end in reader.clocks(reader.skip(0, leading), 1))


def is_monthless(phrase: str) -> bool:
    """Whether a phrase names days of a month and neither their month nor a weekday: until the 8th, from the 5th to the 20th."""
    reader = TimeReader(phrase, is_time=True)
    words = reader.words[: len(reader.tokens)]
    if _TELLS_WHICH.intersection(words):
        return False
    leading = {"the", *table.IN, *table.LEADING, *table.TO}
    is_bare = all(reader.number(at) or word in leading for at, word in enumerate(words))
    return is_bare or any(reader.ordinal(at) for at in range(len(words)))


def is_weekday(phrase: str) -> bool:
    """Whether a phrase names a weekday or a part of one, and nothing that tells which."""
    words = [word.strip(".,!?") for word in phrase.lower().split() if word not in table.IN]
    return bool(words) and words[0] in table.DAYS and all(word in table.PARTS for word in words[1:])


def is_length_ahead(phrase: str) -> bool:
    """Whether a phrase tells how long it is from now: in two weeks, in ten minutes' time."""
    reader = TimeReader(phrase, is_time=True)
    return reader.words[0] == "in" and any(
        reader.ends_at(reader.skip(end, ("'", "time"))) for _, end in reader.length(1)
    )


_TELLS_WHICH = table.DAYS.keys() | table.MONTHS.keys() | {"month", "quarter", "half", "year", "yr"}
# What a time in a text can begin with, but for figures.
_FIRST = {
    phrase.split()[0]
    for known in (
        table.DAYS, table.MANY_DAYS, table.MONTHS, table.NEAR_DAYS, table.FEASTS, table.THEN, table.SIDES, table.COUNTS,
        table.ORDINALS, table.FRACTIONS, table.MIDDAYS, table.SEASONS, table.HABITS, table.VAGUE_COUNTS, table.VAGUE,
        table.BITS, table.ABOUT, table.LATER, relations.RELATIONS,
    )
    for phrase in known
} | {
    *table.REPEATING, "on", "in", "at", "for", "during", "within", "around", "about", "over", "between", "back", "tonight",
    "week", "weekend", "day", "exactly", "all", "whole", "rest", "once", "twice", "that", "q", "h", "'",
}  # fmt: skip


# A day of the week, a near one, or a part of one.
_DAYS = {*table.DAYS, *table.MANY_DAYS, *table.PARTS, "today", "tonight", "tomorrow", "yesterday"}


class TimeReader(RangeReader):
    """Reads all of a time, from its first word to its last."""

    def longest(self, at: int) -> int | None:
        """Where the longest time that begins here ends, if it surely is one."""
        begins = self.words[at].isdecimal() or self.words[at] in _FIRST
        if not begins or self._cuts_a_number(at) or self.words[at - 1] in table.REPEATING:
            return None
        if self.words[at] in table.DAYS and self.words[at - 1] in table.NAMING:
            return None
        ends = {
            end
            for _, end in self._undated(at)
            if self.tokens[end - 1].end - self.tokens[at].start <= LONGEST
            if self._is_telling(at, end) and not self._cuts_a_number(end) and not self._counts(at, end)
        }
        end = max(ends, default=None)
        return end and max((stop for _, stop in self._date_beside(end)), default=end)

    def _cuts_a_number(self, at: int) -> bool:
        """Whether 1,450 or 17.99 or 2-3 would be parted here."""
        sign = at if self.words[at] in table.IN_NUMBERS else at - 1
        before, after = self.words[sign - 1], self.words[sign + 1]
        figures = self.words[sign] in table.IN_NUMBERS and before.isdecimal() and after.isdecimal()
        return sign > 0 and figures and self.touches(sign) and self.touches(sign + 1)

    def _counts(self, at: int, end: int) -> bool:
        """Whether a number behind a day counts what follows: "monday, 18k a month", "friday 5 mg", "tonight 6 of us".

        A year behind its date counts nothing: "on 12 May 2020 Ann moved".
        """
        first = end - 1
        if self.words[first - 1] == "." and self.words[first - 2].isdecimal():
            first -= 2
        day = first - 1 - (self.words[first - 1] == ",")
        if not self.words[end - 1].isdecimal() or day < at or not self._ends_a_day(day):
            return False
        if self.words[day] in table.MONTHS and any(stop == end for _, stop in self.years(first)):
            return False
        return self.is_measured(end) or (first == end - 1 and self.may_be_noun(end))

    def _ends_a_day(self, at: int) -> bool:
        word, before = self.words[at], self.words[at - 1]
        is_date = word in table.MONTHS and (before.isdecimal() or before in table.SUFFIXES)
        return is_date or word in _DAYS

    def _is_telling(self, at: int, end: int) -> bool:
        words = self.words[at:end]
        if any(word in table.TELLING for word in words) or ":" in words:
            return True
        if words[0] == "since":  # not "since one of us"
            return not (self.words[end].isalpha() and words[-1] in table.COUNTS)
        if any(word in table.NOW for word in words):
            is_place = words[-1] == "here"  # "from here on" is a time
            return (words[0] in ("from", "as") and not is_place) or words[-2:] == ["from", "now"]
        if self._is_written(at, end):
            return True
        beside = self.words[at - 1] if at else "", self.words[end]
        if (
            words[0] in table.AMBIGUOUS and len(words[-1]) <= 2 and words[-1].isdecimal()
        ):  # "we march 20 miles"
            return not all(word.isalpha() and word not in table.IN for word in beside)
        led = words[0] in table.LEADING
        content = [
            word for word in words if word not in table.IN and word not in ("the", "by", "up", "as", "of")
        ]
        if content[:1] and content[0] in relations.RELATIONS and content[0] not in table.BITS:
            content = content[1:]
        if not content[1:]:  # a single word
            word = content[0] if content else ""
            year = len(word) == 4 and word.isdecimal()
            bare = word in table.AMBIGUOUS and "the" not in words
            feast = (word in table.FEASTS or word == "weekend") and words[0] == "at"
            known = bare or feast or word in table.SEASONS
            return (led or feast) and (
                year or known or (word in table.ORDINALS and words[:2] == ["on", "the"])
            )
        return any(
            not word.isdecimal() and word not in table.TO and word not in (".", ",", "a") for word in content
        )

    def _is_written(self, at: int, end: int) -> bool:
        """A date in figures, or years: 2025-12-01, 20251201, from 2015 to 2018."""
        figures = [word for word in self.words[at:end] if word not in table.IN and word not in table.LEADING]
        if figures and all(word.isdecimal() and len(word) == 8 for word in figures):
            return True
        years = [word for word in figures if word.isdecimal() and len(word) == 4]
        marks = [word for word in figures if word in ("-", "/", ".")]
        if marks and all(word.isdecimal() or word in marks for word in figures):
            return bool(years) and self.words[end - 1].isdecimal()
        return len(years) > 1 and self.words[at] in ("from", "between")

    # Points in time.

    @kept
    def times(self, at: int) -> Iterator[Reading]:
        """Whole readings: what a span may be, also with its date beside it: on monday (3 may 2026)."""
        for meaning, end in self._undated(at):
            yield meaning, end
            for dated, stop in self._date_beside(end):
                yield mean.on_the_date(meaning, dated), stop

    def _date_beside(self, at: int) -> Iterator[Reading]:
        if self.words[at] == "(":
            for meaning, end in self._undated(at + 1):
                if self.words[end] == ")":
                    yield meaning, end + 1

    @kept
    def _undated(self, at: int) -> Iterator[Reading]:
        yield from self._bare_numbers(at)
        yield from self.ranges(at)
        for relation, after in () if self._is_verb(at) else self.told(at, relations.RELATIONS):
            for meaning, end in self.points_or_hours(after):
                yield relation(meaning), self._onwards(end)
                for (count, unit), stop in self.length(end + 1) if self.words[end] == "for" else ():
                    yield mean.lasting(meaning, count, unit), stop
        yield from self.lengths_around_now(at)
        yield from self.repeats(at)
        yield from self.vague(at)
        for meaning, end in self.points_after_prepositions(at):
            yield meaning, end
            if self._onwards(end) > end and (self.words[end] != "on" or self.words[end - 1] in table.MONTHS):
                yield relations.starting(meaning), self._onwards(end)
            for (count, unit), stop in self.length(end + 1) if self.words[end] == "for" else ():
                yield mean.lasting(meaning, count, unit), stop
        if self.words[at] == "now":
            yield relations.starting(mean.near_day(0)), self._onwards(at + 1)

    def _bare_numbers(self, at: int) -> Iterator[Reading]:
        """A number that is a time is a day of the month, if it is none of an hour."""
        number = self.number(at) if self.is_time and self.ends_at(at + 1) else None
        if number and number > _HOURS:
            yield mean.monthless(number), at + 1

    def _is_verb(self, at: int) -> bool:
        """Of "I am starting in may" and "it dates from may" the time is may."""
        before = self.words[at - 1]
        is_told = before in _BE or before.endswith(("'m", "'re", "'s")) or before == "dates"
        return is_told and self.words[at] in ("starting", "from")

    def _onwards(self, at: int) -> int:
        return at + (self.words[at] in ("on", "onwards", "onward"))

    @kept
    def points_after_prepositions(self, at: int) -> Iterator[Reading]:
        first = at + (self.words[at] in table.IN)
        if first > at:
            for clock, end in self.clocks(first, True):
                if self.words[at] == "at":
                    yield mean.hour(clock), end
        if self.words[at] in ("in", "of", "back") and (year := self._year_after(at)):
            yield year
        if self.words[at] == "in" and not self.is_time:  # "sleeping in tomorrow"
            yield from self.larger(first)
            yield from self.steps(first, DEPTH)
        else:
            yield from self.points(first, DEPTH)

    def _year_after(self, at: int) -> Reading | None:
        """In 1861, back in 94, in '09."""
        at = self.skip(at, ("back", "in", "of"))
        short = self.words[at] == "'"
        number = self.number(at + short, 2100)
        digits = len(self.words[at + short])
        if number is not None and digits == 4 and number >= 1000 and not short:
            return (lambda _: one_year(number)), at + 1
        if number is not None and digits == 2 and (short or number > 31):
            return (lambda said: one_year(of_century(number, said))), at + short + 1
        return None

    @kept
    def points_or_hours(self, at: int) -> Iterator[Reading]:
        """After a relation a bare number can be an hour, or a year."""
        yield from self.points_after_prepositions(at)
        if self.words[at] in table.NOW:
            yield mean.near_day(0), at + 1
        for (count, unit), end in self.length(at) if self.words[at - 1] == "since" else ():
            yield mean.ago(count, unit, True), end
        yield from self._years_or_hours(at)
        number = self.number(at)
        if number and number > _HOURS:
            yield mean.monthless(number), at + 1
        if self.words[at] in table.PARTS:
            yield mean.near_day(0, table.PARTS[self.words[at]]), at + 1

    def _years_or_hours(self, at: int) -> Iterator[Reading]:
        """Since 1815, until 2150. Four figures are an hour only as 18:15, 0815 or 1815 hrs; of "from 1500" it is not said."""
        year = self.number(at, MAXYEAR) or 0
        before = self.words[at - 1]
        is_count = self.is_measured(at + 1) or self.may_be_noun(at + 1)
        if year >= 1000 and (before == "since" or (before in _BEFORE_YEARS and not is_count)):
            yield mean.year_known(year), at + 1
        for clock, end in self.clocks(at, True):
            if year < 1000 or end > at + 1:
                yield clock.near, end

"""A text whose words for times have their dates beside them, so that it can be read on any day.

"Work starts on Monday." said on 28 May 2026 becomes "Work starts on Monday (1 June 2026).".
"""

from __future__ import annotations

from calendar import month_name
from datetime import date, datetime

from graph_memory.ingest.when import times_of
from graph_memory.language.english import ADVERBS, NOT_A_VERB, UNCHANGING, words_of
from graph_memory.language.patterns import compile as pattern
from graph_memory.language.sentences import split
from graph_memory.language.short_answers import own_words
from graph_memory.language.times.calendar_time import Precision
from graph_memory.language.times.resolver import Means, Span, Time
from graph_memory.language.times.spelling import spelled_range
from graph_memory.language.times.tense import way_of
from graph_memory.language.times.time_reader import is_hour_alone, is_monthless, is_weekday
from graph_memory.language.times.time_words import DAYS, FEASTS, IN, MONTHS, ORDINALS, SEASONS

_YEAR = pattern(r"\b\d{4}\b")
# A date as it is set beside words for a time: days, months and years in brackets, and a time of day behind them.
_TOLD = pattern(
    rf" \((?:(?:\d{{1,2}}(?::\d{{2}})?|{'|'.join(month_name[1:])}|\d{{4}},?|to) )*\d{{4}}(?:, \d{{1,2}}:\d{{2}})?\)"
)
_WORD = pattern(r"[^\W\d_]+")
_PLURAL = pattern(r"\s+([^\W\d_]{2,}[^\W\d_s]s)\b(?!')")
_NO_NOUN = NOT_A_VERB | ADVERBS | UNCHANGING | words_of("does always perhaps sometimes thus")
_ALL_DAY = words_of("all the whole entire of day for throughout during")
_ENDS = words_of(
    """
    since from starting beginning as effective until till til untill up through thru by before after prior than now on
    onward onwards
    """
)
_LED = _ENDS | frozenset(IN)
_WHOSE = (
    words_of("a an any some the those these my your his her its our their whole entire") | ORDINALS.keys()
)
_OWNER = ("'s", "’s")


def dated(text: str, said_at: datetime, is_planned: bool | None = None, about: date | None = None) -> str:
    """The text with dates. What was said of is as in `when`.

    Times that name a year, a month or a feast stay as they are: a birthday is on 3 May of every year. So does what is
    repeated, or may be, what is not exact, and what was asked: an answer is read by its own words.
    """
    answer = own_words(text)
    at, parts = 0, [text[: len(text) - len(answer)]]
    times = times_of(answer, said_at, is_planned, about)
    for found, before, after in zip(times, [None, *times], [*times[1:], None], strict=False):
        is_listed = _are_listed(answer, before, found) or _are_listed(answer, found, after)
        is_told = _is_relative(found) and (about is not None or not is_monthless(found.span.text))
        is_one = is_told and not is_listed and not _may_be_other(answer, found, said_at)
        is_ahead = is_planned and _last_day(found) >= said_at.date() and not _is_a_kind(answer, found)
        if is_one and (is_ahead or not _may_be_habit(answer, found)):
            end = found.span.end + 2 * answer.startswith(_OWNER, found.span.end)
            parts += [answer[at:end], f" ({_date(found)})"]
            at = end
    return "".join([*parts, answer[at:]])


def undated(text: str) -> str:
    """The text without the dates beside its words for times, as it was said."""
    return _TOLD.sub("", text)


def place_in_dated(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Where what stands at a place of the undated text stands in the text."""
    start, end = span
    for found in _TOLD.finditer(text):
        length = found.end() - found.start()
        start += length if found.start() <= start else 0
        end += length if found.start() < end else 0
    return start, end


def _last_day(found: Time) -> date:
    last = found.end or found.start
    return last.date() if isinstance(last, datetime) else last or date.min


def _is_relative(found: Time) -> bool:
    if found.means in (Means.REPEATED, Means.UNRESOLVABLE) or is_hour_alone(found.span.text):
        return False
    words = _words(found)
    names_one = any(word in MONTHS for word in words) or any(
        f" {each} " in f" {' '.join(words)} " for each in FEASTS
    )
    # A time in figures alone may be a score.
    return bool(words) and not _is_stretch(found) and not names_one and not _YEAR.search(found.span.text)


def _is_stretch(found: Time) -> bool:
    """Whether it tells how long something takes: all day, the last two weeks, within an hour, in a minute."""
    words = _words(found)
    is_all_day = words[-1:] == ["day"] and _ALL_DAY.issuperset(words)
    has_one_end = found.means in (Means.SINCE, Means.UNTIL) and not _ENDS.intersection(words)
    return is_all_day or has_one_end or words[:1] == ["within"] or words[-1:] == ["minute"]


def _may_be_other(text: str, found: Time, said_at: datetime) -> bool:
    """Whether it is a weekday and may well be another one: the Friday, my Friday, Friday dinners, next Friday on a Wednesday."""
    words = [word for word in _words(found) if word not in _LED]
    if words[:1] == ["next"] and DAYS.keys() & words[1:2] and found.start:
        return _week(found.start) == _week(said_at)
    if words[:1] == ["the"] and is_weekday(" ".join(words[1:])):
        return True
    if not is_weekday(found.span.text):
        return False
    before = text[: found.span.start].lower().replace("’", "'").split()[-1:]
    is_whose = bool(_WHOSE.intersection(before)) or any(word.endswith("'s") for word in before)
    return is_whose or _is_before_many(text[found.span.end :])


def _is_a_kind(text: str, found: Time) -> bool:
    """A free Saturday; but "a scan Saturday", too."""
    before = text[: found.span.start].lower().split()[-2:]
    return before[:-1] in (["a"], ["an"]) and bool(DAYS.keys() & _words(found)[:1])


def _is_before_many(after: str) -> bool:
    """Whether a noun of many follows, as in "Friday dinners"; a verb that ends so may tell of a habit as well."""
    many = _PLURAL.match(after)
    return many is not None and many[1].lower() not in _NO_NOUN


def _week(at: date) -> tuple[int, int]:
    return at.isocalendar()[:2]


def _are_listed(text: str, one: Time | None, other: Time | None) -> bool:
    """Whether both are weekdays in a list: "tuesday and thursday" are more often those of every week."""
    if one is None or other is None or not (_is_weekday(one) and _is_weekday(other)):
        return False
    return text[one.span.end : other.span.start].strip(" ,&/").lower() in ("", "and", "or")


def _may_be_habit(text: str, found: Time) -> bool:
    """Whether it is a weekday or a season in a clause that looks neither ahead nor back, as in "we train tuesday"."""
    is_bare = _is_weekday(found) or _is_season(found)
    told = way_of(*_sentence(text, found.span))
    return is_bare and not (told.way > 0 or (told.way < 0 and told.is_own))


def _is_season(found: Time) -> bool:
    words = [word for word in _words(found) if word not in IN and word != "the"]
    return len(words) == 1 and words[0] in SEASONS


def _is_weekday(found: Time) -> bool:
    words = [word for word in _words(found) if word not in IN]
    return bool(words) and words[0] in DAYS


def _words(found: Time) -> list[str]:
    return _WORD.findall(found.span.text.lower())


def _sentence(text: str, span: Span) -> tuple[str, int, int]:
    """The sentence that a time stands in, and where it stands there."""
    end = 0
    for sentence in split(text):
        start = text.find(sentence, end)
        end = start + len(sentence)
        if start <= span.start < end:
            return sentence, span.start - start, span.end - start
    return text, span.start, span.end


def _date(found: Time) -> str:
    first, last = found.start or found.end, found.end or found.start
    assert first is not None
    assert last is not None
    return spelled_range(first, last, _precision(found))


def _precision(found: Time) -> Precision | None:
    """As it is told: what has been so for two years is so since a year, not since a day."""
    for unit in ("year", "month"):
        if found.means is Means.SINCE and _words(found)[-1].removesuffix("s") == unit:
            return unit
    return "month" if found.precision in ("season", "quarter") else found.precision

"""A text whose words for times have their dates beside them, so that it can be read on any day.

"Work starts on Monday." said on 28 May 2026 becomes "Work starts on Monday (1 June 2026).".
"""

from __future__ import annotations

from datetime import date, datetime

from graph_memory.ingest.when import times_of
from graph_memory.language.patterns import compile as pattern
from graph_memory.language.sentences import split
from graph_memory.language.times.calendar_time import Precision
from graph_memory.language.times.resolver import Means, Span, Time, way_of
from graph_memory.language.times.spelling import spelled_range
from graph_memory.language.times.time_reader import is_bare_hour
from graph_memory.language.times.time_words import DAYS, FEASTS, IN, MONTHS

_YEAR = pattern(r"\b\d{4}\b")
_WORD = pattern(r"[^\W\d_]+")
_OWNER = ("'s", "’s")


def dated(text: str, said_at: datetime, is_planned: bool | None = None, about: date | None = None) -> str:
    """The text with dates. What was said of is as in `when`.

    Times that name a year, a month or a feast stay as they are: a birthday is on 3 May of every year. So does what is
    repeated, or may be, and what is not exact.
    """
    at, parts = 0, list[str]()
    times = times_of(text, said_at, is_planned, about)
    for found, before, after in zip(times, [None, *times], [*times[1:], None], strict=False):
        is_listed = _are_listed(text, before, found) or _are_listed(text, found, after)
        if _is_relative(found) and not is_listed and (is_planned or not _may_be_habit(text, found)):
            end = found.span.end + 2 * text.startswith(_OWNER, found.span.end)
            parts += [text[at:end], f" ({_date(found)})"]
            at = end
    return "".join([*parts, text[at:]])


def _is_relative(found: Time) -> bool:
    if found.means in (Means.REPEATED, Means.UNRESOLVABLE) or is_bare_hour(found.span.text):
        return False
    words = _WORD.findall(found.span.text.lower())
    names_one = any(word in MONTHS for word in words) or any(
        f" {each} " in f" {' '.join(words)} " for each in FEASTS
    )
    # A time in figures alone may be a score, and "within an hour" starts from anything.
    return bool(words) and words[0] != "within" and not names_one and not _YEAR.search(found.span.text)


def _are_listed(text: str, one: Time | None, other: Time | None) -> bool:
    """Whether both are weekdays in a list: "tuesday and thursday" are more often those of every week."""
    if one is None or other is None or not (_is_weekday(one) and _is_weekday(other)):
        return False
    return text[one.span.end : other.span.start].strip(" ,&/").lower() in ("", "and", "or")


def _may_be_habit(text: str, found: Time) -> bool:
    """Whether it is a weekday in a sentence that looks neither ahead nor back, as in "we train tuesday"."""
    return _is_weekday(found) and not way_of(*_sentence(text, found.span)).way


def _is_weekday(found: Time) -> bool:
    words = [word for word in _WORD.findall(found.span.text.lower()) if word not in IN]
    return bool(words) and words[0] in DAYS


def _sentence(text: str, span: Span) -> tuple[str, Span]:
    """The sentence that a time stands in, and where it stands there."""
    end = 0
    for sentence in split(text):
        start = text.find(sentence, end)
        end = start + len(sentence)
        if start <= span.start < end:
            return sentence, Span(span.start - start, span.end - start, span.text)
    return text, span


def _date(found: Time) -> str:
    first, last = found.start or found.end, found.end or found.start
    assert first is not None
    assert last is not None
    precision: Precision | None = "month" if found.precision in ("season", "quarter") else found.precision
    return spelled_range(first, last, precision)

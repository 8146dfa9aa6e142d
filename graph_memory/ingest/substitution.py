"""The text of what takes a known statement's place: its own words with the new value in the place of the old one.

"Ann takes 100 mg in the morning." and "*88" give "Ann takes 88 mg in the morning."; "The exam is on 3 June." and "moved to the
10th" give "The exam is on 10 June 2026.". Pure functions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from graph_memory.judge.linker import Link, Span
from graph_memory.language import sentences
from graph_memory.language.patterns import compile as pattern
from graph_memory.language.times.calendar_time import Precision
from graph_memory.language.times.resolver import Means, Time, find, resolve, value_of
from graph_memory.language.times.resolver import Span as TimeSpan
from graph_memory.language.times.spelling import spelled
from graph_memory.language.times.time_reader import is_bare_hour
from graph_memory.language.times.time_words import DAYS, MONTHS
from graph_memory.language.values import COUNTS
from graph_memory.model.verdict import Effect

_DIGIT = pattern(r"\d")
_NUMBER = pattern(rf"\d[\d.,:]*|\b(?:one|{'|'.join(COUNTS)})\b", re.IGNORECASE)
_WORD = pattern(r"\w+")
_LED = pattern(r"(on|in|at|for|to|by|until|till|since|from|starting)\b\s*", re.IGNORECASE)
_BLANKS = pattern(r"\s{1,99}(?=[,.;!?])|(?<=\s)\s{1,99}")
# Figures in groups, as those of a telephone.
_FIGURES = pattern(r"\d+(?:[ -]\d+)+")
# A difference, not a value: by 40, another 40, 40 more, 40 euros less.
_BEFORE_DIFFERENCE = pattern(r"\b(?:by|another|extra|additional)\s+\W?$", re.IGNORECASE)
_BEHIND_DIFFERENCE = pattern(
    r"\W?\s*(?:[^\W\d_]+\s+)?(?:more|less|fewer|extra|off|higher|lower|cheaper|dearer)\b", re.IGNORECASE
)
_PART = pattern(r"%|\bper ?cent\b", re.IGNORECASE)
# A value seldom changes to one so many times as great or as small; a difference, or the value of something else, is often that.
_FARTHEST = 2.5
# What stands around a value and is none of it.
_EDGES = " \t\n.,;:!?*~()\"'“”"


@dataclass(frozen=True)
class Substituted:
    """A text with a new value in it, and the part of the known text whose place it takes."""

    text: str
    part: Span


def substituted(
    known: str, said: str, link: Link, said_at: datetime, known_at: datetime
) -> Substituted | None:
    """The sentence that holds the known value, with the value of what was said; since when it holds is told anew.

    Where that sentence says nothing else ("Levothyroxine. 25."), the whole known text. None where no two values of one kind
    were found. Each was said at its moment, in the zone of the person; a day takes the place of a day with its month and year.
    """
    if link.value is None or link.old_value is None:
        return None
    value, place = _whole(said, link.value, known, link.old_value)
    if _tells_difference(said, value):
        return None
    sentence, start = _around(known, place)
    end, times = start + place[1] - place[0], resolve(sentence, known_at)
    was = next((each for each in times if _meet(each.span, start, end)), None)
    new = _replacement(said, value, said_at, sentence[start:end], was)
    new = _without_what_follows(new, sentence[end:])
    if not new:
        return None
    at, says_more = place[0] - start, _says_more(sentence, (start, end), times)
    if was and _is_date(was):
        if any(
            _is_date(each) and not _meet(each.span, start, end) for each in times if each.means is was.means
        ):
            return None  # of several days it is not said which is meant
        start, end = min(start, was.span.start), max(end, was.span.end)
    over = [
        each for each in times if _is_over(each, link.effect, said_at) and not _meet(each.span, start, end)
    ]
    before, rest = _without(sentence, over, 0, start), _without(sentence, over, end, len(sentence))
    text = _BLANKS.sub("", f"{before} {new}{rest}" if before[-1:].isalnum() else f"{before}{new}{rest}")
    text = text.strip()
    text = text[:1].upper() + text[1:]
    if text.casefold() == sentence.strip().casefold():
        return None
    if says_more:
        return Substituted(text, (at, at + len(sentence)))
    return Substituted(f"{known[:at]}{text}{known[at + len(sentence) :]}", (0, len(known)))


def _replacement(said: str, value: Span, said_at: datetime, old: str, was: Time | None) -> str:
    """What takes the place of the old value; empty where the two are not of one kind. `was` is the time that the old one is."""
    time = next((each for each in find(said) if _meet(each, *value)), None)
    new = said[slice(*value)]
    if was and _is_date(was):
        told = _date(time.text if time else new, said_at, was)
        return f"{_led(was, told)}{told[0]}" if told else ""
    if was and (
        was.means is Means.BETWEEN or (time and is_bare_hour(was.span.text) > is_bare_hour(time.text))
    ):
        return ""
    if time and not was:
        new = _outside(said, value, time)
    return _counted(new, old) if old and _is_of_one_kind(new, old) else ""


def _trimmed(text: str, span: Span) -> Span:
    """The span without what stands around the value."""
    part = text[slice(*span)]
    start = span[0] + len(part) - len(part.lstrip(_EDGES))
    return start, max(start, span[0] + len(part.rstrip(_EDGES)))


def _whole(said: str, value: Span, known: str, old: Span) -> tuple[Span, Span]:
    """The spans of a value and of the one that it takes the place of, all figures of both where both are in groups."""
    new, was = _trimmed(said, value), _trimmed(known, old)
    groups = _figures(said, new), _figures(known, was)
    return (groups[0], groups[1]) if groups[0] and groups[1] else (new, was)


def _figures(text: str, span: Span) -> Span | None:
    """The groups of figures that a span is a part of, if it is."""
    found = (each.span() for each in _FIGURES.finditer(text))
    return next((each for each in found if each[0] <= span[0] and span[1] <= each[1]), None)


def _tells_difference(said: str, value: Span) -> bool:
    """Whether a number tells by how much something changed: "by 40", "40 euros more"."""
    if not _DIGIT.search(said[slice(*value)]):
        return False
    before, behind = said[: value[0]], said[value[1] :]
    inside = _BEHIND_DIFFERENCE.search(said[slice(*value)])
    return bool(inside or _BEFORE_DIFFERENCE.search(before) or _BEHIND_DIFFERENCE.match(behind))


def _without_what_follows(new: str, rest: str) -> str:
    """A number without what was counted, where that stands behind its place: "three cats" before "cats"."""
    number = _NUMBER.match(new)
    counted = new[number.end() :].strip() if number else ""
    follows = rest.lstrip().casefold()
    return new[: number.end()] if number and counted and follows.startswith(counted.casefold()) else new


def _meet(found: TimeSpan, start: int, end: int) -> bool:
    return found.start < end and start < found.end


def _is_date(found: Time) -> bool:
    """Whether it tells one day or month, or a moment of a day; a weekday may be that of every week."""
    is_one = found.means in (Means.AT, Means.SINCE, Means.UNTIL)
    words = _WORD.findall(found.span.text.lower())
    is_weekly = any(word in DAYS for word in words) and not any(word in MONTHS for word in words)
    is_exact = found.precision in ("day", "moment", "month") and not is_weekly
    return is_one and is_exact and not is_bare_hour(found.span.text)


def _date(phrase: str, said_at: datetime, was: Time) -> tuple[str, Precision] | None:
    """The date that was said, with its month and year, where the old one lends it what it leaves out; and how precise it is."""
    found = value_of(phrase, said_at, 1, about=was.start or was.end)
    at = found and (found.start or found.end)
    if not found or not at or found.kind in ("between", "repeated"):
        return None
    if found.precision == "year" != was.precision:
        return None  # a year alone tells less than the day did
    return spelled(at, found.precision), found.precision


def _led(was: Time, told: tuple[str, Precision]) -> str:
    """The word that leads to the date, as in the known sentence: on, until, since."""
    led = _LED.match(was.span.text)
    if led is None:
        return ""
    is_day = told[1] in ("day", "moment")
    return "on " if is_day and led[1].lower() in ("in", "at") else led[0]


def _outside(said: str, value: Span, time: TimeSpan) -> str:
    """The value without the words for a time that are part of it: 5,350 of "5,350 from august"."""
    before, after = said[value[0] : max(value[0], time.start)], said[min(value[1], time.end) : value[1]]
    return before.strip(_EDGES) or after.strip(_EDGES)


def _counted(new: str, old: str) -> str:
    """The new value with what was counted, where it only says how many: three in the place of two cats is three cats."""
    number = _NUMBER.search(old)
    if number is None or not _NUMBER.fullmatch(new):
        return new
    return old[: number.start()] + new + old[number.end() :]


def _is_of_one_kind(one: str, other: str) -> bool:
    """Whether both are words for times, or both are counted in like numbers, or neither."""
    if find(one) and find(other):
        return True
    if bool(_PART.search(one)) != bool(_PART.search(other)):
        return False
    mine, its = _number(one), _number(other)
    if mine and its and not its / _FARTHEST <= mine <= its * _FARTHEST:
        return False
    return bool(_DIGIT.search(one)) == bool(_DIGIT.search(other))


def _number(value: str) -> float | None:
    """The one number in figures of a value; None where there is none, or several."""
    found = [each.rstrip(".,:").replace(",", "") for each in _NUMBER.findall(value) if _DIGIT.search(each)]
    try:
        return float(found[0]) if len(found) == 1 else None
    except ValueError:  # 12:30, or 1.2.3
        return None


def _around(known: str, value: Span) -> tuple[str, int]:
    """The sentence of the known text that the value stands in, and where in it."""
    at = 0
    for sentence in sentences.split(known):
        at = max(at, known.find(sentence, at))
        if at <= value[0] < at + len(sentence):
            return sentence, value[0] - at
        at += len(sentence)
    return known, value[0]


def _says_more(sentence: str, value: Span, times: list[Time]) -> bool:
    """Whether a sentence has words beside a value and times, more than an article."""
    spans = [value, *((each.span.start, each.span.end) for each in times)]
    words = (word.span() for word in _WORD.finditer(sentence))
    left = [word for word in words if not any(start <= word[0] and word[1] <= end for start, end in spans)]
    return len(left) > 1


def _is_over(found: Time, effect: Effect, said_at: datetime) -> bool:
    """Whether it tells of what has changed since when, until when or when the old value held."""
    is_past = found.means is Means.AT and found.ends is not None and found.ends <= said_at
    return effect is Effect.CHANGES and (is_past or found.means in (Means.SINCE, Means.UNTIL))


def _without(text: str, times: list[Time], start: int, end: int) -> str:
    """That part of a text without the words for those times."""
    kept, at = "", start
    for each in times:
        if start <= each.span.start and each.span.end <= end:
            kept, at = kept + text[at : each.span.start].rstrip(), each.span.end
    return kept + text[at:end]

"""When something happens, from the words said about it and the day they were said on, in the zone that `said_at` is in.

A table of phrases, the longest first. What is vague ("a few days ago"), open at one end ("since March 3")
or a stretch ("over the last week") stays unresolved: no date is better than a wrong one.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graph_memory.language import patterns
from graph_memory.language.english import FUTURE_CUE, MONTHS, NUMBERS, PAST_CUE, PAST_FORMS, WEEKDAYS

Day = datetime


@dataclass(frozen=True)
class _Said:
    """The circumstances: midnight of the day it was said on, and whether the sentence looks back or ahead."""

    day: Day
    is_past: bool
    is_future: bool


_Rule = Callable[[re.Match[str], _Said], Day | None]

_HOURS = {"morning": 9, "lunchtime": 12, "noon": 12, "afternoon": 15, "evening": 19, "night": 22, "": 0}
_PART = r"(?: (?P<part>morning|afternoon|evening|night))?"
_WEEKDAY = rf"(?P<weekday>{'|'.join(WEEKDAYS)})"
_MONTH = "|".join(f"{month}|{month[:3]}" if month != "May" else "May" for month in MONTHS)
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(NUMBERS)})"
_UNIT = r"(?P<unit>day|week|fortnight|month|year)s?"
_YEAR = r"(?:,? (?P<year>(?:19|20)\d\d))?"
_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"

# A phrase straight after one of these says something else, or nothing exact.
_BLOCKING = patterns.compile(
    r"\b(?:half|quarter|or|than|over|under|nearly|almost|least|most|few|several|couple of|every|each|since|"
    r"until|till|"
    r"by|before|after|and|to|between|the|of|per|not|once|twice|times|like|like just|starting|as of|from)$",
    re.IGNORECASE,
)
_FUTURE = patterns.compile(FUTURE_CUE, re.IGNORECASE)
_PAST = patterns.compile(rf"{PAST_CUE}|\b(?:{'|'.join(sorted(PAST_FORMS))})\b", re.IGNORECASE)


def resolve(text: str, said_at: datetime) -> datetime | None:
    """The one moment that a text speaks of, in UTC, or None if there is none, several, or it is not certain.

    Days are given as their midnight, parts of a day by an hour of it (this morning 09:00, last night 22:00).
    "Next Friday" is the first Friday after `said_at`, "last month" the same day of the month before.
    """
    moments = list(_moments(text.replace("’", "'"), said_at))
    days = {moment.date() for moment in moments}
    return moments[0] if len(days) == 1 else None


def ends(text: str, said_at: datetime) -> datetime | None:
    """When what a text says stops being of interest: the end of the one day up to which it holds, in UTC.

    "Until Friday", "through 3 March", "for the next two weeks", "till the end of the month". None for what is past
    ("we stayed until Friday"), for several ends, and for a length without a beginning ("for two years").
    """
    plain = text.replace("’", "'")
    said = _said(plain, said_at)
    if said.is_past and not said.is_future:
        return None
    found = set()
    for phrase, rule in _ENDS:
        for match in phrase.finditer(plain):
            day = _safely(rule, match, said)
            found |= {day.replace(hour=0) + timedelta(days=1)} if day else set()
            plain = plain[: match.start()] + "#" * len(match.group()) + plain[match.end() :]
    return found.pop() if len(found) == 1 else None


def looks_back(text: str) -> bool:
    """Whether a sentence of it tells what was, by the form of some verb; in doubt it does."""
    return bool(_PAST.search(text.replace("’", "'")))


def _said(text: str, said_at: datetime) -> _Said:
    midnight = datetime(said_at.year, said_at.month, said_at.day, tzinfo=UTC)
    return _Said(midnight, bool(_PAST.search(text)), bool(_FUTURE.search(text)))


def _moments(text: str, said_at: datetime) -> Iterator[datetime]:
    said = _said(text, said_at)
    for phrase, rule in _RULES:
        for match in phrase.finditer(text):
            text = text[: match.start()] + "#" * len(match.group()) + text[match.end() :]
            moment = None if _is_blocked(text, match.start()) else _safely(rule, match, said)
            if moment:
                yield moment


def _is_blocked(text: str, start: int) -> bool:
    return bool(_BLOCKING.search(text[max(0, start - 30) : start].rstrip()))


def _safely(rule: _Rule, match: re.Match[str], said: _Said) -> Day | None:
    try:
        return rule(match, said)
    except (ValueError, OverflowError):
        return None


def _days(count: int) -> _Rule:
    def rule(match: re.Match[str], said: _Said) -> Day:
        return said.day + timedelta(days=count, hours=_HOURS[match.groupdict().get("part") or ""])

    return rule


def _hour(days: int, hour: int) -> _Rule:
    return lambda _, said: said.day + timedelta(days=days, hours=hour)


def _counted(sign: int) -> _Rule:
    def rule(match: re.Match[str], said: _Said) -> Day | None:
        if sign > 0 and said.is_past:
            return None
        count = match["count"].lower()
        return _moved(said.day, sign * (NUMBERS.get(count) or int(count)), match["unit"].lower())

    return rule


def _neighbour(sign: int) -> _Rule:
    return lambda match, said: _moved(said.day, sign, match["unit"].lower())


def _moved(day: Day, count: int, unit: str) -> Day:
    if unit in ("day", "week", "fortnight"):
        return day + timedelta(days=count * {"day": 1, "week": 7, "fortnight": 14}[unit])
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))


def _weekday_before(match: re.Match[str], said: _Said) -> Day:
    back = (said.day.weekday() - _weekday(match)) % 7 or 7
    return _days(-back)(match, said) or said.day


def _weekday_after(match: re.Match[str], said: _Said) -> Day:
    ahead = (_weekday(match) - said.day.weekday()) % 7 or 7
    return _days(ahead)(match, said) or said.day


def _weekday_by_tense(match: re.Match[str], said: _Said) -> Day | None:
    if said.is_past == said.is_future:
        return None
    return _weekday_before(match, said) if said.is_past else _weekday_after(match, said)


def _weekday(match: re.Match[str]) -> int:
    return WEEKDAYS.index(match["weekday"].capitalize())


def _end_of(match: re.Match[str], said: _Said) -> Day:
    """The last day of the week (a Sunday), month or year."""
    unit = match["unit"].lower()
    if unit == "week":
        return said.day + timedelta(days=6 - said.day.weekday())
    month = 12 if unit == "year" else said.day.month
    return said.day.replace(month=month, day=monthrange(said.day.year, month)[1])


def _last_weekend(_: re.Match[str], said: _Said) -> Day:
    since_saturday = (said.day.weekday() - 5) % 7
    return said.day - timedelta(days=since_saturday if said.day.weekday() < 5 else since_saturday + 7)


def _this_weekend(match: re.Match[str], said: _Said) -> Day | None:
    if said.is_past == said.is_future:
        return None
    if said.day.weekday() >= 5:
        return said.day
    return _last_weekend(match, said) if said.is_past else said.day + timedelta(days=5 - said.day.weekday())


def _calendar(match: re.Match[str], said: _Said) -> Day:
    month = [name[:3] for name in MONTHS].index(match["month"][:3].capitalize()) + 1
    if match["year"]:
        return Day(int(match["year"]), month, int(match["day"]), tzinfo=UTC)
    years = (said.day.year - 1, said.day.year, said.day.year + 1)
    near = [
        Day(year, month, int(match["day"]), tzinfo=UTC)
        for year in years
        if _exists(year, month, match["day"])
    ]
    return min(near, key=lambda day: abs(day - said.day))


def _exists(year: int, month: int, day: str) -> bool:
    return 1 <= int(day) <= monthrange(year, month)[1]


def _iso(match: re.Match[str], _: _Said) -> Day:
    return Day(int(match["year"]), int(match["month"]), int(match["day"]), tzinfo=UTC)


def _nothing(_: re.Match[str], __: _Said) -> None:
    return None


def _phrase(words: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    return patterns.compile(rf"(?<![\w#'-]){words}(?![\w#-])".replace(" ", r"\s+"), flags)


_RULES: list[tuple[re.Pattern[str], _Rule]] = [
    (_phrase(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"), _iso),
    (_phrase(rf"{_ORDINAL} (?:of )?(?P<month>{_MONTH})\.?{_YEAR}", re.NOFLAG), _calendar),
    (_phrase(rf"(?P<month>{_MONTH})\.? (?:the )?{_ORDINAL}{_YEAR}", re.NOFLAG), _calendar),
    (_phrase("the day before yesterday"), _days(-2)),
    (_phrase("the day after tomorrow"), _days(2)),
    (_phrase("the (?:week|weekend|month|year) (?:before last|after next)"), _nothing),
    (_phrase(rf"yesterday{_PART}"), _days(-1)),
    (_phrase(rf"tomorrow{_PART}"), _days(1)),
    (_phrase("last night"), _hour(-1, 22)),
    (_phrase("this morning"), _hour(0, 9)),
    (_phrase("this afternoon"), _hour(0, 15)),
    (_phrase("this evening"), _hour(0, 19)),
    (_phrase("tonight"), _hour(0, 21)),
    (_phrase("(?:earlier )?today"), _hour(0, 0)),
    (_phrase(rf"(?:a few|several|some|a couple(?: of)?) {_UNIT} ago"), _nothing),
    (_phrase(rf"{_COUNT} {_UNIT} ago"), _counted(-1)),
    (_phrase(rf"{_COUNT} {_UNIT} from now"), _counted(1)),
    (_phrase(rf"in {_COUNT} {_UNIT}(?! time)"), _counted(1)),
    (_phrase("last weekend"), _last_weekend),
    (_phrase("this weekend"), _this_weekend),
    (_phrase("last (?P<unit>week|month|year)"), _neighbour(-1)),
    (_phrase("next (?P<unit>week|month|year)"), _neighbour(1)),
    (_phrase(rf"last {_WEEKDAY}{_PART}"), _weekday_before),
    (_phrase(rf"(?:next|this coming|coming) {_WEEKDAY}{_PART}"), _weekday_after),
    (_phrase(rf"(?:on|this) {_WEEKDAY}{_PART}"), _weekday_by_tense),
]  # fmt: skip

_UP_TO = "(?:until|till|through|up to and including) (?:and including )?"
_ENDS: list[tuple[re.Pattern[str], _Rule]] = [
    (_phrase(rf"{_UP_TO}(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d)"), _iso),
    (_phrase(rf"(?i:{_UP_TO}(?:the )?){_ORDINAL} (?:of )?(?P<month>{_MONTH})\.?{_YEAR}", re.NOFLAG), _calendar),
    (_phrase(rf"(?i:{_UP_TO})(?P<month>{_MONTH})\.? (?:the )?{_ORDINAL}{_YEAR}", re.NOFLAG), _calendar),
    (_phrase(f"{_UP_TO}the day after tomorrow"), _days(2)),
    (_phrase(f"{_UP_TO}tomorrow"), _days(1)),
    (_phrase(f"{_UP_TO}(?:today|tonight)"), _days(0)),
    (_phrase(f"{_UP_TO}the end of (?:the|this) (?P<unit>week|month|year)"), _end_of),
    (_phrase(rf"{_UP_TO}(?:next |this |this coming |coming )?{_WEEKDAY}"), _weekday_after),
    (_phrase(rf"for (?:the next|another) {_COUNT} {_UNIT}"), _counted(1)),
]  # fmt: skip

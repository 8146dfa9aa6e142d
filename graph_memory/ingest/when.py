"""What the words for times in a message come to: when what it says happens, since when it holds, when it no longer matters.

Days are those of the person who speaks; a whole day that something happens on is kept as its midnight in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta

from graph_memory.base.moments import can_be_kept
from graph_memory.language.times.resolver import Means, Time, resolve
from graph_memory.language.times.tense import looks_back
from graph_memory.language.times.time_reader import is_bare_hour

# So far back lie the days that "on Friday" may mean.
_JUST = timedelta(days=7)


@dataclass(frozen=True)
class When:
    """In UTC. `begins` is since when it holds, where that lies in the past; `ahead` from when on it will hold.

    `about` is an instant of the time that it speaks of, however long that is.
    """

    happens_at: datetime | None = None
    begins: datetime | None = None
    ahead: datetime | None = None
    expires_at: datetime | None = None
    about: datetime | None = field(default=None, compare=False)


def when(text: str, said_at: datetime, is_planned: bool | None = None, about: date | None = None) -> When:
    """What a text said at that local moment tells of times. `about` is the day that what it is about happens on.

    Whether it is planned is told from its words where it is not known. Where a text has several times of one kind, none of
    them is taken: no date is better than a wrong one.
    """
    ahead = is_planned and not _tells_of_last_days(text, said_at)
    times = times_of(text, said_at, is_planned, about)
    at = _only(
        [each for each in times if each.means is Means.AT and (about or not is_bare_hour(each.span.text))]
    )
    # "Wed to sat from november" begins in november.
    starts = [each for each in times if each.means is Means.SINCE]
    since = _only(starts or [each for each in times if each.means is Means.BETWEEN])
    until = _only([each for each in times if each.means is Means.UNTIL])
    told = since or at
    start = _kept(told.begins) if told else None
    is_past = start is not None and start <= said_at
    return When(
        happens_at=_kept(_happening(at)) if at else None,
        begins=start if is_past and not (ahead and _looks_back(since)) else None,
        ahead=start if start is not None and not is_past else None,
        # "We had it until friday" tells of what is over already.
        expires_at=_kept(_expiry(until, said_at)) if until and not _is_over(text, until) else None,
        about=start,
    )


def times_of(
    text: str, said_at: datetime, is_planned: bool | None = None, about: date | None = None
) -> list[Time]:
    """The times that it tells, of what is planned those to come."""
    ahead = is_planned and not _tells_of_last_days(text, said_at)
    return resolve(text, said_at, way=1 if ahead else None, about=about)


def _tells_of_last_days(text: str, said_at: datetime) -> bool:
    """Whether its own words look back on the days just past, as a message that plans one thing may do of another.

    "I signed up for the race on 12 October" looks back, and not on that day.
    """
    told = [each for each in resolve(text, said_at) if each.start is not None]
    return bool(told) and looks_back(text) and all(_is_just_past(each, said_at) for each in told)


def _is_just_past(found: Time, said_at: datetime) -> bool:
    """Whether it began by then, and at most those days before, whatever the hour."""
    day, begins = _date(found.start), found.begins
    if day is None or begins is None:
        return False
    return begins <= said_at and said_at.date() - day <= _JUST


def _looks_back(since: Time | None) -> bool:
    """Whether what has begun is past for a plan: "from this week" and "as of today" are not."""
    return since is None or since.means is not Means.SINCE or "since" in since.span.text.lower().split()


def _is_over(text: str, until: Time) -> bool:
    """Whether the words around an end look back."""
    return looks_back(text[: until.span.start] + text[until.span.end :])


def _only(times: list[Time]) -> Time | None:
    """The one time; of a day and a moment of that day the moment. None where they differ."""
    days = {_date(each.start or each.end) for each in times}
    return max(times, key=lambda each: each.precision == "moment") if len(days) == 1 else None


def _kept(at: datetime | None) -> datetime | None:
    """What ends at the end of the calendar has no end: "valid until 31.12.9999"."""
    return at if at and can_be_kept(at) else None


def _happening(found: Time) -> datetime | None:
    if found.moment is not None:
        return found.moment
    if found.precision != "day" or found.start is None:
        return None
    return datetime.combine(found.start, time(), UTC)


def _expiry(found: Time, said_at: datetime) -> datetime | None:
    """The end of the last day, unless that is past."""
    last = _date(found.end)
    return replace(found, end=last).ends if last and last >= said_at.date() else None


def _date(at: date | datetime | None) -> date | None:
    return at.date() if isinstance(at, datetime) else at

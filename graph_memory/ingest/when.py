"""What the words for times in a message come to: when what it says happens, since when it holds, when it no longer matters.

Days are those of the person who speaks; a whole day that something happens on is kept as its midnight in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from graph_memory.language.dates import looks_back
from graph_memory.language.span_times import SpanTime, find, resolve


@dataclass(frozen=True)
class When:
    """In UTC. `begins` is since when it holds, where that lies in the past; `ahead` from when on it will hold."""

    happens_at: datetime | None = None
    begins: datetime | None = None
    ahead: datetime | None = None
    expires_at: datetime | None = None


def when(text: str, said_at: datetime, is_planned: bool, about: date | None = None) -> When:
    """What a text said at that local moment tells of times. `about` is the day that what it is about happens on.

    Where a text has several times of one kind, none of them is taken: no date is better than a wrong one.
    """
    found = [resolve(each.text, said_at, int(is_planned), about=about) for each in find(text)]
    times = [each for each in found if each is not None]
    at = _only([each for each in times if each.kind == "at"])
    since = _only([each for each in times if each.kind in ("since", "between")])
    until = _only([each for each in times if each.kind == "until"])
    start = _instant((since or at).start, said_at) if since or at else None  # type: ignore[union-attr]
    is_past = start is not None and start <= said_at
    return When(
        happens_at=_happening(at) if at else None,
        begins=start if is_past and not is_planned else None,
        ahead=start if start is not None and not is_past else None,
        # "We had it until friday" tells of what is over already.
        expires_at=_expiry(until, said_at) if until and not looks_back(text) else None,
    )


def _only(times: list[SpanTime]) -> SpanTime | None:
    """The one time; of a day and a moment of that day the moment. None where they differ."""
    days = {_date(each.start) for each in times}
    return max(times, key=lambda each: each.precision == "moment") if len(days) == 1 else None


def _happening(found: SpanTime) -> datetime | None:
    if isinstance(found.start, datetime):
        return found.start.astimezone(UTC)
    if found.precision != "day" or found.start is None:
        return None
    return datetime.combine(found.start, time(), UTC)


def _expiry(found: SpanTime, said_at: datetime) -> datetime | None:
    """The end of the last day, unless that is past."""
    last = _date(found.end)
    if last is None or last < said_at.date():
        return None
    return _instant(last + timedelta(days=1), said_at)


def _instant(start: date | datetime | None, said_at: datetime) -> datetime | None:
    if start is None:
        return None
    if isinstance(start, datetime):
        return start.astimezone(UTC)
    return datetime.combine(start, time(), said_at.tzinfo).astimezone(UTC)


def _date(at: date | datetime | None) -> date | None:
    return at.date() if isinstance(at, datetime) else at

"""Hours of a day: what "5", "half past five" and "17:30" come to on a day, or around a moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from graph_memory.language.times.calendar_time import Said, SpanTime, as_date, one_day, one_moment

# Hours without am or pm fall on the waking day.
_FROM, _TO_HOUR = 9, 19


@dataclass(frozen=True)
class Clock:
    """An hour and a minute; `half` is am, pm, "exact" of 24 hours, or empty where it could be either."""

    hour: int
    minute: int
    half: str

    def times(self, part: str | None = None) -> list[time]:
        half = self.half or {
            "morning": "am",
            "afternoon": "pm",
            "evening": "pm",
            "night": "pm",
            "tonight": "pm",
        }.get(part or "", "")
        if half == "exact":
            return [time(self.hour, self.minute)]
        hours = {
            "am": [self.hour % 12],
            "pm": [self.hour % 12 + 12],
            "": [self.hour % 12, self.hour % 12 + 12],
        }[half]
        return [time(hour, self.minute) for hour in hours]

    def on(self, found: SpanTime | None, said: Said) -> SpanTime | None:
        """That time of a day. Where morning and evening are equally likely, it is not said."""
        if found is None or found.precision != "day" or found.kind != "at":
            return None
        day, times = found.first, self.times(found.part)
        if len(times) > 1 and day == said.today:
            return self._nearest([datetime.combine(day, each, said.now.tzinfo) for each in times], said)
        if len(times) > 1:
            times = [each for each in times if _FROM <= each.hour < _TO_HOUR]
        return one_moment(datetime.combine(day, times[0], said.now.tzinfo)) if times else None

    def near(self, said: Said) -> SpanTime | None:
        if said.about and said.way > 0 and as_date(said.about) >= said.today:
            return self.on(one_day(as_date(said.about)), said)
        days = [said.today + timedelta(days=away) for away in (-1, 0, 1)]
        return self._nearest(
            [datetime.combine(day, each, said.now.tzinfo) for day in days for each in self.times()], said
        )

    def _nearest(self, moments: list[datetime], said: Said) -> SpanTime | None:
        way = said.way
        fitting = [each for each in moments if not way or (each > said.now if way > 0 else each <= said.now)]
        return one_moment(min(fitting, key=lambda each: abs(each - said.now))) if fitting else None

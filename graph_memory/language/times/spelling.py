"""Times in words."""

from __future__ import annotations

from datetime import date, datetime

from graph_memory.language.times.calendar_time import Precision

_FORMS = {"year": "%Y", "month": "%B %Y", "moment": "%-d %B %Y, %H:%M"}


def spelled(at: date | datetime, precision: Precision | None) -> str:
    """A time in words, no more precise than it was said: 2026, May 2026, 3 May 2026 or 3 May 2026, 17:30."""
    return f"{at:{_FORMS.get(precision or '', '%-d %B %Y')}}"


def spelled_range(first: date | datetime, last: date | datetime, precision: Precision | None) -> str:
    """From one to the other, the month and the year once where both share them: 28 April to 3 May 2026."""
    one, other = spelled(first, precision).split(), spelled(last, precision).split()
    if one == other:
        return " ".join(one)
    shared = 0
    while one[-1] == other[len(other) - 1 - shared]:
        one, shared = one[:-1], shared + 1
    return f"{' '.join(one)} to {' '.join(other)}"

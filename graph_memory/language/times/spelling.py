"""Times in words."""

from __future__ import annotations

from datetime import date, datetime

from graph_memory.language.times.calendar_time import Precision

_FORMS = {"year": "%Y", "month": "%B %Y", "moment": "%-d %B %Y, %H:%M"}


def spelled(at: date | datetime, precision: Precision | None) -> str:
    """A time in words, no more precise than it was said: 2026, May 2026, 3 May 2026 or 3 May 2026, 17:30."""
    return f"{at:{_FORMS.get(precision or '', '%-d %B %Y')}}"

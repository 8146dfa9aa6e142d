"""A memory as a language model is shown it: when it holds, who said it on which day, and what it says.

"Last Friday" and "our team" mean something only beside the day and the speaker. The day is that of the subject's time zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, tzinfo
from typing import Any

from graph_memory.base.moments import day_of_event
from graph_memory.models.fence import Fence


@dataclass(frozen=True)
class Shown:
    """One memory; `heading` is who said it when, empty where nobody knows."""

    text: str
    day: date
    heading: str = ""
    said_by: str | None = None

    def under(self, fence: Fence) -> str:
        """The text between the fence's marks, below its day and who said it."""
        said = f", said by {fence.inline(told)}" if (told := self.heading or self.said_by or "") else ""
        return f"{spelled(self.day)}{said}\n{fence.data(self.text)}"

    @property
    def whole(self) -> str:
        """All that is shown of it, where what a model says of it must stand."""
        return " ".join(filter(None, (spelled(self.day), self.heading or self.said_by, self.text)))


def shown(row: Mapping[str, Any], zone: tzinfo) -> Shown:
    """A loaded memory: its day is that on which it happens, else that from which it holds."""
    at = row.get("happens_at") or row["valid_from"]
    return Shown(row["text"], day_of_event(at, zone), row.get("heading") or "", row.get("source_author"))


def spelled(day: date) -> str:
    """A date as people write it."""
    return f"{day.day} {day:%B %Y}"

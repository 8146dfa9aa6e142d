"""From when on a statement holds that takes another's place, where its words tell of a time ahead."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from graph_memory.ingest.talk import PLAN
from graph_memory.ingest.when import when


def told_ahead(new: Mapping[str, Any], known: Mapping[str, Any], zone: ZoneInfo) -> datetime | None:
    """The time ahead that the new one's words name, until which the known one holds; None: from the new one's own start.

    What is for a time itself, as a plan or an appointment, is another from when that is said. Both are given by their properties;
    days are those of `zone`.
    """
    told, standing = (when(each["text"], each["valid_from"].astimezone(zone)) for each in (new, known))
    is_for_a_time = known["kind"] == PLAN or known.get("happens_at") is not None or standing.ahead is not None
    return None if is_for_a_time else told.ahead

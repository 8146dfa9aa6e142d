"""How alike two statements are by their vectors, and whether they may tell of one day."""

from __future__ import annotations

from datetime import timedelta

import numpy as np

from graph_memory.language.texts import normalised
from graph_memory.model.verdict import Statement


def cosine(one: Statement, other: Statement) -> float:
    """The raw cosine of both, -1 to 1; -1 where one has no vector."""
    if one.vector is None or other.vector is None:
        return -1.0
    this, that = np.asarray(one.vector), np.asarray(other.vector)
    return float(this @ that / (np.linalg.norm(this) * np.linalg.norm(that) or 1.0))


def tells_of_another_day(new: Statement, known: Statement) -> bool:
    """Whether a new statement tells of another day than a known one: what happens again is no repetition.

    In the same words it does so too where the known one tells of none. A whole day is its midnight in UTC, so that its
    moments lie some hours beside it.
    """
    if new.happens_at is None:
        return False
    if known.happens_at is None:
        return normalised(new.text) == normalised(known.text)
    return abs(new.happens_at - known.happens_at) >= timedelta(days=1)

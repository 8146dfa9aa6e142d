"""How alike two statements are by their vectors."""

from __future__ import annotations

import numpy as np

from graph_memory.model.verdict import Statement


def cosine(one: Statement, other: Statement) -> float:
    """The raw cosine of both, -1 to 1; -1 where one has no vector."""
    if one.vector is None or other.vector is None:
        return -1.0
    this, that = np.asarray(one.vector), np.asarray(other.vector)
    return float(this @ that / (np.linalg.norm(this) * np.linalg.norm(that) or 1.0))

"""How much one run may retire: 1 % of what is active, or 50, whichever is more (reliability 7, Merge)."""

from __future__ import annotations

import pytest

from graph_memory.settings import load
from graph_memory.upkeep.planning import cap


@pytest.mark.parametrize(
    ("active", "most"), [(0, 50), (49, 50), (4999, 50), (5000, 50), (5100, 51), (100_000, 1000)]
)
def test_a_run_retires_one_in_a_hundred_or_fifty(active: int, most: int) -> None:
    assert cap(active, load().archive) == most

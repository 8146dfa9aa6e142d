"""X12: a caller may count importance from 1 to 10, where it says so."""

from __future__ import annotations

from typing import Any

import pytest

from graph_memory.base.errors import Invalid
from graph_memory.base.incoming import check
from graph_memory.memory.statement import Statement


@pytest.mark.parametrize(("told", "importance"), [(1, 0.1), (7, 0.7), (10, 1.0)])
def test_ten_is_the_whole(told: int, importance: float) -> None:
    given = check(Statement, {"text": "Ann sails.", "importanceOfTen": told}, "facts[0]").fact()
    assert given.importance == pytest.approx(importance)


@pytest.mark.parametrize("told", [0, 11, -1, 2.5, True, "5"])
def test_only_whole_numbers_from_one_to_ten_are_taken(told: Any) -> None:
    with pytest.raises(Invalid, match="importanceOfTen"):
        check(Statement, {"text": "Ann sails.", "importanceOfTen": told}, "facts[0]").fact()

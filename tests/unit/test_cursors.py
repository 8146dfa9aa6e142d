"""Cursors: what was not made by us is refused, whatever it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph_memory.base.cursors import cursor, cursor_at, parts_of, place_at
from graph_memory.base.errors import Invalid
from graph_memory.base.ids import new_id

AT = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)


def test_a_place_comes_back_to_the_microsecond() -> None:
    id = new_id()
    assert place_at(cursor_at(AT, id)) == (AT, id)
    assert place_at(None) is None


@pytest.mark.parametrize(
    "after",
    [
        "",
        "nonsense",
        "é",
        cursor(),
        cursor(AT.isoformat()),
        cursor(AT.isoformat(), 5),
        cursor(AT.isoformat(), "no id"),
        cursor("yesterday", new_id()),
        cursor("2026-03-01T12:30:15", new_id()),
        cursor(AT.isoformat(), new_id(), new_id()),
    ],
    ids=range(10),
)
def test_what_was_not_made_by_us_is_refused(after: str) -> None:
    with pytest.raises(Invalid, match="not made by us"):
        place_at(after)


def test_parts_have_the_types_that_are_asked_for() -> None:
    assert parts_of(cursor("name", True), str, bool) == ["name", True]
    with pytest.raises(Invalid):
        parts_of(cursor("name", "true"), str, bool)

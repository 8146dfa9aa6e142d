"""A pattern cannot take its types as a parameter; so the queries that must know every link type are held to the enum."""

from __future__ import annotations

import re

import pytest

from graph_memory.memory.link_kinds import RECORDED
from graph_memory.queries import query


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("ledger/seal", {"MENTIONS"}),
        ("memory/links", set()),
        ("memory/undo_close_links", set()),
        ("memory/undo_reopen_links", set()),
    ],
)
def test_a_query_names_every_recorded_link_type(name: str, more: set[str]) -> None:
    longest = max(re.findall(r"\[\w+:([A-Z_|]+)", query(name).text), key=len)
    assert set(longest.split("|")) == {kind.value for kind in RECORDED} | more

"""A pattern cannot take its types as a parameter; so the queries that must know every link type are held to the enum."""

from __future__ import annotations

import re

import pytest

from graph_memory.model.link_kinds import LIFECYCLE, RECORDED, LinkKind
from graph_memory.store.queries import query


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("ledger/seal", {"MENTIONS", "STATES"}),
        ("memory/links", set()),
        ("memory/undo_close_links", {"STATES"}),
        ("memory/undo_reopen_links", {"STATES"}),
    ],
)
def test_a_query_names_every_recorded_link_type(name: str, more: set[str]) -> None:
    longest = max(re.findall(r"\[\w+:([A-Z_|]+)", query(name).text), key=len)
    assert set(longest.split("|")) == {kind.value for kind in RECORDED} | more


def test_a_merge_carries_over_every_link_but_those_of_chains_and_of_how_memories_came_about() -> None:
    """Supersession stays with the version that it belongs to; what was merged or consolidated stays told of it."""
    named = re.findall(r"\[\w+:([A-Z_|]+)", query("memory/open_links_of").text)
    assert [set(types.split("|")) for types in named] == [
        {kind.value for kind in RECORDED - LIFECYCLE - {LinkKind.SUPERSEDES}}
    ]

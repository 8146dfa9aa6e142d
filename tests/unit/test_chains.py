"""Where a version enters a chain."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.base.clock import FOREVER
from graph_memory.memory.chains import Member, insert

START = datetime(2026, 1, 1, tzinfo=UTC)


def at(day: int) -> datetime:
    return START + timedelta(days=day)


def grow(steps: list[tuple[int, int | None]]) -> list[Member]:
    members: list[Member] = []
    for number, (begins, lasts) in enumerate(steps):
        end = None if lasts is None else at(begins + lasts)
        place = insert(members, at(begins), end)
        position = members.index(place.before) + 1 if place.before else 0
        if place.before:
            members[position - 1] = Member(place.before.id, place.before.valid_from, place.before_ends)
        members.insert(position, Member(str(number), place.valid_from, place.valid_to))
    return members


def test_later_than_the_head_becomes_the_head():
    place = insert([Member("a", at(0), FOREVER)], at(5), None)
    assert (place.before.id, place.before_ends, place.after, place.valid_to) == ("a", at(5), None, FOREVER)


def test_an_earlier_end_leaves_a_gap():
    assert insert([Member("a", at(0), at(2))], at(5), None).before_ends == at(2)


def test_a_correction_takes_the_interval_with_its_end():
    place = insert([Member("a", at(0), at(2))], at(0), None)
    assert (place.is_correction, place.valid_to, place.before_ends) == (True, at(2), at(0))


@given(st.lists(st.tuples(st.integers(0, 30), st.none() | st.integers(0, 20)), max_size=12))
def test_a_chain_never_overlaps_and_keeps_its_order(steps):
    members = grow(steps)
    assert all(member.valid_from <= member.valid_to for member in members)
    assert all(one.valid_to <= two.valid_from for one, two in pairwise(members))
    assert sorted(member.id for member in members) == sorted(str(number) for number in range(len(steps)))

"""The model of the two axes by itself: the examples that design and users agreed on, without a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph_memory.base.clock import ALWAYS, FOREVER
from graph_memory.bench.beliefs import Beliefs, Refused, State


class Clock:
    now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self):
        return self.now


def day(month, date):
    return datetime(2026, month, date, tzinfo=UTC)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def beliefs(clock):
    return Beliefs(clock)


def said(text, valid_from, valid_to=FOREVER):
    return State(text, text, (), valid_from, valid_to, "ACTIVE", text, ALWAYS)


def texts(beliefs, name, known_at, *moments):
    found = [beliefs.version(name, moment, known_at) for moment in moments]
    return [state and state.text for state in found]


def test_google_and_anthropic(beliefs, clock):
    beliefs.add([said("Google", day(1, 1))])
    clock.now = day(3, 15)
    beliefs.supersede("Google", said("Anthropic", day(2, 1)))
    for name in ("Google", "Anthropic"):
        assert texts(beliefs, name, day(3, 1), day(2, 10)) == ["Google"]
        assert texts(beliefs, name, day(3, 16), day(2, 10), day(1, 31), day(2, 1)) == [
            "Anthropic",
            "Google",
            "Anthropic",
        ]


def test_a_late_fact_enters_the_middle_and_its_end_is_cut(beliefs, clock):
    beliefs.add([said("Ghent", day(1, 1))])
    clock.now = day(6, 1)
    beliefs.supersede("Ghent", said("Porto", day(6, 1)))
    beliefs.supersede("Porto", said("Lille", day(3, 1), day(8, 1)))
    assert beliefs.chain("Ghent") == ["Ghent", "Lille", "Porto"]
    assert texts(beliefs, "Ghent", day(7, 1), day(2, 1), day(4, 1), day(6, 1)) == ["Ghent", "Lille", "Porto"]


def test_an_earlier_end_leaves_a_gap(beliefs, clock):
    beliefs.add([said("Ghent", day(1, 1)), said("Porto", day(6, 1))])
    clock.now = day(7, 1)
    beliefs.supersede("Ghent", "Porto")
    beliefs.supersede("Porto", said("Lille", day(3, 1), day(4, 1)))
    assert texts(beliefs, "Ghent", day(8, 1), day(3, 31), day(4, 1), day(6, 1)) == ["Lille", None, "Porto"]


def test_the_same_moment_is_a_correction_that_takes_the_interval(beliefs, clock):
    beliefs.add([said("three rooms", day(1, 1))])
    clock.now = day(2, 1)
    beliefs.supersede("three rooms", said("two rooms", day(2, 1)))
    beliefs.supersede("two rooms", said("four rooms", day(1, 1)))
    corrected = beliefs.now("three rooms")
    assert corrected.valid_from == corrected.valid_to
    assert beliefs.now("four rooms").valid_to == day(2, 1)
    assert beliefs.chain("two rooms") == ["three rooms", "four rooms", "two rooms"]


def test_retracting_a_head_opens_nothing_and_undoing_it_does(beliefs, clock):
    beliefs.add([said("v1", day(1, 1))])
    clock.now = day(2, 1)
    beliefs.supersede("v1", said("v2", day(2, 1)))
    beliefs.move("DELETE", ["v2"])
    assert texts(beliefs, "v1", FOREVER.replace(year=9998), day(2, 2)) == [None]
    beliefs.undo([4])
    assert texts(beliefs, "v1", FOREVER.replace(year=9998), day(2, 2)) == ["v2"]


def test_undo_refuses_what_others_stand_on_and_takes_it_along_when_told(beliefs):
    beliefs.add([said("a", day(1, 1))])
    beliefs.edit("a", text="b")
    beliefs.edit("a", text="c")
    with pytest.raises(Refused, match="HAS_DEPENDANTS"):
        beliefs.undo([2])
    assert beliefs.undo([2], cascade=True) == [3, 2]
    assert beliefs.now("a").text == "a"
    beliefs.undo([4])
    assert beliefs.now("a").text == "c"
    with pytest.raises(Refused, match="HAS_DEPENDANTS"):
        beliefs.undo([2])


def test_the_same_statement_is_live_once_and_may_return(beliefs, clock):
    assert beliefs.add([said("Tea", day(1, 1)), replaced("tea", "Tea")]) == ["Tea", "Tea"]
    beliefs.expire("Tea", None)
    clock.now = day(1, 2)
    assert beliefs.add([replaced("again", "Tea")]) == ["again"]
    beliefs.add([said("other", day(1, 2))])
    with pytest.raises(Refused, match="LIVE_TWIN"):
        beliefs.edit("other", text="TEA")


@pytest.mark.parametrize(
    ("first", "then"), [("DELETE", "ARCHIVE"), ("ARCHIVE", "ARCHIVE"), ("RESTORE", "RESTORE")]
)
def test_an_illegal_move_is_refused(beliefs, first, then):
    beliefs.add([said("a", day(1, 1))])
    with pytest.raises(Refused, match="ILLEGAL_MOVE"):
        for operation in (first, then):
            beliefs.move(operation, ["a"])


def test_recorded_time_never_stands_still(beliefs):
    for text in ("a", "b", "c"):
        beliefs.add([said(text, day(1, 1))])
    times = [beliefs.now(name).recorded_from for name in ("a", "b", "c")]
    assert times == sorted(set(times))


def replaced(name, text):
    return State(name, text, (), day(1, 1), FOREVER, "ACTIVE", name, ALWAYS)


def test_what_has_expired_is_past_from_then_on_and_may_be_said_again(beliefs, clock):
    """In the store it is the same: the random lives ask both."""
    sale = replace(said("Sale", day(1, 1)), expires_at=day(1, 5))
    beliefs.add([sale])
    assert texts(beliefs, "Sale", day(2, 1), day(1, 4), day(1, 5)) == ["Sale", None]
    clock.now = day(1, 6)
    assert beliefs.add([replace(said("Sale", day(1, 6)), name="again")]) == ["again"]

"""Case 96: which state follows which, and where a statement may end."""

from __future__ import annotations

import pytest

from graph_memory.ingest.states import FOLLOWS, State, walked

PATHS = {
    "no match": "PENDING SEARCHING NO_MATCH ADDING COMMITTED",
    "an older duplicate": "PENDING SEARCHING ANALYZING DUPLICATE SKIPPED",
    "a newer duplicate": "PENDING SEARCHING ANALYZING DUPLICATE UPDATING COMMITTED",
    "a new version": "PENDING SEARCHING ANALYZING SUPERSEDE ARCHIVING ADDING COMMITTED",
    "a merge": "PENDING SEARCHING ANALYZING MERGE MERGING UPDATING COMMITTED",
    "coexistence": "PENDING SEARCHING ANALYZING COEXIST ADDING COMMITTED",
}


@pytest.mark.parametrize("path", PATHS.values(), ids=list(PATHS))
def test_the_way_is_legal(path: str) -> None:
    states = [State(word) for word in path.split()]
    assert walked(*states[1:]) == tuple(states)


def test_only_committed_and_skipped_are_ends() -> None:
    assert {state for state, after in FOLLOWS.items() if not after} == {State.COMMITTED, State.SKIPPED}


def test_every_state_stands_in_the_table_and_is_reached() -> None:
    assert set(FOLLOWS) == set(State)
    assert {after for those in FOLLOWS.values() for after in those} == set(State) - {State.PENDING}


@pytest.mark.parametrize(
    "path", ["ANALYZING", "SEARCHING ADDING", "SEARCHING NO_MATCH ADDING COMMITTED ADDING", "COMMITTED"]
)
def test_a_step_that_is_not_in_the_table_is_refused(path: str) -> None:
    with pytest.raises(LookupError, match="does not follow"):
        walked(*(State(word) for word in path.split()))

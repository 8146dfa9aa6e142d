"""Case 96: the steps that a statement went through."""

from __future__ import annotations

import pytest

from graph_memory.ingest.trace import State, planned, trace
from graph_memory.model.verdict import JUDGED_ACTIONS, Action

PATHS = {
    "no match": (None, True, "PENDING SEARCHING NO_MATCH ADDING COMMITTED"),
    "an older duplicate": (Action.DUPLICATE, False, "PENDING SEARCHING ANALYZING DUPLICATE SKIPPED"),
    "a newer duplicate": (Action.DUPLICATE, True, "PENDING SEARCHING ANALYZING DUPLICATE UPDATING COMMITTED"),
    "a new version": (
        Action.SUPERSEDE,
        True,
        "PENDING SEARCHING ANALYZING SUPERSEDE ARCHIVING ADDING COMMITTED",
    ),
    "a merge": (Action.MERGE, True, "PENDING SEARCHING ANALYZING MERGE MERGING UPDATING COMMITTED"),
    "coexistence": (Action.COEXIST, True, "PENDING SEARCHING ANALYZING COEXIST ADDING COMMITTED"),
    "what was erased": (Action.COEXIST, False, "PENDING SEARCHING ANALYZING COEXIST ADDING SKIPPED"),
}


@pytest.mark.parametrize(("action", "is_committed", "path"), PATHS.values(), ids=list(PATHS))
def test_the_steps_follow_from_what_was_done(action: Action | None, is_committed: bool, path: str) -> None:
    assert trace(action, is_committed) == tuple(State(word) for word in path.split())


def test_a_plan_ends_where_it_is_known_what_would_be_done() -> None:
    assert planned(None)[-1] is State.NO_MATCH
    assert {planned(action)[-1] for action in JUDGED_ACTIONS} == {State.ANALYZING}

"""The steps that a statement went through on its way in, as its outcome shows them.

What writing a commit consists of (vector, graph, ledger) is one transaction here, so it has no states of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from graph_memory.model.verdict import Action


class State(StrEnum):
    """Where a statement is. COMMITTED and SKIPPED are the ends."""

    PENDING = "PENDING"
    SEARCHING = "SEARCHING"
    NO_MATCH = "NO_MATCH"
    ANALYZING = "ANALYZING"
    DUPLICATE = "DUPLICATE"
    SUPERSEDE = "SUPERSEDE"
    MERGE = "MERGE"
    COEXIST = "COEXIST"
    ADDING = "ADDING"
    UPDATING = "UPDATING"
    MERGING = "MERGING"
    ARCHIVING = "ARCHIVING"
    COMMITTED = "COMMITTED"
    SKIPPED = "SKIPPED"


Trace = tuple[State, ...]

_STEPS: Mapping[Action | None, Trace] = {
    None: (State.NO_MATCH, State.ADDING),
    Action.DUPLICATE: (State.ANALYZING, State.DUPLICATE),
    Action.SUPERSEDE: (State.ANALYZING, State.SUPERSEDE, State.ARCHIVING, State.ADDING),
    Action.MERGE: (State.ANALYZING, State.MERGE, State.MERGING, State.UPDATING),
    Action.COEXIST: (State.ANALYZING, State.COEXIST, State.ADDING),
}


def trace(action: Action | None, is_committed: bool) -> Trace:
    """The steps of a statement with which this was done; `None` where nothing was near it.

    A duplicate that is committed updates the known memory. What is not committed was skipped.
    """
    updates = (State.UPDATING,) if action is Action.DUPLICATE and is_committed else ()
    end = State.COMMITTED if is_committed else State.SKIPPED
    return (State.PENDING, State.SEARCHING, *_STEPS[action], *updates, end)


def planned(action: Action | None) -> Trace:
    """The steps until it was known what would be done, and nothing was written."""
    return (State.PENDING, State.SEARCHING, _STEPS[action][0])

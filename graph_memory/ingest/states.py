"""The states that a statement passes through on its way in, and which may follow which.

What writing a commit consists of (vector, graph, ledger) is one transaction here, so it has no states of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


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


# ADDING ends in SKIPPED where an import brings what was erased: it is not stored again.
FOLLOWS: Mapping[State, frozenset[State]] = {
    State.PENDING: frozenset({State.SEARCHING}),
    State.SEARCHING: frozenset({State.NO_MATCH, State.ANALYZING}),
    State.NO_MATCH: frozenset({State.ADDING}),
    State.ANALYZING: frozenset({State.DUPLICATE, State.SUPERSEDE, State.MERGE, State.COEXIST}),
    State.DUPLICATE: frozenset({State.SKIPPED, State.UPDATING}),
    State.SUPERSEDE: frozenset({State.ARCHIVING}),
    State.ARCHIVING: frozenset({State.ADDING}),
    State.MERGE: frozenset({State.MERGING}),
    State.MERGING: frozenset({State.UPDATING}),
    State.COEXIST: frozenset({State.ADDING}),
    State.ADDING: frozenset({State.COMMITTED, State.SKIPPED}),
    State.UPDATING: frozenset({State.COMMITTED}),
    State.COMMITTED: frozenset(),
    State.SKIPPED: frozenset(),
}

Trace = tuple[State, ...]


def walked(*states: State) -> Trace:
    """The way from PENDING through these states; LookupError for a step that the table does not know."""
    trace: Trace = (State.PENDING,)
    for state in states:
        if state not in FOLLOWS[trace[-1]]:
            raise LookupError(f"{state} does not follow {trace[-1]}")
        trace += (state,)
    return trace

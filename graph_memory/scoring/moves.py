"""Changes of tier: rows of the run that made them, not decisions of the ledger."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from graph_memory.jobs.context import Context
from graph_memory.queries import query
from graph_memory.scoring.scores import Tier
from graph_memory.service import Service
from graph_memory.tenancy import Scope

KEEP = query("scoring/keep_moves")
MOVES = query("scoring/moves")


@dataclass(frozen=True)
class Move:
    """One memory went from one tier to another. `score` is its new retention, `at` the moment it was computed for."""

    id: str
    was: Tier
    now: Tier
    reason: str
    score: float
    at: datetime


def keep(context: Context, moves: Sequence[Move]) -> None:
    """Keeps them on the run."""
    told = json.dumps([{**asdict(move), "at": move.at.isoformat()} for move in moves])
    context.write(lambda tx: tx.run(KEEP, run=context.run.id, moves=told))


def of_run(service: Service, scope: Scope, run_id: str) -> list[Move]:
    """The changes of tier that a run kept, in the order of ids; none when it made none or is not there."""
    rows = service.read(scope, MOVES, run=run_id)
    return [_move(row) for found in rows for row in json.loads(found["moves"] or "[]")]


def _move(row: dict[str, str]) -> Move:
    at = datetime.fromisoformat(row["at"])
    return Move(row["id"], Tier(row["was"]), Tier(row["now"]), row["reason"], float(row["score"]), at)

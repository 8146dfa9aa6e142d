"""Changes of tier: rows of the run that made them, not decisions of the ledger.

What a use or a change of a memory moves at once belongs to no job. It is kept on a run of its own, one for each tenant and
day (UTC), that has ended already.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from graph_memory.base.ids import derived_id
from graph_memory.base.scope import Scope
from graph_memory.base.sections import Sections
from graph_memory.jobs.context import Context
from graph_memory.model.run import Kind, Status
from graph_memory.scoring.scores import Tier
from graph_memory.scoring.settings import DecaySettings
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction

KEEP = query("scoring/keep_moves")
MOVES = query("scoring/moves")
OPEN_DAY = query("scoring/open_day")
KEEP_OF_DAY = query("scoring/keep_of_day")

# What the runs of a day's own changes are called; nothing carries them out.
AT_ONCE = "graph_memory.scoring.at_once"


@dataclass(frozen=True)
class Move:
    """One memory went from one tier to another. `score` is its new retention, `at` the moment it was computed for.

    `reason`: FADED or REVIVED by a rescoring; at once USED, REVISED, MERGED, RESTORED or UNDONE.
    """

    id: str
    was: Tier
    now: Tier
    reason: str
    score: float
    at: datetime


def keep(context: Context, moves: Sequence[Move]) -> None:
    """Keeps them on the run."""
    context.write(lambda tx: tx.run(KEEP, run=context.run.id, moves=_told(moves)))


def keep_of_day(tx: Transaction, settings: Sections, moves: Sequence[Move], at: datetime) -> str:
    """Adds them to the run of their day, in the transaction that makes them; the run's id."""
    day = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    id = of_day(tx.scope, day)
    [row] = tx.run(OPEN_DAY, run=_ended(id, day, at), now=at)
    counts: Counter[str] = Counter(json.loads(row["result"]))
    for move in moves:
        counts["moved"] += 1
        counts[f"{move.was}_to_{move.now}".lower()] += 1
    kept = [_move(each) for each in json.loads(row["moves"] or "[]")]
    told = _told([*kept, *moves][: settings[DecaySettings].kept_moves])
    tx.run(KEEP_OF_DAY, run=id, moves=told, result=json.dumps(counts, sort_keys=True))
    return id


def of_day(scope: Scope, day: datetime) -> str:
    """The id of the run that keeps what uses and changes moved at once on a day (UTC); it may not be there."""
    return derived_id(AT_ONCE, scope.tenant, f"{day.astimezone(UTC):%Y-%m-%d}")


def of_run(service: Service, scope: Scope, run_id: str) -> list[Move]:
    """The changes of tier that a run kept, in the order of ids; none when it made none or is not there."""
    rows = service.read(scope, MOVES, run=run_id)
    return [_move(row) for found in rows for row in json.loads(found["moves"] or "[]")]


def _ended(id: str, day: datetime, now: datetime) -> Row:
    """The properties of a run that is done before it began."""
    return {
        "id": id,
        "job": AT_ONCE,
        "kind": Kind.REQUESTED.value,
        "status": Status.DONE.value,
        "caption": "at_once",
        "at": day,
        "lease": f"{AT_ONCE}/{id}",
        "attempts": 0,
        "deliveries": 0,
        "furthest": 0,
        "phase": "",
        "done": 0,
        "total": 0,
        "args": "{}",
        "result": "{}",
        "created_at": now,
        "started_at": now,
        "due_at": now,
    }


def _told(moves: Sequence[Move]) -> str:
    return json.dumps([{**asdict(move), "at": move.at.isoformat()} for move in moves])


def _move(row: dict[str, str]) -> Move:
    at = datetime.fromisoformat(row["at"])
    return Move(row["id"], Tier(row["was"]), Tier(row["now"]), row["reason"], float(row["score"]), at)

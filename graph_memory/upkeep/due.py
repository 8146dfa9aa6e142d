"""The minute job: moves what the clock has ended from live to past. Labels and keys only; no change, no revision."""

from __future__ import annotations

from functools import partial

from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Transaction

RETIRE_DUE = query("memory/retire_due")

BATCH = 1000


def run(context: Context) -> Result:
    """The job: in batches, until nothing is left; says how many were moved."""
    moved = 0
    while True:
        [row] = context.write(partial(_retire, context))
        moved += row["retired"]
        context.progress(moved, moved, "move")
        if row["retired"] < BATCH:
            return {"moved": moved}


def _retire(context: Context, tx: Transaction) -> list[Row]:
    return tx.run(RETIRE_DUE, now=context.service.clock(), limit=BATCH)

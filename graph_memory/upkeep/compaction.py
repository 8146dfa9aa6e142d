"""Ledger compaction: past its retention a Change keeps what was done, to what, when and by whom; its payload goes."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Transaction
from graph_memory.upkeep.settings import LedgerSettings

COMPACT = query("ledger/compact")

BATCH = 1000


def run(context: Context) -> Result:
    """The job: in batches, until nothing is left; says how many changes were emptied."""
    emptied = 0
    while True:
        [row] = context.write(partial(_compact, context))
        emptied += row["emptied"]
        context.progress(emptied, emptied, "empty")
        if row["emptied"] < BATCH:
            return {"emptied": emptied}


def _compact(context: Context, tx: Transaction) -> list[Row]:
    now = context.service.clock()
    before = now - timedelta(days=context.service.settings[LedgerSettings].retention_days)
    return tx.run(COMPACT, before=before, now=now, limit=BATCH)

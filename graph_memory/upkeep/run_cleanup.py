"""Removes runs that nobody will ask for again: a job due every minute would leave half a million a year."""

from __future__ import annotations

from graph_memory.jobs import schedule
from graph_memory.jobs.context import Context
from graph_memory.jobs.settings import JobsSettings
from graph_memory.scoring.tier_moves import AT_ONCE
from graph_memory.store.queries import query

TIDY = query("jobs/tidy")


def tidy(context: Context) -> dict[str, int]:
    """Keeps the newest ended runs of each job and status; those that undo needs stay."""
    jobs = [{"name": job.name, "leaves_changes": job.leaves_changes} for job in schedule.planned()]
    jobs.append({"name": AT_ONCE, "leaves_changes": False})
    keep = context.service.settings[JobsSettings].keep
    rows = context.write(lambda tx: tx.run(TIDY, jobs=jobs, keep=keep))
    return {"removed": rows[0]["removed"]}

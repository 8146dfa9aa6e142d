"""What begins a consolidation before its day: much that is new, a quiet hour after some, a store that is full.

One statement over all accounts tells what there is to decide by. The run that is opened is like one of the schedule: capped,
and only what the built-in judge proves is merged.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from graph_memory.base.ids import derived_id
from graph_memory.base.scope import Scope
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.runs import Run
from graph_memory.model.run import Kind
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.upkeep.settings import ConsolidationSettings

WANTED = query("system/consolidation_wanted")


def begin_wanted(service: Service) -> list[tuple[Scope, Run]]:
    """Opens a run for each account in which one is wanted now; the same run however many ask at once."""
    rules = service.settings[ConsolidationSettings]
    now, job = service.clock(), schedule.job(schedule.CONSOLIDATE)
    rows = service.system(
        WANTED,
        job=job.name,
        before=now - timedelta(seconds=rules.min_interval),
        most_new=max(rules.after_new, rules.after_idle, 1),
        most_live=rules.pressure,
    )
    opened = []
    for row in rows:
        because = why(rules, row["new"], row["live"], row["written_at"], now)
        if because is not None:
            scope = Scope(row["name"])
            fresh = runs.fresh(service, job, Kind.PLANNED, at=now, args={"because": because})
            fresh["id"] = derived_id(job.name, scope.tenant, row["since"].isoformat())
            opened.append((scope, service.write(scope, partial(runs.open_in, run=fresh))))
    return opened


def why(
    rules: ConsolidationSettings, new: int, live: int, written_at: datetime | None, now: datetime
) -> str | None:
    """The reason for a run now, or None. `new` and `live` are counted up to what matters and no further."""
    quiet = float("inf") if written_at is None else (now - written_at).total_seconds()
    if rules.pressure and live >= rules.pressure:
        return f"{rules.pressure} memories or more are live"
    if rules.after_new and new >= rules.after_new:
        return f"{rules.after_new} memories or more are new"
    if rules.after_idle and new >= rules.after_idle and quiet >= rules.idle:
        return (
            f"{rules.after_idle} memories or more are new, and nothing was written for {rules.idle} seconds"
        )
    return None

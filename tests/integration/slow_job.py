"""The workers' own app with one more job, which takes its time: `celery -A slow_job`."""

from __future__ import annotations

import time

from jobs_world import statement

import tasks
from graph_memory.jobs import schedule
from graph_memory.jobs.context import Context

SLOW = schedule.Job(
    name="graph_memory.tests.slow",
    purpose="takes its time",
    queue=schedule.Queue.MAINTENANCE,
)
STEP = statement(
    "CREATE (:SlowStep {tenant: $tenant, run: $run, step: $step, fence: $fence, at: datetime.realtime()})"
)
STEPS_DONE = statement(
    "MATCH (s:SlowStep {tenant: $tenant, run: $run}) RETURN count(DISTINCT s.step) AS done"
)


def slow(context: Context) -> dict[str, int]:
    """Steps of a tenth of a second, each written once; a next try goes on where the last one stopped."""
    total = int(context.run.args.get("steps", 20))
    done = context.service.read(context.scope, STEPS_DONE, run=context.run.id)[0]["done"]
    for step in range(done, total):
        values = {"run": context.run.id, "step": step, "fence": context.lease.fence}
        context.write(lambda tx, values=values: tx.run(STEP, **values))
        context.progress(step + 1, total, "slow")
        time.sleep(0.1)
    return {"steps": total - done}


schedule.JOBS = (*schedule.JOBS, SLOW)
tasks.BODIES[SLOW.name] = slow

from tasks.celery import app, run  # noqa: E402 - the application registers the jobs that there are

__all__ = ["app", "run"]

"""What each job runs, by name, and carrying one out. `celery -A tasks worker` and `celery -A tasks beat` use `tasks.celery`."""

from graph_memory.base.scope import Scope
from graph_memory.jobs import execution, schedule
from graph_memory.jobs.context import Body
from graph_memory.jobs.runs import Run
from graph_memory.jobs.ticks import Trigger
from graph_memory.store.service import Service
from graph_memory.upkeep import consolidation_triggers
from tasks import consolidation, conversations, curation, scores, sending, store

BODIES: dict[str, Body] = {
    **conversations.BODIES,
    **scores.BODIES,
    **consolidation.BODIES,
    **curation.BODIES,
    **sending.BODIES,
    **store.BODIES,
}

# What may make a job due before its slot.
TRIGGERS: dict[str, Trigger] = {schedule.CONSOLIDATE: consolidation_triggers.begin_wanted}


def execute(service: Service, scope: Scope, run_id: str) -> Run:
    """Carries out a run in this process. The run as it stands afterwards; raises NotFound and Unavailable."""
    return execution.execute(service, scope, run_id, BODIES)

"""Asking for a job under an idempotency key: the Request and the Run are made in one transaction."""

from __future__ import annotations

from dataclasses import replace

from graph_memory.base.errors import Forbidden
from graph_memory.jobs import runs, slots
from graph_memory.jobs.runs import Run
from graph_memory.jobs.schedule import Job
from graph_memory.ledger.changes import Call, Writing, carry_out
from graph_memory.store.service import Row, Service


def ask(service: Service, call: Call, job: Job, again: bool = False) -> tuple[Run, bool]:
    """A run of this job and whether it is new; the present period's own run when there is one, unless `again`.

    The same key answers with the same run. Raises Forbidden for a call that is bound to a subject.
    """
    if call.scope.is_bound:
        raise Forbidden("Jobs work on the whole tenant; this key is bound to a subject.")
    whole = replace(call, scope=replace(call.scope, subject_name=None))
    answer = carry_out(
        service,
        whole,
        "runJob",
        [job.name, again],
        lambda writing: _open(service, writing, job, again),
        is_activity=False,
    )
    found = runs.get(service, whole.scope, answer.value["run_id"])
    return found, answer.value["is_new"] and not answer.replayed


def _open(service: Service, writing: Writing, job: Job, again: bool) -> Row:
    run, is_new = slots.by_hand_in(service, writing.tx, job, again)
    return {"run_id": run.id, "is_new": is_new}

"""Taking back all that a consolidation merged, newest first; what people have built upon stays, and is named."""

from __future__ import annotations

from graph_memory.base.errors import Conflict, NotFound
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.context import Context
from graph_memory.jobs.runs import Run
from graph_memory.jobs.schedule import Result
from graph_memory.ledger.changes import Answer, Call, Writing, carry_out
from graph_memory.memory.undo import undo
from graph_memory.model.run import Kind
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

CHANGES_OF_RUN = query("consolidation/changes_of_run")

ACTOR = "consolidation"
OPERATION = "revertConsolidation"
_MOST_NAMED = 20
_LONGEST_FAULT = 200


def revert_run(service: Service, call: Call, run_id: str) -> tuple[Run, Answer]:
    """Asks for a run that takes back what another has merged; the caller sends it. NotFound for a run that merges nothing."""
    run = runs.get(service, call.scope, run_id)
    is_foreign = call.scope.is_bound and run.args.get("subject") != call.scope.subject_name
    if is_foreign or run.job not in (schedule.CONSOLIDATE, schedule.PROMOTE) or run.args.get("rehearses"):
        raise NotFound(
            f"There is no consolidation {run_id} that has merged anything; `graph-memory jobs runs` lists what ran.",
            path="id",
        )
    args = {"run": run.id, "subject": call.scope.subject_name}

    def work(writing: Writing) -> Row:
        fresh = runs.fresh(service, schedule.job(schedule.REVERT), Kind.REQUESTED, service.clock(), args=args)
        return {"run_id": runs.open_in(writing.tx, fresh).id}

    answer = carry_out(service, call, OPERATION, args, work, is_activity=False)
    return runs.get(service, call.scope, answer.value["run_id"]), answer


def run(context: Context) -> Result:
    """The job: how many groups were `reverted` and how many `left`, each with its change and why, in `why_left`."""
    service, args = context.service, context.run.args
    scope, merger = context.scope.of(args["subject"]), str(args["run"])
    found = service.read(scope, CHANGES_OF_RUN, run_id=merger)
    left = list[str]()
    for done, row in enumerate(found):
        context.progress(done, len(found), "revert")
        call = Call(context.scope.of(row["subject"]), ACTOR, run_id=context.run.id)
        try:
            undo(service, call, [row["sequence"]], reason=f"Consolidation {merger} was reverted.")
        except (Conflict, NotFound) as fault:
            left.append(f"change {row['sequence']}: {fault.message[:_LONGEST_FAULT]}")
    counts: dict[str, int | float | str] = {"reverted": len(found) - len(left), "left": len(left)}
    return {**counts, "why_left": "\n".join(left[:_MOST_NAMED])} if left else counts

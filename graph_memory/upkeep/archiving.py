"""The daily job of the rules: archives what has expired or faded, and by age retracts and erases where that is wanted.

Each archived memory is a Change with its rule and its scores, under its subject's lock, so that one memory or the whole
run can be taken back. Every rule is asked again under the lock: what was used meanwhile stays.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby

from graph_memory.base.errors import GraphMemoryError, LeaseLost, NotFound, Unavailable
from graph_memory.base.scope import Scope
from graph_memory.jobs import leases
from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.ledger.changes import Call, Decision, Writing, carry_out
from graph_memory.memory.erasure import forget
from graph_memory.memory.properties import for_ledger
from graph_memory.memory.states import Edit, load, moved, rewrite
from graph_memory.model.change import Operation
from graph_memory.model.memory import Status
from graph_memory.scoring.facts import facts_of
from graph_memory.scoring.settings import ArchiveSettings
from graph_memory.store.queries import query
from graph_memory.store.service import Row
from graph_memory.upkeep.planning import Due, Step, due_among, of_step, plan

log = logging.getLogger(__name__)

SUBJECTS_OF = query("lifecycle/subjects_of")

ACTOR = "lifecycle"
_NOWHERE = {"archived_at": None, "archive_reason": None}
_STEPS = {
    Step.ARCHIVE: (Status.ACTIVE, Status.ARCHIVED, Operation.ARCHIVE),
    Step.RETRACT: (Status.ARCHIVED, Status.RETRACTED, Operation.DELETE),
}


def run(context: Context) -> Result:
    """The job: what it scanned and did. A batch that fails is counted and stops no other."""
    context.progress(0, 1, "plan")
    found = plan(context.service, context.scope, context.at)
    done: Counter[str] = Counter(archived=0, retracted=0, deleted=0, skipped=0, errors=0)
    total, tried = len(found.due), 0
    for step in Step:
        for scope, batch in _batches(context, of_step(found.due, step)):
            context.progress(tried, total, step.lower())
            done.update(_tried(context, scope, step, batch))
            tried += len(batch)
    return {"scanned": found.scanned, **done, "left": found.left}


def _tried(context: Context, scope: Scope, step: Step, batch: Sequence[Due]) -> Counter[str]:
    try:
        return _delete(context, scope, batch) if step is Step.DELETE else _move(context, scope, step, batch)
    except (LeaseLost, Unavailable):
        raise
    except GraphMemoryError as error:
        log.warning("rule_not_applied", extra={"step": step.value, "count": len(batch), "code": error.code})
        return Counter(errors=1)


def _move(context: Context, scope: Scope, step: Step, batch: Sequence[Due]) -> Counter[str]:
    call = Call(scope, ACTOR, run_id=context.run.id)
    body = [step.value, [due.id for due in batch]]
    answer = carry_out(context.service, call, "applyRule", body, partial(_apply, context, step, batch))
    applied = int(answer.value["applied"])
    name = "archived" if step is Step.ARCHIVE else "retracted"
    return Counter({name: applied, "skipped": len(batch) - applied})


def _apply(context: Context, step: Step, batch: Sequence[Due], writing: Writing) -> dict[str, int]:
    leases.check(writing.tx, context.lease)
    was, to, operation = _STEPS[step]
    known = facts_of(writing.run, writing.scope, [due.id for due in batch])
    rows = load(writing, sorted(known))
    standing = [due for due in batch if due.id in known and rows[due.id]["status"] == was.value]
    if step is Step.ARCHIVE:
        standing = due_among(context.service, [known[due.id] for due in standing], context.at)
    edits = [
        Edit(due.id, _put_away(due, writing) if step is Step.ARCHIVE else moved(to, **_NOWHERE))
        for due in standing
    ]
    if not edits:
        return {"applied": 0}
    before = rewrite(writing, rows, edits)
    for due, edit in zip(standing, edits, strict=True):
        decision = Decision(
            operation,
            [due.id],
            reason=due.reason,
            classification=due.rule.value,
            before={due.id: for_ledger(before[due.id])},
            after={due.id: for_ledger(edit.set)},
        )
        writing.decide(decision, touched=[due.id])
    return {"applied": len(edits)}


def _put_away(due: Due, writing: Writing) -> Row:
    """Archived by a rule, it still answers for the time before."""
    return moved(Status.ARCHIVED, due.rule, archived_at=writing.now, archive_reason=due.reason)


def _delete(context: Context, scope: Scope, batch: Sequence[Due]) -> Counter[str]:
    """Erasure has no undo: the fence is asked right before, and a memory that is gone already is no error."""
    context.write(lambda tx: None)
    call = Call(scope, ACTOR, run_id=context.run.id)
    try:
        certificate, _ = forget(context.service, call, [due.id for due in batch], reason=batch[0].reason)
    except NotFound:
        return Counter(skipped=len(batch))
    return Counter(deleted=certificate.memories)


def _batches(context: Context, due: Sequence[Due]) -> Iterator[tuple[Scope, Sequence[Due]]]:
    """Memories of one subject at a time, because its lock is taken; the order inside a subject stays."""
    rows = context.service.read(context.scope, SUBJECTS_OF, ids=[each.id for each in due])
    whose = {row["id"]: row["subject"] for row in rows}
    named = sorted((each for each in due if each.id in whose), key=lambda each: whose[each.id])
    size = context.service.settings[ArchiveSettings].batch
    for subject, group in groupby(named, key=lambda each: whose[each.id]):
        members = list(group)
        for start in range(0, len(members), size):
            yield Scope(context.scope.tenant_name, subject), members[start : start + size]

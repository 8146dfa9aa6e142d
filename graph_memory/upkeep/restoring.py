"""The job that brings back what faded away and is used again: recalled from the archive, or linked to anew.

Only what a rule of decay archived comes back. What a person archived, what expired, was superseded, merged or retracted
stays; so does a memory whose statement is live again elsewhere, and the ledger says so.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from functools import partial

from graph_memory.base.clock import ALWAYS
from graph_memory.base.scope import Scope
from graph_memory.jobs import leases
from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.ledger.activity import used
from graph_memory.ledger.changes import Call, Decision, Writing, carry_out
from graph_memory.memory.properties import for_ledger
from graph_memory.memory.states import Edit, load, moved, rewrite, twins
from graph_memory.model.change import Operation
from graph_memory.model.memory import Status
from graph_memory.scoring.columns import left_after_expiry
from graph_memory.scoring.facts import facts_of
from graph_memory.scoring.rescoring import rescore_some
from graph_memory.scoring.scores import Rule
from graph_memory.scoring.settings import ArchiveSettings
from graph_memory.store.queries import query
from graph_memory.store.service import Row
from graph_memory.upkeep.archiving import ACTOR

WANTED = query("lifecycle/wanted")
ANSWERED = query("lifecycle/answered")
LAST_MOVE = query("lifecycle/last_move")

# Why a memory was archived, where use brings it back.
DECAY = frozenset({Rule.IMPORTANCE.value, Rule.TIER.value, Rule.AGE.value})
_PAGE = 100
_REASON = "It was used again."


def run(context: Context) -> Result:
    """The job: how many came back, and how many stay in the archive."""
    done: Counter[str] = Counter(restored=0, kept=0)
    while True:
        rows = context.service.read(context.scope, WANTED, ever=ALWAYS, limit=_PAGE)
        for row in rows:
            done[_answer(context, row)] += 1
            context.progress(done.total(), done.total(), "restore")
        if len(rows) < _PAGE:
            return dict(done)


def _answer(context: Context, row: Row) -> str:
    scope = Scope(context.scope.tenant_name, row["subject"])
    call = Call(scope, ACTOR, run_id=context.run.id)
    work = partial(_restore, context, row["id"])
    return str(carry_out(context.service, call, "restoreUsed", [row["id"]], work).value)


def _restore(context: Context, id: str, writing: Writing) -> str:
    leases.check(writing.tx, context.lease)
    writing.run(ANSWERED, id=id)
    rows = load(writing, [id]) if _may_return(context, id, writing) else {}
    if not rows:
        return "kept"
    edit = Edit(id, moved(Status.ACTIVE, archived_at=None, archive_reason=None))
    twin = twins(writing, rows, [edit]).get(id)
    if twin is not None:
        reason = f"It was used, but the same statement is live as memory {twin['id']}."
        writing.decide(Decision(Operation.NOOP, [id], [twin["id"]], reason, "LIVE_TWIN"))
        return "kept"
    before = rewrite(writing, rows, [edit])
    decision = Decision(
        Operation.RESTORE,
        [id],
        reason=_REASON,
        classification="USED",
        before={id: for_ledger(before[id])},
        after={id: for_ledger(edit.set)},
    )
    writing.decide(decision, touched=[id])
    used(writing.tx, {id: 0}, {id: writing.now}, restores=False)
    rescore_some(writing.tx, writing.settings, [id], writing.now, "RESTORED")
    return "restored"


def _may_return(context: Context, id: str, writing: Writing) -> bool:
    known = facts_of(writing.run, writing.scope, [id]).get(id)
    if known is None or not context.service.settings[ArchiveSettings].auto_restore:
        return False
    [row] = load(writing, [id]).values()
    [last] = writing.run(LAST_MOVE, id=id)
    return (
        row["status"] == Status.ARCHIVED
        and last["operation"] == Operation.ARCHIVE
        and last["rule"] in DECAY
        and not last["is_superseded"]
        and _holds(row, writing.now)
        and left_after_expiry(known.facts, writing.now, context.service.settings) > 0.0
    )


def _holds(row: Row, now: datetime) -> bool:
    return bool(row["valid_to"] > now)

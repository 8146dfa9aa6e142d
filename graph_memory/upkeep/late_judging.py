"""Judging what was stored while the embedder failed, once it has its vector: by the same rule as any new statement.

Without a vector nothing comes near a statement, so `remember` stores it beside what is known and marks it. Here it is
compared as if it came in now; only it stands already, so a duplicate is merged into the known memory, whose text stays.
All of it is done in the name of the job's run, which can be undone as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Conflict
from graph_memory.base.scope import Scope
from graph_memory.ingest import candidates as looking
from graph_memory.ingest.application import Decided, apply_to_stored
from graph_memory.ingest.candidates import Candidate
from graph_memory.ingest.restatement import unless_repeated
from graph_memory.ingest.weighing import decided
from graph_memory.jobs import leases
from graph_memory.jobs.context import Context
from graph_memory.judge import panel
from graph_memory.judge.caution import cautious
from graph_memory.judge.judges import Classify, Judges
from graph_memory.ledger.changes import Call, Writing, carry_out
from graph_memory.memory.addition import Prepared
from graph_memory.memory.properties import content_hash, properties_of
from graph_memory.memory.states import load, require_unchanged
from graph_memory.model.memory import EntityName
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Transaction

UNJUDGED = query("embedding/unjudged")
TO_JUDGE = query("embedding/to_judge")
JUDGED = query("embedding/judged")

ACTOR = "embedder"
OPERATION = "judgeLate"
# So often a memory is looked at again when what it was compared with changed meanwhile; then it waits for the next run.
_ROUNDS = 3


def judge_pending(context: Context, classify: Classify = panel.classify) -> int:
    """Judges every memory of the tenant that waits for it and has its vector; says how many, oldest first."""
    service = context.service
    rows = service.read(context.scope, UNJUDGED, now=service.clock())
    waiting = {row["id"] for row in rows}
    for done, row in enumerate(rows):
        context.progress(done, len(rows), "judge")
        _judge(context, context.scope.of(row["subject"]), row["id"], waiting, classify)
        waiting.discard(row["id"])
    return len(rows)


def _judge(context: Context, scope: Scope, id: str, waiting: Collection[str], classify: Classify) -> None:
    hindrance: str | None = None
    for _ in range(_ROUNDS):
        found = context.service.read(scope, TO_JUDGE, id=id, forever=FOREVER)
        if not found:
            return
        item = _prepared(found[0])
        judge = unless_repeated(cautious(classify)) if found[0]["is_of_talk"] else classify
        decision = _decided(context, scope, item, waiting, judge, hindrance)
        if not _changes_anything(decision):
            context.write(partial(_mark, id))
            return
        try:
            _carry_out(context, scope, item, decision)
        except Conflict as conflict:
            hindrance = conflict.message
        else:
            return


def _decided(
    context: Context,
    scope: Scope,
    item: Prepared,
    waiting: Collection[str],
    classify: Classify,
    hindrance: str | None,
) -> Decided:
    service = context.service
    [found] = looking.search(service, [Call(scope, ACTOR)], [item], OPERATION)
    # What waits as well is judged in its own turn, in view of this one.
    known = [each for each in found.candidates if each.id not in waiting and each.id != item.id]
    judges = Judges(service, scope, classify)
    return decided(service, item, known, judges.outside, partial(properties_of, service), hindrance)


def _changes_anything(decision: Decided) -> bool:
    choice = decision.choice
    return bool(choice.action is not None and (choice.chosen or choice.proposal or choice.joins))


def _carry_out(context: Context, scope: Scope, item: Prepared, decision: Decided) -> None:
    call = Call(scope, ACTOR, run_id=context.run.id)

    def work(writing: Writing) -> Row:
        leases.check(writing.tx, context.lease)
        said = {each.id: content_hash(each.text) for each in _acted_on(decision)}
        said[item.id] = item.properties["content_hash"]
        require_unchanged(load(writing, list(said)), said)
        outcome = apply_to_stored(writing, item, decision)
        writing.run(JUDGED, id=item.id)
        return {"operation": outcome.operation, "id": outcome.id, "review_id": outcome.review_id}

    carry_out(context.service, call, OPERATION, [item.id], work)


def _mark(id: str, tx: Transaction) -> list[Row]:
    return tx.run(JUDGED, id=id)


def _acted_on(decision: Decided) -> Sequence[Candidate]:
    choice = decision.choice
    judged = [each for each in (choice.chosen, choice.proposal) if each is not None]
    return [each.candidate for each in judged] + [join.candidate for join in choice.joins]


def _prepared(row: Row) -> Prepared:
    """The stored memory as if it came in now."""
    memory = row["memory"]
    names = tuple(EntityName(each["name"], each["key"], each["type"]) for each in row["entities"])
    properties = {"labels": None, "source_author": None, "happens_at": None, **memory}
    return Prepared(
        memory["id"],
        memory["live_key"],
        properties,
        names,
        None,
        returns=False,
        said_at=row["said_at"],
    )

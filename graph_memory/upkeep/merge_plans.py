"""The plan of a rehearsed consolidation: keeping it, reading it, and carrying out exactly it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.base.errors import Conflict, Invalid, NotFound
from graph_memory.base.ids import derived_id
from graph_memory.base.scope import Scope
from graph_memory.ingest.same_said import Group
from graph_memory.jobs import leases, runs, schedule
from graph_memory.jobs.context import Context
from graph_memory.jobs.runs import Run
from graph_memory.jobs.schedule import Result
from graph_memory.ledger.changes import Answer, Call, Writing, carry_out
from graph_memory.memory.group_merge import merge_group
from graph_memory.memory.properties import of_text, search_text
from graph_memory.memory.reading import get_many
from graph_memory.memory.splitting import split_memory
from graph_memory.model.memory import Memory
from graph_memory.model.planned_merge import PlannedMerge, PlanStatus
from graph_memory.model.run import Kind
from graph_memory.models.embedders import embed_if_possible
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction
from graph_memory.upkeep.refinement import Refinement, keeps_original
from graph_memory.upkeep.settings import RefinementSettings

KEEP = query("consolidation/plan_keep")
READ = query("consolidation/plan_read")
COUNT = query("consolidation/plan_count")
SETTLE = query("consolidation/plan_settle")

ACTOR = "consolidation"
OPERATION = "promoteConsolidation"
_BATCH = 200


# Those of a group that are still there.
Members = tuple[Memory | None, ...]


@dataclass(frozen=True)
class Extent:
    """How much of one subject a plan would change: groups, their memories, and the links that would move."""

    subject: str
    groups: int
    memories: int
    links: int


@dataclass(frozen=True)
class Plan:
    """What a rehearsal found: what it comes to by subject, and some of the groups, each with its members."""

    run: Run
    extents: tuple[Extent, ...]
    groups: tuple[tuple[PlannedMerge, Members], ...]


def keep_plan(context: Context, planned: Sequence[tuple[str, Group | Refinement]]) -> None:
    """Keeps what a run would merge and refine, by subject; what an earlier try kept is replaced."""
    rows = [_row(context, position, subject, group) for position, (subject, group) in enumerate(planned)]

    def write(tx: Transaction) -> None:
        for start in range(0, max(len(rows), 1), _BATCH):
            batch = rows[start : start + _BATCH]
            tx.run(KEEP, run_id=context.run.id, rows=batch, clears=start == 0, now=context.service.clock())

    context.write(write)


def read_plan(service: Service, scope: Scope, run_id: str, first: int, after: int = -1) -> Plan:
    """A plan and its groups from a position on. NotFound where there is none, or it is someone else's."""
    run = plan_run(service, scope, run_id)
    groups = plan_groups(service, scope, run.id, first, after)
    return Plan(run, plan_extents(service, scope, run.id), groups)


def plan_extents(service: Service, scope: Scope, run_id: str) -> tuple[Extent, ...]:
    """What a plan comes to, by subject, the largest first."""
    counted = service.read(scope, COUNT, run_id=run_id)
    return tuple(Extent(row["subject"], row["groups"], row["memories"], row["links"]) for row in counted)


def plan_groups(
    service: Service, scope: Scope, run_id: str, first: int, after: int = -1
) -> tuple[tuple[PlannedMerge, Members], ...]:
    """Groups of a plan from a position on, each with its members."""
    planned = _planned(service, scope, run_id, first, after)
    ids = sorted({id for each in planned for id in each.members})
    known = dict(zip(ids, get_many(service, scope, ids), strict=True))
    return tuple((each, tuple(known[id] for id in each.members)) for each in planned)


def plan_run(service: Service, scope: Scope, run_id: str) -> Run:
    """The run that rehearsed. NotFound for any other; Invalid while it is under way."""
    run = runs.get(service, scope, run_id)
    is_foreign = scope.is_bound and run.args.get("subject") != scope.subject_name
    if is_foreign or run.job != schedule.CONSOLIDATE or not run.args.get("rehearses"):
        raise NotFound(f"There is no plan {run_id}; `consolidate --dry-run` makes one.", path="id")
    if not run.is_finished:
        raise Invalid(f"The rehearsal {run_id} is still under way; ask again when it is done.", path="id")
    return run


def promote_plan(service: Service, call: Call, run_id: str) -> tuple[Run, Answer]:
    """Asks for a run that carries out a plan; the caller sends it. Raises as `plan_run`."""
    plan = plan_run(service, call.scope, run_id)
    args = {"plan": plan.id, "subject": plan.args.get("subject")}

    def work(writing: Writing) -> Row:
        fresh = runs.fresh(
            service, schedule.job(schedule.PROMOTE), Kind.REQUESTED, service.clock(), args=args
        )
        return {"run_id": runs.open_in(writing.tx, fresh).id}

    answer = carry_out(service, call, OPERATION, args, work, is_activity=False)
    return runs.get(service, call.scope, answer.value["run_id"]), answer


def promote(context: Context) -> Result:
    """The job: merges each group of the plan that is still what it was. `left` have changed since; the plan says why."""
    service, plan = context.service, str(context.run.args["plan"])
    counts, total = Counter[str](groups=0, merged=0, links=0, left=0, refined=0, statements=0), 0
    names = {row["subject_id"]: row["subject"] for row in service.read(context.scope, COUNT, run_id=plan)}
    after = -1
    while batch := _planned(service, context.scope, plan, _BATCH, after):
        waiting = [each for each in batch if each.status is PlanStatus.PLANNED]
        vectors = _embedded(service, context.scope, waiting)
        for each, derived in zip(waiting, vectors, strict=True):
            context.progress(total, total + len(waiting), "write")
            total += 1
            counts.update(_carry_out(context, context.scope.of(names[each.subject_id]), each, derived))
        after = batch[-1].position
    return dict(counts)


def _carry_out(context: Context, scope: Scope, planned: PlannedMerge, derived: Sequence[Row]) -> Row:
    call, rules = Call(scope, ACTOR, run_id=context.run.id), context.service.settings[RefinementSettings]

    def work(writing: Writing) -> Row:
        leases.check(writing.tx, context.lease)
        hashes = dict(zip(planned.members, planned.hashes, strict=True))
        why, sure, [leader, *_] = planned.reason, planned.confidence, planned.members
        if planned.statements:
            keeps = keeps_original(rules, planned.statements)
            made = split_memory(writing, leader, hashes[leader], derived, why, sure, keeps=keeps)
        else:
            made = merge_group(writing, hashes, leader, derived[0], why, sure)
        writing.run(SETTLE, **_settled(context, planned, PlanStatus.DONE, product_id=made["id"]))
        return made

    try:
        made = carry_out(context.service, call, OPERATION, [planned.id], work).value
    except (Conflict, NotFound) as fault:
        left = _settled(context, planned, PlanStatus.LEFT, fault=fault.message)
        context.write(lambda tx: tx.run(SETTLE, **left))
        return {"left": 1}
    if planned.statements:
        return {"refined": 1, "statements": len(planned.statements), "links": made["links"]}
    return {"groups": 1, "merged": len(planned.members), "links": made["links"]}


def _settled(
    context: Context,
    planned: PlannedMerge,
    status: PlanStatus,
    product_id: str | None = None,
    fault: str = "",
) -> Row:
    return {
        "id": planned.id,
        "status": status.value,
        "now": context.service.clock(),
        "run_id": context.run.id,
        "product_id": product_id,
        "fault": fault or None,
    }


def _planned(service: Service, scope: Scope, run_id: str, first: int, after: int) -> list[PlannedMerge]:
    rows = service.read(scope, READ, run_id=run_id, after=after, first=first)
    return [PlannedMerge.from_row(row["planned"]) for row in rows]


def _embedded(service: Service, scope: Scope, planned: Sequence[PlannedMerge]) -> list[list[Row]]:
    """For each group what its text, or each of its statements, leads to."""
    if not planned:
        return []
    leaders = get_many(service, scope, [each.members[0] for each in planned])
    told = [
        (place, text, leader.heading if leader else "")
        for place, (each, leader) in enumerate(zip(planned, leaders, strict=True))
        for text in each.statements or (each.text,)
    ]
    vectors = embed_if_possible(service.embedder, [search_text(text, heading) for _, text, heading in told])
    found: list[list[Row]] = [[] for _ in planned]
    for (place, text, heading), vector in zip(told, vectors, strict=True):
        found[place].append(of_text(text, heading, vector, service.embedder.model))
    return found


def _row(context: Context, position: int, subject: str, planned: Group | Refinement) -> Row:
    members = planned.members if isinstance(planned, Group) else (planned.memory,)
    statements = () if isinstance(planned, Group) else planned.statements
    return {
        "id": derived_id(context.run.id, *(row["id"] for row in members), *statements),
        "subject_id": subject,
        "caption": f"{len(members)} memories" if not statements else f"{len(statements)} statements",
        "position": position,
        "status": PlanStatus.PLANNED.value,
        "members": [row["id"] for row in members],
        "hashes": [row["content_hash"] for row in members],
        "text": planned.text if isinstance(planned, Group) else "\n".join(statements),
        "statements": list(statements),
        "reason": planned.reason,
        "confidence": planned.confidence,
        "provider": planned.judge,
    }

"""The job that merges memories that say the same: cluster each subject, judge each cluster, write each group.

A group is one transaction and one Change, so a run that was killed goes on where it stood, and a run can be taken back.
It goes round until a round merges nothing; so a second run on the same store merges nothing. Then long memories are split or
said in fewer words. A rehearsal goes round once and keeps what it found as a plan; nothing else is written.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from graph_memory.base.clock import ALWAYS
from graph_memory.base.errors import Conflict, Invalid, NotFound, Unsupported
from graph_memory.base.scope import Scope
from graph_memory.ingest.restatement import FUZZY
from graph_memory.ingest.same_said import Group, MayMeet, Prover
from graph_memory.jobs import leases, runs, schedule
from graph_memory.jobs.context import Context
from graph_memory.jobs.runs import Run
from graph_memory.jobs.schedule import Result
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.ledger.changes import Answer, Call, Writing, carry_out
from graph_memory.memory.group_merge import merge_group
from graph_memory.memory.properties import of_text, search_text
from graph_memory.memory.settings import TextsSettings
from graph_memory.memory.splitting import split_memory
from graph_memory.model.run import Kind, Status
from graph_memory.models import profiles
from graph_memory.models.chat import has_models
from graph_memory.models.embedders import embed_if_possible
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service
from graph_memory.upkeep import asked_merges
from graph_memory.upkeep.clusters import Cluster, Edges, leiden, library
from graph_memory.upkeep.merge_plans import keep_plan
from graph_memory.upkeep.near_pairs import Neighbourhood, across
from graph_memory.upkeep.refinement import Refinement, decline, keeps_original, refinements, verbose
from graph_memory.upkeep.settings import ConsolidationSettings, RefinementSettings, Strategy
from graph_memory.upkeep.vector_clusters import Vectors, agglomerated, around_hubs, read_vectors, sized

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience

DUE = query("consolidation/due")
MEMBERS = query("consolidation/merge_members")
NEWER = query("consolidation/newer")
MARK = query("consolidation/consolidated")
MERGED = query("consolidation/merged_by")

ACTOR = "consolidation"
OPERATION = "consolidate"
# Each round merges something; so many would be a fault.
_MOST_ROUNDS = 20
_LONGEST_REASON = 200
_LOOKED_AT = 20
_READ_AT_ONCE = 50


@dataclass(frozen=True)
class Wish:
    """What is asked for. Without `strategy` that of the settings, without `cap` as many as there are.

    `full` looks at all memories, else those are left out whose neighbourhood is as a run before has seen it.
    """

    full: bool = False
    rehearses: bool = False
    strategy: Strategy | None = None
    cap: int | None = None


@dataclass
class _Work:
    """One run in progress: what it may still merge, what it has counted, and what a model was asked already."""

    context: Context
    strategy: Strategy
    gds: GraphDataScience | None
    prover: Prover
    left: float
    asks_models: bool
    full: bool
    rehearses: bool
    counts: Counter[str]
    planned: list[tuple[str, Group | Refinement]] = field(default_factory=list)
    asked: set[frozenset[str]] = field(default_factory=set)

    @property
    def service(self) -> Service:
        return self.context.service


def consolidate(service: Service, call: Call, wish: Wish) -> tuple[Run, Answer]:
    """Asks for a run over one subject, or over the tenant when the call names none; the caller sends it or carries it out.

    Raises Invalid for a cap below two: so many memories make the smallest group.
    """
    if wish.cap is not None and wish.cap < 2:
        raise Invalid(
            f"The cap is {wish.cap}; give 2 or more, because it takes two memories to merge.", path="cap"
        )
    strategy = None if wish.strategy is None else wish.strategy.value
    args = {**vars(wish), "strategy": strategy, "subject": call.scope.subject_name}

    def work(writing: Writing) -> Row:
        fresh = runs.fresh(
            service, schedule.job(schedule.CONSOLIDATE), Kind.REQUESTED, service.clock(), args=args
        )
        return {"run_id": runs.open_in(writing.tx, fresh).id}

    answer = carry_out(service, call, OPERATION, args, work, is_activity=False)
    return runs.get(service, call.scope, answer.value["run_id"]), answer


def run(context: Context) -> Result:
    """The job. `groups` were merged of `merged` memories, or would be; `left` were proposed and not merged. `across` of the
    groups found were of memories in different clusters.

    A run that could not do its work has `skipped` with the reason.
    """
    rules = context.service.settings[ConsolidationSettings]
    args = context.run.args
    context.progress(0, 1, "scan")
    if context.run.kind is Kind.PLANNED and (earlier := _lately(context, rules.min_interval)):
        return {"skipped": f"Run {earlier} has consolidated less than {rules.min_interval} seconds ago."}
    strategy = Strategy(args.get("strategy") or rules.strategy)
    try:
        with _library(context.service, strategy) as gds:
            return _carried_out(context, strategy, gds)
    except Unsupported as reason:
        return {"skipped": reason.message[:_LONGEST_REASON]}


def _carried_out(context: Context, strategy: Strategy, gds: GraphDataScience | None) -> Result:
    args, service = context.run.args, context.service
    rules = service.settings[ConsolidationSettings]
    rows = service.read(context.scope.of(args.get("subject")), DUE)
    rehearses = bool(args.get("rehearses"))
    counts = Counter[str](
        subjects=0, unchanged=0, clusters=0, groups=0, across=0, merged=0, links=0, rejected=0, left=0, capped=0,
        refined=0, statements=0, declined=0,
    )  # fmt: skip
    if context.run.attempts > 1 and not rehearses:
        # What an earlier try has merged counts.
        counts.update(service.read(context.scope, MERGED, run_id=context.run.id)[0])
    work = _Work(
        context,
        strategy,
        gds,
        _prover(service),
        left=_cap(args, rules, sum(row["live"] for row in rows)) - counts["merged"],
        asks_models="rehearses" in args and has_models(service),
        full=bool(args.get("full")),
        rehearses=rehearses,
        counts=counts,
    )
    skipped: Result = {}
    for done, row in enumerate(rows):
        context.progress(done, len(rows), "subject")
        counts["subjects"] += 1
        try:
            _consolidate_subject(work, row)
        except Unsupported as reason:
            skipped = {"skipped": reason.message[:_LONGEST_REASON]}
            break
    for row in () if skipped else rows:
        _refine_subject(work, context.scope.of(row["name"]))
    if rehearses:
        keep_plan(context, work.planned)
    because: Result = {"because": args["because"]} if "because" in args else {}
    return {**counts, "capped": int(counts["capped"] > 0), **because, **skipped}


def _prover(service: Service) -> Prover:
    return Prover(EmbeddedJudge.of(service), FUZZY, service.settings[TextsSettings].max_length)


def _consolidate_subject(work: _Work, row: Row) -> None:
    scope = work.context.scope.of(row["name"])
    mark = _mark(work)
    since = ALWAYS if work.full or row["consolidated_as"] != mark else row["consolidated_to"]
    if row["newest"] <= since:
        work.counts["unchanged"] += 1
        return
    capped, newest = work.counts["capped"], row["newest"]
    for place in range(_MOST_ROUNDS):
        groups = [group for group in _found(work, scope, since, place == 0) if _takes(work, group)]
        if work.rehearses:
            work.planned += [(str(scope.subject), group) for group in groups]
            work.counts.update(groups=len(groups), merged=sum(len(group.members) for group in groups))
            return
        if not _write(work, scope, groups):
            break
        newest = max((each["newest"] for each in work.service.read(scope, DUE)), default=newest)
    if work.counts["capped"] == capped:
        work.context.write(lambda tx: tx.run(MARK, subject=scope.subject, mark=mark, to=newest))


def _refine_subject(work: _Work, scope: Scope) -> None:
    """Splits and shortens a subject's long memories, as far as the cap allows; a rehearsal only notes them."""
    context, declined = work.context, list[str]()
    # In a rehearsal what is to be merged still stands; a run would not find it any more.
    planned = {id for _, found in work.planned for id in found.ids}
    rows = [row for row in verbose(context.service, scope) if row["id"] not in planned]
    for each in refinements(context, scope, rows, asks_models=work.asks_models, declined=declined):
        if work.left < 1:
            work.counts["capped"] += 1
            break
        work.left -= 1
        if work.rehearses:
            work.planned.append((str(scope.subject), each))
        elif not _refine(work, scope, each):
            continue
        work.counts.update(refined=1, statements=len(each.statements))
    work.counts["declined"] += len(declined)
    if not work.rehearses:
        decline(context, scope, declined)


def _refine(work: _Work, scope: Scope, found: Refinement) -> bool:
    service, memory = work.service, found.memory
    headed = [search_text(each, memory["heading"]) for each in found.statements]
    vectors = embed_if_possible(service.embedder, headed)
    derived = [
        of_text(each, memory["heading"], vector, service.embedder.model)
        for each, vector in zip(found.statements, vectors, strict=True)
    ]
    keeps = keeps_original(service.settings[RefinementSettings], found.statements)

    def fenced(writing: Writing) -> Row:
        leases.check(writing.tx, work.context.lease)
        id, hash = memory["id"], memory["content_hash"]
        return split_memory(writing, id, hash, derived, found.reason, found.confidence, keeps=keeps)

    call = Call(scope, ACTOR, run_id=work.context.run.id)
    try:
        made = carry_out(service, call, OPERATION, [memory["id"], *found.statements], fenced).value
    except (Conflict, NotFound):
        # Somebody changed it meanwhile, or says one of its statements already.
        work.counts["left"] += 1
        work.left += 1
        return False
    work.counts["links"] += made["links"]
    return True


def _found(work: _Work, scope: Scope, since: datetime, is_first: bool) -> Iterator[Group]:
    """The groups of a subject that may be merged, of clusters and neighbourhoods with a member that is newer than `since`."""
    work.context.progress(0, 1, "cluster")
    found = read_vectors(work.service, scope, str(scope.subject))
    clusters = _clusters(work, scope, found)
    work.counts["clusters"] += len(clusters) if is_first else 0
    taken = set[str]()
    for group in _found_within(work, scope, clusters, since):
        taken.update(group.ids)
        yield group
    similarity = _similarity(work.service, work.service.settings[ConsolidationSettings].similarity)
    around = across(found, clusters, _looked_at(work, scope, clusters, since), similarity)
    for group in _found_across(work, scope, around, taken):
        work.counts["across"] += 1
        yield group


def _found_within(work: _Work, scope: Scope, clusters: Sequence[Cluster], since: datetime) -> Iterator[Group]:
    """Groups of which all members are in one cluster."""
    longest = work.service.settings[TextsSettings].max_length
    for done, cluster in enumerate(clusters):
        work.context.progress(done, len(clusters), "judge")
        rows = work.service.read(scope, MEMBERS, ids=sorted(cluster.members), subject=scope.subject)
        if not any(row["memory"]["recorded_from"] > since for row in rows):
            continue
        members = [row["memory"] for row in rows if row["is_free"]]
        may_meet = _meeting({row["memory"]["id"]: frozenset(row["parted"]) for row in rows})
        proven = work.prover.groups(members, may_meet)
        yield from proven
        taken = {id for group in proven for id in group.ids}
        rest = [row for row in members if row["id"] not in taken]
        key = frozenset(row["id"] for row in rest)
        if work.asks_models and len(rest) > 1 and key not in work.asked:
            work.asked.add(key)
            found = asked_merges.proposed(work.service, scope, rest, longest, may_meet)
            work.counts["rejected"] += found.rejected
            yield from found.groups


def _found_across(
    work: _Work, scope: Scope, around: Sequence[Neighbourhood], taken: set[str]
) -> Iterator[Group]:
    """Groups of a memory and what is near it in other clusters. Only what can be proven: a model is asked about clusters.

    `taken` are in a group already, and those of the groups found here are put to them.
    """
    for start in range(0, len(around), _READ_AT_ONCE):
        work.context.progress(start, len(around), "judge")
        some = around[start : start + _READ_AT_ONCE]
        ids = sorted({id for each in some for id in (each.id, *each.near)} - taken)
        rows = {
            row["memory"]["id"]: row
            for row in work.service.read(scope, MEMBERS, ids=ids, subject=scope.subject)
        }
        may_meet = _meeting({id: frozenset(row["parted"]) for id, row in rows.items()})
        free = {id: row["memory"] for id, row in rows.items() if row["is_free"]}
        for each in some:
            members = [free[id] for id in (each.id, *each.near) if id in free and id not in taken]
            for group in work.prover.groups(members, _only_with(each.id, may_meet)):
                taken.update(group.ids)
                yield group


def _looked_at(work: _Work, scope: Scope, clusters: Sequence[Cluster], since: datetime) -> set[str]:
    """What is newer than `since`; by hubs only what is round one."""
    newer = {row["id"] for row in work.service.read(scope, NEWER, subject=scope.subject, since=since)}
    if work.strategy is not Strategy.HUB_KNN:
        return newer
    return newer.intersection(id for each in clusters for id in each.members)


def _only_with(id: str, may_meet: MayMeet) -> MayMeet:
    """Neighbours of a memory are compared with it, not with one another."""
    return lambda one, other: id in (one["id"], other["id"]) and may_meet(one, other)


def _meeting(parted: Mapping[str, frozenset[str]]) -> MayMeet:
    """What was merged once and taken apart again is not put together by itself once more."""
    return lambda one, other: parted[one["id"]].isdisjoint(parted[other["id"]])


def _clusters(work: _Work, scope: Scope, found: Vectors) -> list[Cluster]:
    rules = work.service.settings[ConsolidationSettings]
    service, subject = work.service, str(scope.subject)
    similarity = _similarity(service, rules.similarity)
    if work.strategy is Strategy.HUB_KNN:
        return around_hubs(service, scope, subject, similarity, rules.max_size)
    if work.strategy is Strategy.AGGLOMERATIVE:
        clusters = agglomerated(found, similarity, rules.min_size)
    else:
        assert work.gds is not None
        edges = Edges(similarity, rules.gamma, rules.entity_weight)
        run, fence = work.context.run, work.context.lease.fence
        name = f"consolidation-{scope.tenant}-{subject}-{run.id}-{fence}"
        clusters = leiden(service, work.gds, scope, subject, name, edges, rules.min_size)
    return [part for each in clusters for part in sized(found, each, rules.max_size)]


def _write(work: _Work, scope: Scope, groups: Sequence[Group]) -> int:
    """Merges the groups; says how many were merged."""
    service, done = work.service, 0
    headed = [search_text(group.text, group.members[0]["heading"]) for group in groups]
    vectors = embed_if_possible(service.embedder, headed) if groups else []
    for place, (group, vector) in enumerate(zip(groups, vectors, strict=True)):
        work.context.progress(place, len(groups), "write")
        derived = of_text(group.text, group.members[0]["heading"], vector, service.embedder.model)
        try:
            made = _merge(work.context, scope, group, derived)
        except (Conflict, NotFound):
            # Somebody changed a member meanwhile: what was judged is no longer there.
            work.counts["left"] += 1
            work.left += len(group.members)
        else:
            done += 1
            work.counts.update(groups=1, merged=len(group.members), links=made["links"])
    return done


def _merge(context: Context, scope: Scope, group: Group, derived: Row) -> Row:
    hashes = {row["id"]: row["content_hash"] for row in group.members}

    def fenced(writing: Writing) -> Row:
        leases.check(writing.tx, context.lease)
        return merge_group(writing, hashes, group.ids[0], derived, group.reason, group.confidence)

    call = Call(scope, ACTOR, run_id=context.run.id)
    return dict(carry_out(context.service, call, OPERATION, [*hashes, group.text], fenced).value)


def _takes(work: _Work, group: Group) -> bool:
    """Whether the cap still allows this group."""
    if len(group.members) > work.left:
        work.counts["capped"] += 1
        return False
    work.left -= len(group.members)
    return True


def _cap(args: Mapping[str, Any], rules: ConsolidationSettings, live: int) -> float:
    """How many memories may be merged: what somebody asked for, or what a run that nobody asked for may."""
    if "rehearses" not in args:
        return max(rules.cap_least, rules.cap_share * live)
    return float("inf") if args["cap"] is None else args["cap"]


def _similarity(service: Service, given: float | None) -> float:
    return profiles.of(service.embedder.model).related if given is None else given


def _mark(work: _Work) -> str:
    """What tells whether a subject was looked at by the same rules."""
    rules = work.service.settings[ConsolidationSettings]
    text = f"{work.strategy}/{work.service.embedder.model}/{rules.model_dump_json()}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _lately(context: Context, seconds: int) -> str | None:
    """The run that has merged so short a time ago that another is not due."""
    found = runs.recent(
        context.service, context.scope, schedule.job(schedule.CONSOLIDATE), _LOOKED_AT, Status.DONE
    )
    since = context.service.clock() - timedelta(seconds=seconds)
    real = (each for each in found if not each.args.get("rehearses") and "skipped" not in each.result)
    return next((each.id for each in real if each.finished_at and each.finished_at > since), None)


@contextmanager
def _library(service: Service, strategy: Strategy) -> Iterator[GraphDataScience | None]:
    if strategy is not Strategy.GDS_LEIDEN:
        yield None
        return
    with library(service) as gds:
        yield gds

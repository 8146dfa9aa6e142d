"""Quarantining a source: asking for it, and the job that carries it out, whole chains at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any

from graph_memory.base.clock import ALWAYS
from graph_memory.base.errors import Invalid
from graph_memory.base.moments import check_time
from graph_memory.base.scope import Scope
from graph_memory.curation.containment import contain
from graph_memory.jobs import leases, runs
from graph_memory.jobs.context import Context
from graph_memory.jobs.runs import Run
from graph_memory.jobs.schedule import QUARANTINE, Result, job
from graph_memory.language.texts import clean
from graph_memory.ledger.changes import Answer, Call, Writing, carry_out
from graph_memory.model.memory import SourceKind
from graph_memory.model.run import Kind
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

FIND = query("quarantine/find")
HIDE = query("quarantine/hide")

ACTOR = "quarantine"
_MAX_REASON, _MAX_NAME = 1000, 500
# Memories of one transaction; a chain that is longer goes in one all the same.
_BATCH = 250


@dataclass(frozen=True)
class Suspect:
    """Whose memories are in doubt: all that is given must fit. `since` is when they were stored."""

    kind: SourceKind | None = None
    ref: str | None = None
    session_id: str | None = None
    author: str | None = None
    since: datetime | None = None

    def as_data(self) -> Row:
        """As a run keeps it."""
        since = None if self.since is None else self.since.isoformat()
        return {**vars(self), "kind": None if self.kind is None else self.kind.value, "since": since}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Suspect:
        kind, since = data["kind"], data["since"]
        return cls(
            SourceKind(kind) if kind else None,
            data["ref"],
            data["session_id"],
            data["author"],
            datetime.fromisoformat(since) if since else None,
        )


def quarantine(service: Service, call: Call, suspect: Suspect, reason: str) -> tuple[Run, Answer]:
    """Asks for a run that takes all of a source out of answers, of one subject, or of the tenant when none is named.

    The run is to be sent or carried out by the caller. Nothing is retracted: `settling` tells how it is decided.
    Raises Invalid when neither kind, ref, session nor author is given.
    """
    _check(suspect)
    why = clean(reason, _MAX_REASON, "reason")
    args = {**suspect.as_data(), "subject": call.scope.subject_name, "reason": why}

    def work(writing: Writing) -> Row:
        fresh = runs.fresh(service, job(QUARANTINE), Kind.REQUESTED, at=service.clock(), args=args)
        return {"run_id": runs.open_in(writing.tx, fresh).id}

    answer = carry_out(service, call, "quarantineSource", args, work, is_activity=False)
    return runs.get(service, call.scope, answer.value["run_id"]), answer


def matching(service: Service, scope: Scope, suspect: Suspect) -> list[Row]:
    """What would be taken out of answers now: `subject`, `id` and `chain` of each memory, those of a chain together."""
    _check(suspect)
    return service.read(scope, FIND, **_asked(suspect))


def run(context: Context) -> Result:
    """The job: how many memories it took, and how many of others came back or say again what they said before."""
    args = context.run.args
    suspect, scope = Suspect.from_data(args), context.scope.of(args["subject"])
    done: Counter[str] = Counter(quarantined=0, returned=0)
    while found := matching(context.service, scope, suspect):
        before = done["quarantined"]
        for subject, ids in _batches(found):
            context.progress(done["quarantined"], before + len(found), "quarantine")
            done.update(_take(context, Scope(context.scope.tenant_name, subject), ids))
        if done["quarantined"] == before:
            break
    [hidden] = leases.write(
        context.service,
        scope,
        context.lease,
        lambda tx: tx.run(HIDE, run_id=context.run.id, **_asked(suspect)),
    )
    return {**done, **hidden}


def _asked(suspect: Suspect) -> Row:
    return {
        "kind": None if suspect.kind is None else suspect.kind.value,
        "ref": suspect.ref,
        "session": suspect.session_id,
        "author": suspect.author,
        "since": suspect.since or ALWAYS,
    }


def _take(context: Context, scope: Scope, ids: Sequence[str]) -> Row:
    call = Call(scope, ACTOR, run_id=context.run.id)
    answer = carry_out(context.service, call, "quarantineBatch", list(ids), partial(_contain, context, ids))
    return dict(answer.value)


def _contain(context: Context, ids: Sequence[str], writing: Writing) -> Row:
    leases.check(writing.tx, context.lease)
    return contain(writing, ids, context.run.id, context.run.args["reason"])


def _batches(found: Sequence[Row]) -> Iterator[tuple[str, list[str]]]:
    """Memories of one subject, whole chains together."""
    for subject, of_subject in groupby(found, key=lambda row: row["subject"]):
        batch: list[str] = []
        for _, chain in groupby(of_subject, key=lambda row: row["chain"]):
            members = [row["id"] for row in chain]
            if batch and len(batch) + len(members) > _BATCH:
                yield subject, batch
                batch = []
            batch += members
        yield subject, batch


def _check(suspect: Suspect) -> None:
    names = {"ref": suspect.ref, "session": suspect.session_id, "author": suspect.author}
    if suspect.kind is None and not any(names.values()):
        raise Invalid("Name a kind of source, a source, a session or an author.", path="source")
    for name, value in names.items():
        if value is not None and not 1 <= len(value) <= _MAX_NAME:
            raise Invalid(f"{name} must have 1 to {_MAX_NAME} characters.", path=name)
    if suspect.since is not None:
        check_time("since", suspect.since)

"""Deciding a quarantine: it was a false alarm and all returns, or it was wrong and stays in history only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import groupby

from graph_memory.base.errors import HasDependants, NotFound
from graph_memory.jobs import runs
from graph_memory.jobs.schedule import QUARANTINE
from graph_memory.language import texts
from graph_memory.ledger.changes import Call, Decision, Writing, carry_out
from graph_memory.memory.properties import for_ledger
from graph_memory.memory.states import LOAD, Edit, moved, rewrite
from graph_memory.memory.undo import check_revert, revert
from graph_memory.model.change import Operation
from graph_memory.model.memory import Status
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

TAKEN = query("quarantine/taken")
SHOW = query("quarantine/show")

_MAX_REASON = 1000
_BATCH = 500

# One request: how many memories it changed, how many it left, and whether its key had been used before.
Step = Callable[[Call], "_Done"]


class Verdict(StrEnum):
    """How a quarantine ends."""

    RELEASE = "RELEASE"
    RETRACT = "RETRACT"


@dataclass(frozen=True)
class Settled:
    """The verdict, and how many memories changed by it. `replayed` when this key had decided it all before.

    `left` are those that were no longer in this quarantine, as somebody had brought them back: RETRACT leaves them as they are.
    """

    verdict: Verdict
    memories: int
    replayed: bool
    left: int = 0


@dataclass(frozen=True)
class _Done:
    memories: int
    replayed: bool
    left: int = 0


def settle(
    service: Service, call: Call, run_id: str, verdict: Verdict, reason: str = "", cascade: bool = False
) -> Settled:
    """Decides what a quarantine took. RELEASE undoes the run: every memory and link is as it was. RETRACT leaves what
    came back where it is, and says of what was taken that it should never have been believed; undo takes that back.

    Raises NotFound when the run is no quarantine or took nothing that is undecided; HasDependants when RELEASE finds
    later changes on what came back and `cascade` does not take them along; LiveTwin, PastRetention. A RELEASE that one
    subject refuses is carried out for none.
    """
    if not _is_quarantine(service, call, run_id):
        raise _nothing(run_id)
    why = texts.clean(reason, _MAX_REASON, "reason") if reason else f"quarantine {run_id}: {verdict.lower()}"
    rows = service.read(call.scope, TAKEN, run_id=run_id)
    taken = {name: [row["id"] for row in of] for name, of in groupby(rows, key=lambda row: row["subject"])}
    if verdict is Verdict.RELEASE:
        _check_release(service, call, run_id, cascade, list(taken))
        steps = [(subject, partial(_release, service, run_id, why, cascade)) for subject in taken]
    else:
        steps = [
            (subject, partial(_retract, service, run_id, why, ids[at : at + _BATCH]))
            for subject, ids in taken.items()
            for at in range(0, len(ids), _BATCH)
        ]
    done = _carried_out(call, steps)
    changed = sum(each.memories for each in done)
    shown = 0
    # Where it took memories, what was said comes back with them.
    if verdict is Verdict.RELEASE and (changed or not taken):
        [row] = service.write(call.scope, lambda tx: tx.run(SHOW, run_id=run_id))
        shown = row["passages"]
    if not changed and not shown:
        raise _nothing(run_id)
    is_replayed, left = all(each.replayed for each in done), sum(each.left for each in done)
    return Settled(verdict, changed, is_replayed, left)


def _is_quarantine(service: Service, call: Call, run_id: str) -> bool:
    try:
        return runs.get(service, call.scope, run_id).job == QUARANTINE
    except NotFound:
        return False


def _nothing(run_id: str) -> NotFound:
    """The same whether the run is missing, another's, of another kind or decided: a bound key learns of its own only."""
    return NotFound(
        f"Run {run_id} holds nothing of yours in quarantine, or all of it is decided already.", path="id"
    )


def _check_release(service: Service, call: Call, run_id: str, cascade: bool, subjects: Sequence[str]) -> None:
    """Raises what the release of any subject would raise, while none is released; all that depends on it is named at once.

    A single subject's is carried out as a whole or not at all by itself.
    """
    dependants: list[str] = []
    for subject in subjects if len(subjects) > 1 else ():
        try:
            check_revert(service, replace(call, scope=call.scope.of(subject)), run_id, cascade)
        except NotFound:
            continue
        except HasDependants as refused:
            dependants += refused.dependants
    if dependants:
        raise HasDependants(dependants)


def _carried_out(call: Call, steps: Sequence[tuple[str, Step]]) -> list[_Done]:
    return [step(_in_turn(call, subject, place)) for place, (subject, step) in enumerate(steps, 1)]


def _in_turn(call: Call, subject: str, place: int) -> Call:
    """Each step is a request of its own, under the caller's key and its place, so that a repeated call continues."""
    key = call.key if call.key is None or place == 1 else f"{call.key}:{place}"
    return replace(call, scope=call.scope.of(subject), key=key)


def _release(service: Service, run_id: str, reason: str, cascade: bool, call: Call) -> _Done:
    try:
        undone, answer = revert(service, call, run_id, cascade, reason)
    except NotFound:
        return _Done(0, replayed=False)
    return _Done(len(undone.memories), answer.replayed)


def _retract(service: Service, run_id: str, reason: str, ids: Sequence[str], call: Call) -> _Done:
    def work(writing: Writing) -> Row:
        rows = {row["memory"]["id"]: row["memory"] for row in writing.run(LOAD, ids=list(ids))}
        held = [id for id, row in rows.items() if _is_held(row, run_id)]
        values = moved(Status.RETRACTED, archived_at=None, archive_reason=None)
        before = rewrite(writing, rows, [Edit(id, values) for id in held])
        if held:
            decision = Decision(
                Operation.DELETE,
                held,
                reason=reason,
                classification=Status.RETRACTED.value,
                before={id: for_ledger(before[id]) for id in held},
                after={id: for_ledger(values) for id in held},
            )
            writing.decide(decision, touched=held)
        left = [id for id, row in rows.items() if id not in held and row["status"] != Status.RETRACTED]
        return {"retracted": len(held), "left": len(left)}

    answer = carry_out(service, call, "retractQuarantine", [run_id, list(ids), reason], work)
    # An answer from before `left` was counted has none.
    return _Done(int(answer.value["retracted"]), answer.replayed, int(answer.value.get("left", 0)))


def _is_held(row: Row, run_id: str) -> bool:
    return bool(row["status"] == Status.ARCHIVED and row.get("quarantined_by") == run_id)

"""How far a memory is trusted, and the one way up: a person says that it is so.

Trust follows from where a statement comes from. What tools and the web bring is UNVERIFIED until a person confirms it,
and until then it neither takes the place of what is trusted more nor goes into it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from graph_memory.base.errors import Forbidden, LessTrusted
from graph_memory.base.ids import check_id
from graph_memory.language import texts
from graph_memory.ledger.changes import Answer, Call, Decision, Writing, carry_out
from graph_memory.memory.properties import for_ledger
from graph_memory.memory.screening import ALARMING
from graph_memory.memory.states import Edit, load, rewrite
from graph_memory.model.change import Operation
from graph_memory.model.memory import SourceKind, Trust, trust_of
from graph_memory.store.service import Row, Service

CONFIRM = "CONFIRM"
WITHDRAW = "WITHDRAW"
_MAX_REASON = 1000


class Verdict(StrEnum):
    """What a person says of a memory."""

    CONFIRM = CONFIRM
    WITHDRAW = WITHDRAW


def confirm(
    service: Service,
    call: Call,
    ids: Sequence[str],
    reason: str = "",
    verdict: Verdict = Verdict.CONFIRM,
) -> Answer:
    """A person stands for what these memories say, or with WITHDRAW no longer does. All or none, one Change for each.

    A confirmed memory is trusted as if a person had said it, and no longer in doubt, until its text is revised. What needs
    nobody's word stays as it is, and answers among `ids` all the same. Raises NotFound.
    """
    wanted = list(dict.fromkeys(check_id(id) for id in ids))
    why = texts.clean(reason, _MAX_REASON, "reason") if reason else ""

    def work(writing: Writing) -> Row:
        rows = load(writing, wanted)
        is_due = _is_open if verdict is Verdict.CONFIRM else _is_confirmed
        due = [id for id in wanted if is_due(rows[id])]
        _mark(writing, {id: rows[id] for id in due}, verdict, why)
        return {"ids": wanted, "changed": due}

    return carry_out(service, call, "confirmMemories", [wanted, verdict.value, why], work)


def vouch(writing: Writing, ids: Sequence[str], reason: str) -> None:
    """Confirms, in the open transaction, those of these memories that need a person's word; a person has approved of them."""
    rows = load(writing, sorted(set(ids)))
    _mark(writing, {id: row for id, row in rows.items() if _is_open(row)}, Verdict.CONFIRM, reason)


def require_to_supersede(new: Mapping[str, Any], old: Mapping[str, Any], is_given: bool = False) -> None:
    """LessTrusted when what nobody confirmed would retire what is trusted more. Both are memories as loaded.

    `is_given`: the new one comes with this very request and goes with its refusal, so that its id is not told.
    """
    if _trust(new) is Trust.UNVERIFIED and _trust(old) is not Trust.UNVERIFIED:
        raise LessTrusted(None if is_given else new["id"], new["source_kind"], old["id"])


def require_no_alarm(new: Mapping[str, Any]) -> None:
    """Forbidden where screening warned of a memory that nobody has confirmed: only a person lets it take another's place."""
    if not _is_confirmed(new) and not ALARMING.isdisjoint(new.get("labels") or ()):
        raise Forbidden(
            f"Screening warned of memory {new['id']}; a key with the right to admin can approve this."
        )


def require_to_merge(other: Mapping[str, Any], keep: Mapping[str, Any]) -> None:
    """LessTrusted when words would come to be trusted more by going into `keep`, or less by standing under it."""
    order, going, kept = list(Trust), _trust(other), _trust(keep)
    if order.index(going) > order.index(kept):
        raise LessTrusted(other["id"], other["source_kind"], keep["id"])
    if kept is Trust.UNVERIFIED and going is not Trust.UNVERIFIED:
        raise LessTrusted(keep["id"], keep["source_kind"], other["id"])


def kinds_from(least: Trust) -> list[str]:
    """The kinds of sources that are trusted at least so far without anybody's word: what queries filter by."""
    order = list(Trust)
    return [kind.value for kind in SourceKind if order.index(trust_of(kind, None)) <= order.index(least)]


def _mark(writing: Writing, rows: Mapping[str, Row], verdict: Verdict, reason: str) -> None:
    if not rows:
        return
    is_up = verdict is Verdict.CONFIRM
    values = {
        "confirmed_at": writing.now if is_up else None,
        "confirmed_by": writing.call.actor if is_up else None,
    }
    before = rewrite(writing, rows, [Edit(id, values) for id in rows])
    for id in rows:
        decision = Decision(
            Operation.UPDATE,
            [id],
            reason=reason,
            classification=verdict.value,
            before={id: for_ledger(before[id])},
            after={id: for_ledger(values)},
        )
        writing.decide(decision, touched=[id])


def _trust(row: Mapping[str, Any]) -> Trust:
    return trust_of(SourceKind(row["source_kind"]), row.get("confirmed_at"))


def _is_open(row: Mapping[str, Any]) -> bool:
    """Whether it needs a person's word and has none: nobody has said it, or who did may not have meant to, as it alarms."""
    is_said = row["source_kind"] == SourceKind.USER and ALARMING.isdisjoint(row.get("labels") or ())
    return not (is_said or _is_confirmed(row))


def _is_confirmed(row: Mapping[str, Any]) -> bool:
    return row.get("confirmed_at") is not None

"""One truth changes: a new version enters the chain, the old one keeps its place in history."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Conflict, Erased, IllegalMove, NotFound
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import new_id
from graph_memory.base.moments import check_time
from graph_memory.entities.claims import inherit
from graph_memory.language.texts import clean
from graph_memory.ledger.changes import PENDING, Answer, Call, Decision, Writing, carry_out
from graph_memory.memory import addition as adding
from graph_memory.memory.chains import Insertion, Member, insert
from graph_memory.memory.sharing import share
from graph_memory.memory.states import Edit, rewrite
from graph_memory.memory.trust import require_to_supersede
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact, Status
from graph_memory.scoring.rescoring import rescore_some
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

CHAIN = query("memory/chain")
JOIN = query("memory/join_chain")

_MAX_REASON = 1000


@dataclass(frozen=True)
class Superseded:
    """The memory that was named, the new version, the chain that holds both, and what was adjusted."""

    old: str
    new: str
    chain_id: str
    notes: tuple[str, ...] = ()


def supersede(
    service: Service,
    call: Call,
    old_id: str,
    new: Fact | str,
    valid_from: datetime | None = None,
    reason: str = "",
) -> tuple[Superseded, Answer]:
    """Puts a new version, a Fact or an existing memory's id, into the chain of `old_id`.

    It holds from `valid_from`, else from the fact's own or the memory's own start. Later than the head: it becomes
    the head; earlier: it enters the middle; the same moment: a correction. Raises NotFound, IllegalMove for a memory
    that is not active, LessTrusted for a version that nobody has confirmed, Conflict for a memory that is in a chain
    already, LiveTwin when the version would be live beside another memory of the same words.
    """
    faults = Gathered()
    reason, start = check_change(faults, valid_from, reason)
    dated = replace(new, valid_from=start or new.valid_from) if isinstance(new, Fact) else None
    prepared = faults.of(_prepare, service, call, dated) if dated else None
    faults.refuse()
    body = [old_id, adding.body_of(new) if isinstance(new, Fact) else new, start, reason]

    def work(writing: Writing) -> Row:
        new_id_ = enter(writing, prepared) if prepared else str(new)
        return join_chain(writing, old_id, new_id_, start, reason, is_given=prepared is not None)

    answer = carry_out(service, call, "supersedeMemory", body, work)
    return Superseded(**{**answer.value, "notes": tuple(answer.value["notes"])}), answer


def check_change(faults: Gathered, valid_from: datetime | None, reason: str) -> tuple[str, datetime | None]:
    """The reason and the moment of a change as they are kept."""
    why = faults.of(clean, reason, _MAX_REASON, "reason") if reason else ""
    return why, faults.of(check_time, "validFrom", valid_from) if valid_from else None


def _prepare(service: Service, call: Call, dated: Fact) -> adding.Prepared:
    [prepared] = adding.prepare(service, call.scope.for_writing().subject or "", [dated])
    return prepared


def enter(writing: Writing, prepared: adding.Prepared) -> str:
    """Stores the new version without a key: whether it lives, and beside a twin, is decided by its place."""
    keyless = replace(prepared, live_key=prepared.id, properties={**prepared.properties, "live_key": None})
    [outcome] = adding.write(writing, [keyless])
    if outcome["id"] is None:
        raise Erased("This statement was erased; it is not brought back by an import.")
    return prepared.id


def join_chain(
    writing: Writing,
    old_id: str,
    new_id_: str,
    start: datetime | None,
    reason: str,
    confidence: float | None = None,
    is_given: bool = False,
) -> Row:
    """Puts a stored memory into the chain of another in the open transaction; `confidence` is a judge's.

    `is_given`: the new one was stored in this transaction, and a refusal leaves nothing of it.
    """
    [found] = writing.run(CHAIN, old=old_id, new=new_id_, start=start)
    old, new = _named(found["old"], old_id), _named(found["new"], new_id_)
    _refuse(old, new, found["company"], is_given)
    neighbours = [row for row in (found["before"], found["after"]) if row]
    given_end = None if new["valid_to"] >= FOREVER else new["valid_to"]
    place = insert([_member(row) for row in neighbours], start or new["valid_from"], given_end)
    edits = [
        Edit(
            new_id_, {"valid_from": place.valid_from, "valid_to": place.valid_to, "chain_id": old["chain_id"]}
        )
    ]
    if place.before:
        edits.append(Edit(place.before.id, {"valid_to": place.before_ends}))
    before = rewrite(writing, {row["id"]: row for row in (new, *neighbours)}, edits)
    effects = _join(writing, place, new_id_, reason, confidence)
    neighbour = place.before or place.after
    if neighbour is not None:
        effects |= inherit(writing, neighbour.id, new_id_, new["text"])
    share(writing, [new_id_])
    rescore_some(writing.tx, writing.settings, [edit.id for edit in edits], writing.now, "SUPERSEDED")
    after = {edit.id: edit.set for edit in edits}
    named = [member.id for member in (place.before, place.after) if member]
    decision = Decision(
        Operation.SUPERSEDE,
        targets=[new_id_],
        sources=named,
        reason=reason,
        classification="CORRECTION" if place.is_correction else "SUPERSEDE",
        confidence=confidence,
        before=before,
        after=after,
        effects=effects,
    )
    writing.decide(decision, touched=[new_id_, *named])
    return {"old": old_id, "new": new_id_, "chain_id": old["chain_id"], "notes": list(place.notes)}


def _join(writing: Writing, place: Insertion, new: str, reason: str, confidence: float | None) -> Row:
    """Opens the links of the new version; the link it stands in the place of is closed."""
    pairs = [(new, place.before.id, reason)] if place.before else []
    if place.after:
        late = f"Continues from an earlier version that was learnt later. {reason}".strip()
        pairs.append((place.after.id, new, late))
    judged = {"confidence": 1.0 if confidence is None else confidence}
    links = [
        {"id": new_id(), "from": newer, "to": older, "reason": why, "open_key": f"{newer}>{older}", **judged}
        for newer, older, why in pairs
    ]
    rows = writing.run(
        JOIN,
        rows=links,
        pending=PENDING,
        forever=FOREVER,
        now=writing.now,
        actor=writing.call.actor,
        run_id=writing.call.run_id,
    )
    closed = sorted({id for row in rows for id in row["closed"]})
    return {"links_opened": [link["id"] for link in links], "links_closed": closed}


def _named(row: Row | None, id: str) -> Row:
    if row is None:
        raise NotFound(f"There is no memory {id}, or it belongs to someone else.")
    return row


def _refuse(old: Row, new: Row, company: int, is_given: bool) -> None:
    if old["id"] == new["id"] or old["chain_id"] == new["chain_id"]:
        raise Conflict("Both are versions of one truth already; a memory cannot supersede its own chain.")
    if company > 1:
        raise Conflict(
            f"Memory {new['id']} has other versions already; only one without any can become a version of another. Undo the "
            "change SUPERSEDE that made it one, which stands among its changes, or give what is true instead as a new text."
        )
    require_to_supersede(new, old, is_given)
    for row in (old, new):
        if row["status"] != Status.ACTIVE:
            raise IllegalMove(
                f"Memory {row['id']} is {row['status'].lower()}; only active memories supersede or are superseded."
            )


def _member(row: Row) -> Member:
    return Member(row["id"], row["valid_from"], row["valid_to"])

"""The life of a memory after it was added: revise, mark, archive, restore, retract, expire. Nothing is destroyed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from graph_memory.base.errors import Expired, Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import check_id
from graph_memory.base.moments import check_time
from graph_memory.entities.claims import read_again
from graph_memory.entities.relations import relate_again
from graph_memory.entities.resolution import mention_again
from graph_memory.language import texts
from graph_memory.ledger.activity import used
from graph_memory.ledger.changes import Answer, Call, Decision, Writing, carry_out
from graph_memory.memory.properties import as_stored, for_ledger, properties_of
from graph_memory.memory.reading import get
from graph_memory.memory.states import Edit, give_way, load, moved, require_move, rewrite, twins
from graph_memory.memory.validation import check
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact, Status
from graph_memory.scoring.columns import left_after_expiry
from graph_memory.scoring.rescoring import rescore_some
from graph_memory.scoring.settings import ArchiveSettings
from graph_memory.scoring.terms import SCORED, Facts
from graph_memory.store.service import Row, Service

_MAX_REASON = 1000


@dataclass(frozen=True)
class Revision:
    """What to change of a memory; None leaves it as it is. `feedback` is what people say of it, -1 to 1."""

    text: str | None = None
    kind: str | None = None
    tags: tuple[str, ...] | None = None
    metadata: Mapping[str, Any] | None = None
    confidence: float | None = None
    importance: float | None = None
    critical: bool | None = None
    pinned: bool | None = None
    happens_at: datetime | None = None
    expires_at: datetime | None = None
    feedback: float | None = None


def revise(service: Service, call: Call, id: str, revision: Revision, reason: str = "") -> Answer:
    """Changes a memory in place: it speaks for its whole interval; what it said before is read by `knownAt`.

    Raises NotFound, Invalid, LiveTwin. A text is embedded anew; scores follow at once.
    """
    given = _given(revision)
    if not given:
        raise Invalid("Nothing to change was given.", path="revision")
    changed = _checked(service, given)
    if "text" in changed:
        changed |= _derived(service, call, id, changed["text"])

    def work(writing: Writing) -> Row:
        done = _revised(writing, id, changed, reason)
        if SCORED & changed.keys():
            rescore_some(writing.tx, writing.settings, [id], writing.now, "REVISED")
        return done

    return carry_out(service, call, "reviseMemory", [check_id(id), given, reason], work)


def check_revision(service: Service, revision: Revision) -> None:
    """Raises Invalid for what is wrong with the values of a revision, whatever memory it is of."""
    _checked(service, _given(revision))


def _given(revision: Revision) -> Row:
    return {name: value for name, value in vars(revision).items() if value is not None}


def reworded(service: Service, call: Call, id: str, text: str) -> Row:
    """The properties that another text gives a memory, for `reword`. Raises Invalid for a text that may not be kept."""
    checked = _checked(service, {"text": text})
    return {**checked, **_derived(service, call, id, checked["text"])}


def reword(writing: Writing, id: str, properties: Row, reason: str) -> None:
    """Gives a memory another text in the open transaction, as a revision. Raises NotFound, LiveTwin."""
    _revised(writing, id, properties, reason)


def archive(service: Service, call: Call, ids: Sequence[str], reason: str = "") -> Answer:
    """Takes memories out of every default answer; restorable. All or none; IllegalMove for one that is not active."""
    return _move(service, call, "archiveMemories", Operation.ARCHIVE, ids, Status.ARCHIVED, reason)


def restore(
    service: Service,
    call: Call,
    ids: Sequence[str],
    reason: str = "",
    cascade: bool = False,
    expires_at: datetime | None = None,
) -> Answer:
    """Brings archived or retracted memories back with text, tags, links and vector as they were.

    Raises LiveTwin when the same statement has become live meanwhile; with `cascade` that memory is archived by the
    same change, so that taking it back returns both to where they were. Raises Expired for one that the rule of expiry
    would archive again; `expires_at` gives them all a new end.
    """
    end = None if expires_at is None else check_time("expiresAt", expires_at)
    more = {} if end is None else {"expires_at": end}
    return _move(
        service, call, "restoreMemories", Operation.RESTORE, ids, Status.ACTIVE, reason, cascade, more
    )


def retract(service: Service, call: Call, ids: Sequence[str], reason: str = "") -> Answer:
    """Says that memories should never have been believed. They stay in history only; a predecessor does not return."""
    return _move(service, call, "retractMemories", Operation.DELETE, ids, Status.RETRACTED, reason)


def expire(service: Service, call: Call, id: str, at: datetime | None = None, reason: str = "") -> Answer:
    """Ends a memory's validity, now or at a moment of its interval."""
    end = check_time("at", at) if at else None

    def work(writing: Writing) -> Row:
        [row] = load(writing, [id]).values()
        when = end or writing.now
        if not row["valid_from"] <= when <= row["valid_to"]:
            raise Invalid(
                f"The memory cannot end at {when:%Y-%m-%dT%H:%M:%SZ}: it began at {row['valid_from']:%Y-%m-%dT%H:%M:%SZ}, "
                "and its end can only become earlier.",
                path="at",
            )
        return _carry_out(
            writing, {id: row}, [Edit(id, {"valid_to": when})], Operation.UPDATE, "EXPIRE", reason
        )

    return carry_out(service, call, "expireMemory", [check_id(id), end, reason], work)


def _revised(writing: Writing, id: str, values: Row, reason: str) -> Row:
    [row] = load(writing, [id]).values()
    done = _carry_out(writing, {id: row}, [Edit(id, values)], Operation.UPDATE, "REVISE", reason)
    if "text" in values:
        relate_again(writing, id)
    return done


def _derived(service: Service, call: Call, id: str, text: str) -> Row:
    """What follows from a new text, computed before the transaction begins. A memory's heading never changes.

    What a person confirmed was the old text.
    """
    known = get(service, call.scope.for_writing(), id)
    heading = known.heading if known else ""
    return {**properties_of(service, text, heading), "confirmed_at": None, "confirmed_by": None}


def _move(
    service: Service,
    call: Call,
    name: str,
    operation: Operation,
    ids: Sequence[str],
    to: Status,
    reason: str,
    cascade: bool = False,
    more: Mapping[str, Any] = MappingProxyType({}),
) -> Answer:
    wanted = list(dict.fromkeys(check_id(id) for id in ids))

    def work(writing: Writing) -> Row:
        rows = load(writing, wanted)
        for row in rows.values():
            require_move(row, to)
            if to is Status.ACTIVE:
                _refuse_expired({**row, **more}, writing)
        archived_at = writing.now if to is Status.ARCHIVED else None
        archive_reason = reason if to is Status.ARCHIVED else None
        values = moved(
            to, archived_at=archived_at, archive_reason=archive_reason, quarantined_by=None, **more
        )
        edits = [Edit(id, values) for id in wanted]
        retired = twins(writing, rows, edits) if cascade else {}
        done = _carry_out(writing, rows, edits, operation, to.value, reason, retired)
        if to is Status.ACTIVE:
            # Bringing back is a use; else the next run would archive again what a person wanted.
            used(writing.tx, dict.fromkeys(wanted, 0), dict.fromkeys(wanted, writing.now), restores=False)
            rescore_some(writing.tx, writing.settings, wanted, writing.now, "RESTORED")
        return done

    # A body from before there was an end to give stays the same one.
    return carry_out(service, call, name, [wanted, reason, cascade, *more.values()], work)


def _refuse_expired(row: Row, writing: Writing) -> None:
    facts = Facts(row["created_at"], critical=row["critical"], expires_at=row.get("expires_at"))
    if (
        writing.settings[ArchiveSettings].expired
        and left_after_expiry(facts, writing.now, writing.settings) == 0.0
    ):
        raise Expired(row["id"], row["expires_at"])


def _carry_out(
    writing: Writing,
    rows: Mapping[str, Row],
    edits: Sequence[Edit],
    operation: Operation,
    what: str,
    reason: str,
    retired: Mapping[str, Row] | None = None,
) -> Row:
    """One Change for each edit. `retired` is the live twin that gives way to a memory; its change holds both."""
    why = texts.clean(reason, _MAX_REASON, "reason") if reason else ""
    ways = {id: give_way(writing, twin, id) for id, twin in (retired or {}).items()}
    loaded = {**rows, **{twin["id"]: twin for twin in (retired or {}).values()}}
    before = rewrite(writing, loaded, [*edits, *ways.values()])
    for edit in edits:
        both = [edit, ways[edit.id]] if edit.id in ways else [edit]
        decision = Decision(
            operation,
            [edit.id],
            sources=[each.id for each in both[1:]],
            reason=why,
            classification=what,
            before={each.id: for_ledger(before[each.id]) for each in both},
            after={each.id: for_ledger(each.set) for each in both},
            effects=_named_again(writing, edit, before[edit.id]) if "text" in edit.set else {},
        )
        writing.decide(decision, touched=[each.id for each in both])
    return {"ids": [edit.id for edit in edits]}


def _named_again(writing: Writing, edit: Edit, before: Row) -> Row:
    """Reads names and claims in a new text; what was done, for the ledger. The names come first: claims are of them."""
    named = mention_again(writing, edit.id, before["text"])
    return {**named, **read_again(writing, [edit.id])}


def _checked(service: Service, given: Mapping[str, Any]) -> Row:
    """The values under the names of their properties, checked as those of a new fact."""
    marks = {name: value for name, value in given.items() if name in ("critical", "pinned", "feedback")}
    rest = {name: value for name, value in given.items() if name not in marks}
    faults = Gathered()
    faults.of(_check_feedback, marks.get("feedback", 0))
    fact = faults.of(check, service, Fact(**{"text": "unchanged", "entities": (), **rest}), "revision")
    faults.refuse()
    values: Row = {**marks, **{name: getattr(fact, name) for name in rest}}
    if "text" in values:
        values["labels"] = fact.labels
    if "importance" in values:
        values["base_importance"] = values["importance"]
    return as_stored(values)


def _check_feedback(value: float) -> None:
    if not -1 <= value <= 1:
        path = "revision.feedback"
        raise Invalid(f"{path} is {value}; it must lie between -1 and 1.", path=path)

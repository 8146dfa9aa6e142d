"""Making and removing links between memories: checked first, all or nothing, each a decision in the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import IllegalMove, Invalid, NotFound
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import check_id, new_id
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import PENDING, Answer, Call, Decision, Writing, carry_out, check_reason
from graph_memory.model.change import Operation
from graph_memory.model.link_kinds import LINKABLE, linkable, stored_as
from graph_memory.model.memory import Status
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

MAKE = query("links/make")
FIND = query("links/find")
CLOSE = query("links/close")
STATISTICS = query("links/statistics")
STATISTICS_OF = query("links/statistics_of")

# The request by which somebody links memories: what others make follows from rules and judges.
BY_HAND = "linkMemories"

_Key = tuple[str, str, str]

_MAX_LINKS = 1000
# What a memory must be for a new link to end at it. A merged one has its successor, a retracted one was wrong.
_MAY_BE_LINKED = frozenset({Status.ACTIVE, Status.ARCHIVED})


class LinkOutcome(StrEnum):
    """What became of a wanted link."""

    LINKED = "LINKED"
    EXISTS = "EXISTS"


@dataclass(frozen=True)
class Wanted:
    """A link to make. `kind` is a type or an alias, in any case."""

    from_id: str
    to_id: str
    kind: str
    confidence: float = 1.0
    strength: float = 1.0
    reason: str = ""


@dataclass(frozen=True)
class Linked:
    """The open link that holds now: a new one, or the one that was there, left as it was."""

    id: str
    outcome: LinkOutcome


@dataclass(frozen=True)
class Statistics:
    """How many links there are, by type and direction. Each stands once in `by_type`, in the direction it is stored."""

    total: int
    by_type: Mapping[str, int]
    inbound_by_type: Mapping[str, int]
    outbound_by_type: Mapping[str, int]

    @property
    def total_inbound(self) -> int:
        return sum(self.inbound_by_type.values())

    @property
    def total_outbound(self) -> int:
        return sum(self.outbound_by_type.values())


def link(
    service: Service,
    call: Call,
    from_id: str,
    to_id: str,
    kind: str,
    confidence: float = 1.0,
    strength: float = 1.0,
    reason: str = "",
) -> tuple[Linked, Answer]:
    """Links one memory to another. Making an open link again changes nothing and answers EXISTS.

    Raises Invalid, NotFound for an end that is missing or another subject's, IllegalMove for a retracted one.
    """
    [linked], answer = link_many(service, call, [Wanted(from_id, to_id, kind, confidence, strength, reason)])
    return linked, answer


def link_many(service: Service, call: Call, wanted: Sequence[Wanted]) -> tuple[list[Linked], Answer]:
    """One Linked for each wanted link, in order; all of them or none."""
    if len(wanted) > _MAX_LINKS:
        raise Invalid(f"At most {_MAX_LINKS} links are made in one call, not {len(wanted)}.", path="links")
    faults = Gathered()
    rows = [faults.of(check, each, f"links[{index}]") for index, each in enumerate(wanted)]
    faults.refuse()
    answer = carry_out(service, call, BY_HAND, rows, lambda writing: make(writing, rows))
    return [Linked(item["id"], LinkOutcome(item["outcome"])) for item in answer.value], answer


def make(writing: Writing, rows: Sequence[Row]) -> list[Row]:
    """Opens the links in the open transaction: `{from, to, kind, confidence, strength, reason}` each."""
    first = {_key(row): row for row in reversed(rows)}
    fresh = {key: _laid_out(writing, first[key]) for key in sorted(first)}
    made = writing.run(MAKE, rows=list(fresh.values()), pending=PENDING, forever=FOREVER, now=writing.now)
    found = {row["id"]: row for row in made}
    for row in fresh.values():
        _refuse(found[row["id"]], row)
        if found[row["id"]]["holder"] == row["id"]:
            _decide_made(writing, row)
    return _answers(rows, {key: (row["id"], found[row["id"]]["holder"]) for key, row in fresh.items()})


def unlink(
    service: Service, call: Call, which: str | tuple[str, str, str], reason: str = ""
) -> tuple[str, Answer]:
    """Closes an open link, named by its id or by `(from, to, kind)`; its history stays. Answers its id.

    Raises NotFound for one that is not open, Invalid for a type that is not made by hand.
    """
    named = check_id(which) if isinstance(which, str) else _ends(which)
    why = check_reason(reason)

    def work(writing: Writing) -> Row:
        id = named if isinstance(named, str) else _open_between(writing, named)
        return {"id": _close(writing, id, why)}

    answer = carry_out(service, call, "unlinkMemories", [named, why], work)
    return str(answer.value["id"]), answer


def statistics(service: Service, scope: Scope, id: str | None = None, moment: Moment = NOW) -> Statistics:
    """How many links a memory has, or all memories of the scope; NotFound for an unknown memory.

    Links are counted as they were recorded then, whatever became of the memories at their ends.
    """
    known_at = moment.at(service.clock())[1]
    if id is None:
        rows = service.read(scope, STATISTICS, known_at=known_at)
    else:
        rows = service.read(scope, STATISTICS_OF, id=check_id(id), known_at=known_at)
        if not rows:
            raise NotFound(f"There is no memory {id}, or it belongs to someone else.")
    found = sorted((row for row in rows if row["kind"]), key=lambda row: row["kind"])
    return Statistics(
        total=sum(row["total"] for row in found),
        by_type={row["kind"]: row["total"] for row in found},
        inbound_by_type={row["kind"]: row["inbound"] for row in found if row["inbound"]},
        outbound_by_type={row["kind"]: row["outbound"] for row in found if row["outbound"]},
    )


def check(wanted: Wanted, path: str) -> Row:
    """What is wanted, as it is stored; `path` names it in messages. All that is wrong with it is told at once."""
    faults = Gathered()
    told = faults.of(check_told, wanted, path)
    ends = [
        faults.of(check_id, id, path=f"{path}.{end}")
        for end, id in (("from_id", wanted.from_id), ("to_id", wanted.to_id))
    ]
    if all(ends):
        faults.of(_check_apart, ends[0], ends[1], f"{path}.to_id")
    faults.refuse()
    start, end = stored_as(told["kind"], *ends)
    return {**told, "kind": told["kind"].value, "from": start, "to": end}


def check_told(wanted: Wanted, path: str) -> Row:
    """What is told of a link, without its ends."""
    faults = Gathered()
    told = {
        "kind": faults.of(linkable, wanted.kind, f"{path}.kind"),
        "confidence": faults.of(share, "confidence", wanted.confidence, path),
        "strength": faults.of(share, "strength", wanted.strength, path),
        "reason": faults.of(check_reason, wanted.reason, f"{path}.reason"),
    }
    faults.refuse()
    return told


def _check_apart(start: str, end: str, path: str) -> None:
    if start == end:
        raise Invalid("A memory cannot be linked to itself.", path=path)


def share(name: str, value: float, path: str = "") -> float:
    """The value, when it lies between 0 and 1; Invalid otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Invalid(f"{name} must be a number between 0 and 1.", path=f"{path}.{name}".lstrip("."))
    return float(value)


def _laid_out(writing: Writing, row: Row) -> Row:
    return {
        **row,
        "id": new_id(),
        "open_key": f"{row['from']}>{row['to']}",
        "created_by": writing.call.actor,
        "run_id": writing.call.run_id,
    }


def _refuse(found: Row, wanted: Row) -> None:
    for end in ("from", "to"):
        status = found[f"{end}_status"]
        if status is None:
            raise NotFound(f"There is no memory {wanted[end]}, or it belongs to someone else.")
        if status not in _MAY_BE_LINKED:
            raise IllegalMove(f"Memory {wanted[end]} is {status.lower()}; it cannot be linked.")


def _decide_made(writing: Writing, row: Row) -> None:
    ends = [row["from"], row["to"]]
    writing.decide(
        Decision(
            Operation.LINK,
            targets=ends,
            reason=row["reason"],
            classification=row["kind"],
            confidence=row["confidence"],
            effects={"links_opened": [row["id"]], "links": {row["id"]: row}},
        ),
        touched=ends,
    )


def _answers(rows: Sequence[Row], made: Mapping[_Key, tuple[str, str]]) -> list[Row]:
    """What became of each wanted link; the first of several equal ones made it."""
    told: set[_Key] = set()
    answers = []
    for row in rows:
        own, holder = made[_key(row)]
        outcome = LinkOutcome.LINKED if own == holder and _key(row) not in told else LinkOutcome.EXISTS
        told.add(_key(row))
        answers.append({"id": holder, "outcome": outcome.value})
    return answers


def _key(row: Row) -> _Key:
    """What is open once. In this order all writers take their locks."""
    return row["from"], row["to"], row["kind"]


def _ends(which: tuple[str, str, str]) -> tuple[str, str, str]:
    start, end, name = which
    kind = linkable(name)
    return (*stored_as(kind, check_id(start), check_id(end)), kind.value)


def _open_between(writing: Writing, named: tuple[str, str, str]) -> str:
    start, end, kind = named
    rows = writing.run(FIND, **{"from": start, "to": end, "kind": kind})
    if not rows:
        raise NotFound(f"There is no open link {kind} from {start} to {end}, or it belongs to someone else.")
    return str(rows[0]["id"])


def _close(writing: Writing, id: str, reason: str) -> str:
    closed = writing.run(CLOSE, id=id, pending=PENDING, forever=FOREVER)
    if not closed:
        raise NotFound(f"There is no open link {id}, or it belongs to someone else.")
    [row] = closed
    if row["kind"] not in LINKABLE:
        raise IllegalMove(f"This {row['kind']} link was made by another change; undo that change instead.")
    ends = [row["from_id"], row["to_id"]]
    link = {**row["link"], "kind": row["kind"], "from": row["from_id"], "to": row["to_id"]}
    writing.decide(
        Decision(
            Operation.UNLINK,
            targets=ends,
            reason=reason,
            classification=row["kind"],
            effects={"links_closed": [id], "links": {id: link}},
        ),
        touched=ends,
    )
    return id

"""The ledger: one Change for each decision, in the transaction of its effect, and one Request for each call.

A write is `carry_out`: the Request is claimed, the work runs, and the last statement takes the tenant's sequence
and recorded time and writes the Changes. What the work wrote with the time PENDING gets the recorded time there,
so the sequence is held for one statement and the commit only.

Each Change has a digest of what it holds and a chain value over the one before it in its subject and that digest; the
subject holds the last one. So a change that is altered, taken out or moved is found. The chain is the subject's
because its writers follow one another anyway: the lock tells where it ends, and nobody comes between.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from graph_memory.base.clock import ALWAYS
from graph_memory.base.errors import Conflict, Erased, IdempotencyMismatch, Invalid
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.base.sections import Sections
from graph_memory.language import texts
from graph_memory.model.change import Operation
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service, Transaction

CLAIM = query("ledger/claim")
LOCK = query("ledger/lock")
SEAL = query("ledger/seal")
CHANGES = query("ledger/changes")
HEAD = query("ledger/head")
OF_REQUEST = query("ledger/of_request")
OF_OPERATION = query("ledger/of_operation")
OF_TARGET = query("ledger/of_target")
COUNT = query("ledger/count")
COUNT_OF_OPERATION = query("ledger/count_of_operation")
COUNT_OF_TARGET = query("ledger/count_of_target")
SEQUENCES = query("ledger/sequences")
LATEST = query("ledger/latest")

# Stands in for the recorded time until the last statement of the transaction knows it.
PENDING = ALWAYS
MAX_KEY = 255
MAX_REASON = 1000
# What compaction and erasure empty of a Change; the rest stays for ever.
PAYLOAD = ("before", "after", "effects")
_COVERED = (
    "salt",
    "id",
    "operation",
    "targets",
    "sources",
    "actor",
    "reason",
    "classification",
    "confidence",
    "session_id",
    "run_id",
    "request_id",
    *PAYLOAD,
)
_OPTIONAL = ("place", "classification", "confidence", "session_id", "run_id", "undone_by")


@dataclass(frozen=True)
class Call:
    """Who asks, for whom, and under which idempotency key. `run_id` where a Run acts."""

    scope: Scope
    actor: str
    key: str | None = None
    session_id: str | None = None
    run_id: str | None = None

    def __post_init__(self) -> None:
        check_key(self.key)


def check_key(key: str | None) -> None:
    """Invalid for a key that is none, so that it is told beside what else is wrong with a request."""
    if key is not None and not 1 <= len(key) <= MAX_KEY:
        raise Invalid(f"An idempotency key has 1 to {MAX_KEY} characters.", path="idempotencyKey")


def check_reason(reason: str, path: str = "reason") -> str:
    """The reason of a change as it is kept."""
    return texts.clean(reason, MAX_REASON, path) if reason else ""


@dataclass(frozen=True)
class Decision:
    """What becomes a Change. `before` and `after` map memory ids to what changed of them.

    `effects` names the links and mentions that were opened and closed: undo needs them.
    """

    operation: Operation
    targets: Sequence[str]
    sources: Sequence[str] = ()
    reason: str = ""
    classification: str | None = None
    confidence: float | None = None
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    effects: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What a call did: plain data, the same again when the key is used again."""

    value: Any
    replayed: bool
    request_id: str


class Writing:
    """The open write of one call: statements, decisions, and which memories get the recorded time."""

    def __init__(
        self,
        tx: Transaction,
        call: Call,
        request_id: str,
        now: datetime,
        settings: Sections,
        sequence: int = 0,
    ) -> None:
        self.tx = tx
        # How many writes the subject has seen, this one counted.
        self.sequence = sequence
        self.settings = settings
        self.call = call
        self.request_id = request_id
        self.now = now
        self.decisions: list[Decision] = []
        self.touched: set[str] = set()

    @property
    def scope(self) -> Scope:
        return self.tx.scope

    def run(self, statement: Query, **values: Any) -> list[Row]:
        """The rows of a query in this transaction."""
        return self.tx.run(statement, **values)

    def decide(self, decision: Decision, touched: Sequence[str] = ()) -> None:
        """Adds a Change; `touched` are the memories whose pending times it settles."""
        self.decisions.append(decision)
        self.touched.update(touched)

    def add_effects(self, **effects: Any) -> None:
        """What the last Change has done beside: undo takes it back with that one."""
        last = self.decisions[-1]
        self.decisions[-1] = replace(last, effects={**last.effects, **effects})


def carry_out(
    service: Service,
    call: Call,
    operation: str,
    body: Any,
    work: Callable[[Writing], Any],
    is_activity: bool = True,
) -> Answer:
    """What `work` answers (plain data), committed once for each key.

    The same key and body answer again what was answered; another body raises IdempotencyMismatch. An error that
    `work` raises leaves nothing behind. All writes of one subject follow one another. A write makes its day a day of
    activity of the subject, unless a Run does it or `is_activity` is false.
    """
    scope = call.scope.for_writing()
    request_id = new_id()
    fingerprint = _fingerprint([scope.subject, body])

    def attempt(tx: Transaction) -> Answer:
        earlier = _claim(tx, call, operation, request_id, fingerprint, service.clock())
        if earlier is not None:
            return earlier
        writing, chain = _begun(service, tx, call, request_id, is_activity=is_activity)
        value = work(writing)
        _seal(writing, value, service.clock(), chain)
        return Answer(value, replayed=False, request_id=request_id)

    return service.write(scope, attempt)


class _RehearsedError(Exception):
    """Ends a rehearsal, so that its transaction is rolled back."""


def rehearse(service: Service, call: Call, work: Callable[[Writing], Any]) -> None:
    """Raises what `work` would raise if it were carried out now, and keeps nothing of what it writes."""
    scope = call.scope.for_writing()

    def attempt(tx: Transaction) -> None:
        work(_begun(service, tx, call, new_id(), is_activity=False)[0])
        raise _RehearsedError

    with suppress(_RehearsedError):
        service.write(scope, attempt)


def changes(
    service: Service,
    scope: Scope,
    after: int = 0,
    first: int = 100,
    operations: Sequence[Operation] = (),
    target: str | None = None,
) -> list[Row]:
    """The Changes of a scope whose number lies above `after`, oldest first, each as a flat map.

    Only those of the `operations`, and only those that made or changed the memory `target`, where any is named.
    """
    if scope.is_bound and after:
        known = sequences(service, scope, [after])
        if after not in known:
            return []
        after = known[after]
    kinds = [operation.value for operation in operations]
    if target is not None:
        rows = service.read(scope, OF_TARGET, after=after, first=first, target=target, operations=kinds)
    elif kinds:
        rows = service.read(scope, OF_OPERATION, after=after, first=first, operations=kinds)
    else:
        rows = service.read(scope, CHANGES, after=after, first=first)
    return [opened(row["change"]) for row in rows]


def latest(
    service: Service,
    scope: Scope,
    first: int,
    operations: Sequence[Operation] = (),
    target: str | None = None,
) -> list[Row]:
    """The last Changes of a scope, newest first, narrowed as with `changes`."""
    kinds = [operation.value for operation in operations]
    rows = service.read(scope, LATEST, first=first, operations=kinds, target=target)
    return [opened(row["change"]) for row in rows]


def count(
    service: Service, scope: Scope, operations: Sequence[Operation] = (), target: str | None = None
) -> int:
    """How many Changes `changes` comes to, from the start on."""
    kinds = [operation.value for operation in operations]
    if target is not None:
        rows = service.read(scope, COUNT_OF_TARGET, after=0, target=target, operations=kinds)
    elif kinds:
        rows = service.read(scope, COUNT_OF_OPERATION, after=0, operations=kinds)
    else:
        rows = service.read(scope, COUNT, after=0)
    return int(rows[0]["total"])


def head(service: Service, scope: Scope) -> int:
    """The sequence number of the tenant's last change, 0 when it has none."""
    return next((int(row["sequence"]) for row in service.read(scope, HEAD)), 0)


def number(scope: Scope, change: Mapping[str, Any]) -> int:
    """What a change is called: its place in the tenant's ledger, or for a bound scope that among its subject's own.

    A number of the tenant's would tell whoever is bound to a subject how much others write.
    """
    return int(change["place" if scope.is_bound else "sequence"])


def sequences(service: Service, scope: Scope, numbers: Sequence[int]) -> dict[int, int]:
    """The places in the tenant's ledger by what a scope calls the changes. What it does not see may be missing."""
    if not scope.is_bound:
        return {each: each for each in numbers}
    rows = service.read(scope, SEQUENCES, places=list(numbers))
    return {row["place"]: row["sequence"] for row in rows}


def changes_of(service: Service, scope: Scope, request_id: str) -> list[int]:
    """The sequence numbers of the changes that a request carried: what `undo` takes."""
    return [row["sequence"] for row in service.read(scope, OF_REQUEST, request_id=request_id)]


def opened(change: Row) -> Row:
    """A Change with its payload as plain data; None where compaction or erasure emptied it."""
    return {
        **dict.fromkeys(_OPTIONAL),
        **change,
        **{name: json.loads(change[name]) if change.get(name) else None for name in PAYLOAD},
    }


def _claim(
    tx: Transaction, call: Call, operation: str, request_id: str, fingerprint: str, now: datetime
) -> Answer | None:
    key = call.key or request_id
    wall = call.scope.subject if call.scope.is_bound else "*"
    [row] = tx.run(
        CLAIM,
        id=request_id,
        wall=wall,
        operation=operation,
        key=key,
        fingerprint=fingerprint,
        actor=call.actor,
        now=now,
    )
    if row["id"] == request_id:
        return None
    if row["fingerprint"] != fingerprint:
        raise IdempotencyMismatch(path="idempotencyKey")
    if row["erased_at"] is not None:
        raise Erased()
    if row["answer"] is None:
        raise Conflict("The first request with this key is still being carried out; ask again in a moment.")
    return Answer(json.loads(row["answer"]), replayed=True, request_id=row["id"])


def _begun(
    service: Service, tx: Transaction, call: Call, request_id: str, *, is_activity: bool
) -> tuple[Writing, str | None]:
    """The open write, from when the subject is locked, and where the subject's chain of changes ends."""
    [locked] = tx.run(
        LOCK,
        name=tx.scope.subject_name,
        tenant_name=tx.scope.tenant_name,
        now=service.clock(),
        is_activity=is_activity and call.run_id is None,
    )
    writing = Writing(tx, call, request_id, service.clock(), service.settings, locked["sequence"])
    return writing, locked["chain"]


def _seal(writing: Writing, value: Any, now: datetime, last: str | None) -> None:
    """`last` is where the subject's chain ends since it was locked."""
    changes = [_change(writing, decision) for decision in writing.decisions]
    writing.run(
        SEAL,
        request_id=writing.request_id,
        answer=json.dumps(value),
        now=now,
        pending=PENDING,
        touched=sorted(writing.touched),
        changes=changes,
        chain=_chain(changes, last),
    )


def digest(change: Row) -> str:
    """What tells whether a change was altered: it covers all that was decided, salted with what compaction removes."""
    return hashlib.sha256(_json([change.get(name) for name in _COVERED]).encode()).hexdigest()


def chained(last: str | None, digest: str) -> str:
    """The chain value of a change: over that of the change before it in its subject and its own digest."""
    return hashlib.sha256(f"{last or ''}>{digest}".encode()).hexdigest()


def _chain(changes: Sequence[Row], last: str | None) -> str | None:
    """Gives the changes their chain values, in place; where the chain ends then."""
    for change in changes:
        last = change["chain"] = chained(last, change["digest"])
    return last


def _change(writing: Writing, decision: Decision) -> Row:
    change = {
        "id": new_id(),
        "operation": decision.operation.value,
        "targets": list(decision.targets),
        "sources": list(decision.sources),
        "reason": decision.reason,
        "classification": decision.classification,
        "confidence": decision.confidence,
        "before": _json(decision.before),
        "after": _json(decision.after),
        "effects": _json(decision.effects),
        "actor": writing.call.actor,
        "session_id": writing.call.session_id,
        "run_id": writing.call.run_id,
        "request_id": writing.request_id,
        "salt": secrets.token_hex(8),
    }
    return {**change, "digest": digest(change)}


def _fingerprint(body: Any) -> str:
    return hashlib.sha256(_json(body).encode()).hexdigest()


def _json(value: Any) -> str:
    return json.dumps(value, default=_spelled, sort_keys=True, separators=(",", ":"))


def _spelled(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)

"""Looks for what breaks an invariant, tenant by tenant, while the store is in use."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from types import MappingProxyType

from graph_memory.base.clock import FOREVER
from graph_memory.base.scope import Scope
from graph_memory.jobs.settings import JobsSettings
from graph_memory.ledger.changes import PENDING, chained, digest
from graph_memory.model.community import CommunityChange
from graph_memory.model.link_kinds import DERIVED, SYMMETRIC
from graph_memory.model.memory import STATE_RANK
from graph_memory.model.run import Status as RunStatus
from graph_memory.model.webhook import WebhookStatus
from graph_memory.models import spaces
from graph_memory.models.spaces import Following
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service
from graph_memory.transfer.shapes import EVERYBODY
from graph_memory.verify.anchors import Anchor
from graph_memory.verify.invariants import (
    ANCHORED,
    CODES,
    DIGESTS,
    ENDED,
    ENDS,
    INVARIANTS,
    SIZE,
    UNALTERED,
    UNBROKEN,
    UNOWNED,
)

TENANTS = query("system/tenants")

# How far clocks may differ, and how late the minute job may be.
SKEW = timedelta(minutes=5)
# A writer may commit in the middle of a query; what is still there after this was really there.
_SECOND_LOOK = 0.2
_PAGE = 5000
_EXAMPLES = 20


@dataclass(frozen=True)
class Finding:
    """What breaks one rule in one tenant: how many, and the ids of at most twenty."""

    invariant: str
    rule: str
    tenant: str | None
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """How many break each invariant, with the findings; `checked` memories in `seconds`.

    `anchors` tells for each tenant where its ledger stands now, to be kept elsewhere; none for one without a chain.
    """

    violations: Mapping[str, int]
    findings: tuple[Finding, ...]
    checked: int
    seconds: float
    anchors: Mapping[str, str]

    @property
    def is_clean(self) -> bool:
        return not self.findings


def verify(
    service: Service,
    tenants: Sequence[str] | None = None,
    progress: Callable[[str, int, int], None] = lambda tenant, done, total: None,
    anchors: Mapping[str, Anchor] = MappingProxyType({}),
) -> Report:
    """Checks the named tenants, or all there are and what belongs to none. Reads only.

    `progress` is told the tenant, the rules checked in it, and how many there are. `anchors` are those that were kept
    elsewhere, by tenant.
    """
    begun = time.monotonic()
    names = tenants if tenants is not None else [row["name"] for row in service.system(TENANTS)]
    findings = list(_unowned(service)) if tenants is None else []
    checked, ends = 0, dict[str, str]()
    for name in names:
        scope = Scope(name)
        checked += _rows(service, scope, SIZE)[0]["memories"]
        walked = _Walk(service, scope, anchors.get(name))
        findings += [*walked.findings, *_findings(service, scope, progress)]
        if walked.end:
            ends[name] = str(walked.end)
    violations = dict.fromkeys(CODES, 0)
    for finding in findings:
        violations[finding.invariant] += finding.count
    return Report(violations, tuple(findings), checked, round(time.monotonic() - begun, 3), ends)


def _findings(service: Service, scope: Scope, progress: Callable[[str, int, int], None]) -> Iterator[Finding]:
    for done, invariant in enumerate(INVARIANTS):
        progress(scope.tenant_name, done, len(INVARIANTS))
        row = _seen_twice(partial(_rows, service, scope, invariant.finds))
        if row["violations"]:
            yield Finding(
                invariant.code, invariant.rule, scope.tenant_name, row["violations"], tuple(row["examples"])
            )


class _Walk:
    """Goes through a ledger and looks for changes whose digest or chain value is another.

    What compaction emptied keeps both, but only the chain can be followed there.
    """

    def __init__(self, service: Service, scope: Scope, anchor: Anchor | None) -> None:
        self._service = service
        self._scope = scope
        self._anchor = anchor
        self._after = 0
        self._ends: dict[str, str] = {}
        self._found: dict[str, list[str]] = {
            UNALTERED: [],
            UNBROKEN: [],
            ENDED: [],
            ANCHORED: [str(anchor.sequence)] if anchor else [],
        }
        self._go_on()
        self._found[ENDED] = self._other_ends()

    @property
    def findings(self) -> list[Finding]:
        return [
            Finding("I10", rule, self._scope.tenant_name, len(ids), tuple(ids[:_EXAMPLES]))
            for rule, ids in self._found.items()
            if ids
        ]

    @property
    def end(self) -> Anchor | None:
        """Where the ledger stands now; None for an empty one."""
        return Anchor.at(self._after, self._ends.values()) if self._ends else None

    def _go_on(self) -> None:
        while rows := self._service.batches(self._scope, DIGESTS, after=self._after, first=_PAGE):
            for row in rows:
                self._look(row["id"], row["subject"], row["change"])
                self._after = row["sequence"]
                if self._anchor and self._after == self._anchor.sequence and self.end == self._anchor:
                    self._found[ANCHORED].clear()

    def _look(self, id: str, subject: str, change: Row) -> None:
        if change["salt"] is not None and digest(change) != change["digest"]:
            self._found[UNALTERED].append(id)
        chain, last = change["chain"], self._ends.get(subject)
        if chain is None and last is None:
            # Written before changes were chained by subject.
            return
        if chain != chained(last, change["digest"]):
            self._found[UNBROKEN].append(id)
        self._ends[subject] = chain or ""

    def _other_ends(self) -> list[str]:
        """The subjects that say another end, twice the same, so that it was no writer who came between."""
        first = self._said()
        if not first:
            return []
        time.sleep(_SECOND_LOOK)
        self._go_on()
        second = self._said()
        return sorted(id for id, end in first.items() if second.get(id) == end)

    def _said(self) -> dict[str, str]:
        ends = {row["id"]: row["chain"] or "" for row in _rows(self._service, self._scope, ENDS)}
        return {id: end for id, end in ends.items() if end != self._ends.get(id, "")}


def _unowned(service: Service) -> Iterator[Finding]:
    row = _seen_twice(partial(service.system, UNOWNED))
    if row["violations"]:
        yield Finding("I7", "every node belongs to a tenant", None, row["violations"], tuple(row["examples"]))


def _seen_twice(look: Callable[[], list[Row]]) -> Row:
    [row] = look()
    if row["violations"]:
        time.sleep(_SECOND_LOOK)
        [row] = look()
    return row


def _rows(service: Service, scope: Scope, statement: Query) -> list[Row]:
    """Sent as a batch, because a read is cut off long before a large tenant has been gone through."""
    known = _values(service)
    wanted = {name: known[name] for name in statement.parameters if name in known}
    return service.batches(scope, statement, **wanted)


def _models(service: Service) -> dict[str, int]:
    """The models whose vectors the store may hold, with their sizes: two while it is being changed."""
    space = spaces.read(service.system) if isinstance(service.embedder, Following) else None
    if space is not None:
        return {each.model: each.dimension for each in (space.model, space.next) if each}
    return {service.embedder.model: service.embedder.dimension} if service.embedder else {}


def _values(service: Service) -> Row:
    now = service.clock()
    return {
        "pending": PENDING,
        "forever": FOREVER,
        "soon": now + SKEW,
        "lately": now - SKEW,
        "silent": now
        - timedelta(
            seconds=2 * service.settings[JobsSettings].periods["reconcile"]
            + service.settings[JobsSettings].lease
        ),
        "everybody": EVERYBODY,
        "derived": [kind.value for kind in DERIVED],
        "symmetric": [kind.value for kind in SYMMETRIC],
        "becomings": [kind.value for kind in CommunityChange],
        "statuses": [status.value for status in RunStatus],
        "webhook_statuses": [status.value for status in WebhookStatus],
        "active": WebhookStatus.ACTIVE.value,
        "ranks": {status.value: rank for status, rank in STATE_RANK.items()},
        "models": _models(service),
    }

"""Leases: who may work on a job of a tenant. Each holder has a higher number than all before it.

Times are the database's, so that the clocks of workers do not matter. A holder that was paused past its lease
learns of it at its next write: `check` locks the lease inside the writing transaction and compares the
number.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TypeVar

from graph_memory.base.errors import GraphMemoryError, LeaseLost
from graph_memory.base.scope import Scope
from graph_memory.jobs import owners
from graph_memory.jobs.settings import JobsSettings
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service, Transaction

log = logging.getLogger(__name__)

T = TypeVar("T")

TAKE = query("jobs/lease_take")
RENEW = query("jobs/lease_renew")
RELEASE = query("jobs/lease_release")
CHECK = query("jobs/lease_check")

_RENEWALS = 3  # in the time of one lease


@dataclass(frozen=True)
class Lease:
    """A lease that was taken. `fence` is its number; `lost` is set once another was seen to have taken it."""

    name: str
    owner: str
    fence: int
    seconds: int
    lost: Event = field(default_factory=Event, compare=False)


@contextmanager
def hold(service: Service, scope: Scope, name: str, run: str) -> Iterator[Lease | None]:
    """Holds a lease for `run` and renews it until the block ends; None when another holds it."""
    lease = take(service, scope, name)
    if lease is None:
        yield None
        return
    ended = Event()
    keeper = Thread(target=_keep, args=(service, scope, lease, ended), name=f"lease of {name}", daemon=True)
    keeper.start()
    try:
        yield lease
    finally:
        ended.set()
        keeper.join()
        release(service, scope, lease, run)


def take(service: Service, scope: Scope, name: str) -> Lease | None:
    """The lease, if it is free, has run out, or its holder was a process of this machine that is gone."""
    owner, seconds = owners.new(), service.settings[JobsSettings].lease
    values: Row = {"lease": name, "owner": owner, "milliseconds": seconds * 1000}
    rows = service.write(scope, lambda tx: tx.run(TAKE, **values, gone=None))
    holder = rows[0]["holder"]
    # Whoever gives it back at this moment leaves it without a holder.
    if holder not in (owner, None) and owners.is_gone(holder):
        rows = service.write(scope, lambda tx: tx.run(TAKE, **values, gone=holder))
    return Lease(name, owner, rows[0]["fence"], seconds) if rows[0]["holder"] == owner else None


def renew(service: Service, scope: Scope, lease: Lease) -> bool:
    """Whether it is still ours, and now for another term."""
    rows = service.write(scope, lambda tx: _ask(tx, RENEW, lease, milliseconds=lease.seconds * 1000))
    if not rows:
        lease.lost.set()
    return bool(rows)


def release(service: Service, scope: Scope, lease: Lease, run: str) -> None:
    """Gives it back, if it is ours. When that fails it runs out by itself."""
    try:
        service.write(scope, lambda tx: _ask(tx, RELEASE, lease, run=run))
    except GraphMemoryError as error:
        log.warning("lease_not_released", extra={"lease": lease.name, "code": error.code})


def check(tx: Transaction, lease: Lease) -> None:
    """Keeps others from taking the lease until this transaction ends; LeaseLost when one has."""
    if not _ask(tx, CHECK, lease):
        lease.lost.set()
        raise LeaseLost()


def write(
    service: Service,
    scope: Scope,
    lease: Lease,
    work: Callable[[Transaction], T],
    timeout: float | None = None,
) -> T:
    """What `work` answers, in one transaction that first checks the lease; LeaseLost when another has taken it."""

    def fenced(tx: Transaction) -> T:
        check(tx, lease)
        return work(tx)

    return service.write(scope, fenced, timeout)


def _ask(tx: Transaction, statement: Query, lease: Lease, **values: object) -> list[Row]:
    return tx.run(statement, lease=lease.name, owner=lease.owner, fence=lease.fence, **values)


def _keep(service: Service, scope: Scope, lease: Lease, ended: Event) -> None:
    while not ended.wait(lease.seconds / _RENEWALS):
        try:
            if not renew(service, scope, lease):
                log.warning("lease_lost", extra={"lease": lease.name, "fence": lease.fence})
                return
        except Exception as error:  # noqa: BLE001 - a renewal that fails is tried again; the fence decides
            log.warning("lease_not_renewed", extra={"lease": lease.name, "fault": type(error).__name__})

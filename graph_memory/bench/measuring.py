"""What the benchmarks share: a throw-away tenant, progress, counted statements, percentiles."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from graph_memory.base.scope import Scope
from graph_memory.bench.link_quality import Share
from graph_memory.bench.places import is_thrown_away
from graph_memory.bootstrap import all_settings
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service, Transaction

T = TypeVar("T")

ERASE = query("bench/erase")
ERASE_TENANT = query("system/bench_erase_tenant")
TENANTS = query("system/tenants")

_OURS = re.compile(r"bench-.+-[0-9a-f]{12}")
_TELL_EVERY = 5.0


@contextmanager
def throwaway(service: Service, purpose: str) -> Iterator[str]:
    """The name of a tenant that is gone, with all it held, when the block ends."""
    name = f"bench-{purpose}-{uuid.uuid4().hex[:12]}"
    try:
        yield name
    finally:
        if not is_thrown_away(all_settings(service)):
            erase(service, name)


def leftovers(service: Service) -> list[str]:
    """The tenants of benchmarks that were killed before they could remove them, or that run just now."""
    return [row["name"] for row in service.system(TENANTS) if _OURS.fullmatch(row["name"])]


def erase(service: Service, tenant: str) -> None:
    """Removes a bench's tenant and everything in it."""
    scope = Scope(tenant)
    service.batches(scope, ERASE)
    service.system(ERASE_TENANT, id=scope.tenant)


class Progress:
    """Tells every few seconds how much of the work is done, and how long the rest will take at this pace."""

    def __init__(self, told: Callable[[str], None], what: str, total: int) -> None:
        self._told = told
        self._what = what
        self._total = total
        self._begun = self._last = time.monotonic()

    def done(self, count: int) -> None:
        """So many are done by now."""
        now = time.monotonic()
        if count and (now - self._last >= _TELL_EVERY or count == self._total):
            self._last = now
            left = (now - self._begun) / count * (self._total - count)
            rest = (
                f"about {_length(left)} left" if count < self._total else f"in {_length(now - self._begun)}"
            )
            self._told(f"{count:,} of {self._total:,} {self._what}, {rest}")


class Counted:
    """A service whose statements are counted while asked to: each is one round trip."""

    def __init__(self, service: Service) -> None:
        self.names: list[str] = []
        self._counts = False
        self.service: Service = _Counting(**service.__dict__, counter=self)

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Counts until the block ends."""
        self._counts = True
        try:
            yield
        finally:
            self._counts = False

    @property
    def statements(self) -> int:
        """How many were sent."""
        return len(self.names)

    def seen(self, statement: Query) -> None:
        """One statement was sent."""
        if self._counts:
            self.names.append(statement.name)


class _Seen(Transaction):
    def __init__(self, inner: Transaction, counter: Counted) -> None:
        self._inner = inner
        self._counter = counter
        self.scope = inner.scope

    def run(self, statement: Query, **values: Any) -> list[Row]:
        self._counter.seen(statement)
        return self._inner.run(statement, **values)


@dataclass(frozen=True)
class _Counting(Service):
    counter: Counted = field(kw_only=True)

    def read(self, scope: Scope, statement: Query, **values: Any) -> list[Row]:
        self.counter.seen(statement)
        return super().read(scope, statement, **values)

    def write(self, scope: Scope, work: Callable[[Transaction], T], timeout: float | None = None) -> T:
        return super().write(scope, lambda tx: work(_Seen(tx, self.counter)), timeout)


def _length(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


def answers(rightly: Sequence[bool | None]) -> dict[str, Any]:
    """How many questions were answered, and how many of those rightly; for each question None where it has no answer."""
    told = [each for each in rightly if each is not None]
    return {"asked": len(rightly), "answered": len(told), "rightly": Share(sum(told), len(told)).told()}


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share (0 to 100) of the values lies, by nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share / 100 * len(ordered)) - 1))]

"""What subscribers follow: a tenant's ledger, or a run. Each is read once for all who follow it in this process.

A ledger's numbers are taken and committed one after another, so whoever goes on after the last number that he has seen
misses nothing and sees nothing twice. Nothing is kept for a subscriber but his place: the newest changes are kept once for all,
and who has fallen behind them reads on from the store.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Hashable
from dataclasses import replace
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from graph_memory.api.crossing import Crossing
from graph_memory.api.places import Places
from graph_memory.base.errors import Invalid, Unavailable
from graph_memory.base.scope import Scope
from graph_memory.jobs import runs
from graph_memory.jobs.runs import Run
from graph_memory.ledger import changes
from graph_memory.model.change import Operation
from graph_memory.store.service import Row, Service

# Subscriptions that one key may hold open at once, for each process.
MOST_SUBSCRIPTIONS = 20
# Seconds between two looks at a ledger or a run that subscribers follow.
_LOOKS_EVERY = 0.5
log = logging.getLogger(__name__)

T = TypeVar("T")

# Changes that are kept of each ledger for those who follow it closely.
KEPT = 500
_PAGE = 100


class Watch(Generic[T]):
    """A value that is read again and again while somebody waits for another one, and by one reader for all of them."""

    def __init__(self, read: Callable[[], Awaitable[T]], every: float) -> None:
        self._read = read
        self._every = every
        self._read_at = float("-inf")
        self._value: T | None = None
        self._reading: asyncio.Task[None] | None = None

    async def other_than(self, seen: T | None) -> T:
        """The value, once it is another than the one that was seen."""
        while self._value is None or self._value == seen:
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._look())
            # Whoever leaves does not end the reading of the others.
            await asyncio.shield(self._reading)
        return self._value

    async def _look(self) -> None:
        await asyncio.sleep(self._read_at + self._every - time.monotonic())
        try:
            self._value = await self._read()
        except Unavailable as error:
            if self._value is None:
                raise
            log.warning("a feed could not be read", extra={"code": error.code})
        finally:
            self._read_at = time.monotonic()


class Ledger:
    """How far a tenant's ledger goes, and its newest changes."""

    def __init__(self, service: Service, crossing: Crossing, tenant: str, every: float) -> None:
        self._service, self._crossing, self._scope = service, crossing, Scope(tenant)
        self._rows: deque[Row] = deque(maxlen=KEPT)
        # Every change after `_floor` and up to `head` is kept.
        self._floor = self.head = -1
        self._is_doubted = False
        self._watch = Watch(self._look, every)

    async def beyond(self, seen: int | None) -> int:
        """How far it goes, once that is another place than the one that was seen."""
        return await self._watch.other_than(seen)

    def since(self, seen: int) -> list[Row] | None:
        """Its changes after that place, oldest first; None where they are no longer kept."""
        if seen < self._floor:
            return None
        return [row for row in self._rows if row["sequence"] > seen]

    async def _look(self) -> int:
        head = await self._crossing.call(changes.head, self._service, self._scope)
        if self.head < 0 or not 0 <= head - self.head <= KEPT:
            self._rows.clear()
            self.head = self._floor = head
        elif head > self.head:
            await self._take(head)
        return self.head

    async def _take(self, head: int) -> None:
        found = await self._crossing.call(changes.changes, self._service, self._scope, self.head, KEPT + 1)
        rows = [row for row in found if row["sequence"] <= head]
        # What was just committed may not stand in the index yet. What still is not there at the next look was erased.
        if len(rows) < head - self.head and not self._is_doubted:
            self._is_doubted = True
            return
        self._is_doubted = False
        for row in rows:
            if len(self._rows) == KEPT:
                self._floor = self._rows[0]["sequence"]
            self._rows.append(row)
        self.head = head


class Feeds:
    """What this process reads for its subscribers. Used inside one event loop."""

    def __init__(self, service: Service, crossing: Crossing) -> None:
        self._service, self._crossing = service, crossing
        self._every = _LOOKS_EVERY
        self.places = Places(MOST_SUBSCRIPTIONS, "subscriptions")
        # A feed that nobody follows any more goes by itself.
        self._open: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()

    async def changes(
        self, scope: Scope, after: int | None, operations: Collection[Operation] = ()
    ) -> AsyncIterator[Row]:
        """Every change that a scope sees after a place, as it comes; only what is new when no place is named."""
        ledger = self._ledger(scope.tenant_name)
        head = await ledger.beyond(None)
        seen = head if after is None else await self._sequence(scope, after, head)
        while True:
            rows = ledger.since(seen)
            if rows is None:
                page = await self._page(scope, seen, operations)
                rows = [row for row in page if row["sequence"] <= head]
                seen = rows[-1]["sequence"] if len(rows) == _PAGE else head
            else:
                seen = ledger.head
            for row in rows:
                if _is_of(scope, row) and _is_one_of(operations, row):
                    yield row
            if seen >= head:
                head = await ledger.beyond(seen)

    async def run(self, scope: Scope, id: str) -> AsyncIterator[Run]:
        """A run, as it stands and whenever it stands otherwise, until it has ended."""
        run = await (watch := self._run(scope, id)).other_than(None)
        yield run
        while not run.is_finished:
            run = await watch.other_than(run)
            yield run

    async def _sequence(self, scope: Scope, after: int, head: int) -> int:
        """The place in the tenant's ledger of what a scope calls a change; Invalid where there is no such change."""
        known = {0: 0}
        if after:
            known |= await self._crossing.call(changes.sequences, self._service, scope, [after])
        if known.get(after, head + 1) > head:
            raise Invalid(
                f"There is no change {after} yet; give the number of one that is there, or leave `after` out.",
                path="after",
            )
        return known[after]

    async def _page(self, scope: Scope, seen: int, operations: Collection[Operation]) -> list[Row]:
        """What stands in the store after a place in the tenant's ledger, as far as the scope sees it."""
        seen_as = replace(scope, is_bound=False)
        kinds = sorted(set(operations))
        return await self._crossing.call(changes.changes, self._service, seen_as, seen, _PAGE, kinds)

    def _ledger(self, tenant: str) -> Ledger:
        return self._shared(
            ("ledger", tenant), lambda: Ledger(self._service, self._crossing, tenant, self._every)
        )

    def _run(self, scope: Scope, id: str) -> Watch[Run]:
        async def read() -> Run:
            return await self._crossing.call(runs.get, self._service, scope, id)

        return self._shared(("run", scope.tenant, id), lambda: Watch(read, self._every))

    def _shared(self, key: Hashable, make: Callable[[], T]) -> T:
        found: T | None = self._open.get(key)
        if found is None:
            self._open[key] = found = make()
        return found


def _is_of(scope: Scope, row: Row) -> bool:
    return bool(scope.lo <= row["subject_id"] <= scope.hi)


def _is_one_of(operations: Collection[Operation], row: Row) -> bool:
    return not operations or row["operation"] in [each.value for each in operations]

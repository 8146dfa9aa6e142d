"""What subscribers follow: a tenant's ledger, or a run. Each is read once for all who follow it in this process.

A ledger's numbers are taken and committed one after another, so whoever goes on after the last number that he has seen
misses nothing and sees nothing twice. Nothing is kept for a subscriber but his place: what the last look has found is kept for
all who follow closely, and who has fallen behind it reads on from the store. It is given out for a moment only: what a change
tells may be erased or undone meanwhile, and then stands otherwise in the store.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Collection, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
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

# Changes that one look takes from a ledger for those who follow it closely.
KEPT = 500
_PAGE = 100
# Seconds for which changes that were read are given out; then they are read again.
_HOLDS = 2.0


class Watch(Generic[T]):
    """A value that is read again and again while somebody waits for another one, and by one reader for all of them."""

    def __init__(self, every: float) -> None:
        self._every = every
        self._read_at = float("-inf")
        self._value: T | None = None
        self._reading: asyncio.Task[None] | None = None
        # How many readings have begun, which of them ended last, and whether the next may not wait.
        self._begun = self._ended = 0
        self._hurry = asyncio.Event()

    async def now(self) -> T:
        """The value as it is read after this was asked for; who asks at the same time shares the reading."""
        wanted = self._begun + 1
        self._hurry.set()
        while self._value is None or self._ended < wanted:
            await self._next()
        return self._value

    async def other_than(self, seen: T) -> T:
        """The value, once it is another than the one that was seen."""
        while self._value is None or self._value == seen:
            try:
                await self._next()
            except Unavailable:
                if self._value is None:
                    raise
        return self._value

    async def _next(self) -> None:
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._look())
        # Whoever leaves does not end the reading of the others.
        await asyncio.shield(self._reading)

    async def _look(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._read_at + self._every - time.monotonic()):
                await self._hurry.wait()
        self._hurry.clear()
        self._begun += 1
        try:
            self._value = await self._read()
        except Unavailable as error:
            log.warning("a feed could not be read", extra={"code": error.code})
            raise
        finally:
            self._ended, self._read_at = self._begun, time.monotonic()

    async def _read(self) -> T:
        raise NotImplementedError


@dataclass(frozen=True)
class Stretch:
    """The changes after one place and up to another, as the store had them a moment ago."""

    after: int
    upto: int
    rows: Sequence[Row] = ()
    read_at: float = field(default_factory=time.monotonic)

    @property
    def is_old(self) -> bool:
        """Whether the store may have them otherwise by now: erased, undone."""
        return time.monotonic() - self.read_at > _HOLDS


class Ledger(Watch[int]):
    """How far a tenant's ledger goes, and what has come to it since the look before."""

    def __init__(self, service: Service, crossing: Crossing, tenant: str, every: float) -> None:
        super().__init__(every)
        self._service, self._crossing, self._scope = service, crossing, Scope(tenant)
        self._last: Stretch | None = None

    def since(self, seen: int) -> Stretch | None:
        """Its changes after that place; None where they are no longer kept."""
        last = self._last
        if last is None or last.is_old or seen < last.after:
            return None
        return replace(last, rows=[row for row in last.rows if row["sequence"] > seen])

    async def _read(self) -> int:
        head = await self._crossing.call(changes.head, self._service, self._scope)
        seen = head if self._last is None else self._last.upto
        is_near = 0 < head - seen <= KEPT
        self._last = await self._between(seen, head) if is_near else Stretch(head, head)
        return head

    async def _between(self, seen: int, head: int) -> Stretch:
        found = await self._found(seen, head)
        # What was just committed may not stand in the index yet. What still is not there a moment later was erased.
        if len(found.rows) < head - seen:
            await asyncio.sleep(self._every)
            found = await self._found(seen, head)
        return found

    async def _found(self, seen: int, head: int) -> Stretch:
        rows = await self._crossing.call(changes.changes, self._service, self._scope, seen, KEPT + 1)
        return Stretch(seen, head, [row for row in rows if row["sequence"] <= head])


class Progress(Watch[Run]):
    """How a run stands."""

    def __init__(self, service: Service, crossing: Crossing, scope: Scope, id: str, every: float) -> None:
        super().__init__(every)
        self._service, self._crossing, self._scope, self._id = service, crossing, scope, id

    async def _read(self) -> Run:
        return await self._crossing.call(runs.get, self._service, self._scope, self._id)


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
        head = await ledger.now()
        seen = head if after is None else await self._sequence(scope, after, head)
        while True:
            found = ledger.since(seen) or await self._page(scope, seen, head, operations)
            for row in found.rows:
                # Whoever reads slowly is given the rest as it stands by then.
                if found.is_old:
                    break
                seen = row["sequence"]
                if _is_of(scope, row) and _is_one_of(operations, row):
                    yield row
            else:
                seen = found.upto
            if seen >= head:
                head = await ledger.other_than(seen)

    async def run(self, scope: Scope, id: str) -> AsyncIterator[Run]:
        """A run, as it stands and whenever it stands otherwise, until it has ended."""
        run = await (watch := self._run(scope, id)).now()
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

    async def _page(self, scope: Scope, seen: int, head: int, operations: Collection[Operation]) -> Stretch:
        """What stands in the store after a place in the tenant's ledger and up to another, as far as the scope sees it."""
        seen_as, kinds = replace(scope, is_bound=False), sorted(set(operations))
        page = await self._crossing.call(changes.changes, self._service, seen_as, seen, _PAGE, kinds)
        rows = [row for row in page if row["sequence"] <= head]
        return Stretch(seen, rows[-1]["sequence"] if len(rows) == _PAGE else head, rows)

    def _ledger(self, tenant: str) -> Ledger:
        return self._shared(
            ("ledger", tenant), lambda: Ledger(self._service, self._crossing, tenant, self._every)
        )

    def _run(self, scope: Scope, id: str) -> Progress:
        return self._shared(
            ("run", scope.tenant, id), lambda: Progress(self._service, self._crossing, scope, id, self._every)
        )

    def _shared(self, key: Hashable, make: Callable[[], T]) -> T:
        found: T | None = self._open.get(key)
        if found is None:
            self._open[key] = found = make()
        return found


def _is_of(scope: Scope, row: Row) -> bool:
    return bool(scope.lo <= row["subject_id"] <= scope.hi)


def _is_one_of(operations: Collection[Operation], row: Row) -> bool:
    return not operations or row["operation"] in [each.value for each in operations]

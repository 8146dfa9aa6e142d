"""What followers of a ledger are given: as the store has it now, and nothing that a process has only kept."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from graph_memory.api import feeds
from graph_memory.api.feeds import Feeds
from graph_memory.base.errors import Unavailable
from graph_memory.base.scope import Scope
from graph_memory.ledger import changes
from graph_memory.store.service import Row

SCOPE = Scope("acme")
LOOK = 0.02


class Store:
    """A ledger as the store has it."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.looks = 0

    def keep(self, text: str | None = None, operation: str = "ADD") -> None:
        sequence = len(self.rows) + 1
        self.rows.append({"sequence": sequence, "subject_id": "s", "operation": operation, "after": text})

    def erase(self, sequence: int) -> None:
        self.rows[sequence - 1]["after"] = None
        self.keep(operation="ERASE")

    def head(self, *_: Any) -> int:
        self.looks += 1
        return len(self.rows)

    def changes(self, _: Any, __: Scope, after: int, first: int, *___: Any) -> list[Row]:
        return [dict(row) for row in self.rows if row["sequence"] > after][:first]


class Direct:
    """Calls without another thread."""

    async def call(self, function: Callable[..., Any], *given: Any) -> Any:
        return function(*given)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    store = Store()
    monkeypatch.setattr(feeds, "_LOOKS_EVERY", LOOK)
    monkeypatch.setattr(changes, "head", store.head)
    monkeypatch.setattr(changes, "changes", store.changes)
    return store


def test_who_comes_after_an_erasure_is_not_given_its_words(store: Store) -> None:
    async def follow() -> list[Row]:
        read = new_feeds()
        store.keep()
        async with following(read, after=0) as first:
            await anext(first)
            store.keep("Ann's code is 4711.")
            assert (await anext(first))["after"] == "Ann's code is 4711."
            store.erase(2)
            assert (await anext(first))["operation"] == "ERASE"
            async with following(read, after=1) as later:
                return [await anext(later) for _ in range(2)]

    assert [row["after"] for row in run(follow())] == [None, None]


def test_who_reads_slowly_is_not_given_what_was_erased_meanwhile(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "_HOLDS", LOOK)

    async def follow() -> list[Row]:
        store.keep()
        async with following(new_feeds(), after=1) as slow:
            store.keep("Ann lives in Lyon.")
            store.keep("Ann's code is 4711.")
            await anext(slow)
            store.erase(3)
            await asyncio.sleep(2 * LOOK)
            return [await anext(slow) for _ in range(2)]

    assert [(row["sequence"], row["after"]) for row in run(follow())] == [(3, None), (4, None)]


def test_a_change_that_was_undone_is_given_as_undone_to_who_comes_later(store: Store) -> None:
    async def follow() -> Row:
        read = new_feeds()
        store.keep()
        async with following(read, after=0) as first:
            await anext(first)
            store.keep("Ann lives in Lyon.")
            await anext(first)
            store.rows[1]["undone_by"] = 3
            store.keep(operation="UNDO")
            await anext(first)
            async with following(read, after=1) as later:
                return await anext(later)

    assert run(follow())["undone_by"] == 3


def test_the_place_after_the_last_change_is_there_as_soon_as_it_is_written(store: Store) -> None:
    async def follow() -> int:
        read = new_feeds()
        store.keep()
        async with following(read, after=0) as first, following(read, after=2) as second:
            await anext(first)
            store.keep()
            coming = asyncio.ensure_future(anext(second))
            store.keep()
            return (await coming)["sequence"]

    assert run(follow()) == 3


def test_only_what_is_new_comes_to_who_subscribes_after_a_write(store: Store) -> None:
    async def follow() -> int:
        read = new_feeds()
        store.keep()
        async with following(read, after=0) as first, following(read, after=None) as second:
            await anext(first)
            store.keep()
            looks, coming = store.looks, asyncio.ensure_future(anext(second))
            while store.looks == looks:
                await asyncio.sleep(0)
            store.keep()
            return (await coming)["sequence"]

    assert run(follow()) == 3


def test_a_ledger_goes_with_the_last_who_followed_it(store: Store) -> None:
    async def follow() -> int:
        read = new_feeds()
        store.keep()
        gc.disable()
        try:
            async with following(read, after=0) as rows:
                await anext(rows)
            del rows
            await asyncio.sleep(2 * LOOK)
            return len(read._open)
        finally:
            gc.enable()

    assert run(follow()) == 0


def test_who_follows_outlasts_a_fault_and_who_begins_is_told_of_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> int:
        raise Unavailable

    async def follow() -> int:
        read = new_feeds()
        store.keep()
        async with following(read, after=0) as first, following(read, after=0) as second:
            await anext(first)
            coming = asyncio.ensure_future(anext(first))
            monkeypatch.setattr(changes, "head", fails)
            with pytest.raises(Unavailable):
                await anext(second)
            monkeypatch.setattr(changes, "head", store.head)
            store.keep()
            return (await coming)["sequence"]

    assert run(follow()) == 2


def new_feeds() -> Feeds:
    return Feeds(cast(Any, None), cast(Any, Direct()))


@asynccontextmanager
async def following(read: Feeds, after: int | None) -> AsyncGenerator[AsyncGenerator[Row, None], None]:
    """Somebody who follows until the block ends."""
    rows = cast(AsyncGenerator[Row, None], read.changes(SCOPE, after))
    try:
        yield rows
    finally:
        await rows.aclose()


def run(followed: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(followed, 5))

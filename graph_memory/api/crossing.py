"""The one place where async code calls the domain, which is sync: in threads, so many and no more."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread

from graph_memory.base.errors import Overloaded

P = ParamSpec("P")
T = TypeVar("T")

# Callers that may wait for each thread. More are refused at once instead of being kept waiting.
_WAITING_PER_THREAD = 8


class Crossing:
    """Threads for the domain. Made inside the event loop."""

    def __init__(self, threads: int) -> None:
        self._limiter = CapacityLimiter(threads)
        self._most_waiting = threads * _WAITING_PER_THREAD

    @property
    def busy(self) -> int:
        """Threads that work now."""
        return self._limiter.statistics().borrowed_tokens

    @property
    def waiting(self) -> int:
        """Callers that wait for a thread."""
        return self._limiter.statistics().tasks_waiting

    async def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function answers. Overloaded when too many wait already."""
        if self._limiter.statistics().tasks_waiting >= self._most_waiting:
            raise Overloaded
        work = partial(function, *args, **kwargs)
        return await to_thread.run_sync(work, limiter=self._limiter, abandon_on_cancel=True)

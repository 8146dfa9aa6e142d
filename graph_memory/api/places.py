"""So many things at once for each key, and no more: one program must not take what all need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from graph_memory.base.errors import Overloaded


class Places:
    """The places that each key has. Used inside one event loop."""

    def __init__(self, most: int, what: str) -> None:
        self._most, self._what = most, what
        self._held: Counter[str] = Counter()

    @contextmanager
    def place(self, actor: str) -> Iterator[None]:
        """One of the places that a key has; Overloaded when it holds them all."""
        if self._held[actor] >= self._most:
            raise Overloaded(
                f"This key has {self._held[actor]} {self._what} under way, as many as it may; wait for one to end."
            )
        self._held[actor] += 1
        try:
            yield
        finally:
            self._held[actor] -= 1
            if not self._held[actor]:
                del self._held[actor]

    @property
    def held(self) -> int:
        """Places that are taken now, of all keys."""
        return self._held.total()

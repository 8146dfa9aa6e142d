"""Lists as they are answered: what can be gone through, and pages of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from graph_memory.client import other_forms

if TYPE_CHECKING:
    from pandas import DataFrame

T = TypeVar("T")


class Listed:
    """What can be gone through, and is printed as each of it says, on a line of its own."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join(str(each) for each in self) or getattr(self, "note", None) or "Nothing is there."


@dataclass(frozen=True)
class Page(Listed, Generic[T]):
    """Some of a list: `for each in page`. The next page is the same call with `after=page.end_cursor`."""

    nodes: tuple[T, ...]
    has_next_page: bool
    end_cursor: str | None

    def __iter__(self) -> Iterator[T]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def to_pandas(self) -> DataFrame:
        """A row for each. Needs the extra `pandas`."""
        return other_forms.frame(self.nodes)

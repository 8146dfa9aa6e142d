"""Pages of a list: `first` and a cursor that names a place in the order, so that new writes move nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import strawberry

from graph_memory.api.context import Info
from graph_memory.api.fields import nested
from graph_memory.base.errors import Invalid

T = TypeVar("T")

DEFAULT = 20
MOST = 100
# Of what hangs on each item of a page.
FEW = 10
# A name of 200 characters, each of which JSON may spell with twelve letters.
_LONGEST_CURSOR = 4000


@strawberry.type(description="Where a page ends, and whether there is more.")
class PageInfo:
    has_next_page: bool = strawberry.field(description="Whether there is more after this page.")
    end_cursor: str | None = strawberry.field(
        description="The cursor of the last item; null when the page is empty."
    )


@strawberry.type
class Counted:
    """A connection that is counted over all its pages, if somebody asks."""

    counting: strawberry.Private[Callable[[], int] | None]

    @nested(
        "How many there are on all pages together; counted when it is asked for, at the cost of a page of 100. Null where the "
        "thing on which the page hangs tells it: `Entity.linkCount`, `Community.size`."
    )
    async def total_count(self, info: Info) -> int | None:
        return None if self.counting is None else await info.context.call(self.counting)


def size(first: int | None, last: int | None = None) -> int:
    """How many are wanted; Invalid outside 1 to 100, and for `last`."""
    if last is not None:
        raise Invalid("Pages go forwards only: give first and after, not last.", path="last")
    wanted = DEFAULT if first is None else first
    if not 1 <= wanted <= MOST:
        raise Invalid(out_of_range(wanted), path="first")
    return wanted


def out_of_range(first: int) -> str:
    """What a page of so many is told."""
    return f"first is {first}; it must lie between 1 and {MOST}."


def few(items: Sequence[T], first: int | None) -> Sequence[T]:
    """The first of what hangs on something; Invalid outside 1 to 100."""
    return items[: size(FEW if first is None else first)]


def place(after: str | None) -> str | None:
    """A cursor that is short enough to be one of ours."""
    if after is not None and len(after) > _LONGEST_CURSOR:
        raise Invalid(
            "This cursor was not made by us; give one that a page ended with, or leave it out.", path="after"
        )
    return after

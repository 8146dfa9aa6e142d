"""Kinds and directions of links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import strawberry

from graph_memory.memory.reading import Link
from graph_memory.memory.traversal import Direction
from graph_memory.model.link_kinds import SYMMETRIC, LinkKind

Kinds = Annotated[
    list[LinkKind] | None,
    strawberry.argument(description="Only links of these kinds; all but SHARES_ENTITY when missing."),
]
WhichWay = Annotated[Direction, strawberry.argument(description="Which way links are read.")]


def chosen(links: Sequence[Link], of: str, kinds: list[LinkKind] | None, direction: Direction) -> list[Link]:
    """Those links of a memory that have one of the kinds and the direction."""
    return [link for link in links if (kinds is None or link.kind in kinds) and _goes(link, of, direction)]


def _goes(link: Link, of: str, direction: Direction) -> bool:
    if direction is Direction.BOTH or link.kind in SYMMETRIC:
        return True
    return (link.from_id if direction is Direction.OUT else link.to_id) == of

"""Kinds and directions of links."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Annotated

import strawberry

from graph_memory.memory.reading import Link
from graph_memory.model.link_kinds import kind_of


@strawberry.enum(
    description="What one memory is to another, read from the first to the second. The first group is judged and can "
    "be made by hand, but for SUPERSEDES; the others follow from how the memories came about."
)
class LinkKind(Enum):
    SUPERSEDES = strawberry.enum_value("SUPERSEDES", description="It is the newer version of the other.")
    CAUSES = strawberry.enum_value("CAUSES", description="It is a reason why the other came about.")
    CONFLICTS = strawberry.enum_value(
        "CONFLICTS", description="Both cannot hold; it has no direction and stands once."
    )
    INSTANCE_OF = strawberry.enum_value("INSTANCE_OF", description="It is an example of the other.")
    INVALIDATED_BY = strawberry.enum_value("INVALIDATED_BY", description="The other takes its ground away.")
    MOTIVATED_BY = strawberry.enum_value("MOTIVATED_BY", description="The other is why it was decided.")
    RELATED = strawberry.enum_value("RELATED", description="It has to do with the other.")
    SUPPORTS = strawberry.enum_value("SUPPORTS", description="It speaks for the other.")
    REFERENCES = strawberry.enum_value("REFERENCES", description="It names the other.")
    EXPANDS = strawberry.enum_value("EXPANDS", description="It says more about the same.")
    SIMILAR = strawberry.enum_value("SIMILAR", description="It says nearly the same.")
    FOLLOWS = strawberry.enum_value("FOLLOWS", description="It comes after the other.")
    ENABLES = strawberry.enum_value("ENABLES", description="It makes the other possible.")
    WAS_CONTEXT_FOR = strawberry.enum_value(
        "WAS_CONTEXT_FOR", description="It was recalled when the other was made."
    )
    SHARES_ENTITY = strawberry.enum_value(
        "SHARES_ENTITY", description="Both mention something rare; derived, without author or history."
    )
    CONSOLIDATES = strawberry.enum_value("CONSOLIDATES", description="It sums up the other.")
    DERIVED_FROM = strawberry.enum_value("DERIVED_FROM", description="It was concluded from the other.")
    MERGED_INTO = strawberry.enum_value("MERGED_INTO", description="Its words live on in the other.")
    # Names that other vocabularies use; they are taken, and answered under the names above.
    CONTRADICTS = strawberry.enum_value("CONTRADICTS", description="Another name of CONFLICTS.")
    RELATED_TO = strawberry.enum_value("RELATED_TO", description="Another name of RELATED.")
    SEQUENTIAL = strawberry.enum_value("SEQUENTIAL", description="Another name of FOLLOWS.")
    contradicts = strawberry.enum_value("contradicts", description="Another name of CONFLICTS.")
    related_to = strawberry.enum_value("related_to", description="Another name of RELATED.")
    sequential = strawberry.enum_value("sequential", description="Another name of FOLLOWS.")


@strawberry.enum(description="Which way links are read from a memory. CONFLICTS and SHARES_ENTITY have none.")
class LinkDirection(Enum):
    OUT = strawberry.enum_value("OUT", description="From it to others.")
    IN = strawberry.enum_value("IN", description="From others to it.")
    BOTH = strawberry.enum_value("BOTH", description="Either way.")


Kinds = Annotated[
    list[LinkKind] | None,
    strawberry.argument(description="Only links of these kinds; all but SHARES_ENTITY when missing."),
]
WhichWay = Annotated[LinkDirection, strawberry.argument(description="Which way links are read.")]

_UNDIRECTED = ("CONFLICTS", "SHARES_ENTITY")


def named(kinds: list[LinkKind] | None) -> list[str] | None:
    """The kinds as the domain takes them."""
    return None if kinds is None else [kind_of(kind.name).value for kind in kinds]


def chosen(
    links: Sequence[Link], of: str, kinds: list[LinkKind] | None, direction: LinkDirection
) -> list[Link]:
    """Those links of a memory that have one of the kinds and the direction."""
    names = named(kinds)
    return [link for link in links if (names is None or link.kind in names) and _goes(link, of, direction)]


def _goes(link: Link, of: str, direction: LinkDirection) -> bool:
    if direction is LinkDirection.BOTH or link.kind in _UNDIRECTED:
        return True
    return (link.from_id if direction is LinkDirection.OUT else link.to_id) == of

"""The types of links between memories, how other vocabularies call them, and who may make which."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from graph_memory.base.errors import Invalid


class LinkKind(StrEnum):
    """What one memory is to another, read from the first to the second."""

    # Judged: somebody or something decided it.
    SUPERSEDES = "SUPERSEDES"
    CAUSES = "CAUSES"
    CONFLICTS = "CONFLICTS"
    INSTANCE_OF = "INSTANCE_OF"
    INVALIDATED_BY = "INVALIDATED_BY"
    MOTIVATED_BY = "MOTIVATED_BY"
    RELATED = "RELATED"
    SUPPORTS = "SUPPORTS"
    REFERENCES = "REFERENCES"
    EXPANDS = "EXPANDS"
    SIMILAR = "SIMILAR"
    FOLLOWS = "FOLLOWS"
    ENABLES = "ENABLES"
    # Structural: it follows from how the memories came about, or from what they mention.
    WAS_CONTEXT_FOR = "WAS_CONTEXT_FOR"
    SHARES_ENTITY = "SHARES_ENTITY"
    # Lifecycle: one was made out of the other.
    CONSOLIDATES = "CONSOLIDATES"
    DERIVED_FROM = "DERIVED_FROM"
    MERGED_INTO = "MERGED_INTO"


LIFECYCLE = frozenset({LinkKind.CONSOLIDATES, LinkKind.DERIVED_FROM, LinkKind.MERGED_INTO})
STRUCTURAL = frozenset({LinkKind.WAS_CONTEXT_FOR, LinkKind.SHARES_ENTITY})
JUDGED = frozenset(LinkKind) - STRUCTURAL - LIFECYCLE

# A cache, derived from mentions: it has no author, no history and no place in the ledger.
DERIVED = frozenset({LinkKind.SHARES_ENTITY})
# With an id, an author, a recorded interval: one native relationship for each open (from, type, to).
RECORDED = frozenset(LinkKind) - DERIVED
# What `link` makes and `unlink` closes. The others belong to supersession, merging and consolidation.
LINKABLE = RECORDED - LIFECYCLE - {LinkKind.SUPERSEDES}
# Undirected in meaning. CONFLICTS is stored once, from the lower id to the higher.
SYMMETRIC = frozenset({LinkKind.CONFLICTS, LinkKind.SHARES_ENTITY})

ALIASES = {
    "CONTRADICTS": LinkKind.CONFLICTS,
    "RELATED_TO": LinkKind.RELATED,
    "SEQUENTIAL": LinkKind.FOLLOWS,
}


def kind_of(name: str, path: str = "kind") -> LinkKind:
    """The type of that name or alias, in any case; Invalid names those there are."""
    spelled = name.strip().upper()
    found = ALIASES.get(spelled) or LinkKind.__members__.get(spelled)
    if found is None:
        raise Invalid(f"There is no link type {name[:40]!r}; there are {_listed(LinkKind)}.", path=path)
    return found


def linkable(name: str, path: str = "kind") -> LinkKind:
    """The type of that name, when callers may make and remove it themselves."""
    kind = kind_of(name, path)
    if kind not in LINKABLE:
        raise Invalid(
            f"{kind} is not made or removed by hand; what can be is {_listed(LINKABLE)}.", path=path
        )
    return kind


def kinds_of(names: Iterable[str] | None, path: str = "kinds") -> frozenset[LinkKind]:
    """The types of those names; without names every recorded one, since SHARES_ENTITY would drown the others."""
    return RECORDED if names is None else frozenset(kind_of(name, path) for name in names)


def stored_as(kind: LinkKind, from_id: str, to_id: str) -> tuple[str, str]:
    """The ends as they are stored: those of CONFLICTS in the order of their ids."""
    return (min(from_id, to_id), max(from_id, to_id)) if kind is LinkKind.CONFLICTS else (from_id, to_id)


def _listed(kinds: Iterable[LinkKind]) -> str:
    return ", ".join(sorted(kinds))

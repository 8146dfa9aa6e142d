"""What the policies read of stored memories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graph_memory.base.errors import NotFound
from graph_memory.base.scope import Scope
from graph_memory.model.kinds import singular
from graph_memory.scoring.scores import Explained, Tier, explained
from graph_memory.scoring.terms import Facts, at_ms
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

FACTS = query("scoring/facts")
PAGE = query("scoring/facts_page")
TIERS = query("scoring/tiers")

_PAGE = 2000
_TIMES = frozenset({"created_at", "last_accessed_at", "happens_at", "expires_at", "superseded_at"})

Run = Callable[..., list[Row]]


@dataclass(frozen=True)
class Known:
    """A memory's facts, what is stored of its standing, and its text on one line."""

    id: str
    caption: str
    facts: Facts
    importance: float
    retention: float | None
    tier: Tier


@dataclass(frozen=True)
class Filter:
    """Which memories: of one kind, with one tag, in one tier; all when None."""

    kind: str | None = None
    tag: str | None = None
    tier: Tier | None = None


def facts_of(run: Run, scope: Scope, ids: Sequence[str]) -> dict[str, Known]:
    """The facts of memories by id, read with a transaction's `run`; those that are missing or foreign are left out."""
    walls = {"lo": scope.lo, "hi": scope.hi}
    return {row["id"]: _known(row) for row in run(FACTS, ids=list(ids), **walls)}


def explain(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, Explained]:
    """Why the scores of memories are what they are, now and by the policy of the settings, by id."""
    found = facts_of(lambda statement, **values: service.read(scope, statement, **values), scope, ids)
    now = service.clock()
    return {id: explained(known.facts, now, service.settings) for id, known in found.items()}


def explain_one(service: Service, scope: Scope, id: str) -> Explained:
    """Why the scores of one memory are what they are; NotFound when it is missing or foreign."""
    found = explain(service, scope, [id])
    if id not in found:
        raise NotFound(f"There is no memory {id}, or it belongs to someone else.", path="id")
    return found[id]


def all_of(service: Service, scope: Scope, filter: Filter = Filter()) -> Iterator[Known]:
    """The active memories of a scope that a filter leaves, in the order of ids."""
    kinds = None if filter.kind is None else [filter.kind, singular(filter.kind)]
    after, chosen = "", {"kinds": kinds, "tag": filter.tag, "tier": filter.tier}
    while True:
        rows = service.read(scope, PAGE, after=after, first=_PAGE, **chosen)
        yield from (_known(row) for row in rows)
        if len(rows) < _PAGE:
            return
        after = rows[-1]["id"]


def tier_counts(service: Service, scope: Scope) -> dict[Tier, int]:
    """How many active memories stand in each tier."""
    found = {Tier(row["tier"]): row["memories"] for row in service.read(scope, TIERS) if row["tier"]}
    return {tier: found.get(tier, 0) for tier in Tier}


def _known(row: Row) -> Known:
    derived = {name: row[name] for name in ("activity_days", "hub_links", "superseded_at")}
    given: dict[str, Any] = {
        name: at_ms(value) if name in _TIMES else value
        for name, value in {**row["facts"], **derived}.items()
        if value is not None
    }
    return Known(
        row["id"],
        row["caption"],
        Facts(**given),
        row["importance"],
        row["retention"],
        Tier(row["tier"] or Tier.HOT),
    )

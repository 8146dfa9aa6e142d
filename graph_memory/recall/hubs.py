"""Memories that come up nearly whatever is asked, or always when one thing is asked: planted to be read, or to hide others.

For each of a sample the nearest memories are read, as a search by meaning does. One that is among them far more often
than its share is told. A statement that fits much is told as well: what is found is for a person to look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.base.cursors import check_first
from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.language.texts import clean
from graph_memory.memory.reading import get_many
from graph_memory.model.memory import Memory
from graph_memory.store.queries import query
from graph_memory.store.service import Service

HUBS = query("recall/hubs")

# So many nearest are read of each of the sample.
NEAR = 5
# What is told is near more than this share of the sample, and so many times as often as if all were near alike.
SHARE, LIFT = 0.01, 5
# So many times as many are fetched, because the index rounds.
_OVERFETCH = 4
SAMPLE, MOST = 200, 1000
_MAX_QUERY = 2000


@dataclass(frozen=True)
class Hub:
    """A memory and how many of the sample have it among their nearest."""

    memory: Memory
    near: int
    sampled: int

    @property
    def share(self) -> float:
        """Of the sample, 0 to 1."""
        return self.near / self.sampled


def hubs(
    service: Service,
    scope: Scope,
    queries: Sequence[str] = (),
    sample: int = SAMPLE,
    first: int = 100,
    share: float = SHARE,
) -> list[Hub]:
    """The memories that are near too much, the worst first.

    The sample are `queries`, as they were asked lately, or without any so many live memories, drawn at random: the
    service keeps no queries. Raises Invalid for numbers out of range; with fewer than 25 memories nothing is told.
    """
    if len(queries) > MOST:
        raise Invalid(f"{len(queries)} queries were given; at most {MOST} are taken.", path="queries")
    if not 1 <= sample <= MOST:
        raise Invalid(f"sample is {sample}; it must lie between 1 and {MOST}.", path="sample")
    if not 0 <= share < 1:
        raise Invalid(f"share is {share}; it must be 0 or more and less than 1.", path="share")
    check_first(first)
    asked = [clean(text, _MAX_QUERY, "queries") for text in queries]
    rows = service.read(
        scope,
        HUBS,
        vectors=service.embedder.embed(asked) if asked else [],
        sample=0 if asked else sample,
        near=NEAR,
        fetch=NEAR * _OVERFETCH,
        share=share,
        lift=LIFT,
        now=service.clock(),
        first=first,
    )
    found = get_many(service, scope, [row["id"] for row in rows])
    return [
        Hub(memory, row["near"], row["sampled"])
        for memory, row in zip(found, rows, strict=True)
        if memory is not None
    ]

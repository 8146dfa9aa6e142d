"""What an operator watches of the whole store: how runs, jobs and memories stand, and what language models took.

Names and numbers of all tenants together, no tenant and no text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.jobs.overview import Summary, summaries
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

RUNS = query("system/runs_counted")
TIERS = query("system/memories_by_tier")
CALLS = query("system/model_calls")


@dataclass(frozen=True)
class Readings:
    """As read at one moment: runs by job and status, calls by provider and purpose, planned jobs."""

    runs: Sequence[Row] = ()
    calls: Sequence[Row] = ()
    jobs: Sequence[Summary] = ()


def read(service: Service) -> Readings:
    """What can be read often."""
    return Readings(service.system(RUNS), service.system(CALLS), summaries(service))


def tiers(service: Service) -> dict[str, int]:
    """How many active memories stand in each tier. It looks at every memory."""
    return {row["tier"]: row["memories"] for row in service.system(TIERS)}

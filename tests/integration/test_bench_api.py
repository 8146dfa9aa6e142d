"""`bench api` in small: every load is answered, by one process and by several."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest

from graph_memory.base.clock import system_clock
from graph_memory.bench.api_bench import Wanted, _loads, _measured, bench_api
from graph_memory.bench.api_processes import Processes
from graph_memory.bench.api_world import ACCOUNTS, accounts
from graph_memory.store.service import Service
from tests.integration.served import Served, served

__all__ = ["served"]

pytestmark = pytest.mark.stack

LOADS = ("reads", "reads_at_most", "writes", "writes_at_most")
# Without a warm-up the first answer of each client counts, however slow it is.
SMALL: dict[str, Any] = {"seconds": 1, "rounds": 1, "reads": 5, "writes": 5, "warm_up": 0, "sessions": 2}


def _check(figures: dict[str, Any], *, errors: object) -> None:
    assert figures["errors"] == errors, figures
    assert 0 < figures["p50_ms"] <= figures["p95_ms"] <= figures["p99_ms"]
    assert figures["api_cpu_ms"] > 0


def test_every_load_is_answered(served: Served) -> None:
    """By a service that is there already, without processes and workers of the bench's own."""
    service, wanted = served.service, Wanted(memories=4 * ACCOUNTS, **SMALL)
    running = Processes([served.url], [os.getpid()])
    with accounts(service, wanted.memories, wanted.seed, lambda _: None) as given:
        loads = _loads(service, given, wanted)
        for _, load, warm_up, seconds in loads:
            _check(_measured(service, running, load, warm_up, seconds), errors={})
    assert tuple(name for name, *_ in loads) == LOADS


@pytest.mark.long_form
def test_every_load_is_answered_by_one_and_by_several(service: Service) -> None:
    wanted = Wanted(memories=200, processes=2, workers=2, **SMALL)
    found = bench_api(replace(service, clock=system_clock), wanted)
    assert (found["accounts"], found["one"]["api"], found["more"]["api"]) == (ACCOUNTS, 1, 2)
    for side in ("one", "more"):
        assert found[side]["sessions_per_min"] > 0
        for load in LOADS:
            _check(found[side][load], errors=0)

"""`bench api` in small: every load is answered, by one process and by several."""

from __future__ import annotations

from typing import Any

import pytest

from graph_memory.bench.api_bench import Wanted, bench_api
from graph_memory.store.service import Service

pytestmark = pytest.mark.stack

LOADS = ("reads", "reads_at_most", "writes", "writes_at_most")


def test_every_load_is_answered_by_one_and_by_several(service: Service) -> None:
    told: list[str] = []
    small: dict[str, Any] = {"memories": 200, "seconds": 2, "rounds": 1, "reads": 5, "writes": 5}
    found = bench_api(service, Wanted(**small, processes=2, workers=2, warm_up=0.5, sessions=2), told.append)
    assert (found["accounts"], found["one"]["api"], found["more"]["api"]) == (20, 1, 2)
    for side in ("one", "more"):
        assert found[side]["sessions_per_min"] > 0
        for load in LOADS:
            figures = found[side][load]
            assert figures["errors"] == 0, (side, load, told)
            assert 0 < figures["p50_ms"] <= figures["p95_ms"] <= figures["p99_ms"]
            assert figures["api_cpu_ms"] > 0

"""`bench conversations`, with a real worker process through the real broker."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph_memory.base.clock import system_clock
from graph_memory.base.errors import Unavailable
from graph_memory.bench.conversations import bench_conversations
from graph_memory.settings import load
from graph_memory.store.service import Service
from tests.apart import driver, stack

__all__ = ["driver", "stack"]

pytestmark = [pytest.mark.stack, pytest.mark.long]


@pytest.mark.parametrize("worker", [False, True])
def test_everything_that_was_accepted_is_readable(service: Service, worker: bool) -> None:
    figures = bench_conversations(replace(service, clock=system_clock), 3, worker=worker)
    assert (figures["sessions"], figures["not_found"]) == (3, 0)
    assert 0 < figures["accept_p50_ms"] <= figures["accept_p95_ms"]
    assert 0 < figures["readable_p50_ms"] <= figures["readable_p95_ms"]


def test_without_a_broker_it_says_so(service: Service) -> None:
    settings = load(broker={"url": "redis://127.0.0.1:1/0"})
    with pytest.raises(Unavailable, match="broker does not answer"):
        bench_conversations(replace(service, settings=settings), 3, worker=True)

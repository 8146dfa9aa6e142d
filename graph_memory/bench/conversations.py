"""`bench conversations`: accepting messages, and the time from closing a session to finding what was said in it.

The run is carried out in this process: what a worker adds is its queue, and the wait for its turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from graph_memory.bench.measuring import percentile, throwaway
from graph_memory.jobs.execute import execute
from graph_memory.ledger import Call
from graph_memory.recall.search import search
from graph_memory.service import Service
from graph_memory.tenancy import Scope
from graph_memory.understanding.message import Message
from graph_memory.understanding.submitting import close, submit

_PLACES = ("Lyon", "Ghent", "Porto", "Oslo", "Bern", "Split", "Riga", "Turin")
_THINGS = ("a cello", "a kayak", "a beehive", "a loom", "a telescope", "a piano", "a canoe", "a kiln")
_START = datetime(2026, 1, 1, 9, tzinfo=UTC)


def bench_conversations(
    service: Service, sessions: int, told: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Milliseconds of `submitMessages` with four messages, and from `closeSegment` until a search finds the last."""
    accepted, readable, missed = list[float](), list[float](), 0
    with throwaway(service, "conversations") as tenant:
        scope = Scope(tenant, "bench")
        call = Call(scope, "bench")
        for number in range(sessions):
            messages = _messages(number)
            begun = time.perf_counter()
            submit(service, call, f"session {number}", messages)
            accepted.append(1000 * (time.perf_counter() - begun))
            begun = time.perf_counter()
            done = close(service, call, f"session {number}")
            execute(service, scope, done.run_id)
            hits = search(service, scope, messages[-1].text, limit=10).hits
            readable.append(1000 * (time.perf_counter() - begun))
            missed += not any(f"number {number}." in hit.memory.text for hit in hits)
        told(f"{sessions} sessions of {len(messages)} messages")
    return {
        "sessions": sessions,
        "accept_p50_ms": round(percentile(accepted, 50), 1),
        "accept_p95_ms": round(percentile(accepted, 95), 1),
        "readable_p50_ms": round(percentile(readable, 50), 1),
        "readable_p95_ms": round(percentile(readable, 95), 1),
        "not_found": missed,
    }


def _messages(number: int) -> list[Message]:
    place, thing = _PLACES[number % len(_PLACES)], _THINGS[number // 3 % len(_THINGS)]
    texts = (
        f"I was in {place} last week, it rained all day.",
        f"My neighbour there keeps {thing} in the hall.",
        "What did you do?",
        f"I bought {thing} at stall number {number}.",
    )
    at = _START + timedelta(days=number)
    return [Message("Ann", at + timedelta(minutes=place_), text) for place_, text in enumerate(texts)]

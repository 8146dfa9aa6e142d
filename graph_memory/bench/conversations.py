"""`bench conversations`: accepting messages, and the time until what was said in them is found.

The run is carried out in this process, or with `--worker` by a real worker, to whom the broker brings it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.bench.conversations_worker import own_worker
from graph_memory.bench.measuring import percentile, throwaway
from graph_memory.bootstrap import all_settings
from graph_memory.ingest.submission import close, submit
from graph_memory.jobs import schedule
from graph_memory.ledger.changes import Call
from graph_memory.model.message import Message
from graph_memory.recall.search import search
from graph_memory.store.service import Service
from tasks import execute

# Has the run of this id carried out, here or elsewhere.
Carry = Callable[[Scope, str], object]

_PLACES = ("Lyon", "Ghent", "Porto", "Oslo", "Bern", "Split", "Riga", "Turin")
_THINGS = ("a cello", "a kayak", "a beehive", "a loom", "a telescope", "a piano", "a canoe", "a kiln")
_START = datetime(2026, 1, 1, 9, tzinfo=UTC)
# What is opened at the first use is opened before anything is measured.
_WARM_UP = 3
_PATIENCE = 30.0
_PAUSE = 0.01


def bench_conversations(
    service: Service, sessions: int, told: Callable[[str], None] = lambda _: None, *, worker: bool = False
) -> dict[str, Any]:
    """Milliseconds of `submitMessages` with four messages, and from its answer until a search finds the last.

    The session is closed at once. With `worker` a process of its own extracts it, else this one.
    """
    if not worker:
        return _measured(service, sessions, lambda scope, id: execute(service, scope, id), told)
    told("starting a worker")
    with own_worker(all_settings(service)) as publish:
        return _measured(
            service, sessions, lambda scope, id: publish(schedule.job(schedule.EXTRACT), scope, id), told
        )


def _measured(service: Service, sessions: int, carry: Carry, told: Callable[[str], None]) -> dict[str, Any]:
    accepted, readable, missed = list[float](), list[float](), 0
    with throwaway(service, "conversations") as tenant:
        scope = Scope(tenant, "bench")
        call = Call(scope, "bench")
        for number in range(-_WARM_UP, sessions):
            said = messages(number)
            begun = time.perf_counter()
            submit(service, call, f"session {number}", said)
            answered = time.perf_counter()
            carry(scope, close(service, call, f"session {number}").run_id)
            is_found = _found(service, scope, said[-1].text, f"number {number}.")
            if number >= 0:
                accepted.append(1000 * (answered - begun))
                readable.append(1000 * (time.perf_counter() - answered))
                missed += not is_found
        told(f"{sessions} sessions of {len(messages(0))} messages")
    return {
        "sessions": sessions,
        "accept_p50_ms": round(percentile(accepted, 50), 1),
        "accept_p95_ms": round(percentile(accepted, 95), 1),
        "readable_p50_ms": round(percentile(readable, 50), 1),
        "readable_p95_ms": round(percentile(readable, 95), 1),
        "not_found": missed,
    }


def _found(service: Service, scope: Scope, text: str, mark: str) -> bool:
    """Whether a search finds a memory with this mark, asked again until it does or patience ends."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if any(mark in hit.memory.text for hit in search(service, scope, text, limit=10).hits):
            return True
        time.sleep(_PAUSE)
    return False


def messages(number: int) -> list[Message]:
    """Four messages of a session of this number; the last tells of something with the number in it."""
    place, thing = _PLACES[number % len(_PLACES)], _THINGS[number // 3 % len(_THINGS)]
    texts = (
        f"I was in {place} last week, it rained all day.",
        f"My neighbour there keeps {thing} in the hall.",
        "What did you do?",
        f"I bought {thing} at stall number {number}.",
    )
    at = _START + timedelta(days=number)
    return [Message("Ann", at + timedelta(minutes=place_), text) for place_, text in enumerate(texts)]

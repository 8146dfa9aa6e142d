"""A load on the API: requests at fixed moments, or as fast as so many clients get answers.

Of requests at fixed moments the time counts from the moment at which one was due, so that a slow answer is also felt by those
that had to wait behind it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx2

from graph_memory.base.errors import GraphMemoryError, Unavailable
from graph_memory.bench.measuring import percentile
from graph_memory.client.exchange import Asker, Reply, answered, document

_TIMEOUT = 35.0


@dataclass(frozen=True)
class Request:
    """An operation with its variables, and the key it is asked with."""

    operation: str
    variables: dict[str, Any]
    key: str


@dataclass(frozen=True)
class Load:
    """So many clients, who ask what `next` gives; with `per_s` at fixed moments, else as soon as they are answered."""

    clients: int
    next: Callable[[], Request]
    per_s: float | None = None


@dataclass
class Round:
    """What came of a load: milliseconds of each answer, and how often which error was told."""

    seconds: float = 0.0
    times: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)

    def figures(self) -> dict[str, Any]:
        """Answers a second, percentiles, errors by their code. Raises Unavailable where nothing was answered."""
        if not self.times:
            raise Unavailable(f"Not one request was answered; there were {dict(self.errors) or 'none'}.")
        return {
            "per_s": round(len(self.times) / self.seconds, 1),
            "p50_ms": round(percentile(self.times, 50), 1),
            "p95_ms": round(percentile(self.times, 95), 1),
            "p99_ms": round(percentile(self.times, 99), 1),
            "errors": dict(self.errors),
        }


def carry(load: Load, addresses: Sequence[str], warm_up: float, seconds: float) -> Round:
    """One round: warmed up for a while that does not count, then measured."""
    return asyncio.run(_carried(load, addresses, warm_up, seconds))


async def _carried(load: Load, addresses: Sequence[str], warm_up: float, seconds: float) -> Round:
    begun = time.perf_counter()
    begins, ends = begun + warm_up, begun + warm_up + seconds
    moments, done = _moments(load.per_s, begun), Round()
    async with httpx2.AsyncClient(timeout=_TIMEOUT) as http:
        await asyncio.gather(
            *(
                _client(http, addresses[number % len(addresses)], load, moments, (begins, ends), done)
                for number in range(load.clients)
            )
        )
    done.seconds = time.perf_counter() - begins
    return done


async def _client(
    http: httpx2.AsyncClient,
    address: str,
    load: Load,
    moments: Iterator[float] | None,
    measured: tuple[float, float],
    done: Round,
) -> None:
    asker, (begins, ends) = Asker(address), measured
    while True:
        due = time.perf_counter() if moments is None else next(moments)
        if due >= ends:
            return
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        error = await _asked(http, asker, load.next())
        if due < begins:
            continue
        if error:
            done.errors[error] += 1
        else:
            done.times.append((time.perf_counter() - due) * 1000)


def _moments(per_s: float | None, begun: float) -> Iterator[float] | None:
    return None if per_s is None else (begun + number / per_s for number in count())


async def _asked(http: httpx2.AsyncClient, asker: Asker, request: Request) -> str | None:
    """Asks, reads the answer, and gives the code of its error."""
    body = json.dumps({"query": document(request.operation), "variables": request.variables})
    headers = {"authorization": f"Bearer {request.key}", "content-type": "application/json"}
    try:
        reply = await http.post(f"{asker.address}/graphql", content=body, headers=headers)
    except httpx2.TransportError as error:
        return type(error).__name__
    value = answered(Reply(reply.status_code, reply.content), asker)
    return value.code if isinstance(value, GraphMemoryError) else None

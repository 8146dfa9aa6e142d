"""`bench chain`: single writes by 8 clients, and 32 clients who all supersede the head of one chain.

Ours and the plain driver's take turns in short rounds, so that both meet the same machine; medians are told. Vectors
are given. What is refused as overload is tried again a moment later and counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from statistics import median
from threading import Event
from typing import Any

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Overloaded, TookTooLong
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import percentile, throwaway
from graph_memory.bench.stand_ins import HashEmbedder
from graph_memory.bootstrap import all_settings
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add, prepare
from graph_memory.memory.reading import history
from graph_memory.memory.supersession import supersede
from graph_memory.model.memory import Fact
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.store.settings import Neo4jSettings

RAW_ADD = query("bench/raw_add")
RAW_SUPERSEDE = query("bench/raw_supersede")

WRITERS = 8
CLIENTS = 32
ROUNDS = 5

Write = Callable[[int], None]


@dataclass
class Round:
    """What the clients of one round did: milliseconds of each write, and how often they were refused."""

    seconds: float
    times: list[float] = field(default_factory=list)
    refused: int = 0

    @property
    def per_s(self) -> float:
        return len(self.times) / self.seconds


def bench_chain(service: Service, seconds: float, told: Callable[[str], None]) -> dict[str, Any]:
    """Writes a second and the 95th percentile of both loads, with the same of the plain driver under `raw`."""
    service = replace(service, embedder=HashEmbedder(service.embedder.dimension))
    with throwaway(service, "chain") as ours, throwaway(service, "raw") as raw:
        plain = _without_line(service)
        single = _compared(_adding(service, ours), _adding_raw(service, plain, raw), WRITERS, seconds)
        told(
            f"{WRITERS} writers: {single['per_s']} writes a second, {single['raw']['per_s']} by the plain driver"
        )
        chain = _Chain(service, Scope(ours, "hot"))
        hot = _compared(chain.write, _chaining_raw(service, plain, raw), CLIENTS, seconds)
        told(
            f"{CLIENTS} on one chain: {hot['per_s']} writes a second, {hot['raw']['per_s']} by the plain driver"
        )
        figures = {"clients": CLIENTS, **hot, **chain.found()}
    return {"single": {"clients": WRITERS, **single}, "hot": figures}


class _Chain:
    """The chain that all clients write to."""

    def __init__(self, service: Service, scope: Scope) -> None:
        self._service, self._scope = service, scope
        self._first = str(add(service, Call(scope, "bench"), [_fact()])[0][0].id)
        self._made: list[str] = [self._first]

    def write(self, client: int) -> None:  # noqa: ARG002 - all clients are alike
        done, _ = supersede(self._service, Call(self._scope, "bench"), self._first, _fact())
        self._made.append(done.new)

    def found(self) -> dict[str, Any]:
        """How long the chain is, how many acknowledged versions are missing, and how many heads it has."""
        states = history(self._service, self._scope, self._first)
        found = {state.memory.id for state in states}
        heads = {state.memory.id for state in states if state.superseded_by is None}
        return {"length": len(found), "lost": len(set(self._made) - found), "heads": len(heads)}


def _adding(service: Service, tenant: str) -> Write:
    def write(client: int) -> None:
        add(service, Call(Scope(tenant, f"user-{client}"), "bench"), [_fact()])

    return write


def _adding_raw(service: Service, plain: Service, tenant: str) -> Write:
    def write(client: int) -> None:
        scope = Scope(tenant, f"user-{client}")
        rows = [{"state": "Live", "properties": _properties(service, scope)}]
        plain.write(scope, lambda tx: tx.run(RAW_ADD, rows=rows))

    return write


def _chaining_raw(service: Service, plain: Service, tenant: str) -> Write:
    scope, chain = Scope(tenant, "hot"), new_id()

    def write(client: int) -> None:  # noqa: ARG001 - all clients are alike
        properties = _properties(service, scope)
        plain.write(
            scope, lambda tx: tx.run(RAW_SUPERSEDE, chain=chain, properties=properties, forever=FOREVER)
        )

    return write


def _compared(ours: Write, raw: Write, clients: int, seconds: float) -> dict[str, Any]:
    both: tuple[list[Round], list[Round]] = ([], [])
    for write in (ours, raw):
        _round(write, clients, seconds / ROUNDS / 2)
    for _ in range(ROUNDS):
        for rounds, write in zip(both, (ours, raw), strict=True):
            rounds.append(_round(write, clients, seconds / ROUNDS))
    mine, theirs = _figures(both[0]), _figures(both[1])
    return {**mine, "ratio": round(mine["per_s"] / theirs["per_s"], 3), "raw": theirs}


def _figures(rounds: Sequence[Round]) -> dict[str, Any]:
    return {
        "per_s": round(median(each.per_s for each in rounds), 1),
        "p50_ms": round(median(median(each.times) for each in rounds), 1),
        "p95_ms": round(median(percentile(each.times, 95) for each in rounds), 1),
        "refused": sum(each.refused for each in rounds),
    }


def _round(write: Write, clients: int, seconds: float) -> Round:
    over, begun = Event(), time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        parts = [pool.submit(_client, write, number, over) for number in range(clients)]
        over.wait(seconds)
        over.set()
    took = Round(time.perf_counter() - begun)
    for part in parts:
        times, refused = part.result()
        took.times += times
        took.refused += refused
    return took


def _client(write: Write, number: int, over: Event) -> tuple[list[float], int]:
    times, refused = list[float](), 0
    while not over.is_set():
        begun = time.perf_counter()
        try:
            write(number)
        except (Overloaded, TookTooLong):
            refused += 1
            time.sleep(Overloaded.retry_after)
            continue
        times.append((time.perf_counter() - begun) * 1000)
    return times, refused


def _without_line(service: Service) -> Service:
    """The same connections without a line before them: nothing holds the plain driver back."""
    free = service.settings[Neo4jSettings].model_copy(update={"max_writers": CLIENTS})
    return replace(service, settings=all_settings(service).model_copy(update={"neo4j": free}))


def _fact() -> Fact:
    return Fact(f"Ann's note says {new_id()}.", entities=())


def _properties(service: Service, scope: Scope) -> dict[str, Any]:
    [prepared] = prepare(service, scope.subject or "", [_fact()])
    return prepared.properties

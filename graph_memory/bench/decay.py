"""`bench decay`: rescoring by each policy beside the plain driver, who sets one property on the same memories.

The memories are spread over a year. They are scored once, which moves most of them to another tier: the figure told
apart, since a tier is a filter of the vector index. Then a day at a time passes: first where no tier has a boundary, in
turns with the plain driver, then under a load of searches. All figures are memories rescored a second; a day's run
computes all and writes those whose stored scores have changed, a share told as `written`. `all_written_per_s` is the
same where half a year has passed at once, so that nearly all are written. There are fewer rounds, told as `rounds`, where
seven would take more than four minutes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from statistics import median
from threading import Event, Thread
from typing import Any

import numpy as np

from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import Progress, percentile, throwaway
from graph_memory.bench.stand_ins import HashEmbedder
from graph_memory.bootstrap import all_settings
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.recall.hits import Arms
from graph_memory.recall.search import search
from graph_memory.scoring.rescoring import Rescored, rescore_tenant
from graph_memory.scoring.settings import DecaySettings, TiersSettings
from graph_memory.scoring.terms import Policy
from graph_memory.store.queries import query
from graph_memory.store.service import Service

RAW_SET = query("bench/raw_set")
AGE = query("bench/age")
FORGET = query("bench/forget_scores")

BATCH = 500
ROUNDS = 7
# As many rounds as fit, and no fewer than a median needs.
ROUNDS_WITHIN = 240.0
FEWEST_ROUNDS = 3

Work = Callable[[], Any]


@dataclass
class _Tenant:
    service: Service
    scope: Scope
    memories: int
    now: datetime

    def rescore(self, policy: Policy, days: float) -> Rescored:
        """Rescores as of some days later than the time before."""
        self.now += timedelta(days=days)
        return rescore_tenant(self.service, self.scope, self.now, policy=policy)

    def raw(self, value: float) -> None:
        """The plain driver's part."""
        decay = self.service.settings[DecaySettings]
        sizes = {"batch": decay.batch, "concurrency": decay.concurrency}
        self.service.batches(self.scope, RAW_SET, value=value, **sizes)


def bench_decay(service: Service, memories: int, told: Callable[[str], None]) -> dict[str, Any]:
    """The figures of `bench decay`; see the keys in the documentation of forgetting."""
    service = replace(service, embedder=HashEmbedder(service.embedder.dimension))
    with throwaway(service, "decay") as name:
        tenant = _Tenant(service, Scope(name, "ann"), memories, service.clock())
        _fill(tenant, told)
        moved, seconds = _timed(lambda: tenant.rescore(Policy.RETENTION, 1))
        told(f"{moved.moved.total()} memories changed their tier in {seconds:.1f} s")
        figures = _policies(_without_boundaries(tenant), told)
        readers = _readers(_without_boundaries(tenant), told)
    return {
        "memories": memories,
        **figures,
        "tier_changes": moved.moved.total(),
        "tier_changes_per_s": round(moved.moved.total() / seconds),
        **readers,
        "load": [round(each, 2) for each in os.getloadavg()],
    }


def _fill(tenant: _Tenant, told: Callable[[str], None]) -> None:
    source = np.random.default_rng(7)
    progress = Progress(told, "memories imported", tenant.memories)
    for start in range(0, tenant.memories, BATCH):
        count = min(BATCH, tenant.memories - start)
        vectors = source.normal(size=(count, tenant.service.embedder.dimension))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        facts = [
            Fact(
                f"word{(start + n) % 97} about thing{(start + n) % 31} {start + n}",
                importance=(start + n) % 10 / 10,
                entities=(),
                vector=tuple(vectors[n].tolist()),
            )
            for n in range(count)
        ]
        add(tenant.service, Call(tenant.scope, "bench"), facts)
        progress.done(start + count)
    tenant.service.batches(tenant.scope, AGE, now=tenant.now)


def _without_boundaries(tenant: _Tenant) -> _Tenant:
    """The same tenant where everything is hot, whatever its retention."""
    nowhere = TiersSettings(archive_threshold=0.0, warm=1e-9, hot=2e-9)
    calendar = tenant.service.settings[DecaySettings].model_copy(update={"clock": "calendar"})
    settings = all_settings(tenant.service).model_copy(update={"tiers": nowhere, "decay": calendar})
    plain = replace(tenant, service=replace(tenant.service, settings=settings))
    for policy in (Policy.RETENTION, Policy.RETENTION):
        plain.rescore(policy, 0.001)
    return plain


def _policies(tenant: _Tenant, told: Callable[[str], None]) -> dict[str, Any]:
    """Rounds in turns with the plain driver, so that all meet the same machine; medians."""
    raw: list[float] = []
    daily: dict[Policy, list[float]] = {policy: [] for policy in Policy}
    written: dict[Policy, list[float]] = {policy: [] for policy in Policy}
    whole: dict[Policy, list[float]] = {policy: [] for policy in Policy}
    start, begun = tenant.now, time.monotonic()
    round_, rounds = 0, ROUNDS
    while round_ < rounds:
        for policy in Policy:
            raw.append(tenant.memories / _timed(lambda value=round_: tenant.raw(value / 100))[1])  # type: ignore[misc]
            tenant.now = start
            tenant.service.write(tenant.scope, lambda tx: tx.run(FORGET))
            for days, figures in ((182, whole), (-182, whole), (1, daily)):
                tenant.service.write(tenant.scope, lambda tx: tx.run(FORGET))
                done, seconds = _timed(lambda p=policy, d=days: tenant.rescore(p, d))  # type: ignore[misc]
                figures[policy].append(tenant.memories / seconds)
                if days == 1:
                    written[policy].append(done.changed / tenant.memories)
        round_ += 1
        took = (time.monotonic() - begun) / round_
        rounds = min(ROUNDS, max(FEWEST_ROUNDS, int(ROUNDS_WITHIN / took)))
        told(f"{round_} of {rounds} rounds, about {max(0, rounds - round_) * took:.0f} s left")
    per_s = {policy.value: round(median(daily[policy][1:])) for policy in Policy}
    told(f"rescored a second: {per_s}, the plain driver {round(median(raw[1:]))}")
    return {
        "rounds": round_,
        "per_s": per_s,
        "raw_per_s": round(median(raw[1:])),
        "of_raw": {name: round(each / median(raw[1:]), 2) for name, each in per_s.items()},
        "written": {policy.value: round(median(written[policy]), 3) for policy in Policy},
        "all_written_per_s": {policy.value: round(median(whole[policy][1:])) for policy in Policy},
    }


def _readers(tenant: _Tenant, told: Callable[[str], None]) -> dict[str, Any]:
    """The 95th percentile of searches while memories are rescored, beside that of a quiet time."""
    source, ended = np.random.default_rng(8), Event()
    vectors = source.normal(size=(200, tenant.service.embedder.dimension)).tolist()

    def searched(until: Callable[[int], bool]) -> list[float]:
        times: list[float] = []
        while not until(len(times)):
            vector = vectors[len(times) % len(vectors)]
            ask = lambda v=vector: search(  # noqa: E731 - measured
                tenant.service, tenant.scope, vector=v, limit=10, arms=Arms.VECTOR
            )
            times.append(_timed(ask)[1] * 1000)
        return times

    searched(lambda count: count >= 50)
    quiet = percentile(searched(lambda count: count >= 300), 95)

    def work() -> None:
        begun = time.perf_counter()
        while time.perf_counter() - begun < 10:
            for policy in Policy:
                tenant.rescore(policy, 1)
        ended.set()

    thread = Thread(target=work)
    thread.start()
    busy = percentile(searched(lambda _: ended.is_set()), 95)
    thread.join()
    told(f"searches: p95 {quiet:.1f} ms when quiet, {busy:.1f} ms meanwhile")
    return {
        "readers_p95_ms": {"quiet": round(quiet, 2), "meanwhile": round(busy, 2)},
        "readers_p95_ratio": round(busy / quiet, 2),
    }


def _timed(work: Work) -> tuple[Any, float]:
    begun = time.perf_counter()
    result = work()
    return result, time.perf_counter() - begun

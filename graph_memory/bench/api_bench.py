"""`bench api`: reads and writes over HTTP by many clients of many accounts, and conversations that workers extract.

A load comes at fixed moments, and then as fast as its clients get answers. With more processes than one, rounds with one of each
and with all of them take turns, so that both meet the same machine; medians are told.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from graph_memory.base.errors import Unavailable
from graph_memory.base.scope import Scope
from graph_memory.bench.api_load import Load, Request, Round, carry
from graph_memory.bench.api_processes import Processes, api_processes, cpu_seconds, database_pids
from graph_memory.bench.api_world import SUBJECT, Account, accounts, question, statement
from graph_memory.bench.conversations import messages
from graph_memory.bench.conversations_worker import own_worker
from graph_memory.bench.measuring import throwaway
from graph_memory.bootstrap import all_settings
from graph_memory.ingest.submission import close, submit
from graph_memory.jobs import runs, schedule
from graph_memory.ledger.changes import Call
from graph_memory.store.service import Service

READERS, WRITERS = 16, 8
WARM_UP = 30.0
SESSIONS = 40
_PATIENCE = 600.0
_PAUSE = 0.1
_DAY = 24 * 60


@dataclass(frozen=True)
class Wanted:
    """What to measure: how long a round of reads is and how many there are, and what comes each second."""

    memories: int = 10_000
    seconds: float = 300.0
    rounds: int = 3
    reads: float = 60.0
    writes: float = 40.0
    processes: int = 1
    workers: int = 1
    seed: int = 7
    warm_up: float = WARM_UP
    sessions: int = SESSIONS


def bench_api(
    service: Service, wanted: Wanted, told: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Answers a second, percentiles, errors and CPU time of reads and writes, and sessions a minute of the workers."""
    machine = {"cpus": os.cpu_count(), "load_before": round(os.getloadavg()[0], 2)}
    with accounts(service, wanted.memories, wanted.seed, told) as given:
        sides = {"one": (1, 1)}
        if (wanted.processes, wanted.workers) != (1, 1):
            sides["more"] = (wanted.processes, wanted.workers)
        loads = _loads(service, given, wanted)
        found = {name: _Side(*numbers) for name, numbers in sides.items()}
        for _ in range(wanted.rounds):
            for name, side in found.items():
                with api_processes(all_settings(service), side.processes) as running:
                    for what, load, warm_up, seconds in loads:
                        told(f"{what}, {side.processes} of the API, {seconds:.0f} s")
                        side.add(what, _measured(service, running, load, warm_up, seconds))
                told(f"{wanted.sessions} conversations, {side.workers} of the workers")
                side.sessions.append(_extracted(service, side.workers, wanted.sessions))
                told(f"{name}: {side.figures()}")
    machine["load_after"] = round(os.getloadavg()[0], 2)
    return {
        "memories": wanted.memories,
        "accounts": len(given),
        "machine": machine,
        "rounds": wanted.rounds,
        "seconds": wanted.seconds,
        **{name: side.figures() for name, side in found.items()},
    }


class _Side:
    """One number of processes and of workers, and what was measured with it."""

    def __init__(self, processes: int, workers: int) -> None:
        self.processes, self.workers = processes, workers
        self.sessions: list[float] = []
        self._rounds: dict[str, list[dict[str, Any]]] = {}

    def add(self, what: str, figures: dict[str, Any]) -> None:
        """One round more."""
        self._rounds.setdefault(what, []).append(figures)

    def figures(self) -> dict[str, Any]:
        """The medians of its rounds; errors of all of them."""
        return {
            "api": self.processes,
            "workers": self.workers,
            **{what: _medians(rounds) for what, rounds in self._rounds.items()},
            "sessions_per_min": round(median(self.sessions), 1),
        }


def _medians(rounds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    numbers = [name for name in rounds[0] if name != "errors"]
    return {
        **{name: median(each[name] for each in rounds) for name in numbers},
        "errors": sum(sum(each["errors"].values()) for each in rounds),
    }


def _loads(
    service: Service, given: Sequence[Account], wanted: Wanted
) -> list[tuple[str, Load, float, float]]:
    """Name, load, seconds that do not count, seconds."""
    source = random.Random(wanted.seed)
    read = partial(_read, given, source, service)
    write = partial(_write, given, source, service.embedder.dimension)
    short = max(1.0, wanted.seconds / 5)
    return [
        ("reads", Load(READERS, read, wanted.reads), wanted.warm_up, wanted.seconds),
        ("reads_at_most", Load(READERS, read), wanted.warm_up / 10, short),
        ("writes", Load(WRITERS, write, wanted.writes), wanted.warm_up / 10, short),
        ("writes_at_most", Load(WRITERS, write), wanted.warm_up / 10, short),
    ]


def _read(given: Sequence[Account], source: random.Random, service: Service) -> Request:
    """Of a hundred reads 60 search, 25 look at a memory and its links, 10 at its past, 5 at what is two links around."""
    account, which = source.choice(given), source.random()
    if which < 0.6:
        return Request("search", {"query": question(source), "first": 10, "subject": SUBJECT}, account.key)
    if which < 0.85:
        return Request("memory", {"id": source.choice(account.ids)}, account.key)
    if which < 0.9:
        return Request("history", {"id": source.choice(account.chains)}, account.key)
    if which < 0.95:
        then = service.clock() - timedelta(minutes=source.randint(0, _DAY))
        return Request("memory", {"id": source.choice(account.ids), "asOf": then.isoformat()}, account.key)
    return Request("subgraph", {"ids": [source.choice(account.ids)], "depth": 2}, account.key)


def _write(given: Sequence[Account], source: random.Random, dimension: int) -> Request:
    given_fact = {"text": statement(source), "vector": _vector(source, dimension), "subject": SUBJECT}
    return Request("add-memory", {"input": given_fact}, source.choice(given).key)


def _vector(source: random.Random, dimension: int) -> list[float]:
    numbers = np.random.default_rng(source.getrandbits(32)).normal(size=dimension)
    return [float(number) for number in numbers / np.linalg.norm(numbers)]


def _measured(
    service: Service, running: Processes, load: Load, warm_up: float, seconds: float
) -> dict[str, Any]:
    """A round with what an answer costs in CPU time, whatever else the machine does."""
    pids = {"api": running.pids, "database": database_pids(all_settings(service)), "bench": [os.getpid()]}
    before = {name: cpu_seconds(each) for name, each in pids.items()}
    done: Round = carry(load, running.urls, warm_up, seconds)
    share = seconds / (warm_up + seconds) / max(1, len(done.times))
    cost = {
        f"{name}_cpu_ms": round((cpu_seconds(each) - before[name]) * share * 1000, 2)
        for name, each in pids.items()
    }
    return {**done.figures(), **cost}


def _extracted(service: Service, workers: int, sessions: int) -> float:
    """Sessions a minute that the workers extract, from the first that is handed over until the last is done."""
    with (
        throwaway(service, "api-talk") as tenant,
        own_worker(all_settings(service), workers) as publish,
    ):
        scope = Scope(tenant, SUBJECT)
        call = Call(scope, "bench")

        def closed(number: int) -> str:
            submit(service, call, f"session {number}", messages(number))
            return close(service, call, f"session {number}").run_id

        def done(ids: Sequence[str]) -> bool:
            return all(runs.get(service, scope, id).is_finished for id in ids)

        def carried(ids: Sequence[str]) -> None:
            for id in ids:
                publish(schedule.job(schedule.EXTRACT), scope, id)
            end = time.monotonic() + _PATIENCE
            while not done(ids):
                if time.monotonic() > end:
                    raise Unavailable(f"The workers of this measurement were not done in {_PATIENCE:.0f} s.")
                time.sleep(_PAUSE)

        # Each process opens its models with its first session.
        carried([closed(-1 - number) for number in range(2 * workers)])
        ids = [closed(number) for number in range(sessions)]
        begun = time.perf_counter()
        carried(ids)
        return sessions / (time.perf_counter() - begun) * 60

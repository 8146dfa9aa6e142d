"""`bench store`: import, search, recall and point reads, beside the plain driver in the same run.

The data is made up: clustered vectors, one tenant with most of it, one with 1 %, twenty others, subjects of all
sizes, half of everything retired. The plain driver gets the same rows, indexes and constraints, one UNWIND or one
statement.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import Counted, Progress, percentile, throwaway
from graph_memory.bench.world import Given, World, world
from graph_memory.language.texts import lucene
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.memory.addition import add, prepare
from graph_memory.memory.links import Wanted, link_many
from graph_memory.memory.traversal import neighbours
from graph_memory.model.link_kinds import LinkKind
from graph_memory.recall.hits import Arms
from graph_memory.recall.search import search
from graph_memory.store.queries import query
from graph_memory.store.service import Service, Transaction
from graph_memory.store.settings import Neo4jSettings, StackSettings

AWAIT_FULLTEXT = query("system/await_fulltext")
RAW_ADD = query("bench/raw_add")
RAW_VECTOR = query("bench/raw_vector")
RAW_HYBRID = query("bench/raw_hybrid")
RAW_POINT = query("bench/raw_point")
RAW_HOPS = query("bench/raw_neighbours2")

BATCH = 500
LIMIT = 10
QUESTIONS = 200
WARM_UP = 20


@dataclass
class Imported:
    """Seconds spent on both sides for the same rows, and round trips of ours."""

    ours: float = 0.0
    raw: float = 0.0
    rows: int = 0
    trips: int = 0
    batches: int = 0


def bench_store(service: Service, memories: int, seed: int, told: Callable[[str], None]) -> dict[str, Any]:
    """The figures of `bench store`; see the keys in design section 14."""
    made = world(memories, seed, service.embedder.dimension, service.clock())
    with ExitStack() as gone:
        names = {tenant: gone.enter_context(throwaway(service, tenant)) for tenant in [*made.tenants, "raw"]}
        before = _disk(service)
        imported = _import(service, made, names, told)
        _settle(service)
        figures = _searches(service, made, names, told)
        size = (_disk(service) - before) / (2 * memories) if before else None
    return {
        "memories": memories,
        "import_per_s": round(imported.rows / imported.ours),
        "import_ratio": round(imported.raw / imported.ours, 3),
        "round_trips_per_500": round(imported.trips / imported.batches, 2),
        "bytes_per_memory": size and round(size),
        **{name: value for name, value in figures.items() if name != "raw"},
        "raw": {"import_per_s": round(imported.rows / imported.raw), **figures["raw"]},
    }


def _import(service: Service, made: World, names: dict[str, str], told: Callable[[str], None]) -> Imported:
    imported, counted = Imported(), Counted(service)
    progress = Progress(told, "memories imported", made.size)
    batches = [(given, start) for given in made.given for start in range(0, len(given.facts), BATCH)]
    for given, start in batches:
        facts = given.facts[start : start + BATCH]
        scope = Scope(names[given.tenant], given.subject)
        raw_rows = _raw_rows(service, facts)
        with counted.counting():
            begun = time.perf_counter()
            add(counted.service, Call(scope, "bench"), facts)
            imported.ours += time.perf_counter() - begun
        begun = time.perf_counter()
        service.write(Scope(names["raw"]), _sending(raw_rows))
        imported.raw += time.perf_counter() - begun
        imported.rows += len(facts)
        imported.batches += 1
        progress.done(imported.rows)
    imported.trips = counted.statements
    return imported


def _sending(rows: list[dict[str, Any]]) -> Callable[[Transaction], Any]:
    return lambda tx: tx.run(RAW_ADD, rows=rows)


def _raw_rows(service: Service, facts: Sequence[Any]) -> list[dict[str, Any]]:
    rows = [item.properties for item in prepare(service, Scope("raw", "raw").subject or "", facts)]
    return [
        {"state": "Live" if row["live_key"] else "Past", "properties": {**row, "live_key": None}}
        for row in rows
    ]


def _searches(
    service: Service, made: World, names: dict[str, str], told: Callable[[str], None]
) -> dict[str, Any]:
    counted = Counted(service)
    questions = made.questions(QUESTIONS + WARM_UP)
    big = Scope(names["big"])
    raw = Scope(names["raw"])
    now = service.clock()
    times: dict[str, list[float]] = {"ours": [], "hybrid": [], "raw": [], "raw_hybrid": []}
    retired = 0
    progress = Progress(told, "questions asked", len(questions))
    for number, (vector, text) in enumerate(questions, 1):
        asked: dict[str, Any] = {"vector": vector, "limit": LIMIT}
        with counted.counting():
            page, ours = _timed(partial(search, counted.service, big, arms=Arms.VECTOR, **asked))
            both, hybrid = _timed(partial(search, counted.service, big, text, **asked))
        _, raw_ours = _timed(partial(service.read, raw, RAW_VECTOR, as_of=now, **asked))
        _, raw_hybrid = _timed(partial(service.read, raw, RAW_HYBRID, terms=lucene(text), as_of=now, **asked))
        retired += sum(
            hit.memory.valid_to is not None and hit.memory.valid_to <= now for hit in (*page.hits, *both.hits)
        )
        for name, ms in zip(times, (ours, hybrid, raw_ours, raw_hybrid), strict=True):
            times[name].append(ms)
        progress.done(number)
    told("reading points and neighbours, and comparing with an exact scan")
    times = {name: values[WARM_UP:] for name, values in times.items()}
    points, raw_points = _points(service, big)
    hops, raw_hops = _hops(service, Scope(names["big"], "half"))
    return {
        "search_p50_ms": _ms(median(times["ours"])),
        "search_p95_ms": _ms(percentile(times["ours"], 95)),
        "hybrid_p50_ms": _ms(median(times["hybrid"])),
        "statements_per_search": counted.statements / (2 * len(questions)),
        "recall_vs_exact": {
            "big": _recall(service, made, Scope(names["big"]), made.of("big")),
            "small": _recall(service, made, Scope(names["small"]), made.of("small")),
            "subject": _recall(
                service, made, Scope(names["big"], "one-percent"), made.of("big", "one-percent")
            ),
        },
        "retired_returned": retired,
        "point_read_p50_ms": _ms(points),
        "neighbours2_p50_ms": _ms(hops),
        "raw": {
            "search_p50_ms": _ms(median(times["raw"])),
            "search_p95_ms": _ms(percentile(times["raw"], 95)),
            "hybrid_p50_ms": _ms(median(times["raw_hybrid"])),
            "point_read_p50_ms": _ms(raw_points),
            "neighbours2_p50_ms": _ms(raw_hops),
        },
    }


def _points(service: Service, scope: Scope) -> tuple[float, float]:
    ids = [memory.id for memory in reading.browse(service, scope, 100, include_past=True).items]
    ours, raw = [], []
    for id in ids * 2:
        ours.append(_timed(partial(reading.get, service, scope, id))[1])
        raw.append(_timed(partial(service.read, scope, RAW_POINT, id=id))[1])
    return median(ours), median(raw)


def _hops(service: Service, scope: Scope) -> tuple[float, float]:
    """Two typed hops over two hundred memories with four hundred links among them."""
    pages = [reading.browse(service, scope, 100)]
    pages.append(reading.browse(service, scope, 100, after=pages[0].next))
    ids = [memory.id for page in pages for memory in page.items]
    kinds = [LinkKind.RELATED, LinkKind.CAUSES, LinkKind.SUPPORTS]
    count = len(ids)
    wanted = [
        Wanted(ids[i], ids[(i * 7 + step) % count], kinds[i % 3]) for i in range(count) for step in (1, 3)
    ]
    link_many(service, Call(scope, "bench"), [each for each in wanted if each.from_id != each.to_id])
    ours, raw = [], []
    for id in ids[: 20 + QUESTIONS // 2]:
        ours.append(_timed(partial(neighbours, service, scope, id, kinds=kinds, depth=2, limit=100))[1])
        raw.append(_timed(partial(service.read, scope, RAW_HOPS, id=id, limit=100))[1])
    return median(ours[20:]), median(raw[20:])


def _recall(service: Service, made: World, scope: Scope, given: Sequence[Given]) -> float:
    """The share of the exact ten nearest live memories that a search finds, over fifty questions."""
    shares = []
    for vector, _ in made.questions(50):
        exact = made.nearest(given, vector, LIMIT)
        found = {
            hit.memory.text
            for hit in search(service, scope, vector=vector, limit=LIMIT, arms=Arms.VECTOR).hits
        }
        shares.append(len(exact & found) / len(exact))
    return round(sum(shares) / len(shares), 4)


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    begun = time.perf_counter()
    result = work()
    return result, (time.perf_counter() - begun) * 1000


def _settle(service: Service) -> None:
    """The full-text indexes follow a moment later, and Lucene merges right after a bulk load."""
    with service.driver.session(database=service.settings[Neo4jSettings].database) as session:
        session.run(AWAIT_FULLTEXT.text).consume()
    time.sleep(timedelta(seconds=3).total_seconds())


def _disk(service: Service) -> int:
    """Bytes of the local stack's store; 0 for a server elsewhere."""
    if service.settings[Neo4jSettings].uri:
        return 0
    folder: Path = service.settings[StackSettings].data / "neo4j"
    return sum(
        file.stat().st_size
        for file in folder.rglob("*")
        if file.is_file() and "transactions" not in file.parts
    )


def _ms(value: float) -> float:
    return round(value, 2)

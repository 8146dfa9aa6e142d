"""`bench transfer`: export, restore into an empty tenant, export again; the same records, line for line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import throwaway
from graph_memory.bench.world import World, world
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.store.service import Service
from graph_memory.transfer.export import export_lines, write_file
from graph_memory.transfer.restore import restore

BATCH = 500


def bench_transfer(service: Service, memories: int, seed: int, told: Callable[[str], None]) -> dict[str, Any]:
    """Records a second on the way out and in, and whether nothing was lost or changed on the way.

    `equal` compares all lines but the first and the last, sorted: those hold the tenant's name, times and checksum.
    """
    made = world(memories, seed, service.embedder.dimension, service.clock())
    with (
        throwaway(service, "export") as source,
        throwaway(service, "restore") as target,
        TemporaryDirectory() as folder,
    ):
        _fill(service, Scope(source), made, told)
        files = [Path(folder, name) for name in ("before.jsonl", "after.jsonl")]
        out = _timed(lambda: write_file(files[0], lambda: export_lines(service, Scope(source))))
        told(f"exported in {out:.0f} s")
        back = _timed(lambda: restore(service, files[0], target))
        told(f"restored in {back:.0f} s")
        write_file(files[1], lambda: export_lines(service, Scope(target)))
        before, after = (sorted(_records(file)) for file in files)
        return {
            "memories": made.size,
            "records": len(before),
            "bytes": files[0].stat().st_size,
            "export_per_s": round(len(before) / out),
            "restore_per_s": round(len(before) / back),
            "equal": before == after,
        }


def _fill(service: Service, scope: Scope, made: World, told: Callable[[str], None]) -> None:
    for number, given in enumerate(made.given):
        own = scope.of(f"{given.tenant}-{given.subject}")
        for start in range(0, len(given.facts), BATCH):
            add(service, Call(own, "bench"), given.facts[start : start + BATCH])
        told(f"{number + 1} of {len(made.given)} subjects stored")


def _records(file: Path) -> Iterator[bytes]:
    lines = file.read_bytes().splitlines()
    return iter(lines[1:-1])


def _timed(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun

"""What benchmarks leave behind: nothing, also when they are killed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graph_memory.base.scope import Scope
from graph_memory.bench import places
from graph_memory.bench.measuring import Progress, leftovers, throwaway
from graph_memory.cli import bench
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.store.service import Service
from tests.apart import driver, stack

__all__ = ["driver", "stack"]


def test_the_store_of_a_benchmark_that_is_no_more_is_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    dead, alive, other = (
        tmp_path / name
        for name in (f"graph-memory-bench-{ended.pid}-a", f"graph-memory-bench-{os.getpid()}-b", "other")
    )
    for each in (dead, alive, other):
        (each / "neo4j").mkdir(parents=True)
    places._sweep()
    assert [each.exists() for each in (dead, alive, other)] == [False, True, True]


def test_progress_tells_how_long_the_rest_will_take():
    told: list[str] = []
    progress = Progress(told.append, "memories imported", 4000)
    progress._last = progress._begun = progress._begun - 100
    progress.done(1000)
    progress.done(1001)
    progress.done(4000)
    assert told == [
        "1,000 of 4,000 memories imported, about 5.0 min left",
        "4,000 of 4,000 memories imported, in 1.7 min",
    ]


@pytest.mark.stack
def test_what_a_killed_benchmark_left_in_a_named_store_is_cleared_and_nothing_else(
    service: Service, scope: Scope
):
    with throwaway(service, "left") as name:
        for each in (scope, Scope(name, "ann")):
            add(service, Call(each, "test"), [Fact("Ann has a cat.", entities=())])
        assert name in leftovers(service)
        assert scope.tenant_name not in leftovers(service)
        done = CliRunner().invoke(bench.app, ["clear", "--json"])
        assert name in done.stdout
        assert leftovers(service) == []

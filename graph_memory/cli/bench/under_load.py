"""How long it takes, and what is left of it: much data, many callers, a process that was killed."""

from __future__ import annotations

from typing import Annotated

import typer

from graph_memory.bench.places import measured_service
from graph_memory.bootstrap import open_service
from graph_memory.cli.bench.context import BenchContext, Seed, told
from graph_memory.settings import load

HalfRetired = Annotated[int, typer.Option(min=1000, help="How many memories; half of them are retired.")]


def store(
    memories: HalfRetired = 20_000,
    seed: Seed = 7,
    *,
    context: BenchContext,
) -> None:
    """Import, search, recall against an exact scan, point reads, beside the plain driver in the same run.

    Example: graph-memory bench store --memories 20000
    """
    from graph_memory.bench.store import bench_store

    context.show(bench_store(context.service, memories, seed, told))


def chain(
    seconds: Annotated[float, typer.Option(min=1, help="How long each load is applied, on each side.")] = 15,
    *,
    context: BenchContext,
) -> None:
    """Single writes by 8 clients and 32 clients on one chain, beside the plain driver in the same run.

    Example: graph-memory bench chain --seconds 15
    """
    from graph_memory.bench.hot_chain import bench_chain

    context.show(bench_chain(context.service, seconds, told))


def transfer(
    memories: HalfRetired = 20_000,
    seed: Seed = 7,
    *,
    context: BenchContext,
) -> None:
    """Export, restore into an empty tenant, and export again: the lines must be the same.

    Example: graph-memory bench transfer --memories 20000
    """
    from graph_memory.bench.transfer import bench_transfer

    context.show(bench_transfer(context.service, memories, seed, told))


def decay(
    memories: Annotated[int, typer.Option(min=1000, help="How many memories, spread over a year.")] = 20_000,
    *,
    context: BenchContext,
) -> None:
    """Rescoring by each policy, beside the plain driver who sets one property on the same memories.

    Example: graph-memory bench decay --memories 20000
    """
    from graph_memory.bench.decay import bench_decay

    context.show(bench_decay(context.service, memories, told))


def remember(
    facts: Annotated[int, typer.Option(min=1, help="How many statements are remembered.")] = 200,
    known: Annotated[int, typer.Option(min=0, help="How many memories the subject has before.")] = 1000,
    *,
    context: BenchContext,
) -> None:
    """How long one statement takes to be embedded, compared, judged without a language model, and stored.

    Example: graph-memory bench remember --facts 200
    """
    from graph_memory.bench.remember import bench_remember

    context.show(bench_remember(context.service, facts, known, told))


def consolidate(
    memories: Annotated[int, typer.Option(min=10, help="How many memories each of two accounts has.")] = 1000,
    *,
    context: BenchContext,
) -> None:
    """What consolidation merges of memories whose groups are known, what it loses, and whether it can be taken back.

    Example: graph-memory bench consolidate --memories 1000
    """
    from graph_memory.bench.consolidate_bench import bench_consolidate

    context.show(bench_consolidate(context.service, memories, told))


def conversations(
    sessions: Annotated[int, typer.Option(min=5, help="How many sessions are submitted and closed.")] = 50,
    worker: Annotated[
        bool, typer.Option("--worker", help="Extract in a worker of its own, through the broker.")
    ] = False,
    *,
    context: BenchContext,
) -> None:
    """How long messages take to be accepted, and then, their session closed at once, to be readable.

    Example: graph-memory bench conversations --worker
    """
    from graph_memory.bench.conversations import bench_conversations

    with measured_service(told, ["neo4j", "broker"] if worker else ["neo4j"]) as service:
        context.show(bench_conversations(service, sessions, told, worker=worker))


def communities(
    memories: Annotated[int, typer.Option(min=1000, help="How many memories, all of one subject.")] = 10_000,
    seed: Seed = 7,
    *,
    context: BenchContext,
) -> None:
    """Communities: a whole run beside the raw calls of the graph library, a run after 1 % has changed, and what keeps its id.

    Example: graph-memory bench communities --memories 10000
    """
    from graph_memory.bench.communities_bench import bench_communities

    context.show(bench_communities(context.service, memories, seed, told))


def api(
    memories: Annotated[
        int, typer.Option(min=1000, help="How many memories, over twenty accounts.")
    ] = 10_000,
    seconds: Annotated[
        float,
        typer.Option(min=5, help="How long a round of reads is, warmed up for 30 s; writes take a fifth."),
    ] = 300,
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds; medians are told.")] = 3,
    reads: Annotated[float, typer.Option(min=1, help="Reads that come each second, from 16 clients.")] = 60,
    writes: Annotated[float, typer.Option(min=1, help="Writes that come each second, from 8 clients.")] = 40,
    processes: Annotated[
        int, typer.Option(min=1, help="Processes of the API that are measured beside a single one.")
    ] = 1,
    workers: Annotated[
        int, typer.Option(min=1, help="Processes of the worker that are measured beside a single one.")
    ] = 1,
    *,
    context: BenchContext,
) -> None:
    """Reads and writes over HTTP by many clients at once, what each costs in CPU time, and conversations that workers extract.

    Example: graph-memory bench api --processes 2 --workers 4 --seconds 60
    """
    from graph_memory.bench.api_bench import Wanted, bench_api

    wanted = Wanted(memories, seconds, rounds, reads, writes, processes, workers)
    with measured_service(told, ["neo4j", "broker"]) as service:
        context.show(bench_api(service, wanted, told))


def clear(context: BenchContext) -> None:
    """Remove what killed benchmarks left in the store that runs or is named: tenants that only a benchmark makes.

    A benchmark has a store of its own and leaves nothing, unless GRAPH_MEMORY_NEO4J_URI names the server to measure.

    Example: graph-memory bench clear
    """
    from graph_memory.bench.measuring import erase, leftovers

    with open_service(load()) as service:
        names = leftovers(service)
        for number, name in enumerate(names, 1):
            told(f"removing {name} ({number} of {len(names)})")
            erase(service, name)
    context.show({"removed": names})

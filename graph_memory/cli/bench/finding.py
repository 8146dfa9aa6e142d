"""What is found: memories, answers to questions, moments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graph_memory.cli.bench.context import BenchContext, Seed, told
from graph_memory.cli.bench.places import file, folder, to_write


def recall(
    data: Annotated[Path, typer.Option(help="A file in LoCoMo's own format.", callback=file)],
    fit: Annotated[
        Path | None,
        typer.Option(
            help="A file that gets weights of search, fitted on this data and measured across it.",
            callback=to_write,
        ),
    ] = None,
    others: Annotated[
        int, typer.Option(help="So many memories of twenty other tenants in the same store.", min=0)
    ] = 0,
    *,
    context: BenchContext,
) -> None:
    """Whether the turns that answer a question are among the hits.

    Example: graph-memory bench recall --data locomo.json
    """
    from graph_memory.bench.recall import bench_recall

    context.show(bench_recall(context.service, data, told, fit, others))


def questions(
    chats: Annotated[
        Path | None,
        typer.Option(
            help="A folder of annotated chats with questions. Missing: the sample conversation.",
            callback=folder,
        ),
    ] = None,
    hand: Annotated[
        list[str] | None, typer.Option(help="Chats whose names begin so; repeat for more. Missing: all.")
    ] = None,
    *,
    context: BenchContext,
) -> None:
    """Natural questions over the sample conversation, or over chats: is the answer first, among the first five, or is there none?

    Example: graph-memory bench questions --chats tests/data/streams --hand h13
    """
    from graph_memory.bench.chat_questions import bench_chats
    from graph_memory.bench.sample_questions import bench_questions

    service = context.service
    context.show(bench_chats(service, chats, hand or (), told) if chats else bench_questions(service, told))


def temporal(
    phrases: Annotated[
        Path | None,
        typer.Option(
            help="A file of phrases with what they come to; missing: the ones that come with the package.",
            callback=file,
        ),
    ] = None,
    *,
    context: BenchContext,
) -> None:
    """What words for times come to, said at a moment in a zone, against what readers expect; each miss is shown.

    Example: graph-memory bench temporal --phrases phrases.json
    """
    from graph_memory import samples
    from graph_memory.bench.time_phrases import bench_temporal, report

    figures = bench_temporal(phrases or samples.PHRASES)
    context.show(figures, report(figures))


def time(seed: Seed = 7, *, context: BenchContext) -> None:
    """Random timelines: 2,000 questions on both axes of time against a small model; no answer may differ.

    Example: graph-memory bench time --seed 42
    """
    from graph_memory.bench.moments_bench import bench_time

    context.show(bench_time(context.service, seed, told))

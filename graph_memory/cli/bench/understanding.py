"""What is made of what people say: what is kept of it, and how it stands to what is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from graph_memory.bench.places import measured_service
from graph_memory.cli.bench.context import BenchContext, told
from graph_memory.cli.bench.places import file, files, folder, to_write
from graph_memory.cli.options import AsJson
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.settings import load


def judge(
    pairs: Annotated[
        Path, typer.Option(help="Labelled pairs: {pairs: [{id, old, new, action, link}]}.", callback=file)
    ],
    context: BenchContext,
) -> None:
    """What becomes of labelled pairs through the pipeline's own rule; an abstention counts as COEXIST.

    Example: graph-memory bench judge --pairs pairs.json
    """
    from graph_memory.bench.judge import bench_judge

    context.show(bench_judge(context.service, pairs, told))


def extraction(
    data: Annotated[Path, typer.Option(help="A file in LoCoMo's own format.", callback=file)],
    context: BenchContext,
) -> None:
    """What the rules make of conversations, without a language model: how much is kept, and how much is junk.

    Example: graph-memory bench extraction --data locomo.json
    """
    from graph_memory.bench.extraction_quality import bench_extraction

    context.show(bench_extraction(context.service, data, told))


def stories(
    data: Annotated[Path, typer.Option(help="A file of life stories with checks.", callback=file)],
    only: Annotated[
        list[str] | None, typer.Option(help="The id of a story to play; repeat for more. Missing: all.")
    ] = None,
    details: Annotated[
        Path | None,
        typer.Option(
            help="A file that gets each check with what was found, as JSON, story by story.",
            callback=to_write,
        ),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(help="A file with what a careful reader understood of each message.", callback=file),
    ] = None,
    rung: Annotated[
        str,
        typer.Option(
            help="What of it is put in the place of what the service reads: links; times, too; texts, too; moods, too: all."
        ),
    ] = "moods",
    as_json: AsJson = False,
) -> None:
    """Play life stories as chat, then judge by fixed rules what is known and found, and why the rest is not.

    Example: graph-memory bench stories --data stories.json --only d01 --details found.json
    """
    from graph_memory.bench.stories import bench_stories, gate
    from graph_memory.bench.story_files import read
    from graph_memory.bench.story_gold import readers
    from graph_memory.bench.story_table import report

    chosen, results = read(data, only or ()), list[dict[str, Any]]()
    by_hand = readers(gold, rung) if gold else {}
    with measured_service(told) as service:
        for result in bench_stories(service, chosen, told, by_hand):
            results.append(result)
            if details:
                found = {"gate": gate(results), "stories": results}
                details.write_text(json.dumps(found, indent=1, ensure_ascii=False), "utf-8")
    print(json.dumps(gate(results)) if as_json else report(results, gate(results)))


def statements(
    data: Annotated[Path, typer.Option(help="A line each: {known, said, want, keeps, gone}.", callback=file)],
    context: BenchContext,
) -> None:
    """Single statements beside what is known, told as one statement and as a message: decided, asked, lost.

    Example: graph-memory bench statements --data statements.jsonl
    """
    from graph_memory.bench.statements import bench_statements

    context.show(bench_statements(context.service, data, told))


def links(
    streams: Annotated[
        list[Path],
        typer.Option(
            help="A file of annotated chat streams, or a folder of them; repeat for more.", callback=files
        ),
    ],
    kept: Annotated[
        bool,
        typer.Option(
            "--kept",
            help="Beside what the service keeps of each message, not beside what a careful reader wrote.",
        ),
    ] = False,
    *,
    context: BenchContext,
) -> None:
    """How well a linker tells which known statement a message is about, and what it does to it, at several thresholds.

    Example: graph-memory bench links --streams streams
    """
    from graph_memory.bench.link_bench import bench_links, measured, report

    figures = bench_links(streams, measured(kept), told)
    context.show(figures, report(figures))


def claims(
    streams: Annotated[Path, typer.Option(help="A folder of annotated chat streams.", callback=folder)],
    hand: Annotated[
        list[str] | None, typer.Option(help="Chats whose names begin so; repeat for more. Missing: all.")
    ] = None,
    *,
    context: BenchContext,
) -> None:
    """How well claims are read from statements: whether the value is right, and two of one slot get one attribute.

    Example: graph-memory bench claims --streams tests/data/streams --hand h05
    """
    from graph_memory.bench.claim_quality import bench_claims

    context.show(bench_claims(streams, hand or (), told))


def worth(
    chats: Annotated[Path, typer.Option(help="A folder of chats with graded memories.", callback=folder)],
    hand: Annotated[
        list[str] | None, typer.Option(help="Chats of that file alone; repeat for more. Missing: all.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """How well it is told which sentences of a chat are worth keeping: what readers thought of all, and of those kept.

    Example: graph-memory bench worth --chats tests/data/chats --hand w5
    """
    from graph_memory.bench.worth_quality import bench_worth

    found = bench_worth(chats, hand or (), load()[LinkerSettings])
    print(json.dumps(found, indent=None if as_json else 2))

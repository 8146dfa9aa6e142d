"""`graph-memory bench`: every figure that is promised, by a command that anybody can run."""

from __future__ import annotations

import json
import os
import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from graph_memory.base.errors import Invalid
from graph_memory.bench.places import measured_service
from graph_memory.bootstrap import open_service
from graph_memory.cli.commands import App
from graph_memory.cli.context import PlainContext
from graph_memory.cli.options import AsJson
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.settings import load
from graph_memory.store.service import Service

app = App(help="Measure: figures on standard output, progress on standard error.", no_args_is_help=True)


@dataclass
class BenchContext(PlainContext):
    """Its service has a store of its own, which is measured."""

    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")
    ] = False

    def open(self) -> AbstractContextManager[Service]:
        return measured_service(_told)

    def show(self, data: Any, drawn: Any = None) -> None:
        """Figures; people get them as JSON too, but where there is a report."""
        if self.as_json or drawn is None:
            drawn = json.dumps(data, indent=None if self.as_json else 2)
        print(drawn)


def _file(path: Path | None) -> Path | None:
    """A file that can be read; Invalid for anything else. Nothing is started before that is known."""
    return _readable(path, path is None or path.is_file(), "file")


def _folder(path: Path | None) -> Path | None:
    return _readable(path, path is None or path.is_dir(), "folder")


def _files(paths: list[Path]) -> list[Path]:
    for path in paths:
        _readable(path, path.is_file() or path.is_dir(), "file or folder")
    return paths


def _readable(path: Path | None, is_right: bool, what: str) -> Path | None:
    if path is not None and not path.exists():
        raise Invalid(f"There is nothing at {path}; name a {what} there is.", path="path")
    if not is_right:
        raise Invalid(f"{path} is not a {what}; name a {what}.", path="path")
    return path


def _to_write(path: Path | None) -> Path | None:
    """A file that can be written, in a folder that is there; Invalid for anything else."""
    if path is not None:
        if path.is_dir():
            raise Invalid(f"{path} is a folder; name a file in it.", path="path")
        if not path.parent.is_dir():
            raise Invalid(f"There is no folder {path.parent}; make it first.", path="path")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise Invalid(
                f"You may not write {path}; ask its owner for the right to, or name another.", path="path"
            )
    return path


@app.command()
def recall(
    data: Annotated[Path, typer.Option(help="A file in LoCoMo's own format.", callback=_file)],
    fit: Annotated[
        Path | None,
        typer.Option(
            help="A file that gets weights of search, fitted on this data and measured across it.",
            callback=_to_write,
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

    context.show(bench_recall(context.service, data, _told, fit, others))


@app.command()
def questions(
    chats: Annotated[
        Path | None,
        typer.Option(
            help="A folder of annotated chats with questions. Missing: the sample conversation.",
            callback=_folder,
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
    context.show(bench_chats(service, chats, hand or (), _told) if chats else bench_questions(service, _told))


@app.command()
def store(
    memories: Annotated[
        int, typer.Option(min=1000, help="How many memories; half of them are retired.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 7,
    *,
    context: BenchContext,
) -> None:
    """Import, search, recall against an exact scan, point reads, beside the plain driver in the same run.

    Example: graph-memory bench store --memories 20000
    """
    from graph_memory.bench.store import bench_store

    context.show(bench_store(context.service, memories, seed, _told))


@app.command()
def temporal(
    phrases: Annotated[
        Path | None,
        typer.Option(
            help="A file of phrases with what they come to; missing: the ones that come with the package.",
            callback=_file,
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


@app.command(name="time")
def time_(seed: Annotated[int, typer.Option(help="Random seed.")] = 7, *, context: BenchContext) -> None:
    """Random timelines: 2,000 questions on both axes of time against a small model; no answer may differ.

    Example: graph-memory bench time --seed 42
    """
    from graph_memory.bench.moments_bench import bench_time

    context.show(bench_time(context.service, seed, _told))


@app.command()
def chain(
    seconds: Annotated[float, typer.Option(min=1, help="How long each load is applied, on each side.")] = 15,
    *,
    context: BenchContext,
) -> None:
    """Single writes by 8 clients and 32 clients on one chain, beside the plain driver in the same run.

    Example: graph-memory bench chain --seconds 15
    """
    from graph_memory.bench.hot_chain import bench_chain

    context.show(bench_chain(context.service, seconds, _told))


@app.command()
def transfer(
    memories: Annotated[
        int, typer.Option(min=1000, help="How many memories; half of them are retired.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 7,
    *,
    context: BenchContext,
) -> None:
    """Export, restore into an empty tenant, and export again: the lines must be the same.

    Example: graph-memory bench transfer --memories 20000
    """
    from graph_memory.bench.transfer import bench_transfer

    context.show(bench_transfer(context.service, memories, seed, _told))


@app.command()
def decay(
    memories: Annotated[int, typer.Option(min=1000, help="How many memories, spread over a year.")] = 20_000,
    *,
    context: BenchContext,
) -> None:
    """Rescoring by each policy, beside the plain driver who sets one property on the same memories.

    Example: graph-memory bench decay --memories 20000
    """
    from graph_memory.bench.decay import bench_decay

    context.show(bench_decay(context.service, memories, _told))


@app.command()
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

    context.show(bench_remember(context.service, facts, known, _told))


@app.command()
def consolidate(
    memories: Annotated[int, typer.Option(min=10, help="How many memories each of two accounts has.")] = 1000,
    *,
    context: BenchContext,
) -> None:
    """What consolidation merges of memories whose groups are known, what it loses, and whether it can be taken back.

    Example: graph-memory bench consolidate --memories 1000
    """
    from graph_memory.bench.consolidate_bench import bench_consolidate

    context.show(bench_consolidate(context.service, memories, _told))


@app.command()
def judge(
    pairs: Annotated[
        Path, typer.Option(help="Labelled pairs: {pairs: [{id, old, new, action, link}]}.", callback=_file)
    ],
    context: BenchContext,
) -> None:
    """What becomes of labelled pairs through the pipeline's own rule; an abstention counts as COEXIST.

    Example: graph-memory bench judge --pairs pairs.json
    """
    from graph_memory.bench.judge import bench_judge

    context.show(bench_judge(context.service, pairs, _told))


@app.command()
def extraction(
    data: Annotated[Path, typer.Option(help="A file in LoCoMo's own format.", callback=_file)],
    context: BenchContext,
) -> None:
    """What the rules make of conversations, without a language model: how much is kept, and how much is junk.

    Example: graph-memory bench extraction --data locomo.json
    """
    from graph_memory.bench.extraction_quality import bench_extraction

    context.show(bench_extraction(context.service, data, _told))


@app.command()
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

    with measured_service(_told, ["neo4j", "broker"] if worker else ["neo4j"]) as service:
        context.show(bench_conversations(service, sessions, _told, worker=worker))


@app.command()
def stories(
    data: Annotated[Path, typer.Option(help="A file of life stories with checks.", callback=_file)],
    only: Annotated[
        list[str] | None, typer.Option(help="The id of a story to play; repeat for more. Missing: all.")
    ] = None,
    details: Annotated[
        Path | None,
        typer.Option(
            help="A file that gets each check with what was found, as JSON, story by story.",
            callback=_to_write,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play life stories as chat, then judge by fixed rules what is known and found, and why the rest is not.

    Example: graph-memory bench stories --data stories.json --only d01 --details found.json
    """
    from graph_memory.bench.stories import bench_stories, gate
    from graph_memory.bench.story_files import read
    from graph_memory.bench.story_table import report

    chosen, results = read(data, only or ()), list[dict[str, Any]]()
    with measured_service(_told) as service:
        for result in bench_stories(service, chosen, _told):
            results.append(result)
            if details:
                found = {"gate": gate(results), "stories": results}
                details.write_text(json.dumps(found, indent=1, ensure_ascii=False), "utf-8")
    print(json.dumps(gate(results)) if as_json else report(results, gate(results)))


@app.command()
def statements(
    data: Annotated[
        Path, typer.Option(help="A line each: {known, said, want, keeps, gone}.", callback=_file)
    ],
    context: BenchContext,
) -> None:
    """Single statements beside what is known, told as one statement and as a message: decided, asked, lost.

    Example: graph-memory bench statements --data statements.jsonl
    """
    from graph_memory.bench.statements import bench_statements

    context.show(bench_statements(context.service, data, _told))


@app.command()
def links(
    streams: Annotated[
        list[Path],
        typer.Option(
            help="A file of annotated chat streams, or a folder of them; repeat for more.", callback=_files
        ),
    ],
    context: BenchContext,
) -> None:
    """How well a linker tells which known statement a message is about, and what it does to it, at several thresholds.

    Example: graph-memory bench links --streams streams
    """
    from graph_memory.bench.link_bench import bench_links, measured, report

    figures = bench_links(streams, measured(), _told)
    context.show(figures, report(figures))


@app.command()
def claims(
    streams: Annotated[Path, typer.Option(help="A folder of annotated chat streams.", callback=_folder)],
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

    context.show(bench_claims(streams, hand or (), _told))


@app.command()
def worth(
    chats: Annotated[Path, typer.Option(help="A folder of chats with graded memories.", callback=_folder)],
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


@app.command()
def communities(
    memories: Annotated[int, typer.Option(min=1000, help="How many memories, all of one subject.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 7,
    *,
    context: BenchContext,
) -> None:
    """Communities: a whole run beside the raw calls of the graph library, a run after 1 % has changed, and what keeps its id.

    Example: graph-memory bench communities --memories 10000
    """
    from graph_memory.bench.communities_bench import bench_communities

    context.show(bench_communities(context.service, memories, seed, _told))


@app.command()
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
    with measured_service(_told, ["neo4j", "broker"]) as service:
        context.show(bench_api(service, wanted, _told))


@app.command()
def clear(context: BenchContext) -> None:
    """Remove what killed benchmarks left in the store that runs or is named: tenants that only a benchmark makes.

    A benchmark has a store of its own and leaves nothing, unless GRAPH_MEMORY_NEO4J_URI names the server to measure.

    Example: graph-memory bench clear
    """
    from graph_memory.bench.measuring import erase, leftovers

    with open_service(load()) as service:
        names = leftovers(service)
        for number, name in enumerate(names, 1):
            _told(f"removing {name} ({number} of {len(names)})")
            erase(service, name)
    context.show({"removed": names})


def _told(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

"""`graph-memory up`, `down`, `status`, `doctor`, `logs`: the local stack."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from graph_memory.base.errors import NotFound
from graph_memory.local.control import changed, start, start_here, stop
from graph_memory.local.findings import Finding
from graph_memory.local.parts import api_address
from graph_memory.local.progress import Progress
from graph_memory.local.report import Report, report
from graph_memory.settings import Settings, load
from graph_memory.store.settings import StackSettings
from graph_memory.store.stack_folder import listening

app = typer.Typer()

SYSTEM_FAULT = 3
_OF_MODELS = ("calls", "failures", "tokens_in", "tokens_out", "cost")

Only = Annotated[str | None, typer.Option(help="Only these parts, separated by commas: neo4j,broker.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]


@app.command()
def up(
    only: Only = None,
    foreground: Annotated[bool, typer.Option("--foreground", help="Stay here until Ctrl-C.")] = False,
) -> None:
    """Start the stack and wait until all of it is healthy.

    Example: graph-memory up --only neo4j,broker
    """
    settings = load()
    parts = [each.strip() for each in only.split(",")] if only else None
    if foreground:
        sys.exit(start_here(settings, parts, Progress()))
    if not start(settings, parts, Progress()):
        others = changed(settings)
        print(
            f"It runs already with {', '.join(others)}; `graph-memory down`, then `graph-memory up` changes that."
            if others
            else "It runs already."
        )
    settings = as_it_runs(settings)
    _print_addresses(settings, report(settings))


@app.command()
def down() -> None:
    """Stop the stack; data stays.

    Example: graph-memory down
    """
    settings = load()
    print("Stopped." if stop(settings, Progress()) else f"Nothing runs in {settings[StackSettings].data}.")


@app.command()
def status(
    as_json: AsJson = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Also the numbers to watch: runs, memories, calls of models."),
    ] = False,
) -> None:
    """Show each part: state, process, port, how long it has run, restarts, memory; ends with 3 unless all work.

    Example: graph-memory status --verbose
    """
    settings = as_it_runs(load())
    found = report(settings)
    numbers = _numbers(settings) if verbose else None
    if as_json:
        print(json.dumps(asdict(found) | ({"numbers": numbers} if numbers is not None else {}), indent=1))
    else:
        _print_report(settings, found)
        _print_numbers(numbers or {})
    sys.exit(0 if found.is_healthy else SYSTEM_FAULT)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Check everything and say how to mend what is wrong; ends with 3 if something is.

    Example: graph-memory doctor
    """
    from graph_memory.local.doctor import examine

    findings = []
    for each in examine(load()):
        findings.append(each)
        if not as_json:
            _print_finding(each)
    healthy = all(each.state != "fault" for each in findings)
    if as_json:
        print(json.dumps({"healthy": healthy, "findings": [asdict(each) for each in findings]}, indent=1))
    sys.exit(0 if healthy else SYSTEM_FAULT)


@app.command()
def migrate(
    again: Annotated[
        bool, typer.Option("--again", help="Also those applied before: puts back an index that was dropped.")
    ] = False,
) -> None:
    """Bring the store's schema to what this version needs; `up` does it by itself.

    Example: graph-memory migrate
    """
    from graph_memory.store.service import open_driver
    from graph_memory.upkeep.migrations import migrate as apply

    settings = load()
    with open_driver(settings) as driver:
        done = apply(driver, settings, lambda label: print(f"Applying {label}"), again)
    print(f"{len(done)} applied." if done else "The schema is current.")


@app.command()
def logs(
    part: Annotated[
        str, typer.Argument(help="supervisor, neo4j, broker, worker, beat or api.")
    ] = "supervisor",
    lines: Annotated[int, typer.Option("-n", help="How many lines from the end.", min=0)] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until Ctrl-C.")] = False,
) -> None:
    """Show what a part has written.

    Example: graph-memory logs neo4j -n 20 --follow
    """
    folder = load().stack.data / "logs"
    path = folder / f"{part}.log"
    known = sorted(each.stem for each in folder.glob("*.log"))
    if part not in known:
        there = (
            f"there are logs of {', '.join(known)}"
            if known
            else "there are no logs, as nothing was started there"
        )
        raise NotFound(f"There is no log of {part} in {folder}; {there}.")
    for line in path.read_text("utf-8", "replace").splitlines()[-lines or sys.maxsize :]:
        print(line)
    if follow:
        for line in _following(path):
            print(line, end="", flush=True)


def as_it_runs(settings: Settings) -> Settings:
    """With the addresses of the stack that runs there, whatever this shell would start it with."""
    return load(**listening(settings[StackSettings].data))


def _print_finding(finding: Finding) -> None:
    mark = {"ok": "ok   ", "fault": "FAULT", "skipped": "-    "}[finding.state]
    print(f"{mark}  {finding.check}: {finding.told}")
    if finding.fix:
        print(f"       fix: {finding.fix}")


def _following(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", errors="replace") as file:
        file.seek(0, 2)
        while True:
            line = file.readline()
            if line:
                yield line
            else:
                time.sleep(0.3)


def _print_addresses(settings: Settings, found: Report) -> None:
    stack = settings[StackSettings]
    names = {part.name for part in found.parts}
    if "api" in names:
        print(f"GraphQL        {api_address(settings)}/graphql")
    if "neo4j" in names:
        print(f"Neo4j Browser  http://{stack.host}:{stack.http_port}/browser/")
        print(f"Bolt           bolt://{stack.host}:{stack.bolt_port}  (user neo4j)")
    if names & {"neo4j", "broker"}:
        print(f"Passwords      {stack.data / 'secrets.json'}")


def _print_report(settings: Settings, found: Report) -> None:
    if not found.parts:
        print(f"Nothing runs in {settings[StackSettings].data}; `graph-memory up` starts it.")
        return
    table = Table(
        "part", "state", "pid", "port", "up", "restarts", "memory", "note", box=None, pad_edge=False
    )
    for part in found.parts:
        row = (
            part.pid,
            part.port,
            _span(part.uptime_s),
            part.restarts,
            _megabytes(part.memory_mb),
            part.note,
        )
        table.add_row(part.name, part.state, *("" if each is None else str(each) for each in row))
    Console(highlight=False).print(table)
    if not found.running:
        print("The supervisor does not run; `graph-memory up` starts the stack again.")


def _numbers(settings: Settings) -> dict[str, dict[str, float]]:
    """What `/metrics` tells of the store, the main things of it."""
    from graph_memory.bootstrap import open_service
    from graph_memory.upkeep import readings

    with open_service(settings) as service:
        found, tiers = readings.read(service), readings.tiers(service)
    runs: Counter[str] = Counter()
    for row in found.runs:
        runs[row["status"].lower()] += row["runs"]
    states: Counter[str] = Counter()
    for summary in found.jobs:
        states.update({str(state): count for state, count in summary.states.items()})
    totals = {name: sum(row[name] for row in found.calls) for name in _OF_MODELS}
    return {
        "runs": dict(runs),
        "planned jobs": dict(states),
        "memories": {tier.lower(): count for tier, count in tiers.items()},
        "language models": totals,
    }


def _print_numbers(numbers: dict[str, dict[str, float]]) -> None:
    for name, found in numbers.items():
        told = ", ".join(f"{what.replace('_', ' ')} {number:,g}" for what, number in sorted(found.items()))
        print(f"{name + ':':<17} {told or 'none'}")


def _span(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _megabytes(size: float | None) -> str | None:
    return None if size is None else f"{size:.0f} MB"

"""`graph-memory jobs`: what each job did last and when it is due, and running one by hand."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from graph_memory.cli.following import follow, in_this_process, sent
from graph_memory.errors import NotFound
from graph_memory.jobs import names, slots, ticks
from graph_memory.jobs.overview import Standing, overview
from graph_memory.jobs.runs import Run, Status
from graph_memory.service import Service, open_service
from graph_memory.settings import load
from graph_memory.tenancy import Scope

app = typer.Typer(
    help="What runs in the background: look at it, or run one now.", invoke_without_command=True
)
console = Console(width=None if sys.stdout.isatty() else 200)

TenantOption = Annotated[
    str | None, typer.Option("--tenant", "-t", help="One tenant; all of them when left out.")
]

_COLOURS = {
    "ok": "green",
    "running": "cyan",
    "waiting": "cyan",
    "never": "yellow",
    "late": "yellow",
    "failed": "red",
}


@app.callback()
def jobs(context: typer.Context, tenant: TenantOption = None) -> None:
    """Each job's period, last success, next due time, lag and failures."""
    if context.invoked_subcommand is not None:
        return
    settings = load()
    with open_service(settings) as service:
        table = Table(
            "tenant",
            "job",
            "every",
            "last success",
            "next due",
            "lag",
            "state",
            "failed",
            box=None,
            pad_edge=False,
        )
        for scope in _scopes(service, tenant):
            for standing in overview(service, scope):
                table.add_row(scope.tenant_name, *_cells(standing, service.clock()))
        console.print(table)


@app.command()
def run(
    name: Annotated[
        str, typer.Argument(help="The job's name, or its last word: rescore, communities, tidy.")
    ],
    tenant: TenantOption = None,
    again: Annotated[bool, typer.Option("--again", help="Also when the current slot is done.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Show progress until it has ended.")] = False,
    here: Annotated[bool, typer.Option("--here", help="In this process instead of a worker's.")] = False,
) -> None:
    """Runs a job now; without --again at most once in its period."""
    settings, job = load(), names.job(name)
    failed = False
    with open_service(settings) as service:
        for scope in _scopes(service, tenant):
            found, is_new = slots.by_hand(service, scope, job, again)
            if not is_new:
                console.print(f"{scope.tenant_name}: {found.status.lower()} before; --again runs it anew")
            if here:
                found = follow(service, scope, found, in_this_process(service, scope, found))
            else:
                if is_new:
                    sent(service, scope, found)
                found = follow(service, scope, found) if wait else found
            failed |= found.status is Status.FAILED
            _tell(scope, found)
    if failed:
        raise typer.Exit(1)


def _scopes(service: Service, tenant: str | None) -> list[Scope]:
    found = ticks.tenants(service)
    chosen = [scope for scope in found if tenant in (None, scope.tenant_name)]
    if tenant is not None and not chosen:
        raise NotFound(
            f"There is no tenant {tenant}; there are {len(found)}, and `graph-memory jobs` lists them."
        )
    return chosen


def _tell(scope: Scope, found: Run) -> None:
    counts = ", ".join(f"{name} {count}" for name, count in found.result.items())
    console.print(
        f"{scope.tenant_name}: {found.job} {found.status.lower()} {counts or found.error or ''}".rstrip(),
        highlight=False,
    )


def _cells(standing: Standing, now: datetime) -> list[str]:
    succeeded = f"{_span(now - standing.succeeded_at)} ago" if standing.succeeded_at else "never"
    due = f"in {_span(standing.due_at - now)}" if standing.due_at > now else "now"
    colour = _COLOURS[standing.state]
    lag = _span(standing.lag) if standing.lag else "-"
    name = standing.job.name.removeprefix("graph_memory.")
    return [
        name,
        _span(standing.period),
        succeeded,
        due,
        lag,
        f"[{colour}]{standing.state}[/]",
        str(standing.failures),
    ]


def _span(length: timedelta) -> str:
    seconds = int(length.total_seconds())
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size or seconds == size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"

"""`graph-memory jobs`: how each job stands, its runs, and running one by hand."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import open_service
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import AnySchemaContext
from graph_memory.cli.following import follow, in_this_process, sent
from graph_memory.cli.options import Here
from graph_memory.jobs import overview, runs, schedule, slots, ticks
from graph_memory.jobs.overview import WORRYING, Brief, Standing, State, Summary
from graph_memory.jobs.runs import Run
from graph_memory.model.run import Status
from graph_memory.settings import load
from graph_memory.store import subjects
from graph_memory.store.service import Service

SYSTEM_FAULT = 3


app = App(help="What runs in the background: look at it, or run one now.", invoke_without_command=True)
console = Console(width=None if sys.stdout.isatty() else 200)

TenantOption = Annotated[
    str | None, typer.Option("--tenant", "-t", help="One tenant; all of them when left out.")
]

_COLOURS = {
    State.OK: "green",
    State.RUNNING: "cyan",
    State.WAITING: "cyan",
    State.NEVER: "yellow",
    State.LATE: "yellow",
    State.FAILED: "red",
    State.OFF: "dim",
}


@app.callback()
def jobs(
    tenant: TenantOption = None,
    state: Annotated[
        list[State] | None, typer.Option(help="List the tenants in which a job stands so; repeat for more.")
    ] = None,
    *,
    context: AnySchemaContext,
) -> None:
    """Each job over all tenants, or as it stands in one; ends with 3 if one has failed or is late.

    Example: graph-memory jobs --state failed --state late --json
    """
    service = context.service
    if tenant is not None:
        _known(service, tenant)
        standings = overview.overview(service, Scope(tenant))
        chosen = [each for each in standings if state is None or each.state in state]
        context.show([_standing_data(each) for each in chosen], _standing_table(chosen, service.clock()))
        found = {each.state for each in standings}
    elif state:
        found_there = (row for row in overview.briefs(service) if row[1].state in state)
        rows = sorted(found_there, key=lambda row: (row[0], row[1].job.name))
        data = [{"tenant": name, **_brief_data(brief)} for name, brief in rows]
        context.show(data, _brief_table(rows, service.clock()))
        found = {brief.state for _, brief in rows}
    else:
        summed = overview.summaries(service)
        context.show([_summary_data(each) for each in summed], _summary_table(summed, service.clock()))
        found = {state for each in summed for state in each.states}
    waiting = overview.unanswered(service)
    for name, messages in waiting.items():
        if tenant in (None, name):
            told = f"{messages} messages of {name} wait for the rules, since a language model failed."
            typer.echo(told, err=True)
    if found.intersection(WORRYING):
        raise typer.Exit(SYSTEM_FAULT)


@app.command("runs")
def show_runs(
    name: Annotated[str | None, typer.Argument(help="Only of this job: its name or its last word.")] = None,
    tenant: TenantOption = None,
    status: Annotated[Status | None, typer.Option(help="Only with this status.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Runs at most.")] = 20,
    *,
    context: AnySchemaContext,
) -> None:
    """The latest runs, newest first, with what each counted or why it failed.

    Example: graph-memory jobs runs rescore --tenant acme
    """
    job = schedule.job(name) if name is not None else None
    service = context.service
    if tenant is None:
        found = runs.recent_anywhere(service, job, limit, status)
    else:
        _known(service, tenant)
        found = [(tenant, run) for run in runs.recent(service, Scope(tenant), job, limit, status)]
    now = service.clock()
    table = tables.table("id", "job", "tenant", "status", "started", "took", "counts or error")
    for name_, run in found:
        started = f"{_span(now - run.started_at)} ago" if run.started_at else "-"
        words = (_short(run.job), name_, run.status.lower(), started, _took(run), _outcome(run))
        table.add_row(run.id, *words)
    context.show([_run_data(name_, run) for name_, run in found], table)


@app.command("show")
def show_run(
    id: Annotated[str, typer.Argument(help="A run's id, as `jobs runs` lists it.")],
    context: AnySchemaContext,
) -> None:
    """One run: how far it is, what it counted or why it failed, and what to ask next.

    Example: graph-memory jobs show 0198f4c2-6f3e-7b1c-9d55-1f0a3b7c2d11
    """
    tenant, run = runs.find(context.service, id)
    table = Table(show_header=False, box=None, pad_edge=False)
    for word, value in _facts(tenant, run):
        table.add_row(word, value)
    context.show(_run_data(tenant, run), table)


@app.command()
def run(
    name: Annotated[
        str, typer.Argument(help="The job's name, or its last word: rescore, communities, tidy.")
    ],
    tenant: Annotated[str | None, typer.Option("--tenant", "-t", help="The tenant in which it runs.")] = None,
    all_tenants: Annotated[
        bool, typer.Option("--all-tenants", help="In every tenant, a run for each.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Also when the current slot is done.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Show progress until it has ended.")] = False,
    here: Here = False,
) -> None:
    """Runs a job now; without --again at most once in its period. Ends with 1 if it failed, or could not be done here.

    Example: graph-memory jobs run rescore --tenant acme --wait
    """
    settings, job = load(), schedule.job(name)
    failed = False
    with open_service(settings) as service:
        for scope in _scopes(service, name, tenant, all_tenants):
            found, is_new = slots.by_hand(service, scope, job, again)
            if not is_new:
                console.print(f"{scope.tenant_name}: {found.status.lower()} before; --again runs it anew")
            if here:
                found = follow(service, scope, found, in_this_process(service, scope, found))
            else:
                if is_new:
                    sent(service, scope, found)
                found = follow(service, scope, found) if wait else found
            failed |= found.status is Status.FAILED or (here and found.error is not None)
            _tell(scope, found)
    if failed:
        raise typer.Exit(1)


def _known(service: Service, tenant: str) -> None:
    subjects.require(service, Scope(tenant))


def _scopes(service: Service, job: str, tenant: str | None, all_tenants: bool) -> list[Scope]:
    """Where it runs. Of several tenants nobody means all by naming none."""
    if tenant is not None and all_tenants:
        raise Invalid("Give --tenant or --all-tenants, not both.")
    if tenant is not None:
        _known(service, tenant)
        return [Scope(tenant)]
    found = ticks.tenants(service)
    if len(found) > 1 and not all_tenants:
        raise Invalid(
            f"There are {len(found)} tenants: name one with --tenant, or run {job} in each of them with --all-tenants.",
            path="tenant",
        )
    return found


def _tell(scope: Scope, found: Run) -> None:
    told = f"{scope.tenant_name}: {found.job} {found.status.lower()} {_outcome(found)}".rstrip()
    console.print(f"{told} (run {found.id})", highlight=False, markup=False, soft_wrap=True)


def _outcome(run: Run) -> str:
    return run.error or ", ".join(f"{name} {count}" for name, count in run.result.items())


def _took(run: Run) -> str:
    if run.started_at is None or run.finished_at is None:
        return "-"
    return f"{(run.finished_at - run.started_at).total_seconds():.1f} s"


def _facts(tenant: str, run: Run) -> Iterable[tuple[str, str]]:
    yield "run", run.id
    yield "job", run.job
    yield "tenant", tenant
    yield "status", run.status.lower()
    yield "asked for", f"{run.created_at:%Y-%m-%d %H:%M:%S} UTC, {run.kind.lower().replace('_', ' ')}"
    if run.slot is not None:
        yield "slot", f"{run.slot:%Y-%m-%d %H:%M:%S} UTC"
    yield "tries", str(run.attempts)
    yield "took", _took(run)
    if run.phase:
        yield "progress", f"{run.done} of {run.total or '?'}, {run.phase}"
    for name, count in run.result.items():
        yield name.replace("_", " "), str(count)
    if run.error is not None:
        yield "error", run.error
    yield from _next(tenant, run)


def _next(tenant: str, run: Run) -> Iterable[tuple[str, str]]:
    where = f"--tenant {tenant}"
    if _short(run.job) == "scoring.rescore":
        yield "changes of tier", f"graph-memory tiers --run {run.id} {where}"
    if run.is_finished and any(job.leaves_changes for job in schedule.JOBS if job.name == run.job):
        yield "take back", f"graph-memory revert {run.id} {where}"


def _run_data(tenant: str, run: Run) -> dict[str, Any]:
    data = {name: value for name, value in vars(run).items() if name != "lease"}
    return {"id": run.id, "tenant": tenant, **data}


def _standing_data(standing: Standing) -> dict[str, Any]:
    return {
        **_brief_data(standing),
        "period": _seconds(standing.period),
        "failures": standing.failures,
        "run": standing.latest.id if standing.latest else None,
        "error": standing.latest.error if standing.latest else None,
    }


def _brief_data(brief: Brief) -> dict[str, Any]:
    return {
        "job": brief.job.name,
        "state": brief.state,
        "succeeded_at": brief.succeeded_at,
        "due_at": brief.due_at,
        "lag": _seconds(brief.lag),
    }


def _summary_data(summary: Summary) -> dict[str, Any]:
    return {
        "job": summary.job.name,
        "period": _seconds(summary.period),
        "states": {state.value: summary.states.get(state, 0) for state in State},
        "succeeded_at": summary.succeeded_at,
        "lag": _seconds(summary.lag),
    }


def _standing_table(found: Sequence[Standing], now: datetime) -> Table:
    table = tables.table("job", "every", "last success", "next due", "lag", "state", "failed", "latest run")
    for each in found:
        latest = each.latest.id if each.latest else "-"
        table.add_row(*_cells(each, now, each.period), str(each.failures), latest)
    return table


def _brief_table(found: Sequence[tuple[str, Brief]], now: datetime) -> Table:
    table = tables.table("tenant", "job", "last success", "next due", "lag", "state")
    for name, each in found:
        job, _, *rest = _cells(each, now, None)
        table.add_row(name, job, *rest)
    return table


def _summary_table(found: Sequence[Summary], now: datetime) -> Table:
    table = tables.table("job", "every", "last success", "longest lag", *(state.value for state in State))
    for each in found:
        counts = [str(each.states[state]) if each.states.get(state) else "-" for state in State]
        coloured = [
            f"[{_COLOURS[state]}]{count}[/]" if count != "-" else count
            for state, count in zip(State, counts, strict=True)
        ]
        words = (_short(each.job.name), _every(each.period), _ago(each.succeeded_at, now), _lag(each.lag))
        table.add_row(*words, *coloured)
    return table


def _cells(brief: Brief, now: datetime, period: timedelta | None) -> list[str]:
    return [
        _short(brief.job.name),
        _every(period),
        _ago(brief.succeeded_at, now),
        _due(brief.due_at, now),
        _lag(brief.lag),
        f"[{_COLOURS[brief.state]}]{brief.state}[/]",
    ]


def _short(name: str) -> str:
    return name.removeprefix("graph_memory.")


def _every(period: timedelta | None) -> str:
    return "-" if period is None else _span(period)


def _ago(at: datetime | None, now: datetime) -> str:
    return "never" if at is None else f"{_span(max(now - at, timedelta(0)))} ago"


def _due(at: datetime | None, now: datetime) -> str:
    if at is None:
        return "-"
    return f"in {_span(at - now)}" if at > now else "now"


def _lag(lag: timedelta) -> str:
    return _span(lag) if lag else "-"


def _seconds(length: timedelta | None) -> float | None:
    return None if length is None else length.total_seconds()


def _span(length: timedelta) -> str:
    seconds = int(length.total_seconds())
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size or seconds == size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"

"""`graph-memory decay` and `tiers`: what will be forgotten when, why a score is what it is, and what stands where."""

from __future__ import annotations

import os
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table

from graph_memory.base.errors import Invalid
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context
from graph_memory.cli.ids import IdOf
from graph_memory.jobs import runs
from graph_memory.scoring import tier_moves as recording
from graph_memory.scoring.facts import Filter, explain_one, tier_counts
from graph_memory.scoring.forecast import Change, Day, Forecast, simulate_decay
from graph_memory.scoring.scores import Explained, Tier
from graph_memory.scoring.settings import TiersSettings
from graph_memory.scoring.terms import Policy, Term
from graph_memory.store import subjects

app = App()

_BAR = 40
_ROWS = 20


@app.command()
def decay(
    days: Annotated[int, typer.Option(help="How far to look ahead: 1 to 3650 days.")] = 90,
    policy: Annotated[
        list[Policy] | None,
        typer.Option(help="By which policy; repeat to compare. The set one when left out."),
    ] = None,
    kind: Annotated[str | None, typer.Option(help="Only memories of this kind.")] = None,
    tag: Annotated[str | None, typer.Option(help="Only with this tag.")] = None,
    tier: Annotated[Tier | None, typer.Option(help="Only what is in this tier now.")] = None,
    activity: Annotated[
        float, typer.Option(help="Share of the coming days on which the person is active.")
    ] = 1.0,
    chart: Annotated[
        Path | None, typer.Option(help="Draw it into this file: .png or .svg.", dir_okay=False)
    ] = None,
    explain: Annotated[
        str | None, typer.Option(help="A memory's id: tell why its scores are so."), IdOf.MEMORY
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Changes shown at most.")] = _ROWS,
    *,
    context: Context,
) -> None:
    """Foresee what nobody's using it will do to each memory. Nothing is written.

    Example: graph-memory decay --days 180 --policy earning --policy linear --chart decay.png
    """
    scope = context.scope
    if explain is not None:
        subjects.require(context.service, scope)
        told = explain_one(context.service, scope, explain)
        context.show(asdict(told), _explained(told))
        return
    if chart is not None:
        _check_chart(chart)
    subjects.require(context.service, scope)
    found = simulate_decay(context.service, scope, days, policy or (None,), Filter(kind, tag, tier), activity)
    if chart is not None:
        from graph_memory.scoring.chart import draw

        draw(found, chart)
    context.show([asdict(each) for each in found], Group(*(_forecast(each, limit) for each in found)))
    if chart is not None:
        context.note(f"Drawn: {chart}", None)


@app.command()
def tiers(
    run: Annotated[str | None, typer.Option(help="A rescoring's run: the changes of tier it made.")] = None,
    on: Annotated[
        str | None,
        typer.Option(help="A day (UTC), as 2026-03-15: the changes of tier by uses and changes of memories."),
    ] = None,
    *,
    context: Context,
) -> None:
    """How many memories stand in each tier, or which ones a run or a day's uses moved.

    Example: graph-memory tiers --tenant acme
    """
    scope, service = context.scope, context.service
    subjects.require(service, scope)
    if run is not None:
        runs.get(service, scope, run)
    if run is not None or on is not None:
        kept_by = run or recording.of_day(scope, _day(on or ""))
        moved = recording.of_run(service, scope, kept_by)
        table = tables.table("memory", "from", "to", "why", "retention")
        for move in moved:
            table.add_row(move.id, move.was, move.now, move.reason.lower(), f"{move.score:.3f}")
        context.show([asdict(move) for move in moved], table)
        return
    counts = tier_counts(service, scope)
    bounds = service.settings[TiersSettings]
    from_ = (f"≥ {bounds.hot:g}", f"≥ {bounds.warm:g}", f"≥ {bounds.archive_threshold:g}", "below")
    table = tables.table("tier", "retention", "memories", "")
    most = max(1, *counts.values())
    for (tier, count), bound in zip(counts.items(), from_, strict=True):
        table.add_row(tier, bound, str(count), "█" * round(_BAR * count / most) or ("▏" if count else ""))
    context.show(counts, table)


def _day(given: str) -> datetime:
    try:
        return datetime.strptime(given, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise Invalid(f"{given!r} is not a day; write it as 2026-03-15.", path="--on") from None


def _check_chart(file: Path) -> None:
    """Asked before anything is computed."""
    if file.suffix.lower() not in (".png", ".svg"):
        raise Invalid(f"A chart is a .png or .svg file, not {file.name}.", path="--chart")
    folder = file.absolute().parent
    if not folder.is_dir():
        raise Invalid(f"There is no folder {folder}; make it first.", path="--chart")
    if not os.access(file if file.exists() else folder, os.W_OK):
        raise Invalid(
            f"You may not write {file}; ask its owner for the right to, or name another.", path="--chart"
        )


def _forecast(found: Forecast, limit: int) -> RenderableType:
    summary = tables.table("day", "hot", "warm", "cold", "archived tier", "archived")
    for day in _chosen(found.summary):
        numbers = (day.day, day.hot, day.warm, day.cold, day.archived_tier, day.archived)
        summary.add_row(*(str(number) for number in numbers))
    changes = tables.table("day", "memory", "from", "to", "importance", "retention", "text")
    for change in found.changes[:limit]:
        changes.add_row(*_row(change))
    head = f"[bold]{found.policy}[/]: {found.memories} memories, {len(found.changes)} changes in {found.days} days"
    more = len(found.changes) - limit
    tail = f"... and {more} more; --limit shows them" if more > 0 else ""
    return Group(tables.styled(head), summary, "", changes, tail)


def _chosen(days: tuple[Day, ...]) -> list[Day]:
    """About a dozen days, the first and the last among them."""
    step = max(1, (len(days) - 1) // 12)
    return [*days[:-1:step], days[-1]]


def _row(change: Change) -> tuple[str, ...]:
    now = f"archived ({change.rule.lower()})" if change.rule else str(change.now)
    return (
        str(change.day), change.id, change.was, now, f"{change.importance:.3f}", f"{change.retention:.3f}", change.caption,
    )  # fmt: skip


def _explained(told: Explained) -> RenderableType:
    scores = told.scores
    return Group(
        tables.styled(f"importance [bold]{scores.importance:g}[/] by the policy {told.policy}"),
        _terms(told.importance_terms),
        f"  {told.importance_line}",
        tables.styled(f"\nretention [bold]{scores.retention:g}[/], tier [bold]{scores.tier}[/]"),
        _terms(told.retention_terms),
        f"  {told.retention_line}",
    )


def _terms(terms: tuple[Term, ...]) -> Table:
    table = tables.table("", "part", "", "value", "from")
    for term in terms:
        table.add_row(" ", term.name, term.operation.lower(), f"{term.value:.4f}", term.explanation)
    return table

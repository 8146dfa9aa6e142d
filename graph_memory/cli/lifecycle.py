"""`graph-memory lifecycle`, `subjects`, `subject`: what the rules would archive, whose memories there are, how active one was."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Group

from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context, TenantContext
from graph_memory.cli.options import After, First
from graph_memory.cli.tables import day
from graph_memory.ledger import activity
from graph_memory.store import subjects
from graph_memory.upkeep.planning import Plan, plan, statuses

app = App()


@app.command()
def lifecycle(
    limit: Annotated[int, typer.Option("--limit", "-n", help="Memories to list at most.")] = 20,
    *,
    context: Context,
) -> None:
    """What the rules of archiving would do now; nothing is written. `jobs run archive` does it.

    Example: graph-memory lifecycle --subject ann
    """
    scope, service = context.scope, context.service
    subjects.require(service, scope)
    found, counts = plan(service, scope), statuses(service, scope)
    data = {
        "at": found.at,
        "counts": found.counts(),
        "due": [asdict(each) for each in found.due[:limit]],
        "statuses": {status.value: count for status, count in counts.items()},
    }
    told = ", ".join(f"{count} {status.lower()}" for status, count in counts.items())
    context.show(data, Group(f"{sum(counts.values())} memories: {told}", _told(found, limit)))


@app.command("subjects")
def show_subjects(first: First = 20, after: After = None, *, context: TenantContext) -> None:
    """Whose memories a tenant keeps, by name, and how many hold now.

    Example: graph-memory subjects --tenant acme
    """
    scope = context.scope
    subjects.require(context.service, scope)
    page = subjects.page(context.service, scope, first, after)
    table = tables.table("subject", "memories", "since", "last active on")
    for each in page.items:
        table.add_row(each.name, str(each.memories), day(each.created_at), each.last_active_on or "-")
    following = subjects.cursor_of(page.items[-1]) if page.has_next else None
    context.show_page([asdict(each) for each in page.items], following, table)


@app.command("subject")
def show_subject(
    time_zone: Annotated[
        str | None, typer.Option(help="Set the time zone, by its IANA name: Europe/Berlin.")
    ] = None,
    *,
    context: Context,
) -> None:
    """A person's time zone and days of activity, by which `earning` counts ages.

    Example: graph-memory subject --subject ann --time-zone Europe/Berlin
    """
    scope, service = context.scope, context.service
    if time_zone is not None:
        found, _ = activity.set_time_zone(service, context.call(), time_zone)
    else:
        found = activity.of_subject(service, scope)
    last = f", last on {found.last_active_on}" if found.last_active_on else ""
    context.show(asdict(found), f"{found.subject}: {found.days} days of activity{last}, {found.time_zone}")


def _told(found: Plan, limit: int) -> Group:
    rows = tables.table("memory", "would", "rule", "importance", "retention", "text")
    for each in found.due[:limit]:
        kept = "-" if each.retention is None else f"{each.retention:.3f}"
        text = each.caption.replace("[", "\\[")
        rows.add_row(each.id, each.step.lower(), each.rule.lower(), f"{each.importance:.3f}", kept, text)
    more = len(found.due) - limit
    hidden = f"; and {more} more, --limit shows them" if more > 0 else ""
    left = f"; {found.left} are left to later runs" if found.left else ""
    head = f"{len(found.due)} of {found.scanned} active ones would be changed by a run{left}{hidden}"
    return Group(head, rows) if found.due else Group(head)

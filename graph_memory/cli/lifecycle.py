"""`graph-memory lifecycle`, `subject`: what the rules would archive, and a person's time zone and days of activity."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Group

from graph_memory.base.scope import Scope
from graph_memory.cli import tables
from graph_memory.cli.memory import ACTOR, AsJson, Subject, Tenant, opened, show
from graph_memory.ledger import activity
from graph_memory.ledger.changes import Call
from graph_memory.store import subjects
from graph_memory.upkeep.planning import Plan, plan, statuses

app = typer.Typer()


@app.command()
def lifecycle(
    limit: Annotated[int, typer.Option("--limit", "-n", help="Memories to list at most.")] = 20,
    tenant: Tenant = "default",
    subject: Subject = None,
    as_json: AsJson = False,
) -> None:
    """What the rules of archiving would do now; nothing is written. `jobs run archive` does it.

    Example: graph-memory lifecycle --subject ann
    """
    scope = Scope(tenant, subject)
    with opened() as service:
        subjects.require(service, scope)
        found, counts = plan(service, scope), statuses(service, scope)
    data = {
        "at": found.at,
        "counts": found.counts(),
        "due": [asdict(each) for each in found.due[:limit]],
        "statuses": {status.value: count for status, count in counts.items()},
    }
    told = ", ".join(f"{count} {status.lower()}" for status, count in counts.items())
    show(as_json, data, Group(f"{sum(counts.values())} memories: {told}", _told(found, limit)))


@app.command("subject")
def show_subject(
    time_zone: Annotated[
        str | None, typer.Option(help="Set the time zone, by its IANA name: Europe/Berlin.")
    ] = None,
    tenant: Tenant = "default",
    subject: Subject = None,
    as_json: AsJson = False,
) -> None:
    """A person's time zone and days of activity, by which `earning` counts ages.

    Example: graph-memory subject --subject ann --time-zone Europe/Berlin
    """
    scope = Scope(tenant, subject)
    with opened() as service:
        if time_zone is not None:
            found, _ = activity.set_time_zone(service, Call(scope, ACTOR), time_zone)
        else:
            found = activity.of_subject(service, scope)
    last = f", last on {found.last_active_on}" if found.last_active_on else ""
    show(as_json, asdict(found), f"{found.subject}: {found.days} days of activity{last}, {found.time_zone}")


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

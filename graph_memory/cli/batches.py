"""`graph-memory batches`: many questions for a language model at once, how they stand, and what a person does with one."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from graph_memory.base.scope import Scope
from graph_memory.batches import decisions, records
from graph_memory.cli import tables
from graph_memory.cli.life import Key
from graph_memory.cli.memory import ACTOR, AsJson, Subject, Tenant, console, day, opened, show
from graph_memory.ledger.changes import Call
from graph_memory.model.batch import Batch, Status

app = typer.Typer(
    help="Batches of questions for a language model: how they stand, cancelling one, trying it again.",
    invoke_without_command=True,
)

Id = Annotated[str, typer.Argument(help="A batch's id.")]


@app.callback()
def batches(
    context: typer.Context,
    status: Annotated[Status | None, typer.Option(help="Only of this status; all when left out.")] = None,
    first: Annotated[int, typer.Option("--first", "-n", help="How many.")] = 20,
    after: Annotated[str | None, typer.Option(help="The cursor that the page before ended with.")] = None,
    tenant: Tenant = "default",
    subject: Subject = None,
    as_json: AsJson = False,
) -> None:
    """The batches, newest first: how many questions each has, and how they stand.

    Example: graph-memory batches --status failed
    """
    if context.invoked_subcommand is not None:
        return
    with opened() as service:
        page = records.page(service, Scope(tenant, subject), first, after, status)
    table = tables.table("id", "since", "kind", "status", "provider", "applied", "failed", "why")
    for batch in page.items:
        table.add_row(*_cells(batch))
    following = page.cursors[-1] if page.has_next else None
    data = {"items": [_told(batch) for batch in page.items], "next": following}
    show(as_json, data, table if page.items else "There are no such batches.")
    if following and not as_json:
        console.print(f"more: --after {following}", style="dim")


@app.command()
def cancel(
    id: Id, key: Key = None, tenant: Tenant = "default", subject: Subject = None, as_json: AsJson = False
) -> None:
    """Stop a batch, here and with its provider. What was applied stays.

    Example: graph-memory batches cancel 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    with opened() as service:
        batch, answer = decisions.cancel(service, Call(Scope(tenant, subject), ACTOR, key), id)
    show(as_json, {**_told(batch), "replayed": answer.replayed}, _summary(batch))


@app.command()
def retry(
    id: Id, key: Key = None, tenant: Tenant = "default", subject: Subject = None, as_json: AsJson = False
) -> None:
    """Put a batch that failed, expired or was cancelled back in line, for what has no answer.

    Example: graph-memory batches retry 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    with opened() as service:
        batch, answer = decisions.retry(service, Call(Scope(tenant, subject), ACTOR, key), id)
    show(as_json, {**_told(batch), "replayed": answer.replayed}, _summary(batch))


def _cells(batch: Batch) -> list[str]:
    return [
        batch.id,
        day(batch.created_at),
        batch.kind.value.lower(),
        batch.status.value,
        batch.provider or "-",
        f"{batch.applied} of {batch.items}",
        str(batch.failed),
        batch.reason or "",
    ]


def _told(batch: Batch) -> dict[str, object]:
    return {**asdict(batch), "waiting": batch.waiting}


def _summary(batch: Batch) -> str:
    return f"{batch.status.value}: {batch.applied} of {batch.items} applied, {batch.waiting} wait"

"""`graph-memory batches`: many questions for a language model at once, how they stand, and what a person does with one."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from graph_memory.batches import decisions, records
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context
from graph_memory.cli.options import After, First, Key
from graph_memory.cli.tables import day
from graph_memory.model.batch import Batch, Status

app = App(
    help="Batches of questions for a language model: how they stand, cancelling one, trying it again.",
    invoke_without_command=True,
)

Id = Annotated[str, typer.Argument(help="A batch's id.")]


@app.callback()
def batches(
    status: Annotated[Status | None, typer.Option(help="Only of this status; all when left out.")] = None,
    first: First = 20,
    after: After = None,
    *,
    context: Context,
) -> None:
    """The batches, newest first: how many questions each has, and how they stand.

    Example: graph-memory batches --status failed
    """
    page = records.page(context.service, context.scope, first, after, status)
    table = tables.table("id", "since", "kind", "status", "provider", "applied", "failed", "why")
    for batch in page.items:
        table.add_row(*_cells(batch))
    items, following = [_told(batch) for batch in page.items], page.cursors[-1] if page.has_next else None
    context.show_page(items, following, table if items else "There are no such batches.")


@app.command()
def cancel(id: Id, key: Key = None, *, context: Context) -> None:
    """Stop a batch, here and with its provider. What was applied stays.

    Example: graph-memory batches cancel 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    batch, answer = decisions.cancel(context.service, context.call(key), id)
    context.show({**_told(batch), "replayed": answer.replayed}, _summary(batch))


@app.command()
def retry(id: Id, key: Key = None, *, context: Context) -> None:
    """Put a batch that failed, expired or was cancelled back in line, for what has no answer.

    Example: graph-memory batches retry 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    batch, answer = decisions.retry(context.service, context.call(key), id)
    context.show({**_told(batch), "replayed": answer.replayed}, _summary(batch))


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

"""`graph-memory export`, `restore`, `backup`, `restore-store`, `rewrite-store`: taking data out, and putting it back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from graph_memory.base.scope import Scope
from graph_memory.cli.commands import App
from graph_memory.cli.context import PlainContext, opened
from graph_memory.cli.options import Subject, Tenant
from graph_memory.local import backup as backups
from graph_memory.local import rewriting
from graph_memory.local.progress import Progress
from graph_memory.settings import load
from graph_memory.store.service import Service
from graph_memory.transfer import restore as restoring
from graph_memory.transfer.export import export_lines, write_file
from graph_memory.transfer.graphml import graphml_lines
from graph_memory.transfer.script import script_lines

app = App()


class Format(StrEnum):
    """How an export is written; only JSON Lines can be loaded."""

    JSONL = "jsonl"
    GRAPHML = "graphml"
    CYPHER = "cypher"


Lines = Callable[[Service, Scope, bool], Iterator[str]]
WRITERS: dict[Format, Lines] = {
    Format.JSONL: export_lines,
    Format.GRAPHML: graphml_lines,
    Format.CYPHER: script_lines,
}


@app.command("export")
def export(
    file: Annotated[Path | None, typer.Argument(help="Where to; standard output when left out.")] = None,
    tenant: Tenant = "default",
    subject: Subject = None,
    now: Annotated[
        bool, typer.Option("--now", help="The live state alone, without ledger and history.")
    ] = False,
    format: Annotated[Format, typer.Option(help="Only jsonl can be loaded.")] = Format.JSONL,
) -> None:
    """Write out an account, or one subject of it.

    Example: graph-memory export acme.jsonl --tenant acme
    """
    scope = Scope(tenant, subject)
    with opened() as service:
        if file is None:
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
            for text in WRITERS[format](service, scope, now):
                print(text)
            return
        write_file(file, lambda: WRITERS[format](service, scope, now))
    Console(stderr=True).print(f"Written: {file}", soft_wrap=True, highlight=False, markup=False)


@app.command("load")
def load_export(
    file: Annotated[Path, typer.Argument(help="A file made by `graph-memory export`.")],
    tenant: Annotated[
        str, typer.Option("--tenant", "-t", help="The account to load it into; it must be empty.")
    ],
    context: PlainContext,
) -> None:
    """Put an export into an empty account: ids, times and ledger stay. The whole file is checked first.

    Example: graph-memory load acme.jsonl --tenant acme-copy
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("checking", total=None)
        restored = restoring.restore(
            context.service,
            file,
            tenant,
            lambda done, total: bar.update(task, description="loading", completed=done, total=total),
        )
    told = ", ".join(f"{number} {record}" for record, number in restored.counts.items())
    resumed = f" ({restored.before} records were there from an earlier try)" if restored.before else ""
    context.show(asdict(restored), f"Loaded into {tenant}: {told}{resumed}")


@app.command("backup")
def backup(
    file: Annotated[Path, typer.Argument(help="Where to; it will hold the store's passwords, keep it safe.")],
    context: PlainContext,
) -> None:
    """Save the local stack's whole store to one file. A running stack is stopped for it and started again.

    Example: graph-memory backup store.tar.gz
    """
    copy = backups.backup(load(), file, Progress())
    context.show(
        asdict(copy),
        f"{copy.files} files, {copy.bytes / 1e6:.0f} MB, packed into {copy.packed / 1e6:.0f} MB: {file}",
    )


@app.command("restore-store")
def restore_store(
    file: Annotated[Path, typer.Argument(help="A file made by `graph-memory backup`.")],
    context: PlainContext,
) -> None:
    """Put a backup in the place of the local stack's store, which must be stopped. The old one is kept aside.

    Example: graph-memory restore-store store.tar.gz
    """
    aside = backups.restore_store(load(), file, Progress())
    kept = f"; the store so far is in {aside}" if aside else ""
    context.show({"aside": str(aside) if aside else None}, f"Restored; `graph-memory up` starts it{kept}")


@app.command("rewrite-store")
def rewrite_store(context: PlainContext) -> None:
    """Write the local stack's store anew, so that nothing that was erased is left in its files and logs.

    A running stack is stopped for it and started again. It needs room for the store twice.

    Example: graph-memory rewrite-store
    """
    done = rewriting.rewrite_store(load(), Progress())
    context.show(
        asdict(done),
        f"Written anew: {done.nodes} nodes, {done.links} relationships; "
        f"{done.bytes_before / 1e6:.0f} MB before, {done.bytes_after / 1e6:.0f} MB now",
    )

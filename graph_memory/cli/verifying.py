"""`graph-memory verify`: whether the store is as it must be."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from graph_memory.base.errors import Invalid
from graph_memory.cli.commands import App
from graph_memory.cli.context import PlainContext
from graph_memory.local.consistency import check_files
from graph_memory.local.progress import Progress
from graph_memory.settings import load
from graph_memory.verify import Anchor, Report, read_anchor, verify
from graph_memory.verify.invariants import INVARIANTS

app = App()

BROKEN = 3


@app.command("verify")
def verify_store(
    tenant: Annotated[
        list[str] | None,
        typer.Option("--tenant", "-t", help="Only this account; repeat for more. All when left out."),
    ] = None,
    offline: Annotated[
        bool,
        typer.Option(
            "--offline", help="Instead let Neo4j check its own files; the local stack must be stopped."
        ),
    ] = False,
    anchor: Annotated[
        str | None,
        typer.Option(
            "--anchor",
            metavar="SEQUENCE:VALUE",
            help="What an earlier verify printed for this account, kept elsewhere: its ledger must still hold it.",
        ),
    ] = None,
    *,
    context: PlainContext,
) -> None:
    """Check every invariant; the exit code is 0 when all hold, 3 when one is broken.

    Example: graph-memory verify --tenant acme
    """
    anchors = _anchors(anchor, tenant or [], offline)
    if offline:
        _offline(context)
        return
    note = Console(stderr=True)
    with note.status("verifying") as status:
        report = verify(
            context.service,
            tenant,
            lambda name, done, total: status.update(f"verifying {name}: {done} of {total} rules"),
            anchors,
        )
    context.show(asdict(report), _table(report))
    if not report.is_clean:
        raise typer.Exit(BROKEN)


def _anchors(anchor: str | None, tenants: list[str], offline: bool) -> dict[str, Anchor]:
    if anchor is None:
        return {}
    if offline or len(tenants) != 1:
        raise Invalid(
            "An anchor is of one account's ledger: give --tenant once, and no --offline.", path="anchor"
        )
    return {tenants[0]: read_anchor(anchor)}


def _offline(context: PlainContext) -> None:
    problems = check_files(load(), Progress())
    data = {"violations": {"I18": int(problems is not None)}, "report": problems}
    context.show(data, problems or "Neo4j finds its files consistent.")
    if problems is not None:
        raise typer.Exit(BROKEN)


def _table(report: Report) -> Table | Group:
    table = Table("", "rule", "broken", "where", box=None, pad_edge=False)
    broken = {finding.rule for finding in report.findings}
    for invariant in INVARIANTS:
        if invariant.rule not in broken:
            table.add_row(invariant.code, invariant.rule, "0", "")
    for finding in report.findings:
        where = f"{finding.tenant or 'no tenant'}: {', '.join(finding.examples[:3])}"
        table.add_row(finding.invariant, finding.rule, str(finding.count), where, style="red")
    table.caption = f"{report.checked} memories in {report.seconds:.1f} s"
    ends = Table("tenant", "where its ledger stands (anchor)", box=None, pad_edge=False)
    for tenant, anchor in report.anchors.items():
        ends.add_row(tenant, Text(anchor, overflow="fold"))
    return Group(table, ends) if report.anchors else table

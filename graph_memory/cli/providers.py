"""`graph-memory providers`, `spend`: who is asked, whether they answer, and what it took."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Annotated

import typer

from graph_memory.base.scope import Scope
from graph_memory.cli import tables
from graph_memory.cli.memory import AsJson, Tenant, console, moment_of, opened, show
from graph_memory.models import probe, spending
from graph_memory.models.registry import providers_of, standings

app = typer.Typer()


@app.command()
def providers(
    check: Annotated[
        bool, typer.Option("--check", help="Ask each one a small question; that costs a few tokens.")
    ] = False,
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """The providers of language models, in the order in which they are asked.

    Example: graph-memory providers --check
    """
    with opened() as service:
        found = [asdict(each) for each in standings(service.settings, providers_of(service))]
        answers = probe.check(service, Scope(tenant)) if check else {}
    for each in found:
        each["answer"] = answers.get(each["name"])
    shown = tables.table("provider", "state", "model", "answer" if check else "")
    for each in found:
        shown.add_row(each["name"], each["state"], each["model"] or "-", each["answer"] or "")
    show(as_json, {"providers": found}, shown)


@app.command()
def spend(
    start: Annotated[
        str | None, typer.Option("--from", help="The first day; 30 days ago if missing.")
    ] = None,
    end: Annotated[str | None, typer.Option("--to", help="Where it ends, exclusive; now if missing.")] = None,
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """What asking language models took, by day, model and purpose.

    Example: graph-memory spend --from 2026-11-01
    """
    scope = Scope(tenant)
    with opened() as service:
        until = moment_of("--to", end) or service.clock() + timedelta(milliseconds=1)
        since = moment_of("--from", start) or until - timedelta(days=30)
        found = spending.spent(service, scope, since, until)
        cap = spending.cap_state(service, scope)
    shown = tables.table("day", "model", "purpose", "calls", "failed", "in", "out", "US dollars", "left out")
    for each in found:
        cost = "no price" if each.unpriced == each.calls else f"{each.cost:.4f}"
        row = (f"{each.day:%Y-%m-%d}", f"{each.provider} {each.model}", each.purpose, f"{each.calls}")
        numbers = (f"{each.failures}", f"{each.tokens_in:,}", f"{each.tokens_out:,}", cost)
        shown.add_row(*row, *numbers, " ".join(each.left_out))
    show(as_json, {**asdict(cap), "entries": [asdict(each) for each in found]}, shown)
    if not as_json:
        console.print(f"today {cap.today:.4f} of {cap.cap:g} US dollars: {cap.state}", style="dim")

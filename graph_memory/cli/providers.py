"""`graph-memory providers`, `spend`: who is asked, whether they answer, and what it took."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Annotated

import typer

from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import TenantContext
from graph_memory.cli.options import moment_of
from graph_memory.models import probe, spending
from graph_memory.models.registry import providers_of, standings

app = App()


@app.command()
def providers(
    check: Annotated[
        bool, typer.Option("--check", help="Ask each one a small question; that costs a few tokens.")
    ] = False,
    *,
    context: TenantContext,
) -> None:
    """The providers of language models, in the order in which they are asked.

    Example: graph-memory providers --check
    """
    service = context.service
    found = [asdict(each) for each in standings(service.settings, providers_of(service))]
    answers = probe.check(service, context.scope) if check else {}
    for each in found:
        each["answer"] = answers.get(each["name"])
    shown = tables.table("provider", "state", "model", "answer" if check else "")
    for each in found:
        shown.add_row(each["name"], each["state"], each["model"] or "-", each["answer"] or "")
    context.show({"providers": found}, shown)


@app.command()
def spend(
    start: Annotated[
        str | None, typer.Option("--from", help="The first day; 30 days ago if missing.")
    ] = None,
    end: Annotated[str | None, typer.Option("--to", help="Where it ends, exclusive; now if missing.")] = None,
    *,
    context: TenantContext,
) -> None:
    """What asking language models took, by day, model and purpose.

    Example: graph-memory spend --from 2026-11-01
    """
    scope, service = context.scope, context.service
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
    context.show({**asdict(cap), "entries": [asdict(each) for each in found]}, shown)
    context.note(f"today {cap.today:.4f} of {cap.cap:g} US dollars: {cap.state}")

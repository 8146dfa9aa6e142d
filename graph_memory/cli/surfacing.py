"""`graph-memory surface`: what should come to mind for a message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import typer

from graph_memory.cli.commands import App
from graph_memory.cli.context import Context, When
from graph_memory.cli.options import MinTrust
from graph_memory.cli.tables import day, plain, styled
from graph_memory.recall.access import counting
from graph_memory.recall.surfacing import MEMORIES, Mind, Surfaced, note
from graph_memory.recall.surfacing import surface as come_to_mind
from graph_memory.store import subjects

app = App()


@app.command()
def surface(
    message: Annotated[str, typer.Argument(help="What was just said.")],
    keep: Annotated[
        list[str] | None,
        typer.Option(
            help="A memory that stays in mind, by its id or the first eight signs of it; repeat for more."
        ),
    ] = None,
    first: Annotated[int, typer.Option("--first", "-n", help="Memories at most.")] = MEMORIES,
    *,
    context: Context,
    min_trust: MinTrust = None,
    at: When,
    automatic: Annotated[
        bool,
        typer.Option(
            "--automatic/--asked",
            help="Nobody asked: what comes up does not count as used. What is kept does.",
        ),
    ] = True,
) -> None:
    """What should come to mind for a message, though nobody has asked for it.

    Example: graph-memory surface "I am cooking for Theo tonight." --keep 3f0c9f0e
    """
    scope, when, service = context.scope, at.moment, context.service
    with counting(service) as accesses:
        mind = come_to_mind(service, scope, message, None, keep or (), first, when, min_trust)
        note(accesses, scope, mind, when, automatic)
        if not mind.memories:
            subjects.require(service, scope)
    context.show(asdict(mind), styled(_shown(mind)))
    context.note(mind.note, "yellow")


def _shown(mind: Mind) -> str:
    lines = [line for each in mind.memories for line in _lines(each)]
    lines += [f"[dim]not kept any longer: {plain(', '.join(mind.let_go))}[/]"] if mind.let_go else []
    return "\n".join(lines) or "Nothing comes to mind."


def _lines(each: Surfaced) -> Iterator[str]:
    memory = each.memory
    marks = [
        name
        for name, holds in (("kept", each.is_kept), ("pinned", memory.pinned), ("new", each.is_new))
        if holds
    ]
    marked = f"  [cyan]{', '.join(marks)}[/]" if marks else ""
    yield f"[bold]{plain(memory.text)}[/]{marked}  [dim]{day(memory.valid_from)}  {memory.id}[/]"
    for linked in each.linked:
        way = ", ".join(link.kind for link in linked.links)
        until = f"until {day(linked.memory.valid_to)}, " if linked.memory.valid_to else ""
        yield f"    [dim]{way}: {plain(linked.memory.text)}  {until}{linked.memory.id}[/]"

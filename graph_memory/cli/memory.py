"""`graph-memory show`, `history`, `why`, `supersede`, `memories`: memories on the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from enum import Enum
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from graph_memory.base.clock import ALWAYS
from graph_memory.base.errors import Invalid, NotFound
from graph_memory.cli.commands import App
from graph_memory.cli.conditions import Where, condition_of
from graph_memory.cli.context import Context, TenantContext, When
from graph_memory.cli.ids import IdOf
from graph_memory.cli.options import After, First, Id, MinTrust, moment_of
from graph_memory.cli.tables import day
from graph_memory.memory import reading
from graph_memory.memory import supersession as superseding
from graph_memory.memory.browsing import NEWEST, SORTABLE, Condition, Operator, Sort, browse_by
from graph_memory.memory.retirement import why_retired
from graph_memory.model.memory import Fact, Status
from graph_memory.store import subjects

app = App()


@app.command("show")
def show_one(id: Id, context: TenantContext, at: When) -> None:
    """Show one memory, with what it mentions and what it is linked to.

    Example: graph-memory show 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    scope, when, service = context.scope, at.moment, context.service
    found = reading.get(service, scope, id, when)
    if found is None:
        subjects.require(service, scope)
        raise NotFound(f"There is no memory {id}, or it belongs to someone else.")
    names = reading.entities_of(service, scope, [id], when).get(id, [])
    links = reading.links_of(service, scope, [id], when).get(id, [])
    data = {**asdict(found), "entities": names, "links": [asdict(link) for link in links]}
    drawn = data | {"entities": [f"{each['name']} ({each['type']})" for each in names]}
    if found.holds_to == ALWAYS:
        drawn["holds_to"] = "at no time"
    lines = [
        f"{name.replace('_', ' '):>16}  {line}" for name, value in drawn.items() for line in _drawn(value)
    ]
    context.show(data, Text("\n".join(lines)))


@app.command()
def history(id: Id, context: TenantContext) -> None:
    """Every version of a truth, oldest first; any version's id will do.

    Example: graph-memory history 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    states = reading.history(context.service, context.scope, id)
    corrected = _corrected(states)
    table = Table("held from", "until", "believed from", "until", "text", box=None, pad_edge=False)
    for state in states:
        memory = state.memory
        table.add_row(
            day(memory.valid_from),
            day(memory.valid_to),
            day(memory.recorded_from),
            day(memory.recorded_to),
            "\n".join(_told(state, corrected)),
        )
    context.show([asdict(state) for state in states], table)


def _told(state: reading.State, corrected: Mapping[str, str]) -> Iterator[str]:
    yield state.memory.text
    if state.is_corrected:
        yield corrected[state.memory.id]
    if state.memory.status is not Status.ACTIVE:
        yield f"({state.memory.status.lower()})"


@app.command()
def why(id: Id, context: TenantContext) -> None:
    """Why a memory is no longer current.

    Example: graph-memory why 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    retirement = why_retired(context.service, context.scope, id)
    context.show(asdict(retirement), f"“{retirement.memory.text}”\n{retirement.explanation}")


@app.command()
def supersede(
    id: Id,
    text: Annotated[str | None, typer.Argument(help="What is true instead.")] = None,
    by: Annotated[
        str | None, typer.Option(help="Or the id of the memory that is true instead."), IdOf.MEMORY
    ] = None,
    valid_from: Annotated[
        str | None, typer.Option(help="Since when; the new memory's own start when left out.")
    ] = None,
    reason: Annotated[str, typer.Option(help="Why it changed.")] = "",
    *,
    context: Context,
) -> None:
    """Say that something else is true now; the old statement stays in history.

    Example: graph-memory supersede 3f0c... "Ann works at Anthropic." --valid-from 2026-02-01 --reason "new job"
    """
    if (text is None) == (by is None):
        raise Invalid("Give either the new text or --by with a memory's id.")
    new = Fact(text) if text is not None else str(by)
    start = moment_of("--valid-from", valid_from)
    call = context.call(scope=subjects.of_memory(context.service, context.scope, id))
    done, answer = superseding.supersede(context.service, call, id, new, start, reason)
    told = "\n".join([f"{done.new} supersedes {done.old}", *done.notes])
    context.show_done(call, answer, asdict(done), told)


@app.command()
def memories(
    context: Context,
    first: First = 20,
    after: After = None,
    kind: Annotated[str | None, typer.Option(help="Only of this kind.")] = None,
    where: Where = None,
    sort: Annotated[str, typer.Option(help=f"By which field: {', '.join(SORTABLE)}.")] = NEWEST.field,
    ascending: Annotated[bool, typer.Option("--ascending", help="The lowest first.")] = False,
    past: Annotated[bool, typer.Option("--past", help="Retired ones as well.")] = False,
    min_trust: MinTrust = None,
    *,
    at: When,
) -> None:
    """Browse memories, newest first, or by any stored field.

    Summaries of communities come with --kind summary.
    Example: graph-memory memories --kind preference --where "importance>=0.5"
    """
    conditions = [condition_of(each, moment_of) for each in where or ()]
    conditions += [Condition("kind", Operator.EQ, kind)] if kind is not None else []
    order, when = Sort(sort, not ascending), at.moment
    service = context.service
    page = browse_by(service, context.scope, conditions, order, first, after, when, past, min_trust)
    if not page.items:
        subjects.require(service, context.scope)
    table = Table("id", "since", "kind", "text", box=None, pad_edge=False)
    for memory in page.items:
        table.add_row(memory.id, day(memory.valid_from), memory.kind, memory.text)
    context.show_page([asdict(memory) for memory in page.items], page.next, table)


def _corrected(states: Sequence[reading.State]) -> dict[str, str]:
    """What each version was that a correction took the place of, by its id."""
    since: dict[str, datetime] = {}
    for memory in (state.memory for state in states if state.is_corrected):
        since[memory.id] = min(memory.recorded_from, since.get(memory.id, memory.recorded_from))
    return {id: f"believed until {day(at)}, then corrected: it never held" for id, at in since.items()}


def _drawn(value: Any) -> list[str]:
    """A value as people read it, on as many lines as it has parts; none where it is empty."""
    if value in (None, "") or (isinstance(value, list | tuple | dict) and not value):
        return []
    if isinstance(value, dict):
        parts = {name: ", ".join(_drawn(each)) for name, each in value.items()}
        return [", ".join(f"{name.replace('_', ' ')} {told}" for name, told in parts.items() if told)]
    if isinstance(value, list | tuple):
        lines = [line for each in value for line in _drawn(each)]
        return lines if any(isinstance(each, dict) for each in value) else [", ".join(lines)]
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    if isinstance(value, Enum):
        return [str(value.value)]
    return [day(value) if isinstance(value, datetime) else str(value)]

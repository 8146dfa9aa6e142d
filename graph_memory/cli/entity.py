"""`graph-memory entity`: what is stated of somebody or something, now and before."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

import typer
from rich.table import Table

from graph_memory.base.cursors import MAX_PAGE
from graph_memory.base.errors import NotFound
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context, When
from graph_memory.cli.tables import day
from graph_memory.language.names import key
from graph_memory.memory import entity_reading
from graph_memory.memory.attribute_reading import Attribute, Stated, attributes_of
from graph_memory.model.claim import Polarity
from graph_memory.store import subjects
from graph_memory.store.service import Row

app = App()

_NAMESAKES = 20
_EARLIER = 5
# What is mistyped mostly begins with the right letters.
_ALIKE = 2


@app.command()
def entity(
    name: Annotated[str, typer.Argument(help="Its name, or its id; `User` is whose memories they are.")],
    first: Annotated[int, typer.Option("--first", "-n", help="Attributes at most.")] = 50,
    *,
    at: When,
    context: Context,
) -> None:
    """What is stated of somebody or something: each attribute with what is so, and what was so before.

    Example: graph-memory entity Ann --subject ann
    """
    scope, when, service = context.scope, at.moment, context.service
    found = entity_reading.page(service, scope, name, first=_NAMESAKES, moment=when).items
    named = [row for row in found if row["key"] == key(name)] or found[:1]
    if not named:
        subjects.require(service, scope)
        near = entity_reading.page(service, scope, name[:_ALIKE], first=MAX_PAGE, moment=when).items
        raise NotFound(
            f"Nothing is known by the name {name[:80]}; `graph-memory entities list` shows what is."
            + subjects.meant(name, [row["name"] for row in near]),
            path="name",
        )
    of = attributes_of(service, scope, [row["id"] for row in named], first, when)
    now = when.at(service.clock())[0]
    data = [{**row, "attributes": [_as_data(each, now) for each in of.get(row["id"], [])]} for row in named]
    table = tables.table("entity", "attribute", "now", "since", "before")
    for row in named:
        _fill(table, row, of.get(row["id"], []), now)
    context.show(data, table if table.row_count else f"Nothing is stated of {named[0]['name']}.")


def _fill(table: Table, row: Row, attributes: list[Attribute], at: datetime) -> None:
    told = tables.named(row)
    for each in attributes:
        now = each.current(at)
        before = [one for one in each.history(at) if one not in now][:_EARLIER]
        earlier = "; ".join(f"{_said(one)} ({_span(one)})" for one in before)
        since = ", ".join(day(one.valid_from) for one in now)
        table.add_row(told, each.name, ", ".join(map(_said, now)) or "-", since or "-", earlier or "-")


def _said(stated: Stated) -> str:
    return f"not {stated.value}" if stated.polarity is Polarity.DENIED else stated.value


def _span(stated: Stated) -> str:
    return f"{day(stated.valid_from)} to {day(stated.valid_to)}"


def _as_data(attribute: Attribute, at: datetime) -> Row:
    return {
        "name": attribute.name,
        "current": [asdict(each) for each in attribute.current(at)],
        "history": [asdict(each) for each in attribute.history()],
    }

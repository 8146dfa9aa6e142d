"""`graph-memory entity`: what is stated of somebody or something, now and before."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

import typer
from rich.table import Table

from graph_memory.base.errors import NotFound
from graph_memory.base.scope import Scope
from graph_memory.cli import tables
from graph_memory.cli.memory import AsJson, AsOf, KnownAt, Subject, Tenant, day, moment, opened, show
from graph_memory.language.names import key
from graph_memory.memory import entity_reading
from graph_memory.memory.attribute_reading import Attribute, Stated, attributes_of
from graph_memory.model.claim import Polarity
from graph_memory.store.service import Row

app = typer.Typer()

_NAMESAKES = 20
_EARLIER = 5


@app.command()
def entity(
    name: Annotated[str, typer.Argument(help="Its name, or its id; `User` is whose memories they are.")],
    first: Annotated[int, typer.Option("--first", "-n", help="Attributes at most.")] = 50,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    tenant: Tenant = "default",
    subject: Subject = None,
    as_json: AsJson = False,
) -> None:
    """What is stated of somebody or something: each attribute with what is so, and what was so before.

    Example: graph-memory entity Ann --subject ann
    """
    scope, when = Scope(tenant, subject), moment(as_of, known_at)
    with opened() as service:
        found = entity_reading.page(service, scope, name, first=_NAMESAKES, moment=when).items
        named = [row for row in found if row["key"] == key(name)] or found[:1]
        if not named:
            raise NotFound(f"Nothing is known by the name {name[:80]}.", path="name")
        of = attributes_of(service, scope, [row["id"] for row in named], first, when)
        at = when.at(service.clock())[0]
    data = [{**row, "attributes": [_as_data(each, at) for each in of.get(row["id"], [])]} for row in named]
    table = tables.table("entity", "attribute", "now", "since", "before")
    for row in named:
        _fill(table, row, of.get(row["id"], []), at)
    show(as_json, data, table if table.row_count else f"Nothing is stated of {named[0]['name']}.")


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

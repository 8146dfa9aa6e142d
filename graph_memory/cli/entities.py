"""`graph-memory entities`: who and what memories mention, and putting right which names mean whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context, When
from graph_memory.cli.ids import OR_ITS_START, IdOf
from graph_memory.cli.options import After, First, Key, Reason
from graph_memory.cli.tables import day
from graph_memory.curation import entity_edits
from graph_memory.ledger.changes import Answer, Call
from graph_memory.memory import entity_reading
from graph_memory.memory import reading as read
from graph_memory.memory.entity_reading import Relation
from graph_memory.model.memory import Memory
from graph_memory.store.service import Row
from graph_memory.upkeep import entity_collection

app = App(help="Entities: who and what memories mention.", no_args_is_help=True)

EntityId = Annotated[str, typer.Argument(help=f"An entity's id, {OR_ITS_START}."), IdOf.ENTITY]
_SHOWN = 20


@app.command("list")
def list_(
    name: Annotated[str, typer.Argument(help="What their name begins with, in any case.")] = "",
    type_: Annotated[str | None, typer.Option("--type", help="Only PERSON, ORG, GPE, ...")] = None,
    first: First = 20,
    after: After = None,
    *,
    at: When,
    context: Context,
) -> None:
    """Who and what memories mention, by name.

    Example: graph-memory entities list jo --type PERSON --subject ann
    """
    when = at.moment
    page = entity_reading.page(context.service, context.scope, name, type_, first, after, when)
    table = tables.table("id", "name", "type", "also", "memories", "last")
    for each in page.items:
        also = ", ".join(each["aliases"] or ()) or "-"
        told = tables.named(each)
        table.add_row(each["id"], told, each["type"], also, str(each["link_count"]), day(each["last_seen"]))
    following = page.cursors[-1] if page.has_next else None
    context.show_page(page.items, following, table if page.items else "There are none.")


@app.command("show")
def show_one(id: EntityId, at: When, context: Context) -> None:
    """One entity: its names, the latest memories that mention it, and what they state of it.

    Example: graph-memory entities show 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    scope, when, service = context.scope, at.moment, context.service
    entity = entity_reading.get(service, scope, id)
    found = entity_reading.memories_of(service, scope, [id], _SHOWN, moment=when).get(id, [])
    relations = entity_reading.relations_of(service, scope, [id], when).get(id, [])
    memories = read.get_many(service, scope, [memory for memory, _ in found[:_SHOWN]], when)
    known = [memory for memory in memories if memory]
    data = {
        **entity,
        "memories": [{"id": memory.id, "text": memory.text} for memory in known],
        "has_more_memories": len(found) > _SHOWN,
        "relations": [vars(each) for each in relations],
    }
    context.show(data, "\n".join(_lines(entity, known, relations, has_more=len(found) > _SHOWN)))


@app.command()
def merge(
    keep: Annotated[str, typer.Argument(help="The entity that stays."), IdOf.ENTITY],
    other: Annotated[
        str, typer.Argument(help="The entity whose names mean that one from now on."), IdOf.ENTITY
    ],
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Make two entities one; `graph-memory undo` takes it back.

    Example: graph-memory entities merge ID-OF-ROBERT ID-OF-BOB --reason "the same man"
    """
    call = _call(context, keep, key)
    answer = entity_edits.merge_entities(context.service, call, keep, other, reason)
    _told(context, call, answer, f"{answer.value['memories']} memories mention {keep} now")


@app.command()
def split(
    id: EntityId,
    memories: Annotated[
        list[str], typer.Argument(help="Ids of the memories that mean another one."), IdOf.MEMORY
    ],
    discriminator: Annotated[
        str, typer.Option("--as", help="What tells the new one from its namesake: the baker, York, ...")
    ] = "",
    name: Annotated[str | None, typer.Option(help="The new one's name, if it is another.")] = None,
    type_: Annotated[str | None, typer.Option("--type", help="The new one's type, if it is another.")] = None,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Give some of an entity's memories to a new one; `graph-memory undo` takes it back.

    Example: graph-memory entities split ID-OF-JOHN ID-OF-MEMORY --as "the baker"
    """
    call = _call(context, id, key)
    answer = entity_edits.split_entity(
        context.service, call, id, memories, discriminator, name, type_, reason
    )
    told = f"{answer.value['memories']} memories mention {answer.value['split']} now"
    _told(context, call, answer, told)


@app.command()
def rename(
    id: EntityId,
    name: Annotated[str | None, typer.Argument(help="The new name; the old one stays as an alias.")] = None,
    type_: Annotated[str | None, typer.Option("--type", help="PERSON, ORG, GPE, ...")] = None,
    discriminator: Annotated[str | None, typer.Option("--as", help="What tells it from a namesake.")] = None,
    alias: Annotated[list[str] | None, typer.Option(help="All its other names; repeat for more.")] = None,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Change name, type, discriminator or aliases of an entity; `graph-memory undo` takes it back.

    Example: graph-memory entities rename ID "Meta Platforms" --type ORG
    """
    given = entity_edits.Rename(name, type_, discriminator, tuple(alias) if alias is not None else None)
    call = _call(context, id, key)
    _told(context, call, entity_edits.rename_entity(context.service, call, id, given, reason), "renamed")


@app.command()
def delete(id: EntityId, reason: Reason = "", key: Key = None, *, context: Context) -> None:
    """Let no memory mention an entity any more; `graph-memory undo` takes it back.

    Example: graph-memory entities delete ID --reason "no name of anything"
    """
    call = _call(context, id, key)
    answer = entity_edits.delete_entity(context.service, call, id, reason)
    _told(context, call, answer, f"{answer.value['memories']} memories no longer mention it")


@app.command()
def proposals(context: Context) -> None:
    """Pairs of entities that may be one and that nobody has merged; merging them is up to you.

    Example: graph-memory entities proposals --subject ann
    """
    found = entity_collection.proposals(context.service, context.scope)
    table = tables.table("id", "name", "id", "may be", "likeness")
    for each in found:
        table.add_row(each.id, each.name, each.target_id, each.target_name, f"{each.likeness:.2f}")
    context.show([vars(each) for each in found], table if found else "There are none.")


def _call(context: Context, id: str, key: str | None) -> Call:
    return context.call(key, entity_reading.scope_of(context.service, context.scope, id))


def _told(context: Context, call: Call, answer: Answer, text: str) -> None:
    context.show_done(call, answer, answer.value, text)


def _lines(
    entity: Row, memories: Sequence[Memory], relations: Sequence[Relation], *, has_more: bool
) -> Iterator[str]:
    told = f", {entity['discriminator']}" if entity["discriminator"] else ""
    yield f"{entity['name']}  {entity['type']}{told}  {entity['id']}"
    if entity["aliases"]:
        yield f"  also: {', '.join(entity['aliases'])}"
    if entity["alias_of"]:
        yield f"  another name of {entity['alias_of']} now"
    yield f"  {entity['link_count']} memories, from {day(entity['first_seen'])} to {day(entity['last_seen'])}"
    for each in relations:
        yield f"  {each.from_name} {each.type} {each.to_name}"
    for memory in memories:
        yield f"  “{memory.text}”  {memory.id}"
    if has_more:
        yield f"  and {entity['link_count'] - len(memories)} more"

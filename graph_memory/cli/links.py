"""`graph-memory link`, `unlink`, `edges`, `graph`, `path`, `causes`, `consequences`, `impact`: links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from graph_memory.base.errors import Invalid, NotFound
from graph_memory.base.ids import check_id
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context, When
from graph_memory.cli.ids import IdOf
from graph_memory.cli.options import Id, Key, Reason
from graph_memory.memory import causes as causing
from graph_memory.memory import links as linking
from graph_memory.memory import reading, traversal
from graph_memory.memory.reading import Link
from graph_memory.model.link_kinds import kinds_of
from graph_memory.store import subjects
from graph_memory.store.service import Service

app = App()

Kind = Annotated[list[str] | None, typer.Option("--kind", help="Only links of this kind; repeat for more.")]
Start = Annotated[
    str, typer.Argument(help="Where the link starts: a memory's id.", metavar="FROM"), IdOf.MEMORY
]
End = Annotated[str, typer.Argument(help="Where it leads: a memory's id.", metavar="TO"), IdOf.MEMORY]
Hops = Annotated[int, typer.Option("--depth", "-d", help="How many hops are followed.")]


@app.command()
def link(
    start: Start,
    kind: Annotated[str, typer.Argument(help="What it says: CAUSES, SUPPORTS, RELATED, ...")],
    end: End,
    confidence: Annotated[float, typer.Option(help="How sure you are, 0 to 1.")] = 1.0,
    strength: Annotated[float, typer.Option(help="How much they have to do with each other, 0 to 1.")] = 1.0,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Link one memory to another.

    Example: graph-memory link 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 CAUSES 91b2d7a4-5c1e-4f0a-8d3b-6a7e2c9f0b15
    """
    call = context.call_on(start, key)
    made, answer = linking.link(context.service, call, start, end, kind, confidence, strength, reason)
    said = "Linked" if made.outcome is linking.LinkOutcome.LINKED else "It is there already"
    context.show_done(call, answer, asdict(made), f"{said}: {made.id}")


@app.command()
def unlink(
    which: Annotated[list[str], typer.Argument(help="A link's id, or FROM KIND TO.")],
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """End a link; it stays readable with --known-at.

    Example: graph-memory unlink 7c1d4b0a-2f8e-4a55-b6c3-90e1d2f3a4b5 --reason "not so"
    """
    service = context.service
    if len(which) == 1:
        id = check_id(which[0])
        call = context.call(key, subjects.of_link(service, context.scope, id))
        ended, answer = linking.unlink(service, call, id, reason)
    elif len(which) == 3:
        start, kind, end = (
            context.whole(IdOf.MEMORY, which[0]),
            which[1],
            context.whole(IdOf.MEMORY, which[2]),
        )
        call = context.call_on(start, key)
        ended, answer = linking.unlink(service, call, (start, end, kind), reason)
    else:
        raise Invalid("Name a link by its id, or by FROM KIND TO.")
    context.show_done(call, answer, {"id": ended}, f"Ended: {ended}")


@app.command()
def edges(
    id: Annotated[
        str | None,
        typer.Argument(help="A memory's id; with --count it may be left out.", show_default=False),
        IdOf.MEMORY,
    ] = None,
    kind: Kind = None,
    count: Annotated[
        bool,
        typer.Option("--count", help="How many there are by kind and direction, of one memory or of all."),
    ] = False,
    *,
    context: Context,
    at: When,
) -> None:
    """All links of a memory, in both directions.

    Example: graph-memory edges 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    scope, when = context.scope, at.moment
    kinds = kinds_of(kind, "--kind")
    if id is None and not count:
        raise Invalid("Give a memory's id, or --count.")
    service = context.service
    if id is None or count:
        _count(context, linking.statistics(service, scope, id, when))
        return
    if reading.get(service, scope, id, when) is None:
        raise NotFound(f"There is no memory {id}, or it belongs to someone else.")
    found = [each for each in reading.links_of(service, scope, [id], when).get(id, []) if each.kind in kinds]
    texts = _texts(service, scope, found, when)
    lines = [line for each in found for line in _edge(each, id, texts)]
    context.show([asdict(each) for each in found], "\n".join(lines) or "It has no links.")


@app.command()
def graph(
    id: Id,
    depth: Hops = 2,
    kind: Kind = None,
    direction: Annotated[
        traversal.Direction, typer.Option(help="Which way links are followed.")
    ] = traversal.Direction.BOTH,
    min_strength: Annotated[float, typer.Option(help="Weaker links are not followed.")] = 0.0,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Memories at most.")] = 50,
    *,
    context: Context,
    at: When,
) -> None:
    """What lies around a memory, nearest first.

    Example: graph-memory graph 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 --depth 1 --kind CAUSES
    """
    found = traversal.neighbours(
        context.service,
        context.scope,
        id,
        kind,
        direction,
        depth,
        min_strength,
        moment=at.moment,
        limit=limit,
    )
    show_reached(context, found.items, found.truncated)


@app.command()
def path(
    start: Start,
    end: End,
    max_hops: Annotated[int, typer.Option(help="How long it may be.")] = traversal.MAX_HOPS,
    kind: Kind = None,
    *,
    context: Context,
    at: When,
) -> None:
    """A shortest way between two memories.

    Example: graph-memory path 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 91b2d7a4-5c1e-4f0a-8d3b-6a7e2c9f0b15
    """
    found = traversal.path(context.service, context.scope, start, end, max_hops, kind, at.moment)
    lines = [found.nodes[0].text] if found.nodes else ["There is no way between them."]
    for here, edge, there in zip(found.nodes, found.edges, found.nodes[1:], strict=False):
        arrow = f"--{edge.kind}->" if edge.from_id == here.id else f"<-{edge.kind}--"
        lines.append(f"  {arrow} {there.text}")
    context.show(asdict(found), "\n".join(lines))


@app.command()
def causes(id: Id, depth: Hops = causing.MAX_DEPTH, *, context: Context, at: When) -> None:
    """What led to a memory, back to its root causes.

    Example: graph-memory causes 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    found = causing.causes(context.service, context.scope, id, depth, at.moment)
    show_reached(context, found.items, found.truncated)


@app.command()
def consequences(id: Id, depth: Hops = causing.MAX_DEPTH, *, context: Context, at: When) -> None:
    """What a memory led to.

    Example: graph-memory consequences 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    found = causing.consequences(context.service, context.scope, id, depth, at.moment)
    show_reached(context, found.items, found.truncated)


@app.command()
def impact(id: Id, depth: Hops = causing.MAX_DEPTH, *, context: Context, at: When) -> None:
    """If a memory is wrong, what else falls.

    Example: graph-memory impact 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    found = causing.impact(context.service, context.scope, id, depth, at.moment)
    show_reached(context, found.items, found.truncated)


def _count(context: Context, found: linking.Statistics) -> None:
    table = tables.table("kind", "in", "out", "all")
    for kind, total in found.by_type.items():
        inbound, outbound = found.inbound_by_type.get(kind, 0), found.outbound_by_type.get(kind, 0)
        table.add_row(kind, str(inbound), str(outbound), str(total))
    table.add_row("all", str(found.total_inbound), str(found.total_outbound), str(found.total))
    context.show(asdict(found), table)


def _edge(link: Link, id: str, texts: Mapping[str, str]) -> list[str]:
    arrow, other = ("→", link.to_id) if link.from_id == id else ("←", link.from_id)
    why = f": {link.reason}" if link.reason else ""
    return [
        f"{arrow} {link.kind} ({link.strength:g}{why})  {texts.get(other, '')}",
        f"    memory {other}  link {link.id}",
    ]


def show_reached(
    context: Context, items: Sequence[traversal.Neighbour | causing.Cause], truncated: bool
) -> None:
    """A table of what was reached over links."""
    table = tables.table("hops", "by", "memory", "text")
    for item in items:
        table.add_row(
            str(item.depth),
            ", ".join(sorted({link.kind for link in item.links})),
            item.memory.id,
            item.memory.text,
        )
    data: dict[str, Any] = {"items": [asdict(item) for item in items], "truncated": truncated}
    context.show(data, table if items else "Nothing was found.")
    context.note("There is more." if truncated else None, None)


def _texts(service: Service, scope: Scope, links: Sequence[Link], when: Moment) -> dict[str, str]:
    ends = sorted({end for link in links for end in (link.from_id, link.to_id)})
    found = reading.get_many(service, scope, ends, Moment(known_at=when.known_at)) if ends else []
    return {memory.id: memory.text for memory in found if memory is not None}

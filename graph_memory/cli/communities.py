"""`graph-memory communities`: what memories are about, and what became of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.tree import Tree

from graph_memory.base.scope import Scope
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context
from graph_memory.cli.options import After, First, moment_of
from graph_memory.cli.tables import day, plain, styled
from graph_memory.memory import community_reading as read
from graph_memory.memory.community_reading import Community, CommunitySummary, Event
from graph_memory.memory.reading import get_many
from graph_memory.model.community import CommunityChange
from graph_memory.model.memory import Memory
from graph_memory.store.service import Service

app = App()

_SHOWN = 20


@app.callback(invoke_without_command=True)
def communities(
    name: Annotated[str | None, typer.Option(help="What their name holds, in any case.")] = None,
    changed_since: Annotated[
        str | None, typer.Option(help="Only those that were born, changed or ended since: 2026-03-15.")
    ] = None,
    min_size: Annotated[int, typer.Option(help="How many members they have at least.")] = 0,
    first: First = 20,
    after: After = None,
    *,
    context: Context,
) -> None:
    """Communities: what memories are about, the last changed first; `show ID` draws one.

    Example: graph-memory communities --changed-since 2026-03-01 --subject ann
    """
    scope, since = context.scope, moment_of("--changed-since", changed_since)
    service = context.service
    page = read.page(service, scope, first, after, name, since, min_size)
    ids = [each.id for each in page.items]
    summaries = read.summaries_of(service, scope, ids)
    lineage = read.lineage_of(service, scope, ids)
    table = tables.table("id", "about", "members", "changed", "what happened last", "summary")
    for each in page.items:
        told = summaries.get(each.id)
        what = ", ".join(_told(event, each.id) for event in _last(lineage.get(each.id, [])))
        state = (
            "-"
            if told is None
            else "stale"
            if told.is_stale
            else "extract"
            if told.is_extractive
            else "written"
        )
        table.add_row(each.id, each.name, str(each.size), day(each.changed_at), what, state)
    following = page.cursors[-1] if page.has_next else None
    items = [
        {
            **asdict(each),
            "summary": _as_data(summaries.get(each.id)),
            "lineage": _events(lineage.get(each.id, [])),
        }
        for each in page.items
    ]
    context.show_page(items, following, table if items else "There are none.")


@app.command("show")
def show_one(id: Annotated[str, typer.Argument(help="A community's id.")], context: Context) -> None:
    """One community, drawn: what it is about, its latest members, and what became of it.

    Example: graph-memory communities show 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    scope, service = context.scope, context.service
    found = read.get(service, scope, id)
    summary = read.summaries_of(service, scope, [id]).get(id)
    members = members_of(service, scope, id)
    lineage = read.lineage_of(service, scope, [id]).get(id, [])
    data = {
        **asdict(found),
        "summary": _as_data(summary),
        "members": [{"id": each.id, "text": each.text} for each in members],
        "lineage": _events(lineage),
    }
    context.show(data, drawn(found, summary, members, lineage))


def members_of(service: Service, scope: Scope, id: str, first: int = _SHOWN) -> list[Memory]:
    """The latest members of a community."""
    ids = [each for each, _ in read.members_of(service, scope, [id], first).get(id, [])]
    return [each for each in get_many(service, scope, ids[:first]) if each is not None]


def drawn(
    community: Community,
    summary: CommunitySummary | None,
    members: Sequence[Memory],
    lineage: Sequence[Event] = (),
) -> Tree:
    """A community as a tree."""
    ended = f", ended {day(community.ended_at)}" if community.ended_at else ""
    size = f"{community.size} memories, born {day(community.born_at)}{ended}"
    tree = Tree(styled(f"[bold]{plain(community.name)}[/]  {size}  [dim]{community.id}[/]"))
    if summary is not None:
        by = "an extract" if summary.is_extractive else f"by {summary.written_by}"
        stale = ", [yellow]stale: its members are others by now[/]" if summary.is_stale else ""
        told = tree.add(styled(f"summary, {plain(by)}{stale}"))
        told.add(summary.memory.text)
        for head, lines in (("key facts", summary.key_facts), ("decisions", summary.decisions)):
            if lines:
                branch = told.add(head)
                for line in lines:
                    branch.add(line)
    branch = tree.add("members, newest first")
    for each in members:
        branch.add(styled(f"{plain(each.text)}  [dim]{each.id}[/]"))
    if community.size > len(members):
        branch.add(styled(f"[dim]and {community.size - len(members)} more[/]"))
    if lineage:
        branch = tree.add("what became of it, newest first")
        for event in lineage[:_SHOWN]:
            branch.add(f"{day(event.at)}  {_told(event, community.id)}")
    return tree


def _as_data(summary: CommunitySummary | None) -> dict[str, Any] | None:
    return None if summary is None else {**asdict(summary), "is_extractive": summary.is_extractive}


def _events(lineage: Sequence[Event]) -> list[dict[str, Any]]:
    return [asdict(each) for each in lineage]


def _last(events: Sequence[Event]) -> list[Event]:
    latest: datetime | None = max((each.at for each in events), default=None)
    return [each for each in events if each.at == latest]


def _told(event: Event, seen_from: str) -> str:
    numbers = "".join(f" {sign}{count}" for sign, count in (("+", event.joined), ("-", event.left)) if count)
    if event.kind is CommunityChange.SPLIT:
        came = event.to_id == seen_from
        return f"split from {event.from_id}" if came else f"{event.size} split off to {event.to_id}"
    if event.kind is CommunityChange.MERGED:
        came = event.to_id == seen_from
        return f"took in {event.from_id}" if came else f"went into {event.to_id}"
    return f"{event.kind.value.lower()}{numbers}"

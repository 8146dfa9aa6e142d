"""`graph-memory recall`, `show`, `history`, `why`, `supersede`, `memories`: memories on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import datetime
from enum import Enum
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from graph_memory.base.clock import ALWAYS
from graph_memory.base.errors import Invalid, NotFound
from graph_memory.cli.commands import App
from graph_memory.cli.conditions import condition_of
from graph_memory.cli.context import Context, TenantContext, When
from graph_memory.cli.options import After, First, Id, MinTrust, moment_of
from graph_memory.cli.tables import day, plain
from graph_memory.memory import reading
from graph_memory.memory import supersession as superseding
from graph_memory.memory.browsing import NEWEST, SORTABLE, Condition, Operator, Sort, browse_by
from graph_memory.memory.community_reading import summaries_of
from graph_memory.memory.retirement import why_retired
from graph_memory.model.memory import Fact, Memory, Trust
from graph_memory.recall.access import counting
from graph_memory.recall.hits import Arms, Grain, Hit, Page, PassageHit
from graph_memory.recall.modes import Mode
from graph_memory.recall.search import search
from graph_memory.recall.summary_search import nearest
from graph_memory.store import subjects

app = App()

Where = Annotated[
    list[str] | None,
    typer.Option(help="A condition on any field: 'importance>=0.5', 'tags~pets'; repeat for more."),
]


@app.command("search", hidden=True)
@app.command()
def recall(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    context: Context,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Hits at most.")] = 10,
    where: Where = None,
    after: Annotated[
        str | None, typer.Option(help="The cursor that the page before this one ended with.")
    ] = None,
    mode: Annotated[
        Mode,
        typer.Option(help="How far to reach: hot, hot and warm, cold and superseded too, or archived too."),
    ] = Mode.STANDARD,
    arms: Annotated[Arms, typer.Option(help="Which indexes to ask.")] = Arms.HYBRID,
    grain: Annotated[
        list[Grain] | None, typer.Option(help="Memories, or what was said; give both for both.")
    ] = None,
    min_trust: MinTrust = None,
    min_score: Annotated[
        float | None,
        typer.Option(help="Score below which a hit is left out; 0 also where nothing seems to answer."),
    ] = None,
    *,
    at: When,
    automatic: Annotated[
        bool | None,
        typer.Option(
            "--automatic/--asked",
            help="Nobody asked: what is found does not count as used. So with the mode REFLEXIVE.",
        ),
    ] = None,
    summaries: Annotated[
        bool, typer.Option("--summaries", help="Also the communities whose summary is near.")
    ] = False,
) -> None:
    """Search memories, now or at a moment; `search` is the same.

    Example: graph-memory recall "where does Ann work" --as-of 2026-02-10
    """
    scope, when = context.scope, at.moment
    conditions = [condition_of(each, moment_of) for each in where or ()]
    service = context.service
    with counting(service) as accesses:
        page = search(
            service,
            scope,
            query,
            limit=limit,
            moment=when,
            arms=arms,
            mode=mode,
            min_trust=min_trust,
            min_score=min_score,
            where=conditions,
            after=after,
            grains=grain or (Grain.MEMORY,),
        )
        linked = [former.id for hit in page.hits for former in hit.predecessors]
        is_automatic = mode is Mode.REFLEXIVE if automatic is None else automatic
        if page.interpreted:
            when = replace(when, as_of=page.interpreted.as_of)
        accesses.note(scope, [hit.memory.id for hit in page.hits], linked, when, is_automatic)
        if not page.hits and not page.passages:
            subjects.require(service, scope)
        now = service.clock()
        near = [id for id, _ in nearest(service, scope, query)] if summaries else []
        told = summaries_of(service, scope, near)
    hits = [_hit_as_data(hit, now) for hit in page.hits] + [asdict(hit) for hit in page.passages]
    data = {"hits": hits, "summaries": [asdict(told[id]) for id in near]} if summaries else hits
    context.show(data, _hits(page, now))
    for id in near:
        context.note(f"{told[id].memory.text}  [dim]community {id}[/]", None)
    if page.interpreted:
        words = f"As of {page.interpreted.as_of:%Y-%m-%d}: “{page.interpreted.phrase}”. Give --as-of for another moment."
        context.note(words)
    context.note(page.note, "yellow")
    context.more(page.next)


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
    table = Table("held from", "until", "believed from", "until", "text", box=None, pad_edge=False)
    for state in states:
        memory = state.memory
        table.add_row(
            day(memory.valid_from),
            day(memory.valid_to),
            day(memory.recorded_from),
            day(memory.recorded_to),
            memory.text,
        )
    context.show([asdict(state) for state in states], table)


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
    by: Annotated[str | None, typer.Option(help="Or the id of the memory that is true instead.")] = None,
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


def _hit_as_data(hit: Hit, now: datetime) -> dict[str, Any]:
    return {
        **asdict(hit.memory),
        "score": hit.score,
        "similarity": hit.similarity,
        "age_days": _age(hit.memory, now),
        "why": asdict(hit.why),
        "predecessors": [asdict(p) for p in hit.predecessors],
    }


def _age(memory: Memory, now: datetime) -> int:
    return max((now - memory.created_at).days, 0)


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


def _hits(page: Page, now: datetime) -> str:
    """Both grains in one order; why there is nothing is told by the note."""
    lines = {hit.place: "\n".join(_hit_lines(hit.place, hit, now)) for hit in page.hits}
    lines |= {hit.place: _passage_line(hit) for hit in page.passages}
    nothing = "Nothing was found." if page.note else "Nothing was found: none of the memories is near enough."
    return "\n".join(lines[place] for place in sorted(lines)) or nothing


def _passage_line(hit: PassageHit) -> str:
    said = hit.passage
    return f"{hit.place:>2}. {plain(said.speaker)}: “{plain(said.text)}”  [dim]{day(said.at)}  {said.id}[/]"


def _hit_lines(place: int, hit: Hit, now: datetime) -> Iterator[str]:
    memory: Memory = hit.memory
    yield f"{place:>2}. [bold]{plain(memory.text)}[/]  [dim]{day(memory.valid_from)}  {memory.id}[/]"
    if memory.trust is Trust.UNVERIFIED:
        where = f"{memory.source.kind} {memory.source.ref or ''}".strip()
        yield f"    [yellow]unverified, from {plain(where)}, {_age(memory, now)} days old[/]"
    for before in hit.predecessors:
        yield f"    [dim]before, until {day(before.until)}: {plain(before.text)}[/]"

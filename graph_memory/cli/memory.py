"""`graph-memory recall`, `show`, `history`, `why`, `supersede`, `memories`: memories on the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import datetime
from enum import Enum
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from graph_memory.base.errors import Invalid, NotFound
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import open_service
from graph_memory.cli.conditions import condition_of
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.memory import supersession as superseding
from graph_memory.memory.browsing import NEWEST, SORTABLE, Condition, Operator, Sort, browse_by
from graph_memory.memory.community_reading import summaries_of
from graph_memory.memory.retirement import why_retired
from graph_memory.model.memory import Fact, Memory, Trust
from graph_memory.recall.access import counting
from graph_memory.recall.modes import Mode
from graph_memory.recall.search import Arms, Grain, Hit, Page, PassageHit, search
from graph_memory.recall.summary_search import nearest
from graph_memory.settings import load
from graph_memory.store import subjects
from graph_memory.store.service import Service
from graph_memory.upkeep import migrations

app = typer.Typer()
console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 200)

ACTOR = "cli"

Tenant = Annotated[str, typer.Option("--tenant", "-t", help="The account whose memories these are.")]
Subject = Annotated[
    str | None, typer.Option("--subject", "-s", help="Whose memories, inside the tenant; all when left out.")
]
AsOf = Annotated[
    str | None, typer.Option("--as-of", help="When it was true: 2026-03-15 or 2026-03-15T09:00:00Z.")
]
KnownAt = Annotated[str | None, typer.Option("--known-at", help="When it was believed.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output, nothing else.")]
MinTrust = Annotated[
    Trust | None,
    typer.Option(help="Leave out what is trusted less; UNVERIFIED is what tools and the web say."),
]
Id = Annotated[str, typer.Argument(help="A memory's id.")]
Where = Annotated[
    list[str] | None,
    typer.Option(help="A condition on any field: 'importance>=0.5', 'tags~pets'; repeat for more."),
]


@app.command()
def recall(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    tenant: Tenant = "default",
    subject: Subject = None,
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
    as_of: AsOf = None,
    known_at: KnownAt = None,
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
    as_json: AsJson = False,
) -> None:
    """Search memories, now or at a moment.

    Example: graph-memory recall "where does Ann work" --as-of 2026-02-10
    """
    scope, when = Scope(tenant, subject), moment(as_of, known_at)
    conditions = [condition_of(each, moment_of) for each in where or ()]
    with opened() as service, counting(service) as accesses:
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
    show(as_json, data, _hits(page, now))
    if not as_json:
        for id in near:
            console.print(f"{told[id].memory.text}  [dim]community {id}[/]")
    if page.interpreted and not as_json:
        words = f"As of {page.interpreted.as_of:%Y-%m-%d}: “{page.interpreted.phrase}”. Give --as-of for another moment."
        console.print(words, style="dim")
    if page.note and not as_json:
        console.print(page.note, style="yellow")
    if page.next and not as_json:
        console.print(f"more: --after {page.next}", style="dim")


@app.command("show")
def show_one(
    id: Id, tenant: Tenant = "default", as_of: AsOf = None, known_at: KnownAt = None, as_json: AsJson = False
) -> None:
    """Show one memory, with what it mentions and what it is linked to.

    Example: graph-memory show 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    scope, when = Scope(tenant), moment(as_of, known_at)
    with opened() as service:
        found = reading.get(service, scope, id, when)
        if found is None:
            raise NotFound(f"There is no memory {id}, or it belongs to someone else.")
        names = reading.entities_of(service, scope, [id], when).get(id, [])
        links = reading.links_of(service, scope, [id], when).get(id, [])
    data = {**asdict(found), "entities": names, "links": [asdict(link) for link in links]}
    drawn = data | {"entities": [f"{each['name']} ({each['type']})" for each in names]}
    lines = [
        f"{name.replace('_', ' '):>16}  {line}" for name, value in drawn.items() for line in _drawn(value)
    ]
    show(as_json, data, Text("\n".join(lines)))


@app.command()
def history(id: Id, tenant: Tenant = "default", as_json: AsJson = False) -> None:
    """Every version of a truth, oldest first; any version's id will do.

    Example: graph-memory history 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    with opened() as service:
        states = reading.history(service, Scope(tenant), id)
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
    show(as_json, [asdict(state) for state in states], table)


@app.command()
def why(id: Id, tenant: Tenant = "default", as_json: AsJson = False) -> None:
    """Why a memory is no longer current.

    Example: graph-memory why 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    with opened() as service:
        retirement = why_retired(service, Scope(tenant), id)
    show(as_json, asdict(retirement), f"“{retirement.memory.text}”\n{retirement.explanation}")


@app.command()
def supersede(
    id: Id,
    text: Annotated[str | None, typer.Argument(help="What is true instead.")] = None,
    by: Annotated[str | None, typer.Option(help="Or the id of the memory that is true instead.")] = None,
    valid_from: Annotated[
        str | None, typer.Option(help="Since when; the new memory's own start when left out.")
    ] = None,
    reason: Annotated[str, typer.Option(help="Why it changed.")] = "",
    tenant: Tenant = "default",
    subject: Subject = None,
    as_json: AsJson = False,
) -> None:
    """Say that something else is true now; the old statement stays in history.

    Example: graph-memory supersede 3f0c... "Ann works at Anthropic." --valid-from 2026-02-01 --reason "new job"
    """
    if (text is None) == (by is None):
        raise Invalid("Give either the new text or --by with a memory's id.")
    new = Fact(text) if text is not None else str(by)
    start = moment_of("--valid-from", valid_from)
    with opened() as service:
        scope = subjects.of_memory(service, Scope(tenant, subject), id)
        done, _ = superseding.supersede(service, Call(scope, ACTOR), id, new, start, reason)
    show(as_json, asdict(done), "\n".join([f"{done.new} supersedes {done.old}", *done.notes]))


@app.command()
def memories(
    tenant: Tenant = "default",
    subject: Subject = None,
    first: Annotated[int, typer.Option("--first", "-n", help="How many.")] = 20,
    after: Annotated[str | None, typer.Option(help="The cursor that the page before ended with.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only of this kind.")] = None,
    where: Where = None,
    sort: Annotated[str, typer.Option(help=f"By which field: {', '.join(SORTABLE)}.")] = NEWEST.field,
    ascending: Annotated[bool, typer.Option("--ascending", help="The lowest first.")] = False,
    past: Annotated[bool, typer.Option("--past", help="Retired ones as well.")] = False,
    min_trust: MinTrust = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    as_json: AsJson = False,
) -> None:
    """Browse memories, newest first, or by any stored field.

    Example: graph-memory memories --kind preference --where "importance>=0.5"
    """
    conditions = [condition_of(each, moment_of) for each in where or ()]
    conditions += [Condition("kind", Operator.EQ, kind)] if kind is not None else []
    order, when = Sort(sort, not ascending), moment(as_of, known_at)
    with opened() as service:
        page = browse_by(
            service, Scope(tenant, subject), conditions, order, first, after, when, past, min_trust
        )
        if not page.items:
            subjects.require(service, Scope(tenant, subject))
    table = Table("id", "since", "kind", "text", box=None, pad_edge=False)
    for memory in page.items:
        table.add_row(memory.id, day(memory.valid_from), memory.kind, memory.text)
    show(as_json, {"items": [asdict(memory) for memory in page.items], "next": page.next}, table)
    if page.next and not as_json:
        console.print(f"more: --after {page.next}", style="dim")


@contextmanager
def opened() -> Iterator[Service]:
    """The service of this command, with a store that has its schema."""
    settings = load()
    with open_service(settings) as service:
        migrations.require(service.driver, settings)
        yield service


def moment(as_of: str | None, known_at: str | None) -> Moment:
    """The moment that two options name."""
    return Moment(moment_of("--as-of", as_of), moment_of("--known-at", known_at))


def moment_of(option: str, value: str | None) -> datetime | None:
    """A date (midnight here) or a time; a time without an offset is meant in this machine's zone."""
    if value is None:
        return None
    try:
        return datetime.fromisoformat(value).astimezone()
    except (ValueError, OverflowError):
        raise Invalid(
            f"{option}: {value} is neither a date nor a time, as in 2026-03-15 or 2026-03-15T09:00:00Z."
        ) from None


def show(as_json: bool, data: Any, shown: Any) -> None:
    """JSON for machines, or what people read."""
    if as_json:
        print(json.dumps(data, default=spelled, indent=2, ensure_ascii=False))
    else:
        console.print(shown)


def day(value: datetime | None) -> str:
    """A time, short; a dash while it is open."""
    return "-" if value is None else f"{value:%Y-%m-%d %H:%M}"


def spelled(value: Any) -> str:
    """Any value as JSON and people can take it."""
    return value.isoformat() if isinstance(value, datetime) else str(value)


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
    """Both grains in one order."""
    lines = {hit.place: "\n".join(_hit_lines(hit.place, hit, now)) for hit in page.hits}
    lines |= {hit.place: _passage_line(hit) for hit in page.passages}
    return (
        "\n".join(lines[place] for place in sorted(lines))
        or "Nothing was found: none of the memories is near enough."
    )


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


def plain(text: str) -> str:
    """The text, without what would be markup."""
    return text.replace("[", "\\[")

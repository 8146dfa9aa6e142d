"""`graph-memory recall`: what is nearest to a text, with why it was found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Annotated, Any

import typer

from graph_memory.base.moments import Moment
from graph_memory.cli.commands import App, Shared
from graph_memory.cli.conditions import Where, condition_of
from graph_memory.cli.context import Context, When
from graph_memory.cli.options import MinTrust, moment_of
from graph_memory.cli.tables import day, plain, styled
from graph_memory.memory.browsing import Condition
from graph_memory.memory.community_reading import CommunitySummary, summaries_of
from graph_memory.model.memory import Memory, Trust
from graph_memory.recall.access import Accesses, counting
from graph_memory.recall.hits import Arms, Grain, Hit, Page, PassageHit
from graph_memory.recall.modes import Mode
from graph_memory.recall.search import search
from graph_memory.recall.summary_search import nearest
from graph_memory.store import subjects

app = App()


@dataclass
class Reach(Shared):
    """How far a search goes, and what it leaves out."""

    limit: Annotated[int, typer.Option("--limit", "-n", help="Hits at most.")] = 10
    where: Where = None
    after: Annotated[
        str | None, typer.Option(help="The cursor that the page before this one ended with.")
    ] = None
    mode: Annotated[
        Mode,
        typer.Option(help="How far to reach: hot, hot and warm, cold and superseded too, or archived too."),
    ] = Mode.STANDARD
    arms: Annotated[Arms, typer.Option(help="Which indexes to ask.")] = Arms.HYBRID
    grain: Annotated[
        list[Grain] | None, typer.Option(help="Memories, or what was said; give both for both.")
    ] = None
    min_trust: MinTrust = None
    min_score: Annotated[
        float | None,
        typer.Option(help="Score below which a hit is left out; 0 also where nothing seems to answer."),
    ] = None


@app.command("search", hidden=True)
@app.command()
def recall(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    context: Context,
    reach: Reach,
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
    when, conditions = at.moment, [condition_of(each, moment_of) for each in reach.where or ()]
    service, scope = context.service, context.scope
    with counting(service) as accesses:
        page = _found(context, query, reach, conditions, when)
        is_automatic = reach.mode is Mode.REFLEXIVE if automatic is None else automatic
        _note_use(accesses, context, page, when, is_automatic)
        if not page.hits and not page.passages:
            subjects.require(service, scope)
        now = service.clock()
        near = [id for id, _ in nearest(service, scope, query)] if summaries else []
        told = summaries_of(service, scope, near)
    _show(context, page, now, {id: told[id] for id in near} if summaries else None)


def _found(context: Context, query: str, reach: Reach, conditions: list[Condition], when: Moment) -> Page:
    return search(
        context.service,
        context.scope,
        query,
        limit=reach.limit,
        moment=when,
        arms=reach.arms,
        mode=reach.mode,
        min_trust=reach.min_trust,
        min_score=reach.min_score,
        where=conditions,
        after=reach.after,
        grains=reach.grain or (Grain.MEMORY,),
    )


def _note_use(accesses: Accesses, context: Context, page: Page, when: Moment, is_automatic: bool) -> None:
    linked = [former.id for hit in page.hits for former in hit.predecessors]
    if page.interpreted:
        when = replace(when, as_of=page.interpreted.as_of)
    accesses.note(context.scope, [hit.memory.id for hit in page.hits], linked, when, is_automatic)


def _show(context: Context, page: Page, now: datetime, near: dict[str, CommunitySummary] | None) -> None:
    """What was found, and beside it the communities that are near, where they were asked for."""
    hits = [_hit_as_data(hit, now) for hit in page.hits] + [asdict(hit) for hit in page.passages]
    told = {"hits": hits, "summaries": [asdict(each) for each in near.values()]} if near is not None else hits
    context.show(told, styled(_hits(page, now)))
    for id, summary in (near or {}).items():
        context.note(styled(f"{plain(summary.memory.text)}  [dim]community {id}[/]"), None)
    if page.interpreted:
        words = f"As of {page.interpreted.as_of:%Y-%m-%d}: “{page.interpreted.phrase}”. Give --as-of for another moment."
        context.note(words)
    context.note(page.note, "yellow")
    context.more(page.next)


def _hits(page: Page, now: datetime) -> str:
    """Both grains in one order; why there is nothing is told by the note."""
    lines = {hit.place: "\n".join(_hit_lines(hit.place, hit, now)) for hit in page.hits}
    lines |= {hit.place: _passage_line(hit) for hit in page.passages}
    nothing = "Nothing was found." if page.note else "Nothing was found: none of the memories is near enough."
    return "\n".join(lines[place] for place in sorted(lines)) or nothing


def _hit_lines(place: int, hit: Hit, now: datetime) -> Iterator[str]:
    memory: Memory = hit.memory
    yield f"{place:>2}. [bold]{plain(memory.text)}[/]  [dim]{day(memory.valid_from)}  {memory.id}[/]"
    if memory.trust is Trust.UNVERIFIED:
        where = f"{memory.source.kind} {memory.source.ref or ''}".strip()
        yield f"    [yellow]unverified, from {plain(where)}, {_age(memory, now)} days old[/]"
    for newer in hit.contested_by:
        yield f"    [yellow]may hold no longer; since {day(newer.since)}: {plain(newer.text)}[/]"
    for before in hit.predecessors:
        yield f"    [dim]before, until {day(before.until)}: {plain(before.text)}[/]"


def _passage_line(hit: PassageHit) -> str:
    said = hit.passage
    return f"{hit.place:>2}. {plain(said.speaker)}: “{plain(said.text)}”  [dim]{day(said.at)}  {said.id}[/]"


def _hit_as_data(hit: Hit, now: datetime) -> dict[str, Any]:
    return {
        **asdict(hit.memory),
        "score": hit.score,
        "similarity": hit.similarity,
        "age_days": _age(hit.memory, now),
        "why": asdict(hit.why),
        "predecessors": [asdict(p) for p in hit.predecessors],
        "contested_by": [asdict(newer) for newer in hit.contested_by],
    }


def _age(memory: Memory, now: datetime) -> int:
    return max((now - memory.created_at).days, 0)

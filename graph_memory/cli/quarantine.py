"""`graph-memory quarantine`, `settle`, `hubs`: taking what is in doubt out of answers, deciding it, and finding it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from graph_memory.base.errors import Invalid
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context
from graph_memory.cli.following import carry_out
from graph_memory.cli.ids import IdOf
from graph_memory.cli.links import show_reached
from graph_memory.cli.options import Here, Key, Reason, moment_of
from graph_memory.curation import quarantine as source
from graph_memory.curation import settlement
from graph_memory.curation.quarantine import Suspect
from graph_memory.memory import causes as causing
from graph_memory.model.memory import SourceKind
from graph_memory.model.run import Status
from graph_memory.recall import hubs as finding

app = App()


@app.command()
def quarantine(
    id: Annotated[
        str | None, typer.Argument(help="One memory in doubt; or name a source below."), IdOf.MEMORY
    ] = None,
    kind: Annotated[SourceKind | None, typer.Option(help="All that this kind of source said.")] = None,
    source_ref: Annotated[str | None, typer.Option(help="All of this source, by your name for it.")] = None,
    session: Annotated[str | None, typer.Option(help="All of this session.")] = None,
    author: Annotated[str | None, typer.Option(help="All that this author said.")] = None,
    since: Annotated[str | None, typer.Option(help="Only what was stored since: 2026-03-15.")] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why it is in doubt.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be taken; archive nothing.")
    ] = False,
    here: Here = False,
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Take a memory in doubt and all that rests on it out of answers, or all that a source has said.

    Example: graph-memory quarantine --source-ref crawl-7 --since 2026-03-15 --reason "the site was taken over"
    """
    suspect = Suspect(kind, source_ref, session, author, moment_of("--since", since))
    is_source = suspect != Suspect()
    if (id is None) == (not is_source):
        raise Invalid("Name one memory, or a source by --kind, --source-ref, --session or --author.")
    if not reason and not dry_run:
        raise Invalid("--reason is missing: say why it is in doubt, for whoever decides it.")
    if id is not None:
        _one(context, id, reason, dry_run, key)
    else:
        _source(context, suspect, reason, dry_run, here, key)


@app.command()
def settle(
    run: Annotated[str, typer.Argument(help="The run that quarantined a source.", metavar="RUN")],
    release: Annotated[
        bool, typer.Option("--release", help="It was a false alarm: all is as it was.")
    ] = False,
    retract: Annotated[
        bool, typer.Option("--retract", help="It was wrong: it stays in history only.")
    ] = False,
    cascade: Annotated[
        bool, typer.Option("--cascade", help="With --release: later changes that stand on it go along.")
    ] = False,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Decide what a quarantine took: release it, or retract it.

    Example: graph-memory settle 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 --retract --reason "made up"
    """
    if release == retract:
        raise Invalid("Give either --release or --retract.")
    verdict = settlement.Verdict.RELEASE if release else settlement.Verdict.RETRACT
    call = context.call(key)
    done = settlement.settle(context.service, call, run, verdict, reason, cascade)
    what = "Memories that are as they were" if release else "Memories retracted"
    more = f"; brought back before, so left as they are: {done.left}" if done.left else ""
    context.show(asdict(done), f"{what}: {done.memories}{more}")


@app.command()
def hubs(
    queries: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="A file with what was asked lately, one to a line."),
    ] = None,
    sample: Annotated[
        int, typer.Option(help="Without it: so many memories, drawn at random.")
    ] = finding.SAMPLE,
    share: Annotated[float, typer.Option(help="Near more than this share of them.")] = finding.SHARE,
    first: Annotated[int, typer.Option("--first", "-n", help="How many to list at most.")] = 20,
    *,
    context: Context,
) -> None:
    """Find memories that come up far too often: planted to be read always, or to hide others.

    Example: graph-memory hubs --subject ann
    """
    asked = (
        [] if queries is None else [line for line in queries.read_text("utf-8").splitlines() if line.strip()]
    )
    found = finding.hubs(context.service, context.scope, asked, sample, first, share)
    table = tables.table("share", "memory", "trust", "source", "text")
    for hub in found:
        memory = hub.memory
        where = f"{memory.source.kind} {memory.source.ref or ''}".strip()
        table.add_row(f"{hub.share:.0%}", memory.id, memory.trust.value, where, memory.caption)
    data = [{**asdict(hub), "share": hub.share} for hub in found]
    context.show(data, table if found else "No memory comes up too often.")


def _one(context: Context, id: str, reason: str, dry_run: bool, key: str | None) -> None:
    if dry_run:
        found = causing.impact(context.service, context.scope, id)
        show_reached(context, found.items, found.truncated)
        return
    call = context.call_on(id, key)
    done, answer = causing.quarantine(context.service, call, id, reason)
    said = f"Memories archived: {len(done.archived)}" + ("; more rests on it" if done.truncated else "")
    context.show_done(call, answer, asdict(done), said)


def _source(
    context: Context, suspect: Suspect, reason: str, dry_run: bool, here: bool, key: str | None
) -> None:
    if dry_run:
        found = source.matching(context.service, context.scope, suspect)
        context.show({"memories": found}, f"Memories that would be taken out of answers: {len(found)}")
        return
    asked, answer = source.quarantine(context.service, context.call(key), suspect, reason)
    run = carry_out(context.service, context.tenant_scope, asked.id, here)
    counts = f"Memories quarantined: {run.result.get('quarantined', 0)}; come back or freed: {run.result.get('returned', 0)}"
    told = (
        counts
        if run.status is Status.DONE
        else f"The run is {run.status.lower()}. {run.error or ''}".rstrip()
    )
    data = {"run": run.id, "status": run.status.value, **run.result, "replayed": answer.replayed}
    context.show(data, f"{told}\nDecide: graph-memory settle {run.id} --release, or --retract")

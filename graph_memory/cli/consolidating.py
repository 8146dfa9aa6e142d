"""`graph-memory consolidate`: merging memories that say the same, rehearsing it, and taking it back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Group as Stacked
from rich.console import RenderableType
from rich.text import Text

from graph_memory.base.scope import Scope
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context
from graph_memory.cli.following import carry_out
from graph_memory.cli.options import Key
from graph_memory.jobs.runs import Run
from graph_memory.model.planned_merge import PlannedMerge, PlanStatus
from graph_memory.model.run import Status
from graph_memory.store.service import Service
from graph_memory.upkeep import merge_plans, merge_reverts
from graph_memory.upkeep.consolidation import Wish
from graph_memory.upkeep.consolidation import consolidate as ask
from graph_memory.upkeep.merge_plans import Members, Plan
from graph_memory.upkeep.settings import Strategy

app = App(
    help="Merge memories that say the same, plan it, carry out a plan, or take a run back.\n\n"
    "Example: graph-memory consolidate --dry-run --subject ann",
    invoke_without_command=True,
)

Here = Annotated[bool, typer.Option("--here", help="In this process instead of a worker's.")]
Shown = Annotated[int, typer.Option("--first", "-n", min=1, max=100, help="How many groups are shown.")]

_SAMPLE = 10


@app.callback()
def consolidate(
    full: Annotated[
        bool,
        typer.Option("--full", help="Look at all memories, not only round what is new since the last run."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Make a plan and show it; merge nothing.")
    ] = False,
    strategy: Annotated[Strategy | None, typer.Option(help="How memories are clustered first.")] = None,
    cap: Annotated[int | None, typer.Option(help="Merge so many memories at most.")] = None,
    here: Here = False,
    first: Shown = _SAMPLE,
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Merge memories that say the same into one each; every merge can be undone.

    Example: graph-memory consolidate --dry-run --subject ann
    """
    scope, service = context.scope, context.service
    asked, _ = ask(service, context.call(key), Wish(full, dry_run, strategy, cap))
    run = carry_out(service, context.tenant_scope, asked.id, here)
    if dry_run and run.status is Status.DONE and "skipped" not in run.result:
        _show_plan(context, run.id, first)
    else:
        context.show(_data(run), _told(run, scope))


@app.command()
def plan(
    plan: Annotated[str, typer.Argument(help="The run that rehearsed.", metavar="PLAN")],
    first: Shown = _SAMPLE,
    *,
    context: Context,
) -> None:
    """Show a plan: what would be merged into what, and what became of it.

    Example: graph-memory consolidate plan 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 --first 50
    """
    _show_plan(context, plan, first)


@app.command()
def promote(
    plan: Annotated[str, typer.Argument(help="The run that rehearsed.", metavar="PLAN")],
    here: Here = False,
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Carry out exactly a plan; what has changed since is left and told.

    Example: graph-memory consolidate promote 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    scope, service = context.scope, context.service
    asked, _ = merge_plans.promote_plan(service, context.call(key), plan)
    run = carry_out(service, context.tenant_scope, asked.id, here)
    left = _left(service, scope, plan) if run.result.get("left") else []
    lines = [_told(run, scope), *(f"Left as it is: {each.fault}" for each in left)]
    context.show({**_data(run), "why_left": [each.fault for each in left]}, "\n".join(lines))


@app.command()
def revert(
    run: Annotated[str, typer.Argument(help="The run that merged.", metavar="RUN")],
    here: Here = False,
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Take back all that a run has merged, newest first; what was built upon since stays and is told.

    Example: graph-memory consolidate revert 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    asked, _ = merge_reverts.revert_run(context.service, context.call(key), run)
    done = carry_out(context.service, context.tenant_scope, asked.id, here)
    if done.status is not Status.DONE:
        context.show(_data(done), _unfinished(done))
        return
    told = f"Merges taken back: {done.result['reverted']}"
    if done.result["left"]:
        told += f"\nLeft as they are, because later changes stand on them: {done.result['left']}\n{done.result['why_left']}"
    context.show(_data(done), told)


def _show_plan(context: Context, run_id: str, first: int) -> None:
    found = merge_plans.read_plan(context.service, context.scope, run_id, first)
    data = {
        "plan": found.run.id,
        **found.run.result,
        "extents": [asdict(each) for each in found.extents],
        "groups": [_group_data(each, members) for each, members in found.groups],
    }
    context.show(data, Stacked(*_drawn(found, context.scope)))


def _drawn(found: Plan, scope: Scope) -> Iterator[RenderableType]:
    if not found.extents:
        yield Text("No memories say the same, as far as could be proven.")
        return
    table = tables.table("subject", "memories", "become", "links that move")
    for each in found.extents:
        table.add_row(each.subject, str(each.memories), str(each.groups), str(each.links))
    yield table
    for planned, members in found.groups:
        yield Text(f"\n{planned.text}", style="bold")
        yield Text(
            f"  {_state(planned)}; {planned.provider}, {planned.confidence:.2f}: {planned.reason}",
            style="dim",
        )
        for member in members:
            yield Text(f"  - {member.text if member else 'erased since'}")
    groups = sum(each.groups for each in found.extents)
    if groups > len(found.groups):
        yield Text(f"\n{len(found.groups)} of {groups} groups; --first shows more.")
    if any(planned.status is PlanStatus.PLANNED for planned, _ in found.groups):
        yield Text(f"\nCarry it out: graph-memory consolidate promote {found.run.id}{_where(scope)}")


def _state(planned: PlannedMerge) -> str:
    if planned.status is PlanStatus.DONE:
        return f"{'restated as' if planned.statements else 'merged into'} {planned.product_id}"
    if planned.statements and planned.status is PlanStatus.PLANNED:
        return "split" if len(planned.statements) > 1 else "in fewer words"
    return (
        f"left: {planned.fault}" if planned.status is PlanStatus.LEFT else f"{len(planned.members)} memories"
    )


def _told(run: Run, scope: Scope) -> str:
    if run.status is not Status.DONE:
        return _unfinished(run)
    result = run.result
    if "skipped" in result:
        return f"Nothing was looked at. {result['skipped']}"
    if not any(result.get(name) for name in ("groups", "left", "rejected", "capped", "refined")):
        return "No memories say the same, as far as could be proven."
    lines = [f"{result['merged']} memories became {result['groups']}; {result['links']} links moved."]
    if result.get("left"):
        lines.append(f"Left as they are, because they have changed meanwhile: {result['left']} groups.")
    if result.get("rejected"):
        lines.append(f"Proposed by a language model and rejected: {result['rejected']} groups.")
    if result.get("capped"):
        lines.append("More could be merged; the cap was reached.")
    if result.get("refined"):
        lines.append(
            f"{result['refined']} long memories were said anew in {result['statements']} statements."
        )
    if result["groups"] or result.get("refined"):
        lines.append(f"Take it back: graph-memory consolidate revert {run.id}{_where(scope)}")
    return "\n".join(lines)


def _unfinished(run: Run) -> str:
    return f"The run is {run.status.lower()}. {run.error or ''}".rstrip()


def _where(scope: Scope) -> str:
    tenant = "" if scope.tenant_name == "default" else f" --tenant {scope.tenant_name}"
    return tenant if scope.subject_name is None else f"{tenant} --subject {scope.subject_name}"


def _left(service: Service, scope: Scope, plan: str) -> list[PlannedMerge]:
    found = merge_plans.read_plan(service, scope, plan, 100)
    return [each for each, _ in found.groups if each.status is PlanStatus.LEFT]


def _data(run: Run) -> dict[str, Any]:
    return {"run": run.id, "status": run.status.value, **run.result}


def _group_data(planned: PlannedMerge, members: Members) -> dict[str, Any]:
    texts = [
        {"id": id, "text": each.text if each else None}
        for id, each in zip(planned.members, members, strict=True)
    ]
    return {
        "text": planned.text,
        "members": texts,
        "reason": planned.reason,
        "confidence": planned.confidence,
        "provider": planned.provider,
        "statements": list(planned.statements),
        "links": planned.links,
        "status": planned.status.value,
        "product": planned.product_id,
        "fault": planned.fault,
    }

"""`graph-memory ask`: a question answered from memories, with its sources."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from graph_memory.cli.commands import App
from graph_memory.cli.context import Context, When
from graph_memory.cli.options import MinTrust
from graph_memory.cli.tables import day
from graph_memory.recall.access import counting
from graph_memory.recall.modes import Mode
from graph_memory.recall.reasoned import Answer
from graph_memory.recall.reasoned import ask as answer_of

app = App()


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question, in plain words.")],
    context: Context,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Sources at most.")] = 5,
    mode: Annotated[Mode, typer.Option(help="How far to reach, as with recall.")] = Mode.STANDARD,
    reason: Annotated[
        bool | None,
        typer.Option(
            "--reason/--plain",
            help="Work an answer out, or only list sources. Missing: as the question asks.",
        ),
    ] = None,
    min_trust: MinTrust = None,
    *,
    at: When,
) -> None:
    """Answer a question from memories, with the memories that prove it.

    Example: graph-memory ask "When did Ann move to Porto?"
    """
    scope, when, service = context.scope, at.moment, context.service
    with counting(service) as accesses:
        told = answer_of(service, scope, question, limit, when, mode, min_trust, reason)
        accesses.note(scope, [hit.memory.id for hit in told.sources], (), when)
    context.show(_as_data(told), _shown(told))


def _as_data(told: Answer) -> dict[str, object]:
    data = asdict(told)
    for hit in data["sources"]:
        hit.pop("seen", None)
    return data


def _shown(told: Answer) -> str:
    lines = [told.answer or "No answer is proved."]
    if told.answer and told.sources:
        lines[0] += f"  ({told.confidence:.2f}{', worked out' if told.requires_inference else ''})"
    lines += [
        f"  “{each.original_text}”, said on {day(each.said_at)}: {each.resolved}" for each in told.resolutions
    ]
    for at, hit in enumerate(told.sources):
        until = f" until {day(hit.memory.valid_to)}" if hit.memory.valid_to else ""
        lines.append(
            f"{'*' if at in told.used else ' '} {hit.memory.text}  (since {day(hit.memory.valid_from)}{until})"
        )
    return "\n".join([*lines, *([told.note] if told.note else [])])

"""`graph-memory pack`: memories as a block for a prompt, also as an agent's start hook takes it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from graph_memory.base.errors import SystemFault
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context
from graph_memory.cli.options import MinTrust
from graph_memory.recall.access import counting
from graph_memory.recall.packs import Pack, Wanted
from graph_memory.recall.packs import pack as make

app = App()

EVENT = "SessionStart"


@app.command()
def pack(
    query: Annotated[
        str | None, typer.Option(help="What is asked or said; what a search finds for it fills the pack.")
    ] = None,
    session_start: Annotated[
        bool,
        typer.Option(
            "--session-start",
            help="The JSON that an agent's start hook answers; without context where none can be made now.",
        ),
    ] = False,
    file: Annotated[
        list[str] | None, typer.Option(help="A path that the session is about; repeat for more.")
    ] = None,
    keyword: Annotated[
        list[str] | None, typer.Option(help="A word that tells the project; repeat for more.")
    ] = None,
    budget: Annotated[int | None, typer.Option(help="Tokens of the whole block at most.")] = None,
    first: Annotated[
        int | None, typer.Option("--first", "-n", help="Memories at most beside pinned and critical ones.")
    ] = None,
    summaries: Annotated[
        int | None, typer.Option(help="Summaries of communities at most with which it begins.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="The version of an earlier pack; --json tells what changed.")
    ] = None,
    min_trust: MinTrust = None,
    *,
    context: Context,
) -> None:
    """Memories of a subject as one block for a prompt, within a budget of tokens.

    Example: graph-memory pack --session-start --file src/billing/invoice.py --keyword billing
    """
    wanted = Wanted(
        query, tuple(file or ()), tuple(keyword or ()), budget, first, min_trust, since, summaries
    )
    try:
        made = _made(context, wanted)
    except SystemFault as fault:
        if not session_start:
            raise
        # An agent's start is worth more than what it would remember.
        print(f"error: {fault}", file=sys.stderr)
        made = None
    if session_start:
        print(_hook(made.text if made else ""))
    elif context.as_json and made:
        context.show(asdict(made), None)
    elif made:
        print(made.text, end="\n" if made.text else "")
    if made and made.note and not context.as_json:
        print(made.note, file=sys.stderr)


def _made(context: Context, wanted: Wanted) -> Pack:
    scope = context.scope.for_writing()
    with counting(context.service) as accesses:
        made = make(context.service, scope, wanted)
        accesses.note(scope, [memory.id for memory in made.memories], is_automatic=wanted.query is None)
        return made


def _hook(text: str) -> str:
    return json.dumps(
        {"hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": text}}, ensure_ascii=False
    )

"""`graph-memory sessions`, `submit`, `close` and `retry`: conversations, and one as it goes on."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from textwrap import shorten
from typing import Annotated, Any

import typer

from graph_memory.base.errors import Invalid, InvalidFile
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context
from graph_memory.cli.following import carry_out
from graph_memory.cli.importing import told
from graph_memory.cli.options import After, ExtractHere, First, Key
from graph_memory.cli.tables import day
from graph_memory.ingest import json_lines, sessions, submission, tries
from graph_memory.ingest.faults import Faults
from graph_memory.memory.settings import TextsSettings
from graph_memory.model.message import Message
from graph_memory.store import subjects

app = App()

Session = Annotated[str, typer.Option("--session", help="Your name for the session.")]
# Characters of the first words that are shown.
_WORDS = 60


@app.command("sessions")
def show_sessions(first: First = 20, after: After = None, *, context: Context) -> None:
    """Which conversations there are, each with its first words, the latest begun first.

    Left out is what people said and became no memory; set aside is what of it could not be read.

    Example: graph-memory sessions --subject ann
    """
    scope = context.scope
    subjects.require(context.service, scope)
    page = sessions.sessions(context.service, scope, first, after)
    table = tables.table(
        "session", "subject", "began", "ended", "messages", "read", "left out", "set aside", "first words"
    )
    for each in page.items:
        words = each.first.message.text if each.first else ""
        table.add_row(
            each.name or "-", each.subject, day(each.started_at),
            "open" if each.is_open else day(each.ended_at), str(each.messages), str(each.extracted),
            str(each.left_out), str(each.set_aside), shorten(words, _WORDS, placeholder=" ..."),
        )  # fmt: skip
    following = sessions.cursor_of(page.items[-1]) if page.has_next else None
    context.show_page([_as_data(each) for each in page.items], following, table)


@app.command()
def submit(
    path: Annotated[
        str, typer.Argument(help="JSON Lines of {speaker, at, text, ...}; - reads standard input.")
    ],
    session: Session,
    in_prompt: Annotated[
        list[str] | None,
        typer.Option("--context", help="A memory that stood in the agent's prompt; repeatable."),
    ] = None,
    *,
    context: Context,
    key: Key = None,
) -> None:
    """Add messages to the open segment of a session; they are extracted when it is closed.

    Example: graph-memory submit turns.jsonl --session chat-7 --subject ann
    """
    messages = _messages(path, context.service.settings[TextsSettings].max_message)
    done = submission.submit(context.service, context.call(key), session, messages, in_prompt or ())
    said = f"{done.stored} messages stored; segment {done.segment_id} has {done.length}."
    if done.masked:
        said += f" Taken out: {', '.join(each.replace('_', ' ') for each in done.masked)}."
    context.show(asdict(done), said)


@app.command()
def close(
    session: Annotated[str, typer.Argument(help="Your name for the session.")],
    context: Context,
    key: Key = None,
    here: ExtractHere = False,
) -> None:
    """Close the open segment of a session, and wait until it is extracted.

    Example: graph-memory close chat-7 --subject ann
    """
    scope = context.scope
    done = submission.close(context.service, context.call(key), session)
    run = carry_out(context.service, scope.for_writing(), done.run_id, here)
    row = {
        "subject": scope.for_writing().subject_name,
        **asdict(done),
        "segments": 1,
        "status": run.status.value,
        "error": run.error,
        **run.result,
    }
    context.show(row, told(row))


@app.command()
def retry(
    session: Annotated[str, typer.Argument(help="Your name for the session.")],
    context: Context,
    key: Key = None,
    here: ExtractHere = False,
) -> None:
    """Have the messages of a session that were set aside read again, and wait until they are.

    Example: graph-memory retry chat-7 --subject ann
    """
    scope = context.scope.for_writing()
    done = tries.retry(context.service, context.call(key), session)
    run = carry_out(context.service, scope, done.run_id, here)
    row = {
        "subject": scope.subject_name,
        **asdict(done),
        "status": run.status.value,
        "error": run.error,
        **run.result,
    }
    context.show(row, told(row))


def _as_data(given: sessions.Session) -> dict[str, Any]:
    return {name: value for name, value in asdict(given).items() if name != "mark"}


def _messages(path: str, most: int) -> tuple[Message, ...]:
    faults = Faults()
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise Invalid(f"{path} cannot be read ({why}); name a file that can be.", path="path") from error
    found = json_lines.parse(text, "submitted", most, faults)
    if not faults.found and not found.messages:
        faults.add(1, "there is no message")
    if faults.found:
        raise InvalidFile(path, faults.found)
    return found.messages

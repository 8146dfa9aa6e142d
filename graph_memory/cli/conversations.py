"""`graph-memory sessions`, `submit` and `close`: conversations, and one as it goes on."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from textwrap import shorten
from typing import Annotated, Any

import typer
from rich.markup import escape

from graph_memory.base.errors import Invalid, InvalidFile
from graph_memory.base.scope import Scope
from graph_memory.cli import tables
from graph_memory.cli.following import carry_out
from graph_memory.cli.importing import told
from graph_memory.cli.life import Key
from graph_memory.cli.memory import ACTOR, AsJson, Subject, Tenant, console, day, opened, show
from graph_memory.ingest import json_lines, sessions, submission
from graph_memory.ingest.faults import Faults
from graph_memory.ledger.changes import Call
from graph_memory.memory.settings import TextsSettings
from graph_memory.model.message import Message
from graph_memory.store import subjects

app = typer.Typer()

Session = Annotated[str, typer.Option("--session", help="Your name for the session.")]
# Characters of the first words that are shown.
_WORDS = 60


@app.command("sessions")
def show_sessions(
    first: Annotated[int, typer.Option("--first", "-n", help="How many.")] = 20,
    after: Annotated[str | None, typer.Option(help="The cursor that the page before ended with.")] = None,
    tenant: Tenant = "default",
    subject: Subject = None,
    as_json: AsJson = False,
) -> None:
    """Which conversations there are, each with its first words, the latest begun first.

    Example: graph-memory sessions --subject ann
    """
    scope = Scope(tenant, subject)
    with opened() as service:
        subjects.require(service, scope)
        page = sessions.sessions(service, scope, first, after)
    table = tables.table("session", "subject", "began", "ended", "messages", "read", "first words")
    for each in page.items:
        words = each.first.message.text if each.first else ""
        table.add_row(
            escape(each.name or "-"), escape(each.subject), day(each.started_at),
            "open" if each.is_open else day(each.ended_at), str(each.messages), str(each.extracted),
            escape(shorten(words, _WORDS, placeholder=" ...")),
        )  # fmt: skip
    following = sessions.cursor_of(page.items[-1]) if page.has_next else None
    show(as_json, {"items": [_as_data(each) for each in page.items], "next": following}, table)
    if following and not as_json:
        console.print(f"more: --after {following}", style="dim")


@app.command()
def submit(
    path: Annotated[
        str, typer.Argument(help="JSON Lines of {speaker, at, text, ...}; - reads standard input.")
    ],
    session: Session,
    context: Annotated[
        list[str] | None,
        typer.Option("--context", help="A memory that stood in the agent's prompt; repeatable."),
    ] = None,
    tenant: Tenant = "default",
    subject: Subject = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Add messages to the open segment of a session; they are extracted when it is closed.

    Example: graph-memory submit turns.jsonl --session chat-7 --subject ann
    """
    with opened() as service:
        messages = _messages(path, service.settings[TextsSettings].max_message)
        call = Call(Scope(tenant, subject), ACTOR, key=key)
        done = submission.submit(service, call, session, messages, context or ())
    said = f"{done.stored} messages stored; segment {done.segment_id} has {done.length}."
    if done.masked:
        said += f" Taken out: {', '.join(each.replace('_', ' ') for each in done.masked)}."
    show(as_json, asdict(done), said)


@app.command()
def close(
    session: Annotated[str, typer.Argument(help="Your name for the session.")],
    tenant: Tenant = "default",
    subject: Subject = None,
    key: Key = None,
    here: Annotated[
        bool, typer.Option("--here", help="Extract in this process instead of a worker's.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Close the open segment of a session, and wait until it is extracted.

    Example: graph-memory close chat-7 --subject ann
    """
    scope = Scope(tenant, subject)
    with opened() as service:
        done = submission.close(service, Call(scope, ACTOR, key=key), session)
        run = carry_out(service, scope.for_writing(), done.run_id, here)
    row = {
        "subject": scope.for_writing().subject_name,
        **asdict(done),
        "segments": 1,
        "status": run.status.value,
        "error": run.error,
        **run.result,
    }
    show(as_json, row, told(row))


def _as_data(given: sessions.Session) -> dict[str, Any]:
    return {name: value for name, value in asdict(given).items() if name != "mark"}


def _messages(path: str, most: int) -> tuple[Message, ...]:
    faults = Faults()
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Invalid(f"{path} cannot be read: {type(error).__name__}.", path="path") from error
    found = json_lines.parse(text, "submitted", most, faults)
    if not faults.found and not found.messages:
        faults.add(1, "there is no message")
    if faults.found:
        raise InvalidFile(path, faults.found)
    return found.messages

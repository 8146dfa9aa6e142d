"""`graph-memory import`: brings in a conversation file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from graph_memory.base.scope import DEFAULT_SUBJECT, Scope
from graph_memory.cli.commands import App
from graph_memory.cli.context import ACTOR, TenantContext
from graph_memory.cli.following import carry_out
from graph_memory.cli.options import ExtractHere
from graph_memory.ingest.conversation_file import Conversation, read
from graph_memory.ingest.receipt import receive
from graph_memory.ledger.changes import Call
from graph_memory.memory.settings import TextsSettings
from graph_memory.store.service import Service

app = App()


@app.command("import")
def import_file(
    path: Annotated[
        Path, typer.Argument(help="JSON Lines of {speaker, at, text, ...}, or LoCoMo's own format.")
    ],
    context: TenantContext,
    subject: Annotated[
        str | None,
        typer.Option(
            "--subject",
            "-s",
            help="Whose memories; with several conversations in the file each is its own when left out.",
        ),
    ] = None,
    here: ExtractHere = False,
) -> None:
    """Import a conversation: the whole file is checked first, then stored, then extracted.

    Example: graph-memory import conversation.jsonl --subject ann
    """
    service = context.service
    conversations = read(path, service.settings[TextsSettings].max_message)
    scopes = [Scope(context.tenant, subject or _subject(conversations, each)) for each in conversations]
    rows = [bring_in(service, scope, each, here) for scope, each in zip(scopes, conversations, strict=True)]
    context.show(rows, "\n".join(map(told, rows)))


def bring_in(
    service: Service, scope: Scope, conversation: Conversation, here: bool = False
) -> dict[str, Any]:
    """Stores one conversation and waits until it is extracted; counts, and whether it was here before."""
    received = receive(service, Call(scope, ACTOR), conversation)
    run = carry_out(service, scope, received.run_id, here)
    return {
        "subject": scope.subject_name,
        **asdict(received),
        "status": run.status.value,
        "error": run.error,
        **run.result,
    }


def told(row: dict[str, Any]) -> str:
    """A line for people."""
    if row["error"]:
        return f"{row['subject']}: {row['messages']} messages stored; extraction {row['status'].lower()}: {row['error']}"
    if "questions" in row:
        return (
            f"{row['subject']}: {row['messages']} messages in {row['questions']} questions to a language model, "
            f"{row['applied']} answered"
        )
    before = " (was here before)" if row["replayed"] else ""
    return (
        f"{row['subject']}: {row['messages']} messages in {row['segments']} sittings, {row.get('statements', 0)} statements, "
        f"{row.get('added', 0)} memories, {row.get('superseded', 0)} in place of older ones, "
        f"{row.get('duplicates', 0)} said twice, {row.get('reviews', 0)} left to you{before}"
    )


def _subject(conversations: list[Conversation], conversation: Conversation) -> str:
    return DEFAULT_SUBJECT if len(conversations) == 1 else conversation.ref

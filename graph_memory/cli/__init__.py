"""The command line: `graph-memory`. Each module here has a Typer `app` and one row in COMMANDS."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module

import typer

from graph_memory.errors import GraphMemoryError, UserError

USER_FAULT, SYSTEM_FAULT = 1, 3


@dataclass(frozen=True)
class Commands:
    """A module of this package and the words that lead to it; with `group`, its commands stand under one."""

    module: str
    names: tuple[str, ...]
    group: str | None = None


COMMANDS = (
    Commands("stack", ("up", "down", "status", "doctor", "logs", "migrate")),
    Commands("remembering", ("remember",)),
    Commands("memory", ("recall", "show", "history", "why", "supersede", "memories")),
    Commands("life", ("revise", "archive", "revive", "retract", "confirm", "expire", "merge", "forget")),
    Commands(
        "links",
        ("link", "unlink", "edges", "graph", "path", "causes", "consequences", "impact"),
    ),
    Commands("quarantine", ("quarantine", "settle", "hubs")),
    Commands("ledger", ("changes", "undo", "revert", "diff", "timeline")),
    Commands("reviews", ("review",), group="review"),
    Commands("entities", ("entities",), group="entities"),
    Commands("decay", ("decay", "tiers")),
    Commands("lifecycle", ("lifecycle", "subject")),
    Commands("importing", ("import",)),
    Commands("conversations", ("submit", "close")),
    Commands("demo", ("demo",)),
    Commands("bench", ("bench",), group="bench"),
    Commands("keys", ("keys",), group="keys"),
    Commands("jobs", ("jobs",), group="jobs"),
    Commands("batches", ("batches",), group="batches"),
    Commands("embedder", ("embedder",), group="embedder"),
    Commands("providers", ("providers", "spend")),
    Commands("schema", ("schema",)),
    Commands("verifying", ("verify",)),
    Commands("transfer", ("export", "restore", "backup", "restore-store", "rewrite-store")),
)

app = typer.Typer(
    name="graph-memory",
    help="A memory service for agents on Neo4j.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run a command: 0 when done, 1 for the caller's fault, 2 for wrong usage, 3 for the system's."""
    try:
        load_commands(sys.argv[1:])
        app()
    except GraphMemoryError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(USER_FAULT if isinstance(error, UserError) else SYSTEM_FAULT)
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(SYSTEM_FAULT)


def load_commands(arguments: list[str]) -> None:
    """Import only the module of the command that was asked for, so that small commands answer at once."""
    asked = next((each for each in arguments if not each.startswith("-")), None)
    rows = [row for row in COMMANDS if asked in row.names] or COMMANDS
    for row in rows:
        module = import_module(f"{__name__}.{row.module}")
        app.add_typer(module.app, name=row.group)


@app.callback()
def _group() -> None:
    """A memory service for agents on Neo4j."""

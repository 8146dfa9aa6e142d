"""The command line: `graph-memory`. Each module here has a Typer `app` and one row in COMMANDS."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from graph_memory import __version__
from graph_memory.base.errors import GraphMemoryError, UserError
from graph_memory.cli.commands import Group

USER_FAULT, SYSTEM_FAULT = 1, 3


@dataclass(frozen=True)
class Commands:
    """A module of this package, and the words that lead to it with what each does: the first line of its help.

    They stand here a second time so that the list of commands imports none of them. With `is_group` the one word
    leads to all commands of the module. `former` names still work and are not listed, nor are those that others use (`also`).
    """

    module: str
    lines: Mapping[str, str]
    is_group: bool = False
    former: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The words that are listed."""
        return tuple(self.lines)


COMMANDS = (
    Commands(
        "stack",
        {
            "up": "Start the stack and wait until all of it is healthy.",
            "down": "Stop the stack; data stays.",
            "status": "Show each part: state, process, port, how long it has run, restarts, memory; ends with 3 unless all work.",
            "doctor": "Check everything and say how to mend what is wrong; ends with 3 if something is.",
            "migrate": "Bring the store's schema to what this version needs; `up` does it by itself.",
            "logs": "Show what a part has written.",
        },
    ),
    Commands(
        "browser",
        {
            "browser": "Say where Neo4j Browser is and what to load there; or write the saved queries as a file for it.",
        },
    ),
    Commands(
        "using",
        {
            "use": "Choose the tenant, and perhaps the subject, of commands that name none; without a tenant, show them.",
        },
    ),
    Commands(
        "remembering",
        {
            "remember": "Remember a statement: it is added, merged, put in place of an older one, or here already.",
        },
    ),
    Commands(
        "recalling",
        {
            "recall": "Search memories, now or at a moment; `search` is the same.",
        },
        also=("search",),
    ),
    Commands(
        "memory",
        {
            "show": "Show one memory, with what it mentions and what it is linked to.",
            "history": "Every version of a truth, oldest first; any version's id will do.",
            "why": "Why a memory is no longer current.",
            "supersede": "Say that something else is true now; the old statement stays in history.",
            "memories": "Browse memories, newest first, or by any stored field.",
        },
    ),
    Commands(
        "entity",
        {
            "entity": "What is stated of somebody or something: each attribute with what is so, and what was so before.",
        },
    ),
    Commands(
        "questions",
        {
            "ask": "Answer a question from memories, with the memories that prove it.",
        },
    ),
    Commands(
        "surfacing",
        {
            "surface": "What should come to mind for a message, though nobody has asked for it.",
        },
    ),
    Commands(
        "packs",
        {
            "pack": "Memories of a subject as one block for a prompt, within a budget of tokens.",
        },
    ),
    Commands(
        "life",
        {
            "revise": "Change a memory in place; what it said before stays in history.",
            "archive": "Take memories out of every answer; `restore` brings them back.",
            "restore": "Bring archived or retracted memories back as they were.",
            "retract": "Say that memories should never have been believed; they stay in history only.",
            "confirm": "Stand for what a tool, an agent or the web has said, or for what reads like an order.",
            "expire": "End the time in which a memory holds.",
            "merge": "Make two memories one, with text, tags, links and mentions of both.",
            "forget": "Erase memories for ever, with all that holds their text. There is no undo.",
        },
        former=("revive",),
    ),
    Commands(
        "links",
        {
            "link": "Link one memory to another.",
            "unlink": "End a link; it stays readable with --known-at.",
            "edges": "All links of a memory, in both directions.",
            "graph": "What lies around a memory, nearest first.",
            "path": "A shortest way between two memories.",
            "causes": "What led to a memory, back to its root causes.",
            "consequences": "What a memory led to.",
            "impact": "If a memory is wrong, what else falls.",
        },
    ),
    Commands(
        "quarantine",
        {
            "quarantine": "Take a memory in doubt and all that rests on it out of answers, or all that a source has said.",
            "settle": "Decide what a quarantine took: release it, or retract it.",
            "hubs": "Find memories that come up far too often: planted to be read always, or to hide others.",
        },
    ),
    Commands(
        "consolidating",
        {
            "consolidate": "Merge memories that say the same, plan it, carry out a plan, or take a run back.",
        },
        is_group=True,
    ),
    Commands(
        "ledger",
        {
            "changes": "Every decision in its order; keep the last number and ask again for what is new.",
            "undo": "Take changes back, newest first. It is a change itself and can be taken back too.",
            "revert": "Take back all that a run did to one subject.",
            "diff": "What changed between two moments.",
            "timeline": "How many statements began and ended to hold, step by step.",
        },
    ),
    Commands(
        "reviews",
        {
            "review": "Reviews: what waits for a person, and deciding it.",
        },
        is_group=True,
    ),
    Commands(
        "entities",
        {
            "entities": "Entities: who and what memories mention.",
        },
        is_group=True,
    ),
    Commands(
        "communities",
        {
            "communities": "Communities: what memories are about, the last changed first; `show ID` draws one.",
        },
        is_group=True,
    ),
    Commands(
        "decay",
        {
            "decay": "Foresee what nobody's using it will do to each memory. Nothing is written.",
            "tiers": "How many memories stand in each tier, or which ones a run or a day's uses moved.",
        },
    ),
    Commands(
        "lifecycle",
        {
            "lifecycle": "What the rules of archiving would do now; nothing is written. `jobs run archive` does it.",
            "subjects": "Whose memories a tenant keeps, by name, and how many hold now.",
            "subject": "A person's time zone and days of activity, by which `earning` counts ages.",
        },
    ),
    Commands(
        "importing",
        {
            "import": "Import a conversation: the whole file is checked first, then stored, then extracted.",
        },
    ),
    Commands(
        "conversations",
        {
            "sessions": "Which conversations there are, each with its first words, the latest begun first.",
            "submit": "Add messages to the open segment of a session; they are extracted when it is closed.",
            "close": "Close the open segment of a session, and wait until it is extracted.",
            "retry": "Have the messages of a session that were set aside read again, and wait until they are.",
        },
    ),
    Commands(
        "mcp",
        {
            "mcp": "Offer memory to an agent by the Model Context Protocol, over standard input and output.",
        },
    ),
    Commands(
        "demo",
        {
            "demo": "Start everything, import the sample conversation, and show what the service makes of it.",
        },
    ),
    Commands(
        "bench",
        {
            "bench": "Measure: figures on standard output, progress on standard error.",
        },
        is_group=True,
    ),
    Commands(
        "keys",
        {
            "keys": "API keys: make one, list them, end one.",
        },
        is_group=True,
    ),
    Commands(
        "webhooks",
        {
            "webhooks": "Webhooks: addresses to which changes are sent, signed, in order and at least once.",
        },
        is_group=True,
    ),
    Commands(
        "jobs",
        {
            "jobs": "What runs in the background: look at it, or run one now.",
        },
        is_group=True,
    ),
    Commands(
        "batches",
        {
            "batches": "Batches of questions for a language model: how they stand, cancelling one, trying it again.",
        },
        is_group=True,
    ),
    Commands(
        "embedder",
        {
            "embedder": "The model that turns text into vectors: look at it, or change it.",
        },
        is_group=True,
    ),
    Commands(
        "providers",
        {
            "providers": "The providers of language models, in the order in which they are asked.",
            "spend": "What asking language models took, by day, model and purpose.",
        },
    ),
    Commands(
        "schema",
        {
            "schema": "Print the GraphQL schema, sorted.",
        },
    ),
    Commands(
        "verifying",
        {
            "verify": "Check every invariant; the exit code is 0 when all hold, 3 when one is broken.",
        },
    ),
    Commands(
        "transfer",
        {
            "export": "Write out an account, or one subject of it.",
            "load": "Put an export into an empty account: ids, times and ledger stay. The whole file is checked first.",
            "backup": "Save the local stack's whole store to one file. A running stack is stopped for it and started again.",
            "restore-store": "Put a backup in the place of the local stack's store, which must be stopped. "
            "The old one is kept aside.",
            "rewrite-store": "Write the local stack's store anew, so that nothing that was erased is left in its files and logs.",
        },
    ),
)


class Later(Group):
    """Lists all commands by their row, and imports the module of the one that is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for row in COMMANDS:
            for name, line in row.lines.items():
                self.add_command(TyperCommand(name, help=line))
            for name in row.former:
                self.add_command(TyperCommand(name, hidden=True, deprecated=True))
            for name in row.also:
                self.add_command(TyperCommand(name, hidden=True))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if command is None:
            return name, None, rest
        return name, loaded(command.name), rest


app = typer.Typer(
    name="graph-memory",
    cls=Later,
    help="A memory service for agents on Neo4j.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run a command: 0 when done, 1 for the caller's fault, 2 for wrong usage, 3 for the system's."""
    # It warns of each transaction that it tries again, which is nothing to whoever gave the command.
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    try:
        app()
    except GraphMemoryError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(USER_FAULT if isinstance(error, UserError) else SYSTEM_FAULT)
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(SYSTEM_FAULT)


@cache
def loaded(name: str) -> Any:
    """The command or group of commands of that name, with its module imported."""
    row = next(row for row in COMMANDS if name in (*row.names, *row.former, *row.also))
    group = typer.main.get_group(import_module(f"{__name__}.{row.module}").app)
    group.name = name if row.is_group else group.name
    return group if row.is_group else group.commands[name]


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        print(__version__)
        raise typer.Exit


@app.callback()
def _group(
    _: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A memory service for agents on Neo4j."""

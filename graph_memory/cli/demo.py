"""`graph-memory demo`: the whole stack with the sample conversation in it, and a tour of real answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

from graph_memory import samples
from graph_memory.base.errors import StackFault
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import open_service
from graph_memory.cli import tour
from graph_memory.cli.following import carry_out
from graph_memory.cli.importing import bring_in, told
from graph_memory.client import Client
from graph_memory.jobs import schedule, slots
from graph_memory.local.control import start
from graph_memory.local.parts import api_address
from graph_memory.local.progress import Progress
from graph_memory.settings import Settings, load
from graph_memory.store import api_keys
from graph_memory.store.service import Service
from graph_memory.store.settings import Neo4jSettings, StackSettings
from graph_memory.upkeep import migrations

app = typer.Typer()
console = Console(highlight=False, soft_wrap=True)

TENANT, SUBJECT = "demo", "mara-and-theo"
KEY_FILE = "demo.key"
JOBS = ("rescore", "communities")
MOST = 100


@app.command()
def demo() -> None:
    """Start everything, import the sample conversation, and show what the service makes of it.

    Example: graph-memory demo
    """
    settings = load()
    start(settings, None, Progress())
    with _service(settings) as service:
        scope = Scope(TENANT, SUBJECT)
        conversation = samples.conversation()
        first, last = (conversation.messages[place].at for place in (0, -1))
        tour.head(f"A conversation goes in: Mara and Theo, {first:%-d %B} to {last:%-d %B %Y}")
        row = bring_in(service, scope, conversation)
        if row["error"]:
            raise StackFault(
                f"The sample could not be extracted: {row['error']}. `graph-memory logs worker` tells more."
            )
        failed = "".join(_maintain(service, scope, name) for name in JOBS)
        _say(f"  {told(row)}{failed}")
        tour.understood(service, scope)
        tour.changed(service, scope)
        with Client(api_address(settings), _key(service, settings), subject=SUBJECT) as client:
            tour.decisions(client)
            tour.questions(client)
            tour.community(service, scope)
            tour.forecast(service, scope)
            tour.pack(client)
    _farewell(settings)


@contextmanager
def _service(settings: Settings) -> Iterator[Service]:
    with open_service(settings) as service:
        migrations.require(service.driver, settings)
        yield service


def _maintain(service: Service, scope: Scope, name: str) -> str:
    """Has a worker run one job of the beat, which is not done twice a day; what is told of one that failed."""
    tenant = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, tenant, schedule.job(name))
    run = carry_out(service, tenant, run.id)
    return f"; job {name}: {run.error}" if run.error else ""


def _key(service: Service, settings: Settings) -> str:
    """The tour's own API key, made once and kept beside the stack's passwords."""
    file = settings[StackSettings].data / KEY_FILE
    if file.is_file():
        return file.read_text("utf-8").strip()
    _, secret = api_keys.create(service, TENANT, right=api_keys.Right.WRITE, name="demo")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(secret, "utf-8")
    return secret


def _farewell(settings: Settings) -> None:
    stack = settings[StackSettings]
    browser = settings[Neo4jSettings].uri or f"http://{stack.host}:{stack.http_port}/browser/"
    password = f"user {settings[Neo4jSettings].user}, password in {stack.data / 'secrets.json'}"
    lines = [
        f"[cyan]GraphQL[/]        {api_address(settings)}/graphql   key in {stack.data / KEY_FILE}",
        f"[cyan]Neo4j Browser[/]  {browser}   {password}",
        f"[cyan]Search[/]         graph-memory recall 'What is Theo allergic to?' --tenant {TENANT}",
        "[cyan]Stop[/]           graph-memory down      (or: make down)",
    ]
    tour.head("It keeps running")
    for line in lines:
        _say(f"  {line}")


def _say(line: str) -> None:
    console.print(line)

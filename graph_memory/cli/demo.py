"""`graph-memory demo`: the whole stack with the sample conversation in it, and a tour of real answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import typer
from rich.console import Console
from rich.padding import Padding
from rich.tree import Tree

from graph_memory import samples
from graph_memory.base.errors import StackFault
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import open_service
from graph_memory.cli.communities import drawn, members_of
from graph_memory.cli.following import carry_out
from graph_memory.cli.importing import bring_in, told
from graph_memory.client import Client
from graph_memory.client.answers import Hit
from graph_memory.jobs import schedule, slots
from graph_memory.ledger.changes import Call
from graph_memory.local.control import start
from graph_memory.local.parts import api_address
from graph_memory.local.progress import Progress
from graph_memory.memory import community_reading as read
from graph_memory.samples.telling import tell
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
    """Start everything, import the sample conversation, and show what the service answers.

    Example: graph-memory demo
    """
    settings = load()
    start(settings, None, Progress())
    with _service(settings) as service:
        scope = Scope(TENANT, SUBJECT)
        _say("Importing the sample conversation: Mara and Theo, January to June 2026")
        row = bring_in(service, scope, samples.conversation())
        _say(f"  {told(row)}")
        if row["error"]:
            raise StackFault(f"The sample could not be extracted: {row['error']}")
        _supersede(service, scope)
        for name in JOBS:
            _say(f"  {_maintain(service, scope, name)}")
        key, community = _key(service, settings), _community(service, scope)
    with Client(api_address(settings), key) as client:
        _tour(client)
    if community is not None:
        _say("\n  [cyan]What the memories are about[/]: [dim]one community, with its name and its summary[/]")
        console.print(Padding(community, (0, 0, 0, 6)), soft_wrap=False)
    _farewell(settings)


@contextmanager
def _service(settings: Settings) -> Iterator[Service]:
    with open_service(settings) as service:
        migrations.require(service.driver, settings)
        yield service


def _supersede(service: Service, scope: Scope) -> None:
    """The four facts of the sample that change. What the service has seen by itself is left as it is."""
    helped_with = tell(service, Call(scope, "demo"))
    told = len(samples.tour().supersessions)
    helped = f"; we had to tell it {helped_with} of them" if helped_with else ""
    _say(f"  {told} facts changed over the months: each is superseded, none is lost{helped}")


def _maintain(service: Service, scope: Scope, name: str) -> str:
    """One job of the beat, run by a worker; the day's run is not made twice."""
    tenant = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, tenant, schedule.job(name))
    run = carry_out(service, tenant, run.id)
    counts = ", ".join(f"{what} {count}" for what, count in run.result.items())
    return f"job {name}: {run.status.value.lower()} by a worker ({counts or run.error})"


def _community(service: Service, scope: Scope) -> Tree | None:
    """The largest community, drawn in a few lines."""
    found = read.page(service, scope, MOST).items
    if not found:
        return None
    largest = max(found, key=lambda each: (each.size, each.id))
    summary = read.summaries_of(service, scope, [largest.id]).get(largest.id)
    told = None if summary is None else replace(summary, key_facts=())
    return drawn(largest, told, members_of(service, scope, largest.id, 3))


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


def _tour(client: Client) -> None:
    question = "Where does Mara live now?"
    now = client.search(question).hits[0]
    before = client.search(question, as_of="2026-03-01T12:00:00Z").hits[0]
    _say("\n[bold]A short tour; every answer below was just given by the running service[/]\n")
    _answer("What is known now", question, _told(now))
    _answer("What was true on 1 March 2026", question, _told(before))
    for former in now.predecessors[:1]:
        _answer("Why the old one was retired", former.text, client.why_retired(former.id).explanation)
    for item in samples.tour().questions[:3]:
        hits = client.search(item.question).hits
        _answer("A search", item.question, hits[0].memory.text if hits else "nothing was found")


def _told(hit: Hit) -> str:
    return f"{hit.memory.text}  [dim](since {hit.memory.valid_from:%-d %B %Y})[/]"


def _answer(what: str, about: str, said: str) -> None:
    _say(f"  [cyan]{what}[/]: [dim]{about}[/]\n      {said}")


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
    _say("\n[bold]It keeps running[/]\n")
    for line in lines:
        _say(f"  {line}")


def _say(line: str) -> None:
    console.print(line)

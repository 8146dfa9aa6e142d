"""`graph-memory embedder`: which model the vectors of the store are of, what waits for one, and changing the model."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from graph_memory.bootstrap import compose
from graph_memory.jobs.ticks import tenants
from graph_memory.models import profiles, spaces
from graph_memory.models.embedders import open_embedder
from graph_memory.models.settings import EmbedderSettings
from graph_memory.settings import load
from graph_memory.store.service import open_driver
from graph_memory.upkeep import embedding_fill, model_change
from graph_memory.upkeep.migrations import require

app = typer.Typer(
    help="The model that turns text into vectors: look at it, or change it.", no_args_is_help=True
)
console = Console(width=None if sys.stdout.isatty() else 200)


@app.command()
def show(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Show the model of the store, a change that is under way, and how many states wait for a vector.

    Example: graph-memory embedder show
    """
    settings = load()
    with open_driver(settings) as driver:
        service = compose(settings, driver, open_embedder(settings[EmbedderSettings]))
        wanted = spaces.as_model(settings[EmbedderSettings], service.embedder)
        space = spaces.read(service.system)
        waiting = sum(embedding_fill.waiting(service, scope) for scope in tenants(service))
    told = {
        "settings": asdict(wanted),
        "store": asdict(space.model) if space else None,
        "next": asdict(space.next) if space and space.next else None,
        "stage": space.stage if space else None,
        "waiting": waiting,
        "profile": asdict(profiles.of(wanted.model)),
    }
    if as_json:
        print(json.dumps(told, indent=1))
        return
    console.print(f"settings  {wanted}", highlight=False)
    console.print(f"store     {space.model if space else 'nothing yet'}", highlight=False)
    if space and space.stage:
        console.print(
            f"change    to {space.next or space.model}: {space.stage.lower()}; `graph-memory embedder change` goes on",
            highlight=False,
        )
    console.print(f"waiting   {waiting} without a vector", highlight=False)


@app.command()
def change() -> None:
    """Make the embedder of the settings the store's, embedding every memory anew while searches go on.

    Interrupted, it goes on where it was when called again.

    Example: GRAPH_MEMORY_EMBEDDER_PROVIDER=sentence-transformers graph-memory embedder change
    """
    settings = load()
    embedder = open_embedder(settings[EmbedderSettings])
    model = spaces.as_model(settings[EmbedderSettings], embedder)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        open_driver(settings) as driver,
        Progress(*columns, console=Console(stderr=True), transient=True) as bar,
    ):
        require(driver, settings)
        task = bar.add_task("begin", total=None)

        def told(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total or None)

        embedded = model_change.change(compose(settings, driver, embedder), model, embedder, told)
    console.print(
        f"The vectors of the store are of {model}; {embedded} states were embedded.", highlight=False
    )
    console.print("Start every process with these settings from now on.", highlight=False)

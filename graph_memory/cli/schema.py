"""`graph-memory schema`: the GraphQL schema in its own language, and nothing else on standard output."""

from __future__ import annotations

import sys

import typer

app = typer.Typer()


@app.command()
def schema() -> None:
    """Print the GraphQL schema, sorted."""
    from graph_memory.api.schema import sdl

    sys.stdout.write(sdl())

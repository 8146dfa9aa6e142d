"""`graph-memory browser`: where Neo4j Browser is, how to log in, and what to load there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graph_memory.local.parts import api_address
from graph_memory.settings import load
from graph_memory.store.browser_files import GUIDE, STYLE, packed, saved
from graph_memory.store.settings import Neo4jSettings, StackSettings

app = typer.Typer()


@app.command()
def browser(
    save: Annotated[
        Path | None, typer.Option(help="Write the saved queries to this file, for the Browser to import.")
    ] = None,
) -> None:
    """Say where Neo4j Browser is and what to load there; or write the saved queries as a file for it.

    Example: graph-memory browser --save saved.zip
    """
    settings = load()
    if save is not None:
        save.write_bytes(packed())
        print(f"{len(saved())} queries in {save}: drop it onto the Browser's window.")
        return
    stack, api = settings[StackSettings], api_address(settings)
    print(f"Address   http://{stack.host}:{stack.http_port}/browser/")
    print(f"Login     user {settings[Neo4jSettings].user}, password in {stack.data / 'secrets.json'}")
    print(f"Style     :style {api}/browser/{STYLE}")
    print(f"Guide     :play {api}/browser/{GUIDE}")
    print("Queries   graph-memory browser --save saved.zip, then drop that file onto the window")

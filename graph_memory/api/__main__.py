"""`python -m graph_memory.api`: serves until it is told to stop."""

from __future__ import annotations

from argparse import ArgumentParser

from graph_memory.api.serving import serve
from graph_memory.base import logs
from graph_memory.base.settings import ApiSettings
from graph_memory.settings import load
from graph_memory.store.settings import StackSettings


def main() -> None:
    """Reads the settings, then the command line."""
    settings = load()
    parser = ArgumentParser(prog="python -m graph_memory.api", description="Serves GraphQL over HTTP.")
    parser.add_argument("--host", default=settings[ApiSettings].host, help="address to listen on")
    parser.add_argument(
        "--port", type=int, default=settings[StackSettings].api_port, help="port to listen on"
    )
    parser.add_argument("--local", action="store_true", help="show GraphiQL unless a setting forbids it")
    given = parser.parse_args()
    if given.local and settings[ApiSettings].graphiql is None:
        settings = load(api={"graphiql": True})
    logs.configure(settings)
    serve(settings, given.host, given.port)


if __name__ == "__main__":
    main()

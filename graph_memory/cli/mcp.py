"""`graph-memory mcp`: the tools for agents, over standard input and output."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from graph_memory.agent_tools.agent_profile import Profile
from graph_memory.cli.commands import App
from graph_memory.client import AsyncClient
from graph_memory.local.connection import connect

app = App()


@app.command()
def mcp(
    tenant: Annotated[
        str, typer.Option("--tenant", "-t", help="The account whose memories these are.")
    ] = "default",
    subject: Annotated[
        str | None, typer.Option("--subject", "-s", help="Whose memories; the agent cannot reach another's.")
    ] = None,
    profile: Annotated[Profile, typer.Option("--profile", help="Which tools are offered.")] = Profile.FULL,
    may_forget: Annotated[
        bool, typer.Option("--may-forget", help="Whether the agent may erase for ever when it is asked to.")
    ] = False,
) -> None:
    """Offer memory to an agent by the Model Context Protocol, over standard input and output.

    A program that knows the protocol starts it. It asks the local stack, with a key that is made once; or the service that
    GRAPH_MEMORY_API_URL and GRAPH_MEMORY_API_KEY name, with the rights of that key.

    Example: graph-memory mcp --tenant home --subject ann
    """
    with connect(tenant, subject, may_forget=may_forget) as client:
        asking = client.as_async()
    asyncio.run(_serve(asking, profile))


async def _serve(client: AsyncClient, profile: Profile) -> None:
    # It brings a web framework along, which the list of commands and its help do without.
    from graph_memory.agent_tools.server import make_server

    async with client:
        await make_server(lambda _: client, profile).run_stdio_async()

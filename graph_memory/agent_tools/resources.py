"""What an agent's application may read without a tool, and the questions that it offers to its user."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from graph_memory.agent_tools import shown
from graph_memory.agent_tools.tools import ClientOf
from graph_memory.base.errors import BadId, GraphMemoryError, NotFound
from graph_memory.base.files import folder

JSON = "application/json"


def add_resources(server: MCPServer[Any], client: ClientOf) -> None:
    """A memory by its id, how much is stored, and the service's schema."""

    @server.resource(
        "memory://memory/{id}",
        title="A memory",
        mime_type=JSON,
        description="One memory with its links, by its id.",
    )
    async def one(id: str, context: Context[Any, Any]) -> str:
        try:
            return _json(shown.whole(await client(context).memory(id)))
        except (NotFound, BadId) as error:
            raise ResourceNotFoundError(error.message) from error
        except GraphMemoryError as error:
            raise ResourceError(f"{error.code}: {error.message}") from error

    @server.resource(
        "memory://stats{?subject}",
        title="How much is stored",
        mime_type=JSON,
        description="Whose memory this is, and how many memories stand in each tier.",
    )
    async def stats(context: Context[Any, Any], subject: str | None = None) -> str:
        try:
            asking = client(context)
            viewer, tiers = await asking.viewer(), await asking.tiers(subject=subject)
        except GraphMemoryError as error:
            raise ResourceError(f"{error.code}: {error.message}") from error
        told = shown.ShownStatus(viewer.tenant, viewer.subject, list(viewer.rights), shown.counts(tiers))
        return _json(told)

    @server.resource(
        "memory://schema",
        title="The GraphQL schema",
        mime_type="text/plain",
        description="What the service knows, field by field: long, for programs that write queries.",
    )
    def schema() -> str:
        return folder("graphql").joinpath("schema.graphql").read_text("utf-8")


def add_prompts(server: MCPServer[Any]) -> None:
    """Questions that a person may choose from a list."""

    @server.prompt(
        title="What do you know about ...?", description="All that is known about someone or something."
    )
    def what_do_you_know(about: str) -> str:
        return (
            f"Search your memory for {about!r} with memory_search, and once more with other words. Tell me what you know, "
            "since when it holds, and who said it. Say plainly what you do not know. Leave out what no longer holds, unless "
            "it explains what does."
        )

    @server.prompt(
        title="Resolve a conflict", description="Goes through what waits for a decision, one by one."
    )
    def resolve_conflict() -> str:
        return (
            "Look with memory_conflicts at what waits for a decision. Show me one at a time: both statements, who said each, "
            "and since when. Ask me which holds. Then use memory_supersede if one has taken the place of the other, "
            "memory_retract if one was never true, or leave both if both hold. Decide nothing without my answer."
        )


def _json(value: Any) -> str:
    return json.dumps(asdict(value), default=str, ensure_ascii=False)

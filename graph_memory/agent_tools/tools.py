"""A tool as an agent sees it: what it is called, what it says of itself, and the call of the client that it is."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools.base import Tool
from mcp_types import ToolAnnotations

from graph_memory.agent_tools.arguments import CheckedTool, told
from graph_memory.base.errors import GraphMemoryError
from graph_memory.client import AsyncClient

# The client by which a request of an agent is carried out: it holds the key of whoever asks.
ClientOf = Callable[[Context[Any, Any]], AsyncClient]


@dataclass(frozen=True)
class Described:
    """A tool that nobody carries out yet: `call` takes a client, then what the agent gives; its docstring is for the agent.

    What it does to the store is told to programs that ask a person first.
    """

    title: str
    call: Callable[..., Awaitable[Any]]
    reads: bool = False
    destroys: bool = False

    def through(self, client: ClientOf) -> Tool:
        """The tool, carried out by the client of whoever asks."""
        return CheckedTool.from_function(
            _asked_through(client, self.call),
            description=" ".join((self.call.__doc__ or "").split()),
            title=self.title,
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.reads,
                destructive_hint=self.destroys,
                idempotent_hint=self.reads,
                open_world_hint=False,
            ),
        )


def _asked_through(client: ClientOf, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The call with the context of a request in the place of its client, as the library takes it.

    An error of the service is told in its own words, for the model to read and act on.
    """

    @wraps(call)
    async def asked(context: Context[Any, Any], **given: Any) -> Any:
        try:
            return await call(client(context), **given)
        except GraphMemoryError as error:
            raise ToolError(told(error)) from error

    own = inspect.signature(call, eval_str=True)
    first, *given = own.parameters.values()
    parameters = [first.replace(name="context", annotation=Context[Any, Any]), *given]
    asked.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    asked.__annotations__ = {each.name: each.annotation for each in parameters} | {
        "return": own.return_annotation
    }
    return asked

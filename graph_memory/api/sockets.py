"""A websocket that speaks graphql-transport-ws: strawberry's own, with our errors and our answer for who may not come in."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from graphql import GraphQLError
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler
from strawberry.types import ExecutionResult

from graph_memory.api.context import Context
from graph_memory.api.faults import all_formatted, formatted


class Socket(BaseGraphQLTransportWSHandler[Context, None]):
    """One connection of a client."""

    async def handle_subscribe(self, message: Any) -> None:
        """As strawberry's, where the document may be named instead of sent."""
        payload = message["payload"]
        if self.connection_acknowledged and isinstance(payload, dict) and "extensions" in payload:
            view: Any = self.view
            try:
                payload["query"] = view.documents.text_of(payload.get("query"), payload["extensions"])
            except GraphQLError as error:
                refused = [_as_told(error).formatted]
                await self.send_message({"id": message["id"], "type": "error", "payload": refused})
                return
        await super().handle_subscribe(message)

    async def _send_result_stream(self, operation: Any, result_source: Any) -> None:
        async with aclosing(_told(result_source)) as results:
            await super()._send_result_stream(operation, results)


async def _told(results: AsyncIterator[Any]) -> AsyncGenerator[Any, None]:
    """Each result with its errors as clients see them."""
    async for result in results:
        if isinstance(result, ExecutionResult) and result.errors:
            result.errors = [
                GraphQLError(told["message"], path=told.get("path"), extensions=told["extensions"])
                for told in all_formatted(result.errors)
            ]
        yield result


def _as_told(error: GraphQLError) -> GraphQLError:
    told = formatted(error)
    return GraphQLError(told["message"], path=error.path, extensions=told["extensions"])

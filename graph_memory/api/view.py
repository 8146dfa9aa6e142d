"""POST /graphql and its websocket: who asks, how long it may take, and what the answer says."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

from cross_web import HTTPException
from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.exceptions import ConnectionRejectionError
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.http.parse_content_type import parse_content_type
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.types import ExecutionResult
from strawberry.types.unset import UNSET

from graph_memory.api.context import Context
from graph_memory.api.faults import all_formatted
from graph_memory.api.feeds import MOST_SUBSCRIPTIONS
from graph_memory.api.places import Places
from graph_memory.api.query_page import refused_as_json
from graph_memory.api.schema import make_schema
from graph_memory.api.sockets import Socket
from graph_memory.api.streams import is_answered_once
from graph_memory.api.trusted import KnownDocuments
from graph_memory.base.errors import (
    GraphMemoryError,
    OutcomeUnknown,
    Overloaded,
    TookTooLong,
    Unauthenticated,
)
from graph_memory.base.settings import ApiSettings
from graph_memory.settings import Settings

_UNAUTHENTICATED = 401


class GraphQLView(GraphQL[Context, None]):
    """One operation a request, sent as JSON by POST; no batches, no forms. Subscriptions over a stream or a websocket."""

    graphql_transport_ws_handler_class = Socket

    def __init__(self, settings: Settings) -> None:
        limits = settings[ApiSettings]
        self.documents = KnownDocuments(limits)
        self._places = Places(limits.max_requests, "requests")
        super().__init__(
            make_schema(limits, self.documents),
            graphql_ide=None,
            allow_queries_via_get=False,
            subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL),
            connection_init_wait_timeout=timedelta(seconds=limits.header_timeout),
            multipart_uploads_enabled=False,
            max_subscriptions_per_connection=MOST_SUBSCRIPTIONS,
            allowed_origins=limits.origins,
        )
        self._settings = settings

    def is_request_allowed(self, request: Any) -> bool:
        return bool(request.method == "POST")

    def decode_json(self, data: str | bytes) -> object:
        """JSON by the book: UTF-8, no NaN, and not nested without end."""
        try:
            text = data.decode("utf-8") if isinstance(data, bytes) else data
            return _object(json.loads(text, parse_constant=_refuse))
        except (RecursionError, ValueError) as error:
            raise json.JSONDecodeError("not JSON", "", 0) from error

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:  # noqa: ARG002
        presented = _bearer(request.headers.get("authorization", ""))
        context = Context(request.app.state.open, presented, request.state.request_id)
        context.is_stream = isinstance(request, WebSocket)
        request.state.context = context
        return context

    async def on_ws_connect(self, context: Context) -> dict[str, object]:
        """The key of a websocket: from its first message, since a browser sends no header with it, or from its headers."""
        said = {name.lower(): value for name, value in context.connection_params.items()}
        if isinstance(said.get("authorization"), str):
            context.presented_key = _bearer(str(said["authorization"]))
        try:
            async with asyncio.timeout(self._settings[ApiSettings].timeout):
                await context.authenticate()
        except (GraphMemoryError, TimeoutError) as error:
            raise ConnectionRejectionError from error
        return {}

    async def run(self, request: Any, context: Any = UNSET, root_value: Any = UNSET) -> Any:  # noqa: ARG002
        """Who asks comes first: without a right key nothing more is read than the headers."""
        if self.is_websocket_request(request):
            return await super().run(request)
        asked = await self.get_context(request, request)
        try:
            async with asyncio.timeout(self._settings[ApiSettings].timeout):
                await asked.authenticate()
        except (GraphMemoryError, TimeoutError) as error:
            refusal = error if isinstance(error, GraphMemoryError) else Overloaded()
            result = await self.process_result(request, _refused(refusal))
            response = self.create_response(result, await self.get_sub_response(request))
            if isinstance(refusal, Unauthenticated):
                response.status_code = _UNAUTHENTICATED
                response.headers["WWW-Authenticate"] = "Bearer"
            return response
        try:
            with self._places.place(asked.asker.actor):
                return await super().run(request, asked, root_value)
        except Overloaded as full:
            result = await self.process_result(request, _refused(full))
            return self.create_response(result, await self.get_sub_response(request))
        except HTTPException as refusal:
            return refused_as_json(refusal.status_code, refusal.reason)
        except GraphQLError as refused:
            result = await self.process_result(request, ExecutionResult(data=None, errors=[refused]))
            return self.create_response(result, await self.get_sub_response(request))

    async def create_streaming_response(
        self, request: Any, stream: Any, sub_response: Any, headers: Any
    ) -> Response:
        """A stream ends with its connection, so that the server need not wait for it when it stops."""
        request.state.is_stream = True
        return await super().create_streaming_response(request, stream, sub_response, headers)

    async def parse_http_body(self, request: Any) -> Any:
        kind, _ = parse_content_type(request.content_type or "")
        if kind != "application/json":
            raise HTTPException(400, "Unsupported content type; send application/json")
        sent = await super().parse_http_body(request)
        if isinstance(sent, GraphQLRequestData):
            sent.query = self.documents.text_of(sent.query, sent.extensions)
            if sent.protocol != "http" and is_answered_once(
                request.headers.get("accept", ""), sent.query, sent.operation_name
            ):
                sent.protocol = "http"
        return sent

    async def execute_operation(
        self,
        request: Request,
        request_adapter: Any,
        request_data: Any,
        context: Context,
        root_value: None,
        sub_response: Response,
    ) -> Any:
        context.is_stream = request_data.protocol != "http"
        return await super().execute_operation(
            request, request_adapter, request_data, context, root_value, sub_response
        )

    async def execute_single(
        self,
        request: Request,
        request_adapter: Any,
        sub_response: Response,
        context: Context,
        root_value: None,
        request_data: GraphQLRequestData,
    ) -> ExecutionResult:
        try:
            async with asyncio.timeout(self._settings[ApiSettings].timeout):
                return await super().execute_single(
                    request, request_adapter, sub_response, context, root_value, request_data
                )
        except TimeoutError:
            return _refused(_too_late(request_data.query or "", self._settings[ApiSettings].timeout))
        except GraphMemoryError as error:
            return _refused(error)

    async def process_result(self, request: Request, result: ExecutionResult) -> GraphQLHTTPResponse:
        context: Context = request.state.context
        answer: GraphQLHTTPResponse = {"data": result.data}
        if result.errors:
            told = all_formatted(result.errors)
            context.codes += [each["extensions"]["code"] for each in told]
            answer["errors"] = list(told)
        answer["extensions"] = {"requestId": context.request_id, **self._cost(context)}
        return answer

    def _cost(self, context: Context) -> dict[str, object]:
        if context.cost is None:
            return {}
        return {"cost": {"requested": context.cost, "limit": self._settings[ApiSettings].max_cost}}


def _bearer(header: str) -> str | None:
    """The key of an Authorization header."""
    scheme, _, key = header.partition(" ")
    return key.strip() if scheme.lower() == "bearer" else None


def _object(value: object) -> object:
    if not isinstance(value, dict | list):
        raise ValueError("not an object")
    return value


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


def _too_late(query: str, seconds: float) -> GraphMemoryError:
    if "mutation" in query:
        return OutcomeUnknown(
            f"This took longer than {seconds:g} s; repeat it with the same idempotency key."
        )
    return TookTooLong(f"This took longer than {seconds:g} s; ask for less at once.")


def _refused(error: GraphMemoryError) -> ExecutionResult:
    return ExecutionResult(data=None, errors=[GraphQLError(error.message, original_error=error)])

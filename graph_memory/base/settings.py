"""The settings of a process: its log, and the API that it serves or looks for."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, SecretStr

from graph_memory.base.sections import Count, Positive, Section


class LogSettings(Section):
    """Logs: ids, counts and times, never the text of a memory."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="Lowest level that is written."
    )
    format: Literal["json", "text"] = Field("json", description="One JSON object a line, or text for people.")


class TracingSettings(Section):
    """Spans of requests, runs and queries, for OpenTelemetry. Where they go is told by its own `OTEL_` variables."""

    on: bool = Field(False, description="Whether spans are made and sent; needs the extra `tracing`.")


class ApiSettings(Section):
    """The GraphQL service."""

    host: str = Field("127.0.0.1", description="Address to listen on.")
    url: str | None = Field(
        None,
        min_length=1,
        description="Where the running service is, for `doctor` and for clients, as http://api:8420. Unset: the local stack's.",
    )
    key: SecretStr | None = Field(
        None, min_length=1, description="The key with which `connect` and `mcp` ask that service."
    )
    metrics_key: SecretStr | None = Field(
        None,
        min_length=16,
        description="The key with which Prometheus fetches /metrics, as a bearer token. Unset: it is not served.",
    )
    threads: Count = Field(40, description="Requests carried out at once, for each process.")
    max_cost: Count = Field(
        10_000, description="Objects that a query may ask for at most, page sizes multiplied down the tree."
    )
    max_body: Count = Field(10_000_000, description="Bytes of a request at most.")
    trusted: Literal["off", "log", "enforce"] = Field(
        "off",
        description="What becomes of documents that are not trusted: carried out, carried out and logged by their hash, or "
        "refused.",
    )
    trusted_documents: Path | None = Field(
        None,
        description="A folder of .graphql files, or a JSON file that maps ids to documents: trusted beside the operations "
        "that are shipped.",
    )
    # Bytes of documents that are kept because a client named them by their hash (automatic persisted
    # queries), for each process; 0 keeps none.
    persisted_cache: ClassVar[int] = 2_000_000
    max_connections: Count = Field(
        500,
        description="Connections at once, for each process. A new one takes the place of that which has waited longest "
        "without a request; when all are being answered, it is told to come again later.",
    )
    # Seconds in which a client must have sent a request's first line and headers.
    header_timeout: ClassVar[float] = 10.0
    # Seconds in which a client must have sent a request's body, or read its answer.
    body_timeout: ClassVar[float] = 30.0
    # Seconds that a connection is kept for another request.
    idle_timeout: ClassVar[float] = 5.0
    timeout: Positive = Field(30.0, description="Seconds after which a request is answered with an error.")
    introspection: bool = Field(
        True,
        description="Whether the schema can be asked for; also switches field suggestions and the query page.",
    )
    graphiql: bool | None = Field(
        None,
        description="Whether GET /graphql shows GraphiQL, a page to ask from. Unset: on the local stack only.",
    )
    max_requests: Count = Field(
        64,
        description="Requests that one key may have under way at once, for each process; more are told OVERLOADED.",
    )
    origins: tuple[str, ...] = Field(
        (), description="Web origins that browsers may call from. None by default."
    )

"""Spans of OpenTelemetry: one for each request, run and query, by its name. Names, ids and counts, never a text.

Off, as it is by default, nothing of OpenTelemetry is imported and each place costs one comparison. Where spans go is told by the
usual `OTEL_` variables of the environment, which its SDK reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from graph_memory.base.errors import MissingExtra
from graph_memory.base.sections import Sections
from graph_memory.base.settings import TracingSettings

if TYPE_CHECKING:
    from opentelemetry.trace import Span, TracerProvider

T = TypeVar("T")

Kind = Literal["SERVER", "CLIENT", "CONSUMER"]
Value = str | int | bool
# By this header requests, and by this property runs, tell which span they belong to.
PARENT = "traceparent"

_NAME = "graph_memory"
_provider: TracerProvider | None = None


@contextmanager
def running(settings: Sections) -> Iterator[None]:
    """Sends spans, where the settings say so, until the block ends. MissingExtra when the SDK is not installed."""
    if not settings[TracingSettings].on or _provider is not None:
        yield
        return
    provider = _exporting()
    try:
        with using(provider):
            yield
    finally:
        provider.shutdown()


@contextmanager
def using(provider: TracerProvider) -> Iterator[None]:
    """Gives spans to a provider of the caller's, for a program that traces itself."""
    global _provider
    before, _provider = _provider, provider
    try:
        yield
    finally:
        _provider = before


@contextmanager
def span(name: str, kind: Kind, parent: str | None = None, **values: Value | None) -> Iterator[Span | None]:
    """A span round the block, below the present one, or below `parent` as W3C's header spells it; None while off.

    An error is told by its type alone: its message may quote what somebody wrote.
    """
    if _provider is None:
        yield None
        return
    from opentelemetry.trace import SpanKind
    from opentelemetry.trace.status import Status, StatusCode

    with _provider.get_tracer(_NAME).start_as_current_span(
        name,
        _context(parent),
        SpanKind[kind],
        {name.replace("__", "."): value for name, value in values.items() if value is not None},
        record_exception=False,
        set_status_on_exception=False,
    ) as made:
        try:
            yield made
        except BaseException as error:
            made.set_attribute("error.type", type(error).__name__)
            made.set_status(Status(StatusCode.ERROR))
            raise


def queried(name: str, ask: Callable[[], list[T]], tenant: str | None = None) -> list[T]:
    """The rows of a query, in a span of its name that tells how many they are."""
    if _provider is None:
        return ask()
    told = {"db__system__name": "neo4j", "db__operation__name": name, "graph_memory__tenant": tenant}
    with span(name, "CLIENT", **told) as made:
        rows = ask()
        if made is not None:
            made.set_attribute("db.response.returned_rows", len(rows))
        return rows


def present() -> str | None:
    """The present span as W3C's header spells it, so that what is done later can belong to it; None while off."""
    if _provider is None:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(PARENT)


def tell(made: Span | None, values: Mapping[str, Value | None], name: str | None = None) -> None:
    """Adds what became known inside a span, its name too."""
    if made is None:
        return
    made.set_attributes({key: value for key, value in values.items() if value is not None})
    if name is not None:
        made.update_name(name)


def _context(parent: str | None) -> Any:
    if parent is None:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({PARENT: parent})


def _exporting() -> Any:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingExtra("Tracing", "tracing") from None
    # OTEL_SERVICE_NAME comes before this name.
    made = TracerProvider(resource=Resource({"service.name": "graph-memory"}).merge(Resource.create()))
    made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return made

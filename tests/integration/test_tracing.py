"""One request shows its queries by name, a run belongs to the request that asked for it, and no span holds a text."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from graph_memory.base import tracing
from graph_memory.base.scope import Scope
from tasks import execute
from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with tracing.using(provider):
        yield exporter


def of_trace(spans: Sequence[ReadableSpan], trace: int) -> list[ReadableSpan]:
    return [each for each in spans if each.context is not None and each.context.trace_id == trace]


def test_a_request_shows_its_queries_by_name_and_goes_on_in_the_trace_of_its_caller(
    api: Api, key: str, spans: InMemorySpanExporter
) -> None:
    api.add(key, "Quixalotl the canary sings at noon.")
    spans.clear()
    trace = 0xABCDEF0123456789ABCDEF0123456789
    headers = {"Authorization": f"Bearer {key}", "traceparent": f"00-{trace:032x}-00f067aa0ba902b7-01"}
    query = '{ search(query: "when does Quixalotl sing") { hits { memory { text } } } }'
    answer = api.client.post("/graphql", json={"query": query}, headers=headers).json()
    assert answer["data"]["search"]["hits"]
    found = of_trace(spans.get_finished_spans(), trace)
    [request] = [each for each in found if each.name == "POST search"]
    assert request.context is not None
    below = [each.name for each in found if each.parent and each.parent.span_id == request.context.span_id]
    assert any(name.startswith("recall/search_live") for name in below), below
    [asked] = [each for each in found if each.name.startswith("recall/search_live")]
    told: Any = {**(asked.attributes or {}), **(request.attributes or {})}
    assert told["db.system.name"] == "neo4j"
    assert told["db.response.returned_rows"] >= 1
    assert (told["http.route"], told["http.response.status_code"]) == ("/graphql", 200)
    assert told["graph_memory.request_id"] == answer["extensions"]["requestId"]
    assert "quixalotl" not in repr([each.to_json() for each in spans.get_finished_spans()]).lower()


def test_a_run_goes_on_in_the_trace_of_the_request_that_asked_for_it(
    api: Api, key: str, spans: InMemorySpanExporter
) -> None:
    scope = Scope(api.data(key, "{viewer{tenant}}")["tenant"])
    job = api.done(key, "runJob", "job{uuid}", name="tidy", again=True)["job"]["uuid"]
    execute(api.service, scope, job)
    finished = spans.get_finished_spans()
    [request] = [each for each in finished if each.name == "POST runJob"]
    assert request.context is not None
    found = {each.name: each for each in of_trace(finished, request.context.trace_id)}
    run = found["graph_memory.jobs.tidy"]
    assert (run.attributes or {})["graph_memory.status"] == "DONE"
    assert run.context is not None
    below = [each for each in found.values() if each.parent and each.parent.span_id == run.context.span_id]
    assert "jobs/finish" in [each.name for each in below]


def test_an_error_is_told_by_its_type_alone(spans: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="secret"), tracing.span("work", "CONSUMER"):
        raise ValueError("a secret of Ann's")
    [span] = spans.get_finished_spans()
    assert (span.attributes or {})["error.type"] == "ValueError"
    assert "secret" not in span.to_json()


def test_nothing_of_it_is_imported_while_it_is_off() -> None:
    code = (
        "import sys, graph_memory.api.requests, graph_memory.bootstrap\n"
        "from graph_memory.base import tracing\n"
        "before = {name for name in sys.modules if name.startswith('opentelemetry')}\n"
        "with tracing.span('x', 'CLIENT'): tracing.present()\n"
        "print(len({name for name in sys.modules if name.startswith('opentelemetry')} - before), "
        "'opentelemetry.sdk' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "False"]

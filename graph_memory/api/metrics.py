"""GET /metrics: what an operator watches, in the format of Prometheus. Names of things and numbers, no tenant and no text.

What this process does is counted as it happens. What all processes do together stands in the store; it is asked for
when somebody asks here, and kept for a while, since the answer costs a scan.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from graph_memory.api.query_page import refused_as_json
from graph_memory.base.errors import GraphMemoryError
from graph_memory.base.settings import ApiSettings
from graph_memory.models.registry import ProviderState, providers_of, standings
from graph_memory.store.service import Row, Service
from graph_memory.upkeep import readings
from graph_memory.upkeep.readings import Readings

if TYPE_CHECKING:
    from graph_memory.api.context import Open

log = logging.getLogger(__name__)

# Seconds for which what the store told is told again.
KEPT = 30.0
# Counting every memory is a scan of all of them.
TIERS_KEPT = 300.0

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_NOT_FOUND, _UNAUTHENTICATED = 404, 401


class Metrics:
    """The counters of this process, and the page that tells them."""

    def __init__(self, settings: ApiSettings) -> None:
        self._key = settings.metrics_key
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "graph_memory_requests",
            "Requests by the root field that they ask for and what became of them: ok, or a code of an error.",
            ("operation", "outcome"),
            registry=self._registry,
        )
        self._durations = Histogram(
            "graph_memory_request_seconds",
            "How long requests took.",
            ("operation",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._store: StoreReadings | None = None

    def attach(self, opened: Open) -> None:
        """The service is open: what stands in it is told too."""
        self._store = StoreReadings(opened)
        self._registry.register(self._store)

    def observe(self, operation: str, outcome: str, seconds: float) -> None:
        """One request has ended."""
        self._requests.labels(operation, outcome).inc()
        self._durations.labels(operation).observe(seconds)

    async def page(self, request: Request) -> Response:
        """All of it, for who has the key of the settings."""
        if self._key is None:
            raise HTTPException(_NOT_FOUND)
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        is_right = hmac.compare_digest(key.strip().encode(), self._key.get_secret_value().encode())
        if scheme.lower() != "bearer" or not is_right:
            told = "The key of GRAPH_MEMORY_API_METRICS_KEY is needed, as `Authorization: Bearer <key>`."
            return refused_as_json(_UNAUTHENTICATED, told, {"WWW-Authenticate": "Bearer"})
        if self._store is not None:
            await self._store.refresh()
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


class StoreReadings(Collector):
    """What all processes share, as it was read last, and what this one holds now."""

    def __init__(self, opened: Open) -> None:
        self._open = opened
        self._lock = asyncio.Lock()
        self._is_up = False
        self._read_at = self._tiers_read_at = float("-inf")
        self._found = Readings()
        self._tiers: dict[str, int] = {}

    async def refresh(self) -> None:
        """Reads anew what is older than it may be. A store that cannot be reached is told as such."""
        async with self._lock:
            if time.monotonic() - self._read_at < KEPT:
                return
            try:
                await self._open.crossing.call(self._read, self._open.service)
                self._is_up = True
            except GraphMemoryError as error:
                self._is_up = False
                log.warning("metrics not read", extra={"code": error.code})
            self._read_at = time.monotonic()

    def _read(self, service: Service) -> None:
        self._found = readings.read(service)
        if time.monotonic() - self._tiers_read_at > TIERS_KEPT:
            self._tiers, self._tiers_read_at = readings.tiers(service), time.monotonic()

    def describe(self) -> Iterable[Metric]:
        """Nothing is collected before it is asked for."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Every reading."""
        yield _gauge("store_up", "Whether the store could be read.", (), [((), float(self._is_up))])
        yield from self._of_jobs()
        yield from self._of_models()
        tiers: Numbers = [((tier,), count) for tier, count in self._tiers.items()]
        yield _gauge("memories", "Active memories of all tenants.", ("tier",), tiers)
        yield from self._of_this_process()

    def _of_jobs(self) -> Iterator[Metric]:
        now = self._open.service.clock()
        pending = [row for row in self._found.runs if row["status"] == "PENDING"]
        yield _gauge(
            "runs", "Runs that are kept, by how they stand.", ("job", "status"),
            [((row["job"], row["status"]), row["runs"]) for row in self._found.runs],
        )  # fmt: skip
        yield _gauge(
            "queue_length", "Runs that wait for a worker.", ("job",),
            [((row["job"],), row["runs"]) for row in pending],
        )  # fmt: skip
        yield _gauge(
            "queue_age_seconds", "How long the oldest of them has waited.", ("job",),
            [((row["job"],), max((now - row["since"]).total_seconds(), 0.0)) for row in pending],
        )  # fmt: skip
        yield _gauge(
            "job_last_success_timestamp_seconds", "When a planned job last succeeded in some tenant.", ("job",),
            [((each.job.name,), each.succeeded_at.timestamp()) for each in self._found.jobs if each.succeeded_at],
        )  # fmt: skip
        yield _gauge(
            "job_lag_seconds", "How long a planned job has been due in the tenant that waits longest.", ("job",),
            [((each.job.name,), each.lag.total_seconds()) for each in self._found.jobs],
        )  # fmt: skip
        yield _gauge(
            "job_tenants", "In how many tenants a planned job stands so.", ("job", "state"),
            [((each.job.name, state), count) for each in self._found.jobs for state, count in each.states.items()],
        )  # fmt: skip

    def _of_models(self) -> Iterator[Metric]:
        labels = ("provider", "purpose")
        for name, told in (
            ("calls", "Calls of language models."),
            ("failures", "Calls of language models that gave no answer."),
            ("cost", "What they cost, in US dollars, where the price is known."),
        ):
            yield _counter(
                f"model_{name}", told, labels, [(_whose(row), row[name]) for row in self._found.calls]
            )
        yield _counter(
            "model_tokens", "Tokens that they read (in) and wrote (out).", (*labels, "direction"),
            [((*_whose(row), way), row[f"tokens_{way}"]) for row in self._found.calls for way in ("in", "out")],
        )  # fmt: skip

    def _of_this_process(self) -> Iterator[Metric]:
        service, crossing = self._open.service, self._open.crossing
        ready = [
            ((each.name,), float(each.state is ProviderState.READY))
            for each in standings(service.settings, providers_of(service))
            if each.state is not ProviderState.UNCONFIGURED
        ]
        yield _gauge(
            "provider_ready",
            "Whether a language model is asked now, or rests after faults.",
            ("provider",),
            ready,
        )
        yield _gauge("threads_busy", "Threads that work for requests now.", (), [((), crossing.busy)])
        yield _gauge("requests_waiting", "Requests that wait for a thread.", (), [((), crossing.waiting)])
        yield _gauge(
            "subscriptions", "Subscriptions that are open.", (), [((), self._open.feeds.places.held)]
        )


Numbers = Sequence[tuple[tuple[str, ...], float]]


def _gauge(name: str, told: str, labels: tuple[str, ...], numbers: Numbers) -> Metric:
    family = GaugeMetricFamily(f"graph_memory_{name}", told, labels=labels)
    for values, number in numbers:
        family.add_metric(values, number)
    return family


def _counter(name: str, told: str, labels: tuple[str, ...], numbers: Numbers) -> Metric:
    family = CounterMetricFamily(f"graph_memory_{name}", told, labels=labels)
    for values, number in numbers:
        family.add_metric(values, number)
    return family


def _whose(row: Row) -> tuple[str, str]:
    return row["provider"], row["purpose"]

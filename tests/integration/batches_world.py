"""What the tests of batches build on: a kind that asks about one memory, and a provider that is a scripted server.

Its `main` is a worker that polls once and dies at a chosen moment, for the kind of the tests or, with a job, for the
real ones; see `forks`.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from graph_memory.base.errors import NotFound
from graph_memory.base.scope import Scope
from graph_memory.batches import handlers
from graph_memory.batches import records as reading
from graph_memory.batches.handlers import Item
from graph_memory.batches.offers import offer
from graph_memory.bootstrap import open_service
from graph_memory.ingest import asked_links
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.runs import Run
from graph_memory.ledger.changes import Call
from graph_memory.memory import addition
from graph_memory.memory import reading as read
from graph_memory.model.batch import Batch, Kind
from graph_memory.model.memory import Fact
from graph_memory.models.anthropic_chat import AnthropicProvider
from graph_memory.models.prompt import Prompt
from graph_memory.models.registry import providers
from graph_memory.settings import load
from graph_memory.store.service import Service
from tasks import execute
from tests.integration import said_in_one
from tests.integration.forks import forked
from tests.wires import Wires

KEY = "sk-canary-0123456789abcdef"
POINTS = ("before_submit", "after_submit", "before_apply", "after_apply")
PLACE = "tests.integration.batches_world:HANDLER"

_KILLED = 137
_NUMBERS = itertools.count()


class Twice:
    """Asks for a memory to be said in other words, and remembers what was said. `fails` is raised by `apply`."""

    purpose = said_in_one.PURPOSE

    def __init__(self) -> None:
        self.fails: Callable[[Item], Exception | None] = lambda item: None

    def prompt(self, service: Service, scope: Scope, item: Item) -> Prompt[said_in_one.Said]:
        [memory] = read.get_many(service, scope, [item.reference["memory"]])
        if memory is None:
            raise NotFound("There is no such memory.")
        return said_in_one.prompt([memory.text, "the same"])

    def apply(
        self, service: Service, scope: Scope, item: Item, answer: said_in_one.Said, run_id: str | None
    ) -> None:
        fault = self.fails(item)
        if fault is not None:
            raise fault
        addition.add(service, Call(scope, "batch", key=item.custom_id, run_id=run_id), [Fact(answer.text)])


HANDLER = Twice()


@dataclass
class World:
    """A service whose provider is the scripted server, and one subject with some memories."""

    service: Service
    scope: Scope
    wires: Wires

    def memories(self, count: int) -> list[str]:
        """Ids of new memories."""
        facts = [
            Fact(f"Statement number {next(_NUMBERS)} of {self.scope.tenant_name}.") for _ in range(count)
        ]
        found, _ = addition.add(self.service, Call(self.scope, "test"), facts)
        return [each.id for each in found]

    def offer(self, count: int = 2, kind: Kind = Kind.EXTRACTION) -> Batch:
        references = [{"memory": id} for id in self.memories(count)]
        return offer(self.service, Call(self.scope, "test"), kind, references)

    def job(self, name: str) -> Run:
        """A run of a job of batches, made and carried out."""
        whole = Scope(self.scope.tenant_name)
        run = runs.open_run(self.service, whole, schedule.job(f"graph_memory.batches.{name}"))
        return execute(self.service, whole, run.id)

    def poll(self) -> Run:
        return self.job("poll_extraction")

    def batch(self, id: str) -> Batch:
        return reading.get(self.service, self.scope, id)

    @property
    def said(self) -> list[str]:
        """What was applied, in order."""
        found = read.browse(self.service, self.scope, 100).items
        return sorted(each.text for each in found if each.text.startswith("Answer"))

    def ids(self, submission: int = 0) -> list[str]:
        """The custom ids that were submitted."""
        return [each["custom_id"] for each in self.wires.batches[submission].requests]

    def rows(self, text: str, **values: Any) -> list[Any]:
        """Rows of a statement of a test; `$tenant` is this world's."""
        records, _, _ = self.service.driver.execute_query(
            f"CYPHER 25 {text}",
            {"tenant": self.scope.tenant, **values},
            database_=self.service.settings.neo4j.database,
        )
        return [record.data() for record in records]

    def with_settings(self, **sections: Mapping[str, Any]) -> World:
        """The same world under other settings."""
        merged = {
            name: getattr(self.service.settings, name).model_copy(update=dict(values))
            for name, values in sections.items()
        }
        settings = self.service.settings.model_copy(update=merged)
        return replace(self, service=replace(self.service, settings=settings))

    def dying_poll(self, point: str, job: str = "") -> int:
        """A worker process that polls and dies at a point; its exit code. With a job the real kinds are asked."""
        now = self.service.clock().isoformat()
        return forked(
            "tests.integration.batches_world", self.scope.tenant_name, self.wires.url, now, point, job
        )


def answers(ids: Sequence[str]) -> dict[str, Any]:
    """A good answer to each question, all different."""
    return {id: {"text": f"Answer to {id}.", "reason": "told"} for id in ids}


@contextmanager
def a_world(service: Service, scope: Scope, wires: Wires, *order: str) -> Iterator[World]:
    """A world whose providers are asked in this order."""
    given: dict[str, Any] = {
        "anthropic": {"api_key": KEY, "base_url": wires.url} if "anthropic" in order else {},
        "openai": {"base_url": f"{wires.url}/v1", "api_key": KEY} if "openai" in order else {},
    }
    settings = load(**given, providers={"order": (*order, "embedded"), "attempts": 1})
    opened = providers(settings, Impatient())
    try:
        yield World(replace(service, settings=settings, providers=opened), scope, wires)
    finally:
        opened.close()


class Impatient:
    """A watch that does not wait."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


def _die(point: str, handler: Any) -> None:
    submit, apply = AnthropicProvider.submit, handler.apply

    def dying_submit(self: AnthropicProvider, requests: Any) -> str:
        if point == "after_submit":
            submit(self, requests)
        os._exit(_KILLED)

    def dying_apply(*arguments: Any) -> None:
        if point == "after_apply":
            apply(*arguments)
        os._exit(_KILLED)

    def dying(*_: Any) -> None:
        os._exit(_KILLED)

    if point == "between":
        # The memories are stored, and the second stage is not asked yet.
        asked_links.references = dying  # type: ignore[assignment]
    elif point.endswith("submit"):
        AnthropicProvider.submit = dying_submit  # type: ignore[method-assign]
    else:
        type(handler).apply = lambda _, *given: dying_apply(*given)


def main(tenant: str, url: str, now: str, point: str, job: str) -> None:
    kind = Kind.RELATIONSHIP if job == "poll_relationships" else Kind.EXTRACTION
    if not job:
        handlers.HANDLERS[Kind.EXTRACTION] = HANDLER
    _die(point, handlers.handler(kind) if job else HANDLER)
    at = datetime.fromisoformat(now)
    with Wires() as unused, open_service(load(), clock=lambda: at) as service:
        del unused
        settings = load(anthropic={"api_key": KEY, "base_url": url}, providers={"order": ("anthropic",)})
        opened = providers(settings, Impatient())
        world = World(replace(service, settings=settings, providers=opened), Scope(tenant), Wires())
        world.job(job or "poll_extraction")

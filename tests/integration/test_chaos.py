"""Each part of a running stack is killed and stopped, in random order, while somebody writes: nothing is lost."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import time
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPException
from math import ceil
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from graph_memory import local
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import open_service
from graph_memory.local.parts import PARTS, api_address
from graph_memory.local.ports import free_ports
from graph_memory.local.report import PartReport, report
from graph_memory.settings import PREFIX, Settings, load
from graph_memory.store import api_keys
from graph_memory.store.api_keys import Right
from graph_memory.store.service import Service
from graph_memory.verify import verify
from tests.integration.jobs_world import cypher

pytestmark = [pytest.mark.stack, pytest.mark.long]

NAMES = [part.name for part in PARTS]
SIGNALS = (signal.SIGKILL, signal.SIGSTOP)
OPERATIONS = Path(__file__).parents[2] / "graphql" / "operations"
RECOVERS_WITHIN = 240


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A stack of all parts, which takes few seconds of silence for a fault."""
    bolt, http, broker, api = free_ports(4)
    values = {
        "STACK_DATA": str(tmp_path_factory.mktemp("chaos")),
        "STACK_BOLT_PORT": str(bolt),
        "STACK_HTTP_PORT": str(http),
        "STACK_BROKER_PORT": str(broker),
        "STACK_API_PORT": str(api),
        "STACK_HEAP_MB": "512",
        "STACK_PAGECACHE_MB": "64",
        "STACK_SILENCE": "4",
        "STACK_WORKER_PROCESSES": "1",
        "JOBS_LEASE": "5",
        "JOBS_PERIODS": '{"reconcile": 2}',
    }
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(PREFIX)]:
            patch.delenv(name)
        for name, value in values.items():
            patch.setenv(f"{PREFIX}{name}", value)
        named = load()
        try:
            local.start(named)
            yield named
        finally:
            local.stop(named)


@dataclass
class Load:
    """Somebody who writes a statement and a line of talk a few times a second, and notes what was acknowledged."""

    address: str
    key: str
    memories: dict[str, str] = field(default_factory=dict)
    segments: dict[str, str] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    ended: Event = field(default_factory=Event)

    def run(self) -> None:
        for number in itertools.count():
            if self.ended.wait(0.3):
                return
            try:
                self._write(number)
            except (OSError, HTTPException, ValueError) as error:
                self.refused[str(error)] += 1

    def _write(self, number: int) -> None:
        told = f"Crate {uuid.uuid4().hex[:8]} stands in hall {number}."
        added = self._ask("add-memory", {"text": told, "entities": []})
        if added and added["memory"]:
            self.memories[added["memory"]["uuid"]] = told
        said = {
            "speaker": "ann",
            "text": f"I have a cat named Tom{number}.",
            "at": datetime.now(UTC).isoformat(),
        }
        talk = {"session": f"s{number}", "messages": [said]}
        if self._ask("submit-messages", talk):
            closed = self._ask("close-segment", {"session": f"s{number}"})
            if closed and closed["segmentUuid"]:
                self.segments[closed["segmentUuid"]] = said["text"]

    def _ask(self, operation: str, given: dict[str, Any]) -> dict[str, Any] | None:
        """What was acknowledged; None for an answer with an error."""
        document = (OPERATIONS / f"{operation}.graphql").read_text()
        request = urllib.request.Request(
            f"{self.address}/graphql",
            data=json.dumps({"query": document, "variables": {"input": given}}).encode(),
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            told = json.loads(answer.read())
        [value] = (told.get("data") or {"none": None}).values()
        errors = told.get("errors") or (value or {}).get("errors")
        if errors or not value:
            self.refused[errors[0]["message"] if errors else "no answer"] += 1
            return None
        return dict(value)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("rounds", [0.5, pytest.param(5, marks=pytest.mark.long_form)])
def test_each_part_is_killed_and_stopped_and_nothing_acknowledged_is_lost(whole: Settings, rounds: float):
    """In half a round each part meets one of both."""
    tenant = f"chaos-{uuid.uuid4().hex}"
    with open_service(whole) as service:
        assert verify(service).is_clean
        _, key = api_keys.create(service, tenant, None, Right.WRITE)
    load = Load(api_address(whole), key)
    writer = Thread(target=load.run)
    writer.start()
    before = {part.name: part.restarts for part in report(whole).parts}
    seed = random.randrange(1_000_000)
    try:
        for _ in range(ceil(rounds)):
            for name, number in faults(random.Random(seed), rounds):
                if name in ("neo4j", "api"):
                    # What is struck is at work, however slow the machine is.
                    written = len(load.memories)
                    until(lambda: len(load.memories) > written)  # noqa: B023 - called at once
                strike(whole, name, number)
        until(lambda: all(is_well(each) for each in report(whole).parts))
        written = len(load.memories)
        until(lambda: len(load.memories) > written + 2)
    finally:
        load.ended.set()
        writer.join()
    after = {part.name: part.restarts for part in report(whole).parts}
    assert all(after[name] - before[name] >= 2 * rounds for name in NAMES)
    with open_service(whole) as service:
        expect_all(service, Scope(tenant), load)
        # A run whose worker was struck is taken up when its lease has ended.
        until(lambda: verify(service).is_clean)
        found = verify(service)
    assert [(each.rule, each.examples) for each in found.findings] == []
    print(
        f"seed {seed}: {sum(after.values()) - sum(before.values())} restarts, {len(load.memories)} statements and "
        f"{len(load.segments)} segments acknowledged, {load.refused.total()} requests refused: {load.refused}"
    )


def faults(chance: random.Random, rounds: float) -> list[tuple[str, signal.Signals]]:
    """The faults of a round in random order."""
    if rounds < 1:
        return [(name, chance.choice(SIGNALS)) for name in chance.sample(NAMES, len(NAMES))]
    return chance.sample(list(itertools.product(NAMES, SIGNALS)), 2 * len(NAMES))


def strike(settings: Settings, name: str, number: signal.Signals) -> None:
    """Waits until the part is well, others may still be recovering, and until the supervisor has noticed."""
    until(lambda: is_well(part(settings, name)))
    struck = part(settings, name)
    assert struck.pid
    os.kill(struck.pid, number)
    until(lambda: part(settings, name).restarts > struck.restarts)


def expect_all(service: Service, scope: Scope, load: Load) -> None:
    """What was acknowledged is there once, and all that was said has been extracted."""
    rows = cypher(service, "MATCH (m:Memory {tenant: $t}) RETURN m.id AS id, m.text AS text", t=scope.tenant)
    texts = [row["text"] for row in rows]
    assert [told for told in load.memories.values() if texts.count(told) != 1] == []
    assert set(load.memories) <= {row["id"] for row in rows}
    text = "MATCH (s:Segment {tenant: $t}) WHERE s.status <> 'EXTRACTED' AND s.id IN $ids RETURN s.id AS id"
    until(lambda: not cypher(service, text, t=scope.tenant, ids=list(load.segments)))
    text = "MATCH (s:Segment {tenant: $t}) WHERE s.id IN $ids RETURN count(s) AS found"
    assert cypher(service, text, t=scope.tenant, ids=list(load.segments)) == [len(load.segments)]


def is_well(each: PartReport) -> bool:
    return each.state == "healthy" and each.pid is not None


def part(settings: Settings, name: str) -> PartReport:
    return next(each for each in report(settings).parts if each.name == name)


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + RECOVERS_WITHIN
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)

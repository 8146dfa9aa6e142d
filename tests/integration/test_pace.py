"""A large import steps back while others wait to write to the same tenant, in its own process or in another."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from graph_memory.bench.stand_ins import HashEmbedder
from graph_memory.ingest.conversation_file import Conversation
from graph_memory.ingest.extraction import extract_pending
from graph_memory.ingest.receipt import receive
from graph_memory.ledger.changes import Call, carry_out, changes
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.model.message import Message
from graph_memory.store.limiter import Gate, Pace
from graph_memory.store.service import Service

pytestmark = pytest.mark.stack

MESSAGES = 42
BATCH = 20
FEW = 10
SINGLE = 6


@pytest.fixture
def service(service: Service) -> Service:
    """One writer at a time for each tenant, and vectors that cost nothing."""
    settings = service.settings
    narrow = settings.model_copy(
        update={
            "neo4j": settings.neo4j.model_copy(update={"max_writers": 1}),
        }
    )
    embedder = HashEmbedder(service.embedder.dimension)
    return replace(service, settings=narrow, embedder=embedder, gate=Gate())


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of everything: what is seen is who comes before whom."""
    monkeypatch.setattr("graph_memory.store.limiter.FEW", FEW)
    for module in ("receipt", "extraction"):
        monkeypatch.setattr(f"graph_memory.ingest.{module}.AT_ONCE", BATCH)


@pytest.fixture
def run_id(service, scope, clock) -> str:
    clock.set(2026, 7, 1)
    at = datetime(2026, 3, 1, tzinfo=UTC)
    said = [
        Message("Ann", at + timedelta(minutes=number), f"I planted tree number {number} in the garden.")
        for number in range(MESSAGES)
    ]
    return receive(service, Call(scope, "test"), Conversation("garden", tuple(said))).run_id


def sizes(done: list[int]) -> list[int]:
    return [after - before for before, after in pairwise(done)]


def test_an_import_alone_uses_its_whole_batch(service, scope, run_id, monkeypatch):
    monkeypatch.setattr("graph_memory.store.limiter._PROMPT", 60)
    done: list[int] = []
    extract_pending(service, scope, run_id, done.append)
    assert sizes(done) == [BATCH, BATCH, MESSAGES - 2 * BATCH]


def test_single_writers_overtake_an_import_of_their_process(service, scope, run_id, monkeypatch):
    monkeypatch.setattr("graph_memory.store.limiter._PROMPT", 60)
    done: list[int] = []
    waiting: list[Future[object]] = []

    def come(_writing: object) -> None:
        """While the first batch holds the only place, all the single writers come."""
        if waiting:
            return
        for number in range(SINGLE):
            fact = Fact(f"single {number}", entities=())
            waiting.append(pool.submit(add, service, Call(scope, "single"), [fact]))
        while len(service.gate._lines[scope.tenant].waiting) < SINGLE:
            time.sleep(0.01)

    with ThreadPoolExecutor(SINGLE) as pool:
        extract_pending(service, scope, run_id, done.append, come)
        for future in waiting:
            future.result()
    actors = [change["actor"] for change in changes(service, scope, first=1000) if change["after"]]
    between = [place for place, actor in enumerate(actors) if actor == "single"]
    assert len(between) == SINGLE
    assert between[-1] < BATCH, "every single writer was done before the first batch of the import was"


def test_writers_of_another_process_are_felt(service, scope, run_id):
    """Their line is not seen, but the batch that had to wait for them makes the next one small."""
    other = replace(service, gate=Gate())
    done: list[int] = []
    held: list[Future[object]] = []

    def hold(_writing: object) -> None:
        time.sleep(10 * 0.05)

    def come(count: int) -> None:
        """Between two batches somebody else gets the subject's lock."""
        done.append(count)
        if count == BATCH and not held:
            held.append(pool.submit(carry_out, other, Call(scope, "other"), "hold", [], hold))
            while not other.gate._lines.get(other_tenant):
                time.sleep(0.001)
            time.sleep(0.1)

    other_tenant = scope.tenant
    with ThreadPoolExecutor(1) as pool:
        extract_pending(service, scope, run_id, come)
        held[0].result()
    assert sizes(done)[0] == BATCH
    assert sizes(done)[2] <= FEW


def test_the_pace_recovers(service, scope):
    pace = Pace(service.gate, scope.tenant, BATCH)
    pace.sent()
    time.sleep(0.06)
    pace.begun()
    assert pace.rows() == FEW
    pace.sent()
    pace.begun()
    assert pace.rows() == BATCH
    assert Pace(service.gate, scope.tenant, 3).rows() == 3

"""Many writers at once on the real database: nothing is lost, nothing is doubled, and what is too much is refused."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import pairwise

import neo4j
import pytest
from neo4j.exceptions import TransientError

from graph_memory.base.errors import GraphMemoryError, LiveTwin, OutcomeUnknown, Overloaded
from graph_memory.base.scope import Scope
from graph_memory.bench.stand_ins import HashEmbedder
from graph_memory.ledger.changes import Call, Decision, carry_out, changes
from graph_memory.memory import life, reading
from graph_memory.memory.addition import Outcome, add
from graph_memory.memory.life import Revision
from graph_memory.memory.supersession import supersede
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact
from graph_memory.store.addresses import addresses
from graph_memory.store.limiter import Gate
from graph_memory.store.queries import Query
from graph_memory.store.service import Service

pytestmark = pytest.mark.stack

CLIENTS = 32


@pytest.fixture
def service(service: Service) -> Service:
    """With vectors that cost nothing: the writers are to meet in the database."""
    return replace(service, embedder=HashEmbedder(service.embedder.dimension))


def keep(service: Service, scope: Scope, *texts: str) -> list[str]:
    return [
        added.id
        for added in add(service, Call(scope, "test"), [Fact(text, entities=()) for text in texts])[0]
    ]


def at_once(work, count: int = CLIENTS) -> list:
    """What `work` answers to 0, 1, 2 ..., all begun at the same moment."""
    start = threading.Barrier(count)

    def one(number: int):
        start.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def test_writers_of_one_chain_lose_nothing_and_leave_one_head(service, scope, clock):
    [first] = keep(service, scope, "version 0")
    clock.forward(hours=1)

    def work(number: int) -> str:
        fact = Fact(f"version {number + 1}", entities=())
        return supersede(service, Call(scope, "test", key=f"k{number}"), first, fact)[0].new

    made = at_once(work)
    assert len(set(made)) == CLIENTS
    states = reading.history(service, scope, first)
    assert {state.memory.id for state in states} == {first, *made}
    heads = {state.memory.id for state in states if state.superseded_by is None}
    assert len(heads) == 1
    live = reading.browse(service, scope, first=100).items
    assert [memory.id for memory in live] == list(heads)
    assert reading.version(service, scope, first).id in heads
    assert [change["sequence"] for change in changes(service, scope, first=1000)] == list(
        range(1, 2 * CLIENTS + 2)
    )
    assert at_once(work) == made


def test_imports_of_one_batch_leave_one_copy(service, scope):
    texts = [f"fact {number}" for number in range(20)]

    def work(number: int) -> list[tuple[str, Outcome]]:
        facts = [Fact(text, entities=()) for text in (texts if number % 2 else reversed(texts))]
        return [(added.id, added.outcome) for added in add(service, Call(scope, "test"), facts)[0]]

    answers = at_once(work)
    assert len({id for answer in answers for id, _ in answer}) == 20
    assert sum(outcome is Outcome.ADDED for answer in answers for _, outcome in answer) == 20
    assert sorted(memory.text for memory in reading.browse(service, scope, first=100).items) == sorted(texts)


def test_the_same_text_is_live_retired_and_live_again(service, scope, clock):
    [first] = keep(service, scope, "Ann smokes.")
    for moved in (life.archive, life.retract):
        clock.forward(days=1)
        moved(service, Call(scope, "test"), [first])
    clock.forward(days=1)
    outcomes = [
        added
        for answer in at_once(
            lambda _: add(service, Call(scope, "test"), [Fact("Ann smokes.", entities=())])[0]
        )
        for added in answer
    ]
    assert [added.outcome for added in outcomes].count(Outcome.ADDED) == 1
    [second] = {added.id for added in outcomes}
    assert second != first
    clock.forward(days=1)
    life.expire(service, Call(scope, "test"), second)
    clock.forward(days=1)
    [third] = keep(service, scope, "ann smokes")
    assert third not in (first, second)
    assert [memory.id for memory in reading.browse(service, scope).items] == [third]


def test_of_two_memories_restored_with_one_text_one_stays_away(service, scope):
    [first] = keep(service, scope, "Ann smokes.")
    life.archive(service, Call(scope, "test"), [first])
    [second] = keep(service, scope, "Ann smokes.")
    life.archive(service, Call(scope, "test"), [second])
    with pytest.raises(LiveTwin):
        life.restore(service, Call(scope, "test"), [first, second])

    def work(number: int) -> bool:
        try:
            life.restore(service, Call(scope, "test"), [(first, second)[number % 2]])
        except GraphMemoryError:
            return False
        return True

    assert sum(at_once(work, 8)) == 1
    assert len(reading.browse(service, scope).items) == 1


def test_changes_of_one_memory_by_many_are_all_told(service, scope):
    [id] = keep(service, scope, "Ann sails.")
    at_once(lambda number: life.revise(service, Call(scope, "test"), id, Revision(tags=(f"tag{number}",))))
    told = changes(service, scope, first=100)[1:]
    assert sorted(change["after"][id]["tags"][0] for change in told) == sorted(
        f"tag{n}" for n in range(CLIENTS)
    )
    for before, after in pairwise(told):
        assert after["before"][id]["tags"] == before["after"][id]["tags"]
    states = reading.history(service, scope, id)
    assert len(states) == CLIENTS + 1
    ends = [state.memory.recorded_to for state in states]
    assert ends[:-1] == [state.memory.recorded_from for state in states[1:]]


def test_a_deadlock_is_carried_out_again(service, scope):
    """Two transactions take the same two locks in opposite order; the database ends one, and it is sent again."""
    tenant = scope.tenant_name
    one, other = Scope(tenant, "ann"), Scope(tenant, "bob")
    keep(service, one, "one"), keep(service, other, "other")
    text = "MATCH (s:Subject {tenant: $tenant, id: $id}) SET s.sequence = s.sequence + 1"
    lock = Query("test/lock", "", text, frozenset({"tenant", "id"}))
    meet, tries = threading.Barrier(2), []

    def work(number: int) -> None:
        wanted = [one.subject, other.subject][:: 1 if number else -1]

        def locking(tx) -> None:
            tries.append(number)
            tx.run(lock, id=wanted[0])
            if tries.count(number) == 1:
                meet.wait()
            tx.run(lock, id=wanted[1])

        service.write(one, locking)

    at_once(work, 2)
    assert len(tries) >= 3
    with service.driver.session() as session:
        found = session.run("MATCH (s:Subject {tenant: $t}) RETURN s.sequence AS n", t=one.tenant).value()
    assert found == [3, 3]


def test_a_request_that_fails_halfway_is_carried_out_once(service, scope):
    """What the database asks to send again is sent again as a whole."""
    failures = iter([True, True, False])

    def work(writing) -> dict[str, int]:
        writing.decide(Decision(Operation.NOOP, []))
        if next(failures):
            raise _deadlock()
        return {"tries": 3}

    assert carry_out(service, Call(scope, "test", key="k"), "test", {}, work).value == {"tries": 3}
    assert len(changes(service, scope)) == 1


def test_an_unknown_commit_is_safe_to_repeat_with_its_key(stack, service, scope):
    """The line goes dead after the commit was sent; the same key then finds what was done, or does it now."""
    address = addresses(stack)
    host, port = address.neo4j_uri.partition("://")[2].split(":")
    call, fact = Call(scope, "test", key="once"), Fact("Ann sails.", entities=())
    auth = (address.neo4j_user, address.neo4j_password)
    with (
        _cut_after_commit(host, int(port)) as own_port,
        neo4j.GraphDatabase.driver(f"bolt://127.0.0.1:{own_port}", auth=auth) as driver,
        pytest.raises(OutcomeUnknown),
    ):
        add(replace(service, driver=driver), call, [fact])
    answers = [add(service, call, [fact]) for _ in range(2)]
    assert answers[0][0] == answers[1][0]
    assert answers[0][1].replayed
    assert len(changes(service, scope)) == 1
    assert len(reading.browse(service, scope).items) == 1


def test_who_comes_when_the_line_is_full_is_refused_at_once(service, scope):
    short = service.settings.neo4j.model_copy(update={"max_writers": 1, "max_waiting_writers": 2})
    narrow = replace(service, settings=service.settings.model_copy(update={"neo4j": short}), gate=Gate())
    go, order = threading.Event(), []

    def holding(tx) -> None:
        go.wait(10)

    with ThreadPoolExecutor(4) as pool:
        holder = pool.submit(narrow.write, scope, holding)
        _until(lambda: narrow.gate._lines)
        waiters = []
        for number in range(2):
            waiters.append(pool.submit(narrow.write, scope, lambda tx, number=number: order.append(number)))
            _until(lambda number=number: len(narrow.gate._lines[scope.tenant].waiting) == number + 1)
        assert narrow.gate.is_crowded(scope.tenant)
        with pytest.raises(Overloaded) as refused:
            narrow.write(scope, lambda tx: order.append("never"))
        assert not holder.done()
        assert refused.value.retry_after > 0
        narrow.write(Scope("another-" + scope.tenant_name, "ann"), lambda tx: order.append("neighbour"))
        go.set()
        for each in (holder, *waiters):
            each.result(10)
    assert order == ["neighbour", 0, 1]
    assert not narrow.gate._lines


def test_a_writer_that_fails_gives_its_place_back(service, scope):
    for _ in range(service.settings.neo4j.max_writers + 1):
        with pytest.raises(ZeroDivisionError):
            service.write(scope, lambda tx: 1 // 0)
    assert not service.gate.is_crowded(scope.tenant)
    keep(service, scope, "Ann sails.")


def _deadlock() -> TransientError:
    error = neo4j.exceptions.Neo4jError._hydrate_neo4j(
        code="Neo.TransientError.Transaction.DeadlockDetected", message="provoked"
    )
    assert isinstance(error, TransientError)
    return error


def _until(holds, seconds: float = 5) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


@contextmanager
def _cut_after_commit(host: str, port: int) -> Iterator[int]:
    """A port that passes everything on, until a COMMIT went by: then the answer is swallowed and the line cut."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection((host, port))
            committed = threading.Event()
            threading.Thread(target=_pass_on, args=(client, server, committed, True), daemon=True).start()
            threading.Thread(target=_pass_on, args=(server, client, committed, False), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()


# The message COMMIT on its way to the server: a structure without fields, signature 0x12, in a chunk of its own.
_COMMIT = b"\x00\x02\xb0\x12\x00\x00"


def _pass_on(
    source: socket.socket, target: socket.socket, committed: threading.Event, to_server: bool
) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            if to_server and data.endswith(_COMMIT):
                committed.set()
            if not to_server and committed.is_set():
                break
            target.sendall(data)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()

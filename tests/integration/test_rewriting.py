"""What is erased is in no file of the local stack once its store was written anew; all else is as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from graph_memory import local
from graph_memory.base.errors import StackFault
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call
from graph_memory.local.ports import free_ports
from graph_memory.local.rewriting import rewrite_store
from graph_memory.memory import reading
from graph_memory.memory.addition import Outcome, add
from graph_memory.memory.erasure import forget
from graph_memory.model.memory import Fact, Source, SourceKind
from graph_memory.settings import PREFIX, Settings, load
from graph_memory.store.protocols import Embedder
from graph_memory.store.service import Service, open_driver
from graph_memory.transfer.export import export_lines
from graph_memory.upkeep.migrations import migrate
from graph_memory.verify import verify
from tests.conftest import Clock
from tests.found import search

SECRET = "The safe behind the ninth bookshelf opens by quixotarnish, told to nobody else but the one who reads this."
WORDS = ("quixotarnish", "ann.canary@example.org")
ANN = Scope("rewriting", "ann")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """A stack of this test alone, stopped at its end."""
    for name in ("NEO4J_URI", "NEO4J_PASSWORD", "NEO4J_USER", "BROKER_URL"):
        monkeypatch.delenv(f"{PREFIX}{name}", raising=False)
    bolt, http, broker, api = free_ports(4)
    ports = {"bolt_port": bolt, "http_port": http, "broker_port": broker, "api_port": api}
    settings = load(
        stack={"data": tmp_path / "stack", "heap_mb": 512, "pagecache_mb": 64, **ports},
        # A server's first statements are slow, on a busy machine very.
        neo4j={"read_timeout": 600.0, "write_timeout": 600.0},
    )
    yield settings
    local.stop(settings)


def holding(folder: Path) -> list[str]:
    """The files that hold one of the words, upper or lower case."""
    return sorted(
        each.relative_to(folder).as_posix()
        for each in folder.rglob("*")
        if each.is_file()
        if any(word.encode() in each.read_bytes().lower() for word in WORDS)
    )


def spelled(driver: neo4j.Driver) -> list[list[str]]:
    """Every value of the store as the server spells it: two spellings of one time are two values there."""
    with driver.session() as session:
        nodes = session.run(
            "MATCH (n) UNWIND keys(n) AS key WITH n, key, toStringOrNull(n[key]) AS told, valueType(n[key]) AS type "
            "WHERE NOT n:Migration RETURN labels(n)[0] AS of, key, coalesce(told, type) AS told"
        ).values()
        links = session.run(
            "MATCH ()-[r]->() UNWIND keys(r) AS key RETURN type(r) AS of, key, toStringOrNull(r[key]) AS told"
        ).values()
    return sorted([str(part) for part in row] for row in nodes + links)


@pytest.mark.stack
@pytest.mark.long_form
@pytest.mark.timeout(1800)
def test_what_was_erased_is_in_no_file_and_all_else_is_as_it_was(own: Settings, embedder: Embedder) -> None:
    data, call = own.stack.data, Call(ANN, "test")
    local.start(own, ["neo4j"])
    with open_driver(own) as driver:
        migrate(driver, own)
        service = Service(own, driver, embedder, Clock())
        [kept, gone], _ = add(
            service,
            call,
            [Fact("Ann sails."), Fact(SECRET, source=Source(SourceKind.USER, WORDS[1], WORDS[1]))],
        )
        assert gone.id is not None
        forget(service, call, [gone.id])
        before = list(export_lines(service, ANN, False))
        values = spelled(driver)
    local.stop(own)
    assert any("transactions" in each for each in holding(data))

    done = rewrite_store(own)
    assert holding(data) == []
    local.start(own, ["neo4j"])
    assert done.nodes > 0
    with open_driver(own) as driver:
        service = Service(own, driver, embedder, Clock())
        assert [hit.memory.id for hit in search(service, ANN, "who sails?").hits] == [kept.id]
        assert spelled(driver) == values
        assert list(export_lines(service, ANN, False)) == before
        assert verify(service, [ANN.tenant_name]).findings == ()
        [again], _ = add(service, call, [Fact(SECRET, source=Source(SourceKind.IMPORT))])
        assert again.outcome is Outcome.ERASED
        assert reading.browse(service, ANN).items[0].id == kept.id


def test_a_server_of_somebody_else_is_left_alone(own: Settings) -> None:
    named = own.neo4j.model_copy(update={"uri": "bolt://elsewhere:7687"})
    with pytest.raises(StackFault, match="only the local stack"):
        rewrite_store(own.model_copy(update={"neo4j": named}))


def test_without_a_store_there_is_nothing_to_write_anew(own: Settings) -> None:
    with pytest.raises(StackFault, match="no store"):
        rewrite_store(own)

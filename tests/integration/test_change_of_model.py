"""The model of a store is changed while it is in use, is killed on the way, and never mixes two models."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from threading import Event, Thread
from typing import Any

import pytest

from graph_memory.base.errors import Conflict, MixedModels
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import compose, open_service
from graph_memory.ledger.changes import Call
from graph_memory.memory import addition, life
from graph_memory.memory.life import Revision
from graph_memory.model.memory import Fact
from graph_memory.models import spaces
from graph_memory.models.embedders import open_embedder
from graph_memory.models.settings import EmbedderSettings
from graph_memory.models.spaces import Following, Model, Stage
from graph_memory.recall.hits import Arms
from graph_memory.settings import Settings
from graph_memory.store import vector_indexes
from graph_memory.store.service import Service
from graph_memory.upkeep import embedding_fill
from graph_memory.verify.check import verify
from tests.found import search
from tests.wires import Behaviour, Received, Wires

pytestmark = [
    pytest.mark.stack,
    pytest.mark.long,
    pytest.mark.skipif(os.environ.get("TEST_STACK") == "named", reason="changes the model of a whole store"),
]

DIMENSION = 64
# Constants of the embedder that are smaller here, in this process and in those it starts.
WATCH, BATCH = 0.3, 8
SOON = {"neo4j": {"read_timeout": 12.0, "write_timeout": 12.0}, "embedder": {"watch": WATCH, "batch": BATCH}}
COMMAND = f"""
from graph_memory.cli import main
from graph_memory.models.settings import EmbedderSettings
EmbedderSettings.watch, EmbedderSettings.batch = {WATCH}, {BATCH}
main()
"""
ANIMALS = "bee goat hen owl fox elk eel ant yak ram cow pig dog cat bat cod emu gnu hog kid"


def bag(text: str) -> list[float]:
    """A vector of the words of a text: another space than MiniLM's, in which a search still finds."""
    vector = [0.01] * DIMENSION
    for word in re.findall(r"\w+", text.lower()):
        vector[sha256(word.encode()).digest()[0] % DIMENSION] += 1.0
    return vector


def bags(pause: float = 0.0) -> Behaviour:
    def raw(asked: Received) -> bytes:
        time.sleep(pause)
        rows = [{"index": i, "embedding": bag(text)} for i, text in enumerate(asked.body["input"])]
        return json.dumps({"data": rows}).encode()

    return Behaviour(raw)


@pytest.fixture(scope="module")
def wires() -> Iterator[Wires]:
    with Wires() as opened:
        opened.script(bags())
        yield opened


@pytest.fixture(scope="module")
def soon(own_stack: Settings) -> Settings:
    """The stack's settings with short waits."""
    return own_stack.model_copy(
        update={name: getattr(own_stack, name).model_copy(update=values) for name, values in SOON.items()}
    )


def with_bags(given: Settings, wires: Wires) -> Settings:
    values = {"provider": "openai", "model": "bags", "dimension": DIMENSION, "url": f"{wires.url}/v1"}
    return given.model_copy(update={"embedder": given.embedder.model_copy(update=values)})


@contextmanager
def changing(given: Settings) -> Iterator[subprocess.Popen[bytes]]:
    """`graph-memory embedder change` as a process of its own."""
    values = {
        **os.environ,
        **{
            f"GRAPH_MEMORY_EMBEDDER_{name.upper()}": str(value)
            for name, value in given.embedder.model_dump(
                exclude_none=True, include=EmbedderSettings.model_fields.keys() - {"send_dimension"}
            ).items()
        },
        "GRAPH_MEMORY_NEO4J_READ_TIMEOUT": "12",
        "GRAPH_MEMORY_NEO4J_WRITE_TIMEOUT": "12",
    }
    command = [sys.executable, "-c", COMMAND, "embedder", "change"]
    with subprocess.Popen(command, env=values, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def space(service: Service) -> spaces.Space:
    found = spaces.read(service.system)
    assert found is not None
    return found


INDEXED = ("memory_live", "memory_past", "passage")


def indexes(service: Service) -> dict[str, int]:
    return {row["name"]: row["dimension"] for row in service.system(vector_indexes.INDEXES)}


def states(service: Service) -> list[tuple[str, int | None, bool]]:
    records, _, _ = service.driver.execute_query(
        "MATCH (s:Memory|Revision) RETURN DISTINCT s.embedding_model AS model, size(s.embedding) AS size, "
        "s.embedding_next IS NOT NULL AS has_next",
        database_=service.settings.neo4j.database,
    )
    return sorted((row["model"], row["size"], row["has_next"]) for row in records)


class Searching:
    """A reader that searches all the time and keeps what it did not find at the top."""

    def __init__(self, service: Service, scope: Scope, facts: dict[str, str]) -> None:
        self.wrong: list[Any] = []
        self.models: list[str] = []
        self.count = 0
        self._ended = Event()
        self._thread = Thread(target=self._run, args=(service, scope, facts))

    def _run(self, service: Service, scope: Scope, facts: dict[str, str]) -> None:
        while not self._ended.is_set():
            for word, text in facts.items():
                try:
                    page = search(service, scope, text, arms=Arms.VECTOR, limit=1)
                    found = [hit.memory.text for hit in page.hits]
                    if found != [text]:
                        self.wrong.append((word, found, service.embedder.model))
                except Exception as error:  # noqa: BLE001 - the test shows it
                    self.wrong.append((word, repr(error), service.embedder.model))
                self.count += 1
                if service.embedder.model not in self.models:
                    self.models.append(service.embedder.model)

    def __enter__(self) -> Searching:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join(30)


def test_it_goes_on_after_a_kill_while_others_search_and_write(
    own_stack: Settings, soon: Settings, wires: Wires
) -> None:
    """Searches compare vectors of one model only, from the first second to the last, with no gap between."""
    scope = Scope(f"test-{uuid.uuid4().hex}", "ann")
    call = Call(scope, "test")
    facts = {
        animal: f"Ann's {animal} sleeps in shed {number}." for number, animal in enumerate(ANIMALS.split())
    }
    with open_service(own_stack) as service:
        added, _ = addition.add(service, call, [Fact(text) for text in facts.values()])
        life.revise(service, call, added[0].id or "", Revision(text="Ann's bee flies over hill 77."))
        facts["bee"] = "Ann's bee flies over hill 77."
    with open_service(soon) as service:
        assert space(service).model.model == "all-MiniLM-L6-v2-int8"

        with Searching(service, scope, facts) as searching:
            wires.script(bags(pause=0.3))
            with changing(with_bags(soon, wires)) as process:
                until(lambda: states_with_next(service) > 0)
                process.send_signal(signal.SIGKILL)
                process.wait(10)
            assert space(service).stage is Stage.EMBEDDING
            assert 0 < states_with_next(service) < len(facts) + 1
            assert service.embedder.model == "all-MiniLM-L6-v2-int8"
            before = searching.count

            wires.script(bags())
            with changing(with_bags(soon, wires)) as process:
                until(lambda: space(service).stage is Stage.MOVING)
                [late], _ = addition.add(service, call, [Fact("Ann's llama eats clover 99.")])
                out, err = process.communicate(timeout=200)
            assert process.returncode == 0, err.decode()
            assert b"bags (openai, 64 numbers)" in out
            until(lambda: service.embedder.model == "bags")
            until(lambda: searching.count > before + 3 * len(facts))

        assert searching.wrong == []
        assert searching.models == ["all-MiniLM-L6-v2-int8", "bags"]
        assert indexes(service) == dict.fromkeys(INDEXED, DIMENSION)
        assert states(service) == [("bags", DIMENSION, False)]
        assert embedding_fill.waiting(service, Scope(scope.tenant_name)) == 0
        [hit] = search(service, scope, "Ann's llama eats clover 99.", arms=Arms.VECTOR, limit=1).hits
        assert hit.memory.id == late.id
        assert verify(service, [scope.tenant_name]).violations["I13"] == 0


def test_a_store_of_another_model_is_refused_at_start(soon: Settings, wires: Wires) -> None:
    """F17, X27: the settings name MiniLM, the store was changed by the test before."""
    with (
        pytest.raises(MixedModels, match=r"bags \(openai, 64 numbers\).*PROVIDER=openai.*embedder change"),
        open_service(soon),
    ):
        pass
    with open_service(with_bags(soon, wires)) as service:
        assert service.embedder.dimension == DIMENSION


def test_a_vector_of_the_former_model_that_comes_late_is_not_indexed(soon: Settings, wires: Wires) -> None:
    """It waits for one of the present model instead."""
    scope = Scope(f"test-{uuid.uuid4().hex}", "ann")
    old = open_embedder(EmbedderSettings())
    with open_service(with_bags(soon, wires)) as service:
        late = compose(service.settings, service.driver, old, service.clock)
        addition.add(late, Call(scope, "test"), [Fact("Ann's llama eats clover 99.")])
        assert embedding_fill.waiting(service, Scope(scope.tenant_name)) == 1
        assert not search(service, scope, "llama", arms=Arms.VECTOR).hits
        assert verify(service, [scope.tenant_name]).violations["I13"] == 0


def test_a_second_change_waits_for_the_first(soon: Settings, wires: Wires) -> None:
    from graph_memory.upkeep.model_change import change

    with open_service(with_bags(soon, wires)) as service:
        here = space(service)
        other = Model("onnx", "all-MiniLM-L6-v2-int8", 384)
        spaces.save(service.system, spaces.Space(here.model, other, Stage.EMBEDDING, (other.model,)))
        assert isinstance(service.embedder, Following)
        third = Model("openai", "third", 3)
        with pytest.raises(Conflict, match=r"all-MiniLM-L6-v2-int8.*unfinished"):
            change(service, third, service.embedder)
        spaces.save(service.system, here)


def test_a_store_without_vectors_takes_any_size(soon: Settings, wires: Wires) -> None:
    """An empty store needs no change of model: its indexes are made for the first embedder that comes."""
    with open_service(with_bags(soon, wires)) as service:
        service.driver.execute_query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n")
    with open_service(soon) as service:
        assert indexes(service) == dict.fromkeys(INDEXED, 384)
        scope = Scope(f"test-{uuid.uuid4().hex}", "ann")
        addition.add(service, Call(scope, "test"), [Fact("Ann likes tea.")])
        assert len(search(service, scope, "tea", arms=Arms.VECTOR).hits) == 1


def states_with_next(service: Service) -> int:
    records, _, _ = service.driver.execute_query(
        "MATCH (s:Memory|Revision) WHERE s.embedding_next IS NOT NULL RETURN count(s) AS n",
        database_=service.settings.neo4j.database,
    )
    return int(records[0]["n"])


def until(check: Any, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.05)

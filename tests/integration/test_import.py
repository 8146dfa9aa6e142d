"""Bringing in conversations: stored first, extracted by a run, nothing twice, nothing half."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph_memory import samples
from graph_memory.base.errors import InvalidFile
from graph_memory.ingest import extraction, receipt
from graph_memory.ingest.conversation_file import Conversation
from graph_memory.ingest.conversation_file import read as read_file
from graph_memory.ingest.receipt import receive
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import reading
from graph_memory.model.run import Status
from tasks import execute

pytestmark = pytest.mark.stack


@pytest.fixture
def part() -> Conversation:
    """The first two sittings of the sample."""
    sample = samples.conversation()
    return replace(sample, messages=sample.messages[:24])


@pytest.fixture(autouse=True)
def later(clock):
    clock.set(2026, 7, 1)


def test_a_conversation_becomes_memories_with_their_sources(service, scope, part):
    received = receive(service, Call(scope, "test"), part)
    run = execute(service, scope, received.run_id)
    assert run.status is Status.DONE, run.error
    assert run.result["messages"] == received.messages == 24
    memories = reading.browse(service, scope, first=100).items
    assert len(memories) == run.result["added"] > 10
    assert {memory.source.author for memory in memories} == {"Mara", "Theo"}
    assert all(memory.valid_from < service.clock() for memory in memories)
    said = {message.ref: message for message in part.messages}
    assert all(memory.valid_from <= said[memory.source.ref].at for memory in memories)
    begun = {memory.source.ref: memory.valid_from for memory in memories}
    assert begun["s02-05"] == datetime(2026, 1, 23, tzinfo=UTC), "cooked yesterday"
    assert begun["s01-06"] == datetime(2025, 12, 29, tzinfo=UTC), "made tech lead last week"
    assert reading.entities_of(service, scope, [memory.id for memory in memories])


def test_the_same_conversation_again_changes_nothing(service, scope, part):
    first = receive(service, Call(scope, "test"), part)
    execute(service, scope, first.run_id)
    before = changes(service, scope, first=1000)
    again = receive(service, Call(scope, "test"), part)
    assert (again.run_id, again.replayed) == (first.run_id, True)
    assert execute(service, scope, again.run_id).status is Status.DONE
    assert changes(service, scope, first=1000) == before


def test_a_longer_version_adds_only_what_is_new(service, scope, part):
    execute(service, scope, receive(service, Call(scope, "test"), part).run_id)
    longer = replace(part, messages=samples.conversation().messages[:30])
    run = execute(service, scope, receive(service, Call(scope, "test"), longer).run_id)
    assert run.result["messages"] == 6


def test_an_interrupted_extraction_goes_on_where_it_stopped(service, scope, part, monkeypatch):
    monkeypatch.setattr(receipt, "AT_ONCE", 5)
    monkeypatch.setattr(extraction, "AT_ONCE", 5)
    received = receive(service, Call(scope, "test"), part)
    real, calls = extraction._batch, []

    def failing(*given):
        calls.append(1)
        if len(calls) == 3:
            raise OSError("cut off")
        return real(*given)

    monkeypatch.setattr(extraction, "_batch", failing)
    assert execute(service, scope, received.run_id).status is Status.PENDING
    half = len(reading.browse(service, scope, first=100).items)
    assert half > 0
    run = execute(service, scope, received.run_id)
    assert run.status is Status.DONE
    memories = reading.browse(service, scope, first=100).items
    assert len(memories) == half + run.result["added"]
    assert len({memory.id for memory in memories}) == len(memories)


def test_a_file_with_broken_lines_stores_nothing_and_names_them(tmp_path):
    lines = [
        json.dumps(
            {"speaker": "Ann", "at": "2026-01-01T10:00:00Z", "text": "Hello there, I moved to Ghent."}
        ),
        "{ not json",
        json.dumps({"speaker": "Ann", "at": "2026-01-01T10:00:00", "text": "naive"}),
        json.dumps({"speaker": "Ann", "at": "2026-01-01T10:00:00Z"}),
    ]
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(InvalidFile) as caught:
        read_file(path)
    assert [line for line, _ in caught.value.faults] == [2, 3, 4]

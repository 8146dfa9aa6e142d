from __future__ import annotations

import os
from pathlib import Path

import pytest

from graph_memory.base.errors import Invalid, Unavailable
from graph_memory.local.database import configuration
from graph_memory.local.parts import api_address, chosen, reached_by
from graph_memory.settings import PREFIX, load
from graph_memory.store.addresses import addresses, neo4j_uri
from graph_memory.store.stack_folder import LISTENING, claim, forget_listening, write_listening


def test_without_a_stack_there_is_nothing_to_find(tmp_path: Path):
    with pytest.raises(Unavailable, match="run `graph-memory up`"):
        addresses(load(stack={"data": tmp_path}))


def test_a_stack_is_found_by_its_folder(tmp_path: Path):
    secrets = claim(tmp_path)
    found = addresses(load(stack={"data": tmp_path, "bolt_port": 1234, "broker_port": 1235}))
    assert found.neo4j_uri == "bolt://127.0.0.1:1234"
    assert found.neo4j_password == secrets.neo4j_password
    assert found.broker_url == f"redis://:{secrets.broker_password}@127.0.0.1:1235/0"
    assert secrets.neo4j_password not in repr(found)
    assert secrets.broker_password not in repr(found)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell that sets nothing; other tests' servers are named in the environment."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)


@pytest.mark.usefixtures("bare")
def test_a_running_stack_is_found_where_it_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    claim(tmp_path)
    moved = load(stack={"data": tmp_path, "bolt_port": 1234, "api_port": 1236}, api={"host": "127.0.0.2"})
    write_listening(tmp_path, reached_by(moved))
    monkeypatch.setenv("GRAPH_MEMORY_STACK_DATA", str(tmp_path))
    assert (neo4j_uri(load()), api_address(load())) == ("bolt://127.0.0.1:1234", "http://127.0.0.2:1236")
    monkeypatch.setenv("GRAPH_MEMORY_STACK_BOLT_PORT", "4321")
    assert (neo4j_uri(load()), load().stack.api_port) == ("bolt://127.0.0.1:4321", 1236)
    assert load(stack={"data": tmp_path / "other"}).stack.api_port == 8420
    forget_listening(tmp_path)
    assert load().stack.api_port == 8420


@pytest.mark.usefixtures("bare")
def test_where_a_stack_listened_and_cannot_be_read_is_left_out(tmp_path: Path):
    claim(tmp_path)
    (tmp_path / "run" / LISTENING).write_text("[1")
    assert load(stack={"data": tmp_path}).stack.bolt_port == 7687


def test_named_servers_come_first_and_need_no_folder(tmp_path: Path):
    found = addresses(
        load(
            stack={"data": tmp_path},
            neo4j={"uri": "neo4j://db:7687", "user": "ann", "password": "secret"},
            broker={"url": "amqp://mq"},
        )
    )
    assert (found.neo4j_uri, found.neo4j_user, found.neo4j_password) == ("neo4j://db:7687", "ann", "secret")
    assert found.broker_url == "amqp://mq"


def test_parts_that_are_elsewhere_are_not_started():
    there = load(neo4j={"uri": "neo4j://db"}, broker={"url": "redis://mq"})
    assert [part.name for part in chosen(there)] == ["worker", "beat", "api"]
    assert [part.name for part in chosen(load(), ["broker", "neo4j"])] == ["neo4j", "broker"]


def test_an_unknown_part_is_named_with_those_that_exist():
    with pytest.raises(Invalid, match="no part called flower; the parts are neo4j, broker"):
        chosen(load(), ["flower"])


def test_a_copy_to_look_at_is_neo4j_alone_and_refuses_writes(tmp_path: Path):
    settings = load(stack={"read_only": True})
    assert [part.name for part in chosen(settings)] == ["neo4j"]
    told = configuration(settings.stack, tmp_path).splitlines()
    assert "server.databases.default_to_read_only=true" in told

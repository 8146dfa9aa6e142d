from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import neo4j
import pytest

from graph_memory import local
from graph_memory.local import check_machine, check_store
from graph_memory.local.doctor import examine
from graph_memory.local.findings import Finding
from graph_memory.local.folder import SECRETS, claim
from graph_memory.local.ports import free_ports
from graph_memory.settings import Settings, load

pytestmark = pytest.mark.stack

OTHER = """
CREATE VECTOR INDEX other FOR (n:Other) ON n.embedding OPTIONS {indexConfig: {`vector.dimensions`: 3}}
"""
NEWER = "CREATE (:Migration {version: 9999, name: 'from_the_future', checksum: 'x'})"


@pytest.fixture
def store(stack: Settings) -> Iterator[neo4j.Driver]:
    """The suite's store with its schema, and leave to spoil it: what is spoilt here is mended here."""
    if os.environ.get("TEST_STACK") == "named":
        pytest.skip("it would spoil the store that the environment names")
    subprocess.run([sys.executable, "-m", "graph_memory", "migrate"], check=True, capture_output=True)
    at = local.addresses(stack)
    with neo4j.GraphDatabase.driver(at.neo4j_uri, auth=(at.neo4j_user, at.neo4j_password)) as driver:
        yield driver


@pytest.fixture
def alone(tmp_path: Path) -> Settings:
    """A claimed folder whose servers do not run."""
    bolt, http, broker, api = free_ports(4)
    settings = load(
        stack={"data": tmp_path, "bolt_port": bolt, "http_port": http, "broker_port": broker, "api_port": api}
    )
    claim(tmp_path)
    return settings


def fault(settings: Settings, check: str) -> Finding:
    found = {each.check: each for each in examine(settings)}[check]
    assert found.state == "fault"
    assert found.fix
    return found


def test_a_folder_without_a_stack(tmp_path: Path):
    found = {each.check: each for each in examine(load(stack={"data": tmp_path / "none"}))}
    assert found["data folder"].state == "fault"
    assert "graph-memory up" in found["data folder"].fix
    assert found["passwords"].state == "skipped"


def test_servers_that_do_not_run(alone: Settings):
    assert "cannot be reached" in fault(alone, "neo4j").told
    assert "does not serve us" in fault(alone, "broker").told


def test_passwords_that_others_may_read(alone: Settings):
    (alone.stack.data / SECRETS).chmod(0o644)
    assert fault(alone, "passwords").fix == f"chmod 600 {alone.stack.data / SECRETS}"


def test_a_folder_that_others_may_write_in(alone: Settings):
    alone.stack.data.chmod(0o777)
    assert "chmod 700" in fault(alone, "data folder").fix


def test_a_port_that_a_stranger_holds(alone: Settings):
    with socket.create_server(("127.0.0.1", alone.stack.bolt_port)):
        assert f"port {alone.stack.bolt_port} is taken" in fault(alone, "ports").told


def test_a_full_disk(alone: Settings, monkeypatch: pytest.MonkeyPatch):
    usage = shutil.disk_usage("/")._replace(free=5_000_000)
    monkeypatch.setattr(check_machine.shutil, "disk_usage", lambda _: usage)
    assert "only 5 MB are free" in fault(alone, "disk").told


def test_server_parts_that_are_missing(alone: Settings, tmp_path: Path):
    empty = alone.model_copy(update={"stack": alone.stack.model_copy(update={"cache": tmp_path / "cache"})})
    assert "missing or damaged" in fault(empty, "server parts").told


def test_a_model_that_is_another_one(alone: Settings, tmp_path: Path):
    (tmp_path / "model.onnx").write_bytes(b"not it")
    other = alone.embedder.model_copy(update={"model_path": tmp_path / "model.onnx"})
    assert fault(alone.model_copy(update={"embedder": other}), "model")


def test_a_wrong_password(stack: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GRAPH_MEMORY_NEO4J_PASSWORD", "another-password")
    assert "GRAPH_MEMORY_NEO4J_PASSWORD" in fault(load(), "neo4j").fix


def test_a_wrong_broker_password(stack: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GRAPH_MEMORY_BROKER_URL", f"redis://:no@127.0.0.1:{stack.stack.broker_port}/0")
    assert "password" in fault(load(), "broker").told


def test_no_worker_at_the_broker(stack: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GRAPH_MEMORY_BROKER_URL", local.addresses(stack).broker_url)
    assert fault(load(), "worker").told == "no worker answers"


def test_a_store_without_a_key(stack: Settings, store: neo4j.Driver):
    store.execute_query("MATCH (k:ApiKey) DETACH DELETE k")
    assert fault(stack, "api key").fix.startswith("run `graph-memory keys create`")


def test_a_store_of_a_newer_version(stack: Settings, store: neo4j.Driver):
    store.execute_query(NEWER)
    try:
        assert "newer version" in fault(stack, "schema").told
    finally:
        store.execute_query("MATCH (m:Migration {version: 9999}) DELETE m")


def test_an_index_that_is_missing(stack: Settings, store: neo4j.Driver):
    [made] = store.execute_query(
        "SHOW INDEXES YIELD name, createStatement WHERE name = 'memory_past_text'"
    ).records
    store.execute_query("DROP INDEX memory_past_text")
    try:
        assert fault(stack, "indexes").told == "missing: memory_past_text"
    finally:
        store.execute_query(made["createStatement"])
        store.execute_query("CALL db.awaitIndexes(60)")


def test_an_index_for_other_vectors(stack: Settings, store: neo4j.Driver):
    store.execute_query(OTHER)
    try:
        assert "other has 3" in fault(stack, "dimension").told
    finally:
        store.execute_query("DROP INDEX other")


def test_clocks_that_differ(stack: Settings, monkeypatch: pytest.MonkeyPatch):
    class Late(check_store.datetime):  # type: ignore[name-defined,misc]
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return super().now(tz) + timedelta(minutes=5)

    monkeypatch.setattr(check_store, "datetime", Late)
    assert "s apart" in fault(stack, "clock").told

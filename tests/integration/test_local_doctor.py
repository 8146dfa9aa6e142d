"""The doctor finds each fault of the list, made for real, and says how to mend it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import neo4j
import psutil
import pytest
import redis
from pydantic import SecretStr

from graph_memory import local
from graph_memory.base.errors import Unavailable
from graph_memory.jobs import heartbeat, runs
from graph_memory.jobs import schedule as names
from graph_memory.local import check_machine, check_services, check_store, database
from graph_memory.local.assemble import server_home
from graph_memory.local.doctor import CHECKS, examine
from graph_memory.local.findings import Check, Finding
from graph_memory.local.ports import free_ports
from graph_memory.settings import Settings, load
from graph_memory.store.addresses import addresses
from graph_memory.store.service import open_driver
from graph_memory.store.stack_folder import SECRETS, claim
from tests.apart import driver, stack

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import (
    Processes,
    a_service,
    a_tenant,
    cypher,
    own_broker,
    processes,
    signal_all,
    until,
    with_own_broker,
)

__all__ = ["driver", "stack"]

pytestmark = pytest.mark.stack

FAULTS = {
    "Neo4j down": "test_servers_that_do_not_run",
    "wrong password": "test_a_wrong_password",
    "GDS missing": "test_a_server_without_the_graph_algorithms",
    "index missing": "test_an_index_that_is_missing",
    "index failed": "test_an_index_that_has_failed",
    "wrong dimension": "test_an_index_for_other_vectors",
    "broker down": "test_servers_that_do_not_run",
    "broker that throws jobs away": "test_a_broker_that_throws_jobs_away",
    "beat dead": "test_a_beat_that_hangs_is_doubled_or_was_killed",
    "beat hanging": "test_a_beat_that_hangs_is_doubled_or_was_killed",
    "two beats": "test_a_beat_that_hangs_is_doubled_or_was_killed",
    "worker without queue": "test_a_worker_that_leaves_queues_alone",
    "clock off by 5 min": "test_clocks_that_differ",
    "disk < 1 GB": "test_a_full_disk",
    "key missing": "test_a_store_without_a_key",
    "old schema": "test_a_store_of_an_older_version",
    "projections left": "test_a_projection_that_a_killed_job_left",
    "CORS missing": "test_an_origin_that_the_running_api_does_not_let_in",
    "port taken": "test_a_port_that_a_stranger_holds",
}

OTHER = """
CREATE VECTOR INDEX other FOR (n:Other) ON n.embedding OPTIONS {indexConfig: {`vector.dimensions`: 3}}
"""
NEWER = "CREATE (:Migration {version: 9999, name: 'from_the_future', checksum: 'x'})"


@pytest.fixture
def ours(stack: Settings) -> Settings:
    """The suite's servers, and leave to spoil them: what is spoilt here is mended here."""
    if os.environ.get("TEST_STACK") == "named":
        pytest.skip("it would spoil the servers that the environment names")
    return stack


@pytest.fixture
def store(ours: Settings) -> Iterator[neo4j.Driver]:
    """The suite's store with its schema."""
    at = addresses(ours)
    with neo4j.GraphDatabase.driver(at.neo4j_uri, auth=(at.neo4j_user, at.neo4j_password)) as driver:
        yield driver


@pytest.fixture
def started(ours: Settings, tmp_path: Path) -> Iterator[Processes]:
    """Real workers and beats at a broker database of their own."""
    broker = redis.Redis.from_url(own_broker(ours))
    broker.flushdb()
    with processes(ours, tmp_path / "celery.log") as started:
        yield started
    broker.flushdb()


@pytest.fixture
def alone(tmp_path: Path) -> Settings:
    """A claimed folder whose servers do not run."""
    bolt, http, broker, api = free_ports(4)
    settings = load(
        stack={"data": tmp_path, "bolt_port": bolt, "http_port": http, "broker_port": broker, "api_port": api}
    )
    claim(tmp_path)
    return settings


def finding(settings: Settings, check: str) -> Finding:
    """What one check finds, after those that it needs."""
    wanted, names = [], {check}
    for row in reversed(CHECKS):
        if row.name in names:
            names.update(row.after)
            wanted.insert(0, row)
    return {each.check: each for each in examine(settings, tuple(wanted))}[check]


def fault(settings: Settings, check: str) -> Finding:
    found = finding(settings, check)
    assert found.state == "fault", found
    assert "\n" not in found.told + found.fix
    assert found.fix
    return found


def test_every_fault_of_the_list_is_made_by_a_test():
    assert [test for test in FAULTS.values() if not callable(globals().get(test))] == []
    assert len(FAULTS) >= 15


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
    found = fault(load(), "neo4j")
    assert "GRAPH_MEMORY_NEO4J_PASSWORD" in found.fix
    assert f"bolt://127.0.0.1:{stack.stack.bolt_port}" in found.told
    assert "another server may listen there" in found.told


def test_a_password_that_was_wrong_too_often(ours: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GRAPH_MEMORY_NEO4J_PASSWORD", "another-password")
    told = [fault(load(), "neo4j") for _ in range(5)][-1]
    assert "Wait a few seconds" in told.told
    assert "check GRAPH_MEMORY_STACK_BOLT_PORT" in told.told
    with pytest.raises(Unavailable, match="too many passwords"), open_driver(load()):
        pass
    # The server counts them for five seconds; other tests' passwords are right.
    time.sleep(6)


def test_a_check_that_breaks_hides_no_other(tmp_path: Path):
    def breaks(_: object) -> str:
        raise LookupError("no such thing")

    settings = load(stack={"data": tmp_path})
    found = list(examine(settings, (Check("broken", breaks), Check("names", check_services.aliases))))
    assert [each.state for each in found] == ["fault", "ok"]
    assert found[0].told == "LookupError: no such thing"


def test_a_wrong_broker_password(stack: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GRAPH_MEMORY_BROKER_URL", f"redis://:no@127.0.0.1:{stack.stack.broker_port}/0")
    assert "password" in fault(load(), "broker").told


def test_no_worker_at_the_broker(stack: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GRAPH_MEMORY_BROKER_URL", addresses(stack).broker_url)
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


def test_a_store_of_an_older_version(stack: Settings, store: neo4j.Driver):
    store.execute_query("MATCH (m:Migration {version: 2}) SET m.version = -2")
    try:
        assert fault(stack, "schema").fix == "run `graph-memory migrate`"
    finally:
        store.execute_query("MATCH (m:Migration {version: -2}) SET m.version = 2")
    assert finding(stack, "schema").state == "ok"


def test_an_index_that_is_missing(stack: Settings, store: neo4j.Driver):
    store.execute_query("DROP INDEX memory_past_text")
    store.execute_query("DROP CONSTRAINT lease_name")
    told = fault(stack, "indexes")
    assert told.told == "missing: lease_name, memory_past_text"
    assert "graph-memory migrate --again" in told.fix
    done = [sys.executable, "-m", "graph_memory", "migrate", "--again"]
    subprocess.run(done, check=True, capture_output=True)
    assert finding(stack, "indexes").state == "ok"


def test_an_index_that_has_failed(stack: Settings, store: neo4j.Driver):
    store.execute_query("CREATE (:Huge {text: $text})", text=os.urandom(20_000).hex())
    store.execute_query("CREATE INDEX huge FOR (n:Huge) ON (n.text)")
    try:
        until(lambda: "huge is failed" in finding(stack, "indexes").told)
        assert "drop one that has failed" in fault(stack, "indexes").fix
    finally:
        store.execute_query("DROP INDEX huge")
        store.execute_query("MATCH (n:Huge) DELETE n")


def test_a_projection_that_a_killed_job_left(stack: Settings, store: neo4j.Driver):
    store.execute_query("MATCH (n:Migration) WITH gds.graph.project('left', n, null) AS g RETURN g.nodeCount")
    try:
        assert finding(stack, "projections").state == "ok"
        at_once = stack.broker.model_copy(update={"task_time_limit": 0})
        told = fault(stack.model_copy(update={"broker": at_once}), "projections")
        assert told.told.endswith("left")
        store.execute_query(told.fix.removeprefix("drop each: "))
        assert finding(stack.model_copy(update={"broker": at_once}), "projections").state == "ok"
    finally:
        store.execute_query("CALL gds.graph.drop('left', false) YIELD graphName")


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


def test_a_broker_that_throws_jobs_away(ours: Settings):
    broker = redis.Redis.from_url(addresses(ours).broker_url)
    broker.config_set("maxmemory-policy", "allkeys-lru")
    try:
        assert "maxmemory-policy allkeys-lru" in fault(ours, "broker").told
    finally:
        broker.config_set("maxmemory-policy", "noeviction")
    assert finding(ours, "broker").state == "ok"


@pytest.mark.long
def test_a_worker_that_leaves_queues_alone(ours: Settings, started: Processes):
    settings = with_own_broker(ours)
    assert fault(settings, "worker").told == "no worker answers"
    started.worker("ingest")
    told = until(lambda: serving(finding(settings, "worker")))
    assert told.told == "no worker serves graph, judge, maintenance"
    assert "-Q ingest,judge,graph,maintenance" in told.fix


def serving(found: Finding) -> Finding | None:
    return None if found.told == "no worker answers" else found


@pytest.mark.long
def test_a_beat_that_hangs_is_doubled_or_was_killed(ours: Settings, started: Processes):
    settings = with_own_broker(ours)
    beat = started.beat()
    until(lambda: finding(settings, "beat").state == "ok")

    signal_all(beat, signal.SIGSTOP)
    broker = redis.Redis.from_url(own_broker(ours))
    [(name, at)] = broker.zrange(heartbeat.KEY, 0, -1, withscores=True)
    broker.zadd(heartbeat.KEY, {name: at - heartbeat.SILENT - 60})
    assert f"the beat (pid {beat.pid}) has sent nothing" in fault(settings, "beat").told
    signal_all(beat, signal.SIGCONT)
    until(lambda: finding(settings, "beat").state == "ok")

    second = started.beat()
    until(lambda: "2 beats are at work" in finding(settings, "beat").told)
    assert f"{second.pid}@" in fault(settings, "beat").told
    second.terminate()
    second.wait(20)
    assert finding(settings, "beat").state == "ok"

    signal_all(beat, signal.SIGKILL)
    beat.wait(20)
    assert fault(settings, "beat").told == "no beat is alive"


def test_an_origin_that_no_browser_sends(alone: Settings):
    api = alone.api.model_copy(update={"origins": ("https://app.example.org/", "app.example.org")})
    told = fault(alone.model_copy(update={"api": api}), "origins").told
    assert "https://app.example.org/, app.example.org" in told


@pytest.mark.long
def test_an_origin_that_the_running_api_does_not_let_in(
    stack: Settings, alone: Settings, monkeypatch: pytest.MonkeyPatch
):
    at = addresses(stack)
    values = {
        "NEO4J_URI": at.neo4j_uri,
        "NEO4J_PASSWORD": at.neo4j_password,
        "BROKER_URL": at.broker_url,
        "STACK_DATA": str(alone.stack.data),
        "STACK_API_PORT": str(alone.stack.api_port),
        "API_ORIGINS": '["https://first.example"]',
    }
    for name, value in values.items():
        monkeypatch.setenv(f"GRAPH_MEMORY_{name}", value)
    settings = load()
    try:
        local.start(settings, ["api"])
        assert finding(settings, "api").state == "ok"
        assert finding(settings, "origins").state == "ok"
        changed = settings.api.model_copy(
            update={"origins": ("https://first.example", "https://second.example")}
        )
        told = fault(settings.model_copy(update={"api": changed}), "origins").told
        assert "https://second.example" in told
        assert "https://first.example" not in told
    finally:
        local.stop(settings)


@pytest.mark.long
def test_a_server_without_the_graph_algorithms(alone: Settings, tmp_path: Path):
    stack = alone.stack
    password = addresses(alone).neo4j_password
    database.prepare(stack, server_home(stack.cache), password)
    conf = stack.data / "neo4j" / "conf" / "neo4j.conf"
    conf.write_text(conf.read_text().replace("allowlist=gds.*", "allowlist=none.*"))
    with (
        (tmp_path / "neo4j.log").open("wb") as log,
        subprocess.Popen(database.command(stack), stdout=log, stderr=log) as server,
    ):
        try:
            until(lambda: database.answers(stack, password) is None, 90)
            assert fault(alone, "gds").told == "the server has no GDS"
            assert finding(alone, "projections").state == "skipped"
        finally:
            psutil.Process(server.pid).kill()


def test_a_password_that_ends_the_brokers_address(alone: Settings):
    for password in ("p@ss", "a/b", "a#b", "a?b@c"):
        url = SecretStr(f"redis://:{password}@broker:6379/0")
        broker = alone.broker.model_copy(update={"url": url})
        found = fault(alone.model_copy(update={"broker": broker}), "broker")
        assert "cannot be read" in found.told
        assert password not in found.told + found.fix


def test_servers_of_a_container_are_mended_where_they_run(alone: Settings):
    """The doctor asked for `graph-memory up` inside a container, and never asked the API."""
    [port] = free_ports(1)
    settings = alone.model_copy(
        update={
            "neo4j": alone.neo4j.model_copy(update={"uri": f"bolt://127.0.0.1:{port}"}),
            "broker": alone.broker.model_copy(update={"url": SecretStr(f"redis://127.0.0.1:{port}/0")}),
            "api": alone.api.model_copy(update={"url": f"http://127.0.0.1:{port}"}),
        }
    )
    for check in ("neo4j", "broker", "api"):
        found = fault(settings, check)
        assert f"docker compose up --wait {check}" in found.fix
        assert "graph-memory up" not in found.fix
    assert f"http://127.0.0.1:{port}/readyz does not answer" in fault(settings, "api").told


def test_a_job_that_has_failed(stack: Settings):
    with a_service(stack) as service, a_tenant(service) as scope:
        run = runs.open_run(service, scope, names.job("tidy"))
        cypher(service, "MATCH (r:Run {id: $id}) SET r.status = 'FAILED'", id=run.id)
        found = fault(stack, "jobs")
        assert "jobs.tidy failed in " in found.told
        assert "graph-memory jobs --state failed" in found.fix


def test_a_rescoring_as_of_a_time_ahead(stack: Settings, store: neo4j.Driver):
    tenant = f"test-{uuid.uuid4().hex}"
    store.execute_query(
        "CREATE (:Tenant {id: $t, name: $t, rescored_at: datetime() + duration({days: 40})})"
        "CREATE (:Subject {tenant: $t, id: $t, name: 'ann', last_active_on: toString(date() + duration({days: 40}))})",
        t=tenant,
    )
    try:
        found = fault(stack, "dates")
        assert "a clock was wrong" in found.told
        assert "day of activity" in found.told
        assert "jobs run rescore --again" in found.fix
        # Tests with clocks of their own have left others behind.
        store.execute_query(
            "MATCH (t:Tenant) WHERE t.rescored_at > datetime() SET t.rescored_at = datetime()"
        )
        assert finding(stack, "dates").state == "ok"
        assert "counts for nothing" in finding(stack, "dates").told
    finally:
        store.execute_query(
            "MATCH (n) WHERE n.tenant = $t OR (n:Tenant AND n.id = $t) DETACH DELETE n", t=tenant
        )

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import neo4j
import psutil
import pytest
import redis
from neo4j.exceptions import AuthError

from graph_memory import local
from graph_memory.base.errors import StackFault
from graph_memory.local import state
from graph_memory.local.doctor import examine
from graph_memory.local.parts import reached_by
from graph_memory.local.ports import free_ports
from graph_memory.local.report import report
from graph_memory.settings import PREFIX, Settings, load
from graph_memory.store.addresses import addresses
from graph_memory.store.stack_folder import SECRETS
from tests.apart import driver, stack
from tests.commands import run

__all__ = ["driver", "stack"]

pytestmark = pytest.mark.stack


@pytest.fixture
def broker_only(tmp_path: Path) -> Iterator[Callable[[str], Settings]]:
    """Makes settings of small stacks, whose broker alone is started; all are stopped."""
    made: list[Settings] = []

    def make(name: str) -> Settings:
        bolt, http, broker, api = free_ports(4)
        values = {"bolt_port": bolt, "http_port": http, "broker_port": broker, "api_port": api}
        made.append(load(stack={"data": tmp_path / name, **values}))
        return made[-1]

    yield make
    for each in made:
        local.stop(each)


def until(holds: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


def pid_of(settings: Settings, part: str) -> int | None:
    return next(each.pid for each in report(settings).parts if each.name == part)


def environment_of(settings: Settings) -> dict[str, str]:
    return {
        f"{PREFIX}STACK_{name.upper()}": str(value) for name, value in settings.stack.model_dump().items()
    }


def supervisor(settings: Settings) -> psutil.Process:
    told = state.read(settings.stack.data)
    assert told
    return psutil.Process(told.supervisor.pid)


def test_neo4j_answers_with_cypher_25_and_gds(stack: Settings):
    at = addresses(stack)
    with neo4j.GraphDatabase.driver(at.neo4j_uri, auth=(at.neo4j_user, at.neo4j_password)) as driver:
        rows = driver.execute_query("WHEN true THEN RETURN gds.version() AS gds").records
        assert rows[0]["gds"].startswith("2.")


def test_neo4j_refuses_whoever_has_no_password(stack: Settings):
    with (
        neo4j.GraphDatabase.driver(addresses(stack).neo4j_uri, auth=("neo4j", "neo4j")) as driver,
        pytest.raises(AuthError),
    ):
        driver.verify_connectivity()


def test_the_broker_refuses_whoever_has_no_password(stack: Settings):
    with pytest.raises(redis.AuthenticationError):
        redis.Redis(port=stack.stack.broker_port).ping()
    redis.Redis.from_url(addresses(stack).broker_url).ping()


def test_neo4j_browser_is_served(stack: Settings):
    address = f"http://127.0.0.1:{stack.stack.http_port}/browser/"
    with urllib.request.urlopen(address, timeout=10) as answer:
        assert b"Neo4j Browser" in answer.read()


def test_nothing_listens_beyond_loopback(stack: Settings):
    pids = {each.pid for each in report(stack).parts}
    listening = [
        row for row in psutil.net_connections("tcp") if row.status == psutil.CONN_LISTEN and row.pid in pids
    ]
    assert len(listening) >= 3
    assert {row.laddr.ip.removeprefix("::ffff:") for row in listening} == {"127.0.0.1"}


def test_no_password_is_in_the_process_list_or_in_an_open_file(stack: Settings):
    data = stack.stack.data
    secrets = json.loads((data / SECRETS).read_text()).values()
    words = [" ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])]
    assert not [secret for secret in secrets if any(secret in each for each in words)]
    for path in data.rglob("*"):
        if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077 and path.stat().st_size < 10_000_000:
            assert not [secret for secret in secrets if secret.encode() in path.read_bytes()], path


def test_a_second_up_finds_it_running(stack: Settings):
    assert local.start(stack, ["neo4j", "broker"]) is False


def test_the_doctor_finds_a_fresh_stack_well_but_for_its_schema(stack: Settings):
    found = {each.check: each for each in examine(stack)}
    # Other tests' tenants, whose clocks stand elsewhere, may have late jobs.
    apart = ("schema", "api key", "jobs")
    assert found["gds"].state == found["broker"].state == found["server parts"].state == "ok"
    assert [name for name, each in found.items() if each.state == "fault" and name not in apart] == []
    assert all(each.fix for each in found.values() if each.state == "fault")


def test_status_tells_what_the_command_line_tells(stack: Settings):
    done = subprocess.run(
        [sys.executable, "-m", "graph_memory", "status", "--json"], capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout)
    assert told["ready"]
    assert {part["name"]: part["state"] for part in told["parts"]} == {
        "neo4j": "healthy",
        "broker": "healthy",
    }
    assert all(part["memory_mb"] > 1 for part in told["parts"])


def test_two_stacks_run_side_by_side(broker_only: Callable[[str], Settings]):
    first, second = broker_only("first"), broker_only("second")
    assert local.start(first, ["broker"])
    assert local.start(second, ["broker"])
    assert local.stop(first)
    assert report(second).running
    assert local.stop(second)
    assert not local.stop(second)


def test_a_taken_port_is_named_before_anything_starts(
    broker_only: Callable[[str], Settings], stack: Settings
):
    settings = broker_only("taken")
    clash = settings.model_copy(
        update={"stack": settings.stack.model_copy(update={"broker_port": stack.stack.broker_port})}
    )
    with pytest.raises(StackFault, match=f"{PREFIX}STACK_BROKER_PORT"):
        local.start(clash, ["broker"])
    assert report(clash).parts == ()


def test_a_running_stack_tells_every_shell_where_it_listens(
    broker_only: Callable[[str], Settings], monkeypatch: pytest.MonkeyPatch
):
    settings = broker_only("moved")
    local.start(settings, ["broker"])
    port, other = settings.stack.broker_port, free_ports(1)[0]
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv(f"{PREFIX}STACK_DATA", str(settings.stack.data))
    assert reached_by(load()) == reached_by(settings)
    assert run("up", "--only", "broker").stdout.startswith("It runs already.\n")

    # What this shell would start it with is not what runs.
    moved = {f"{PREFIX}STACK_BROKER_PORT": str(other), f"{PREFIX}API_ORIGINS": '["https://app.example.org"]'}
    told = run("up", "--only", "broker", **moved).stdout
    assert f"{PREFIX}STACK_BROKER_PORT={port}" in told
    assert f"another {PREFIX}API_ORIGINS" in told
    assert "`graph-memory down`" in told
    assert json.loads(run("status", "--json", **moved).stdout)["parts"][0]["port"] == port
    with socket.create_server(("127.0.0.1", other)):
        found = json.loads(run("doctor", "--json", **moved).stdout)["findings"]
    ports = next(each for each in found if each["check"] == "ports")
    assert f"listens on {port}; {other} is held by" in ports["told"]
    assert f"(pid {os.getpid()})" in ports["told"]

    local.stop(settings)
    assert load().stack.broker_port != port


def test_a_killed_part_is_started_again_and_keeps_its_data(broker_only: Callable[[str], Settings]):
    settings = broker_only("killed")
    local.start(settings, ["broker"])
    client = redis.Redis.from_url(addresses(settings).broker_url)
    client.set("kept", "yes")
    time.sleep(1.2)
    before = pid_of(settings, "broker")
    assert before
    psutil.Process(before).kill()
    until(
        lambda: (
            pid_of(settings, "broker") not in (before, None) and report(settings).parts[0].state == "healthy"
        )
    )
    assert report(settings).parts[0].restarts == 1
    assert client.get("kept") == b"yes"


@pytest.mark.parametrize("then", ["up", "down"])
def test_what_outlived_a_killed_supervisor_is_found(broker_only: Callable[[str], Settings], then: str):
    settings = broker_only("orphans")
    local.start(settings, ["broker"])
    orphan = pid_of(settings, "broker")
    assert orphan
    supervisor(settings).kill()
    until(lambda: not report(settings).running)
    assert report(settings).parts[0].state == "orphaned"
    if then == "up":
        assert local.start(settings, ["broker"])
        assert pid_of(settings, "broker") != orphan
    else:
        assert local.stop(settings)
    assert not psutil.pid_exists(orphan)


def test_a_stack_with_an_owner_ends_with_it_and_leaves_no_folder(broker_only: Callable[[str], Settings]):
    settings = broker_only("owned")
    code = "import os; from graph_memory import local; from graph_memory.settings import load; "
    code += "local.start(load(), ['broker'], owner=os.getpid()); print('up', flush=True); input()"
    environment = {**os.environ, **environment_of(settings)}
    words = [sys.executable, "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, env=environment, stdin=pipe, stdout=pipe, text=True) as owner:
        assert owner.stdout
        assert owner.stdout.readline() == "up\n"
        broker = pid_of(settings, "broker")
        owner.kill()
    assert broker
    until(lambda: not settings.stack.data.exists())
    assert not psutil.pid_exists(broker)


def test_a_part_that_cannot_start_is_told_with_the_end_of_its_log(broker_only: Callable[[str], Settings]):
    settings = broker_only("broken")
    (settings.stack.data / "broker" / "appendonlydir").mkdir(parents=True)
    (settings.stack.data / "broker" / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(StackFault, match=r"Broker ended with code 1 while it was starting"):
        local.start(settings, ["broker"])
    assert not report(settings).running


def test_up_in_the_foreground_stops_everything_on_a_signal(broker_only: Callable[[str], Settings]):
    settings = broker_only("foreground")
    environment = {**os.environ, **environment_of(settings)}
    words = [sys.executable, "-m", "graph_memory", "up", "--foreground", "--only", "broker"]
    with subprocess.Popen(words, env=environment) as process:
        until(lambda: report(settings).ready)
        process.terminate()
        assert process.wait(20) == 0
    assert report(settings).parts[0].pid is None

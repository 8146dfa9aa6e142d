"""API processes of a bench's own, each on a port of its own, and the CPU time that they and the database take."""

from __future__ import annotations

import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from urllib.error import URLError

import psutil

from graph_memory.base.errors import Unavailable
from graph_memory.bench.conversations_worker import ATTACHED
from graph_memory.local import state
from graph_memory.local.parts import environment
from graph_memory.local.ports import free_ports
from graph_memory.settings import PREFIX, Settings
from graph_memory.store.addresses import addresses
from graph_memory.store.settings import Neo4jSettings, StackSettings

_START_SECONDS = 60.0
_END_SECONDS = 30.0
_HOST = "127.0.0.1"


@dataclass(frozen=True)
class Processes:
    """Where they answer, and which they are."""

    urls: list[str]
    pids: list[int]


@contextmanager
def api_processes(settings: Settings, number: int) -> Iterator[Processes]:
    """So many processes of the API over one store; they end with the block. Unavailable when one does not start."""
    found = addresses(settings)
    values = {
        "NEO4J_URI": found.neo4j_uri,
        "NEO4J_USER": found.neo4j_user,
        "NEO4J_PASSWORD": found.neo4j_password,
        "BROKER_URL": found.broker_url,
        "PROVIDERS_ORDER": '["embedded"]',
    }
    given = {**environment(settings), **{f"{PREFIX}{key}": value for key, value in values.items()}}
    ports = free_ports(number)
    with ExitStack() as ending:
        started = [ending.enter_context(_process(port, given)) for port in ports]
        urls = [f"http://{_HOST}:{port}" for port in ports]
        for process, url in zip(started, urls, strict=True):
            _wait(process, url)
        yield Processes(urls, [process.pid for process in started])


def cpu_seconds(pids: Sequence[int]) -> float:
    """CPU time that these processes have taken so far, all their threads together."""
    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return float(sum(each.user + each.system for each in times))


def database_pids(settings: Settings) -> list[int]:
    """The process of the store that was started for the measurement; none for a server elsewhere."""
    told = None if settings[Neo4jSettings].uri else state.read(settings[StackSettings].data)
    return [
        each.process.pid for each in (told.parts if told else ()) if each.name == "neo4j" and each.process
    ]


@contextmanager
def _process(port: int, given: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    command = [*ATTACHED, "graph_memory.api", "--host", _HOST, "--port", str(port)]
    # The process's pipe is closed at the end, too.
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=given) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait(process: subprocess.Popen[bytes], url: str) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/livez", timeout=1):  # noqa: S310 - ours
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise Unavailable("The API of this measurement did not start.")

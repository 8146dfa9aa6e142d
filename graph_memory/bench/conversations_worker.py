"""A worker of the bench's own: a real Celery process on the queue of conversations, in a database of the broker of its own.

So neither what others have queued nor another worker stands between a message and its memory. Nobody is asked but the
rules, also where a language model is configured.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from kombu.exceptions import OperationalError
from pydantic import SecretStr

from graph_memory.base.errors import Unavailable
from graph_memory.jobs.broker import celery, publisher
from graph_memory.jobs.schedule import Queue
from graph_memory.jobs.ticks import Publish
from graph_memory.local.parts import control, environment
from graph_memory.settings import PREFIX, Settings
from graph_memory.store.addresses import addresses
from graph_memory.store.settings import BrokerSettings

_START_SECONDS = 60.0
_END_SECONDS = 20.0
# Runs a module as a process that ends with this one, however this one ends.
ATTACHED = (sys.executable, "-m", "graph_memory.bench.attached")
# The last of the sixteen databases that Redis and Valkey have unless told otherwise.
_OWN = 15


@contextmanager
def own_worker(settings: Settings, processes: int = 1) -> Iterator[Publish]:
    """What sends runs to a worker that ends with the block. Raises Unavailable when it does not start."""
    found = addresses(settings)
    url = re.sub(r"^((?:redis|rediss|valkey|valkeys)://[^/]*)(?:/\d*)?$", rf"\g<1>/{_OWN}", found.broker_url)
    values = {
        "NEO4J_URI": found.neo4j_uri,
        "NEO4J_USER": found.neo4j_user,
        "NEO4J_PASSWORD": found.neo4j_password,
        "BROKER_URL": url,
        "PROVIDERS_ORDER": '["embedded"]',
    }
    own = settings.model_copy(
        update={"broker": settings[BrokerSettings].model_copy(update={"url": SecretStr(url)})}
    )
    name = f"bench-{uuid.uuid4().hex[:8]}@bench"
    command = [
        *ATTACHED, "celery", "-A", "tasks", "worker", "-Q", Queue.INGEST.value, "-c", str(processes), "-n", name,
        "--without-mingle", "--without-gossip",
    ]  # fmt: skip
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            env={**environment(settings), **{f"{PREFIX}{key}": value for key, value in values.items()}},
            start_new_session=True,
        )
        try:
            _wait(process, url, name)
            yield publisher(celery(lambda: own), own)
        finally:
            _end(process)


def _wait(process: subprocess.Popen[bytes], url: str, name: str) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            if control(url).ping(destination=[name], timeout=0.5):
                return
        except (OSError, OperationalError) as error:
            raise Unavailable(
                f"The broker does not answer ({type(error).__name__}); start it with `graph-memory up`."
            ) from error
    raise Unavailable("The worker of this measurement did not start.")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the worker and its children."""
    process.terminate()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    finally:
        assert process.stdin is not None
        process.stdin.close()

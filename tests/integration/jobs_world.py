"""What the tests of jobs build on: a tenant of their own, memories in the store, a clock that obeys."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from graph_memory.base.clock import FOREVER, system_clock
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import compose
from graph_memory.settings import Settings, load
from graph_memory.store.addresses import addresses
from graph_memory.store.queries import Query
from graph_memory.store.service import Service, open_driver
from graph_memory.upkeep.migrations import migrate

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime | None = None) -> None:
        self.at = at or system_clock()

    def __call__(self) -> datetime:
        return self.at

    def forward(self, **length: float) -> None:
        self.at += timedelta(**length)


@contextmanager
def a_service(
    stack: Settings, clock: Callable[[], datetime] | None = None, **sections: Mapping[str, Any]
) -> Iterator[Service]:
    """A service without an embedder; `jobs={"lease": 1}` changes settings."""
    merged = {
        name: type(section := getattr(stack, name)).model_validate({**dict(section), **values})
        for name, values in sections.items()
    }
    settings = stack.model_copy(update=merged)
    with open_driver(stack) as driver:
        migrate(driver, stack)
        yield compose(settings, driver, None, clock or system_clock)  # type: ignore[arg-type]


@contextmanager
def a_tenant(service: Service, subjects: tuple[str, ...] = ("default",)) -> Iterator[Scope]:
    """An account that is gone afterwards, with all it held."""
    scope = Scope(f"jobs-{uuid.uuid4().hex[:12]}")
    cypher(service, "CREATE (:Tenant {id: $t, name: $name})", t=scope.tenant, name=scope.tenant_name)
    for name in subjects:
        cypher(
            service,
            "CREATE (:Subject {tenant: $t, id: $s, name: $n})",
            t=scope.tenant,
            s=scope.of(name).subject,
            n=name,
        )
    try:
        yield scope
    finally:
        cypher(
            service,
            "MATCH (n) WHERE n.tenant = $t OR (n:Tenant AND n.id = $t) DETACH DELETE n",
            t=scope.tenant,
        )


def cypher(service: Service, text: str, **values: Any) -> list[Any]:
    """Rows of a statement of a test."""
    records, _, _ = service.driver.execute_query(
        "CYPHER 25 " + text, values, database_=service.settings.neo4j.database
    )
    return [record.values()[0] if len(record) == 1 else record.data() for record in records]


def put_memories(
    service: Service, scope: Scope, rows: list[dict[str, Any]], subject: str = "default"
) -> None:
    """Live memories with these properties on top of plain ones."""
    now = service.clock()
    plain = {
        "subject_id": scope.of(subject).subject, "text": "a", "caption": "a",
        "valid_from": now, "valid_to": FOREVER, "holds_to": FOREVER, "recorded_from": now, "recorded_to": FOREVER,
        "created_at": now, "base_importance": 0.5, "importance": 0.5,
        "access_count": 0, "confidence": 1.0, "critical": False, "tier_rank": 0, "status": "ACTIVE",
    }  # fmt: skip
    full = [{**plain, "id": str(uuid.uuid4()), **row} for row in rows]
    cypher(
        service, "UNWIND $rows AS r CREATE (m:Memory:Live {tenant: $t}) SET m += r", rows=full, t=scope.tenant
    )


@dataclass
class Processes:
    """Real worker and beat processes; all of them end with the test."""

    environment: dict[str, str]
    log: Path
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def worker(self, queues: str = "maintenance", concurrency: int = 1) -> subprocess.Popen[bytes]:
        name = f"w{uuid.uuid4().hex[:6]}@%h"
        return self._start(
            "worker", "-Q", queues, "-c", str(concurrency), "-n", name, "--without-mingle", "--without-gossip"
        )

    def beat(self) -> subprocess.Popen[bytes]:
        return self._start("beat", "--pidfile=")

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "celery", "-A", "slow_job", *arguments]
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        self.running.append(process)
        return process

    def stop(self) -> None:
        for process in self.running:
            signal_all(process, signal.SIGCONT)
            signal_all(process, signal.SIGKILL)
            process.wait(10)


def signal_all(process: subprocess.Popen[bytes], number: int) -> None:
    """Sends a signal to a process and its children."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return


@contextmanager
def processes(stack: Settings, log: Path, **environment: str) -> Iterator[Processes]:
    """Starts workers and beats with the stack's servers, in a broker database that nobody else uses."""
    values = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(HERE), str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "GRAPH_MEMORY_BROKER_URL": own_broker(stack),
        **{f"GRAPH_MEMORY_{name}": value for name, value in environment.items()},
    }
    started = Processes(values, log)
    try:
        yield started
    finally:
        started.stop()


def own_broker(stack: Settings) -> str:
    """The broker's address with another database number."""
    url = addresses(stack).broker_url
    return re.sub(r"(/|virtual_host=)\d+$", r"\g<1>9", url)


def with_own_broker(stack: Settings) -> Settings:
    """The settings that the processes have."""
    return load(broker={"url": own_broker(stack)})


def until(check: Callable[[], Any], seconds: float = 45) -> Any:
    """The first answer that is not false, within a time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := check():
            return answer
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s")


def statement(text: str) -> Query:
    """A query that exists in a test only."""
    return Query("test", "a test's", "CYPHER 25 " + text, frozenset(re.findall(r"\$(\w+)", text)))

"""The parts of a stack, in the order they start: how each is prepared, started and asked how it is."""

from __future__ import annotations

import hashlib
import os
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from graph_memory.base.errors import Invalid, Unavailable
from graph_memory.base.settings import ApiSettings, LogSettings
from graph_memory.local import database, valkey
from graph_memory.local.assemble import server_home
from graph_memory.settings import PREFIX, Settings
from graph_memory.store.addresses import broker_url
from graph_memory.store.settings import BrokerSettings, Neo4jSettings, StackSettings
from graph_memory.store.stack_folder import read_secrets

QUEUES = "ingest,judge,graph,maintenance"


class Unasked(Exception):  # noqa: N818 - named like all errors of ours
    """Whether a part is well cannot be found out, because something between it and us is away."""


@dataclass(frozen=True)
class Part:
    """One process of the stack. `answers` gives the reason why the one with that pid is not well, or None.

    It may raise Unasked. It is not asked before it has lived for `settles` seconds; `patience` is for becoming well,
    and `grace` for ending.
    """

    name: str
    title: str
    ports: tuple[str, ...]
    command: Callable[[Settings], list[str]]
    answers: Callable[[Settings, int], str | None]
    prepare: Callable[[Settings], None] = lambda _: None
    serves: bool = False
    settles: float = 0
    patience: float = 60
    grace: float = 20

    def port(self, stack: StackSettings) -> int | None:
        """Its first port."""
        return int(getattr(stack, self.ports[0])) if self.ports else None


def chosen(settings: Settings, only: Sequence[str] | None = None) -> tuple[Part, ...]:
    """The parts to run, in order: those asked for, less those that the settings name elsewhere."""
    unknown = sorted(set(only or ()) - {part.name for part in PARTS})
    if unknown:
        names = ", ".join(part.name for part in PARTS)
        raise Invalid(f"There is no part called {', '.join(unknown)}; the parts are {names}.")
    left_out = _elsewhere(settings) | _writers(settings)
    return tuple(part for part in PARTS if part.name not in left_out and (not only or part.name in only))


def ports(settings: Settings, parts: Sequence[Part]) -> list[tuple[str, int, str]]:
    """Every host and port that the parts will listen on, with the setting that changes it."""
    stack = settings[StackSettings]
    return [
        (settings[ApiSettings].host if part.name == "api" else stack.host, int(getattr(stack, key)), key)
        for part in parts
        for key in part.ports
    ]


def reached_by(settings: Settings) -> dict[str, dict[str, Any]]:
    """The settings that tell where the parts listen and of what they are made, by their sections."""
    names = {"host", "cache", *(key for part in PARTS for key in part.ports)}
    return {
        "stack": settings[StackSettings].model_dump(mode="json", include=names),
        "api": {"host": settings[ApiSettings].host},
    }


def environment(settings: Settings) -> dict[str, str]:
    """The environment in which a child finds this same stack."""
    stack = {
        f"{PREFIX}STACK_{name.upper()}": str(getattr(settings[StackSettings], name))
        for name in StackSettings.model_fields
    }
    return {**os.environ, **stack}


def _elsewhere(settings: Settings) -> set[str]:
    named = {"neo4j": settings[Neo4jSettings].uri, "broker": settings[BrokerSettings].url}
    return {name for name, address in named.items() if address is not None}


def _writers(settings: Settings) -> set[str]:
    """What has nothing to do beside a store that refuses every write."""
    return (
        {part.name for part in PARTS if part.name != "neo4j"} if settings[StackSettings].read_only else set()
    )


def _prepare_neo4j(settings: Settings) -> None:
    stack = settings[StackSettings]
    database.prepare(stack, server_home(stack.cache), read_secrets(stack.data).neo4j_password)


def _neo4j_answers(settings: Settings, _: int) -> str | None:
    return database.answers(
        settings[StackSettings], read_secrets(settings[StackSettings].data).neo4j_password
    )


def _prepare_broker(settings: Settings) -> None:
    valkey.prepare(settings[StackSettings], read_secrets(settings[StackSettings].data).broker_password)


def _broker_answers(settings: Settings, _: int) -> str | None:
    return valkey.answers(settings[StackSettings], read_secrets(settings[StackSettings].data).broker_password)


def _celery(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "celery", "-A", "tasks", *arguments]


def _worker(settings: Settings) -> list[str]:
    return _celery(
        "worker", "--concurrency", str(settings[StackSettings].worker_processes), "-Q", QUEUES,
        "-n", worker_name(settings[StackSettings]), "--without-mingle", "--without-gossip",
        "--loglevel", settings[LogSettings].level,
    )  # fmt: skip


def worker_name(stack: StackSettings) -> str:
    """The worker's name at the broker: one for each data folder."""
    folder = hashlib.sha256(str(stack.data).encode()).hexdigest()[:8]
    return f"stack-{folder}@{socket.gethostname()}"


def _worker_answers(settings: Settings, _: int) -> str | None:
    """A ping goes by way of the broker, so a fault on that way tells nothing of the worker."""
    name = worker_name(settings[StackSettings])
    try:
        with _at(broker_url(settings)) as app:
            replies = app.control.ping(destination=[name], timeout=1.0)
    except Exception as error:
        raise Unasked(f"the broker does not answer ({type(error).__name__})") from error
    return None if replies else "it does not answer a ping"


@cache
def control(address: str):  # type: ignore[no-untyped-def]  # celery has no types
    """Asks the workers at a broker."""
    return _at(address).control


def _at(address: str):  # type: ignore[no-untyped-def]  # celery has no types
    from celery import Celery

    options = {"socket_connect_timeout": 2, "socket_timeout": 5}
    return Celery(broker=address, broker_transport_options=options, set_as_current=False)


def _beat(settings: Settings) -> list[str]:
    return _celery("beat", "--pidfile", "", "--loglevel", settings[LogSettings].level)


def _beat_answers(settings: Settings, pid: int) -> str | None:
    """Its sign of life stands in the broker; at one that keeps no signs it is believed."""
    from graph_memory.jobs.heartbeat import signs

    try:
        found = signs(broker_url(settings))
    except Unavailable as error:
        raise Unasked(str(error)) from error
    if found is None or any(sign.pid == pid and sign.host == socket.gethostname() for sign in found):
        return None
    return "it has given no sign of life lately"


def _api(settings: Settings) -> list[str]:
    return [
        sys.executable, "-m", "graph_memory.api",
        "--host", settings[ApiSettings].host, "--port", str(settings[StackSettings].api_port),
        "--local",
    ]  # fmt: skip


def api_address(settings: Settings) -> str:
    """Where the API answers, for someone on this machine."""
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings[ApiSettings].host, settings[ApiSettings].host)  # noqa: S104
    return f"http://{host}:{settings[StackSettings].api_port}"


def _api_answers(settings: Settings, _: int) -> str | None:
    try:
        with urllib.request.urlopen(f"{api_address(settings)}/livez", timeout=3):  # noqa: S310
            return None
    except urllib.error.HTTPError as error:
        return f"/livez answers {error.code}"
    except OSError as error:
        return f"it does not answer ({type(error).__name__})"


PARTS = (
    Part(
        "neo4j", "Neo4j", ("bolt_port", "http_port"), lambda s: database.command(s.stack),
        _neo4j_answers, _prepare_neo4j, patience=180, grace=60,
    ),
    Part(
        "broker", "Broker", ("broker_port",), lambda s: valkey.command(s.stack), _broker_answers,
        _prepare_broker, patience=60,
    ),
    Part("worker", "Worker", (), _worker, _worker_answers, serves=True, grace=45),
    Part("beat", "Beat", (), _beat, _beat_answers, serves=True, settles=3),
    Part("api", "API", ("api_port",), _api, _api_answers, serves=True, grace=30),
)  # fmt: skip

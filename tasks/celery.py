"""The Celery application of workers and beat: one task for each job, by its name, and three that look what is due.

Arguments are names and ids with a version; results stand in Neo4j. A task that fails is not tried again here:
the reconciler sends what is unfinished.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack
from functools import cache
from threading import Lock
from typing import Any

from celery.signals import setup_logging, worker_process_shutdown, worker_shutdown

from graph_memory.base import logs
from graph_memory.base.errors import GraphMemoryError, Invalid
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import open_service
from graph_memory.jobs import schedule, ticks
from graph_memory.jobs.broker import celery, publisher
from graph_memory.jobs.ticks import Publish
from graph_memory.jobs.turns import take_turn
from graph_memory.settings import Settings, load
from graph_memory.store.service import Service
from graph_memory.webhooks import delivery
from tasks import BODIES, TRIGGERS


@cache
def settings() -> Settings:
    """The settings of this process, read once."""
    return load()


app = celery(settings)
_open = ExitStack()
_opening = Lock()
_services: list[Service] = []


def service() -> Service:
    """Opened by the first task, so after the fork: processes cannot share a driver."""
    with _opening:
        if not _services:
            _services.append(_open.enter_context(open_service(settings())))
        return _services[0]


@cache
def publish() -> Publish:
    """What sends runs from this process."""
    return publisher(app, settings())


@app.task(name=schedule.TICK, throws=(GraphMemoryError,))
def tick(v: int, job: str) -> None:
    """Asks whether a job is due anywhere."""
    _check(v)
    ticks.tick(service(), schedule.job(job), publish(), TRIGGERS.get(schedule.job(job).name))


def run(v: int, tenant: str, run: str) -> None:
    """Carries out one run, this one or that of a tenant whose turn it is; each job is such a task under its own name."""
    _check(v)
    take_turn(service(), Scope(tenant), run, BODIES)


for each in schedule.JOBS:
    app.task(name=each.name, throws=(GraphMemoryError,))(run)


@app.task(name=schedule.RECONCILE, throws=(GraphMemoryError,))
def reconcile(v: int) -> None:
    """Takes up what was left unfinished."""
    _check(v)
    ticks.reconcile(service(), publish())


@app.task(name=schedule.LOOK, throws=(GraphMemoryError,))
def look(v: int) -> None:
    """Looks for changes that webhooks wait for."""
    _check(v)
    delivery.look(service(), publish())


@setup_logging.connect
def configure_logs(**_: Any) -> None:
    """Celery's own lines go where ours go; the two for each task would drown ours, and name tenants."""
    logs.configure(settings())
    for chatty in ("celery.worker.strategy", "celery.app.trace", "celery.beat"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


@worker_process_shutdown.connect
@worker_shutdown.connect
def close(**_: Any) -> None:
    """Closes what the tasks of this process opened."""
    with _opening:
        _services.clear()
        _open.close()


def _check(version: int) -> None:
    if version != schedule.PAYLOAD:
        raise Invalid(
            f"A message of version {version} came to a worker that knows {schedule.PAYLOAD}; update the workers."
        )

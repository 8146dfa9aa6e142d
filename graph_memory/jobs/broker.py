"""The broker's side of jobs: Celery with the settings that were measured, and sending a run to a queue.

The broker carries names and ids and may lose them all: Neo4j knows what was asked for, and `reconcile` sends
it again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celery import Celery
from kombu.entity import Queue as BrokerQueue
from kombu.exceptions import OperationalError

from graph_memory.base.errors import Unavailable
from graph_memory.base.scope import Scope
from graph_memory.base.sections import Sections
from graph_memory.jobs import schedule as names
from graph_memory.jobs.schedule import Job, Queue
from graph_memory.jobs.settings import JobsSettings
from graph_memory.jobs.ticks import Publish
from graph_memory.store.addresses import addresses
from graph_memory.store.settings import BrokerSettings

_REDIS = ("redis", "rediss", "valkey", "valkeys", "sentinel")
_CONNECT_SECONDS = 5
# The beat asks at least this often whether a job is due.
_LONGEST_TICK = 300
_CHILD_KILOBYTES = 1_000_000


def celery(settings: Callable[[], Sections]) -> Celery:
    """A Celery app whose settings are read at their first use, not when this is called."""
    app = Celery("graph_memory", set_as_current=False)
    app.add_defaults(lambda: configuration(settings()))
    return app


def publisher(app: Celery, settings: Sections) -> Publish:
    """What sends a run to its queue. It raises Unavailable soon when the broker cannot be reached."""

    def publish(job: Job, scope: Scope, run_id: str) -> None:
        try:
            app.send_task(
                job.name,
                kwargs={"v": names.PAYLOAD, "tenant": scope.tenant_name, "run": run_id},
                queue=job.queue.value,
                soft_time_limit=soft_limit(job, settings),
                time_limit=settings[BrokerSettings].task_time_limit,
                retry=False,
            )
        except (OperationalError, OSError) as error:
            raise Unavailable(
                "The broker cannot be reached; the run waits in Neo4j and is sent later."
            ) from error

    return publish


def soft_limit(job: Job, settings: Sections) -> float:
    """Seconds after which a job is asked to end, early enough before its process is ended."""
    ceiling = settings[BrokerSettings].task_time_limit * 0.9
    return min(job.soft_limit or ceiling, ceiling)


def configuration(settings: Sections) -> dict[str, Any]:
    """Every setting of Celery that differs from its default."""
    url = addresses(settings).broker_url
    limit = settings[BrokerSettings].task_time_limit
    return {
        "broker_url": url,
        "broker_transport_options": _transport_options(url, settings),
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_connection_timeout": _CONNECT_SECONDS,
        "task_serializer": "json",
        "result_serializer": "json",
        "accept_content": ["json"],
        "enable_utc": True,
        "timezone": "UTC",
        # At least once: a task is taken from the queue when it has ended, also when its process died.
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "task_time_limit": limit,
        "task_soft_time_limit": limit * 0.9,
        # What came of a task stands in its Run.
        "task_ignore_result": True,
        "task_track_started": True,
        "worker_send_task_events": True,
        "worker_soft_shutdown_timeout": 30.0,
        "worker_enable_soft_shutdown_on_idle": True,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "worker_max_tasks_per_child": 500,
        "worker_max_memory_per_child": _CHILD_KILOBYTES,
        "worker_hijack_root_logger": False,
        "task_queues": [BrokerQueue(queue.value) for queue in Queue],  # type: ignore[no-untyped-call]
        "task_default_queue": Queue.MAINTENANCE.value,
        "task_create_missing_queues": False,
        "beat_schedule": schedule(settings),
        "beat_scheduler": "tasks.beat:SteadyScheduler",
        "beat_max_loop_interval": 5,
    }


def schedule(settings: Sections) -> dict[str, dict[str, Any]]:
    """An entry for each planned job, which asks every `_LONGEST_TICK` seconds or sooner, and for each task beside them."""
    ticks = {
        job.name: _entry(names.TICK, min(seconds, _LONGEST_TICK), job=job.name)
        for job in names.planned()
        if (seconds := job.seconds(settings)) is not None
    }
    periods = settings[JobsSettings].periods
    others = {names.RECONCILE: periods["reconcile"], names.LOOK: periods["webhooks"]}
    return {**ticks, **{name: _entry(name, seconds) for name, seconds in others.items() if seconds}}


def _entry(task: str, seconds: int, **arguments: str) -> dict[str, Any]:
    return {
        "task": task,
        "schedule": float(seconds),
        "kwargs": {"v": names.PAYLOAD, **arguments},
        "options": {"queue": Queue.MAINTENANCE.value},
    }


def _transport_options(url: str, settings: Sections) -> dict[str, Any]:
    """Only the Redis family takes these.

    The `unacked` ones bring a lost task back 5 and not 100 seconds late.
    """
    if url.partition(":")[0].partition("+")[0] not in _REDIS:
        return {}
    return {
        "visibility_timeout": 2 * settings[BrokerSettings].task_time_limit,
        "socket_connect_timeout": _CONNECT_SECONDS,
        "socket_keepalive": True,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        # Sending to a broker that is away fails at once; the default would try for several seconds.
        "max_retries": 1,
        "interval_start": 0.1,
        "interval_max": 0.1,
    }

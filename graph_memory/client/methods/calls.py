"""What methods have in common: an operation is sent, and its answer comes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, TypeVar
from uuid import uuid4

from graph_memory.base.errors import NotFound
from graph_memory.client.answers.decoding import read
from graph_memory.client.answers.of_jobs import Job
from graph_memory.client.exchange import Asker, Pause, Steps
from graph_memory.client.exchange import ask as send
from graph_memory.client.sending import variables

T = TypeVar("T")

FIRST_LOOK, LONGEST_LOOK = 0.2, 2.0


def reads(asker: Asker, operation: str, given: Mapping[str, Any], subject: str | None = None) -> Steps[Any]:
    """The answer of an operation that reads."""
    return (yield from send(asker, operation, variables(given, subject)))


def writes(
    asker: Asker, operation: str, given: Mapping[str, Any], key: str | None, subject: str | None = None
) -> Steps[Any]:
    """The answer of one that writes: it always has an idempotency key, so that it may be sent again."""
    values = {**variables(given, subject), "idempotencyKey": key or str(uuid4())}
    return (yield from send(asker, operation, {"input": values}))


def there(id: str, value: T | None) -> T:
    """What was answered; NotFound where it is nothing."""
    if value is None:
        raise NotFound(f"There is nothing with the id {id[:60]!r}, or it belongs to someone else.", path="id")
    return value


def awaited(asker: Asker, run: Job, seconds: float) -> Steps[Job]:
    """The job when it is over, or as it stands after so many seconds."""
    until, pause = time.monotonic() + seconds, FIRST_LOOK
    while not run.is_over and time.monotonic() < until:
        yield Pause(pause)
        answer = there(run.id, (yield from reads(asker, "job", {"id": run.id})))
        run, pause = read(Job, answer), min(pause * 1.5, LONGEST_LOOK)
    return run

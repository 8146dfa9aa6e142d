"""Carries out one run in a process that ends at a named point, as if it was killed; see `forks`.

The points are put in from outside; what runs in production knows nothing of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.bootstrap import open_service
from graph_memory.jobs import leases
from graph_memory.jobs.context import Context
from graph_memory.settings import load
from graph_memory.store.service import Service, Transaction
from tasks import execute

POINTS = ("before_claim", "after_read", "before_commit", "after_commit", "between_batches", "before_ack")
KILLED = 137


class Fault:
    """Ends the process when a point has been reached so many times."""

    def __init__(self, point: str, nth: int) -> None:
        self._point, self._left = point, nth

    def reached(self, point: str) -> None:
        if point != self._point:
            return
        self._left -= 1
        if self._left == 0:
            os._exit(KILLED)


def put_in(fault: Fault) -> None:
    """Makes the kernel of jobs tell the fault of each point that it passes."""
    take, read, write, progress = leases.take, Service.read, Service.write, Context.progress

    def taking(*arguments: Any, **named: Any) -> Any:
        fault.reached("before_claim")
        return take(*arguments, **named)

    def reading(self: Service, *arguments: Any, **named: Any) -> Any:
        rows = read(self, *arguments, **named)
        fault.reached("after_read")
        return rows

    def writing(self: Service, scope: Scope, work: Callable[[Transaction], Any], *more: Any) -> Any:
        def worked(tx: Transaction) -> Any:
            answer = work(tx)
            fault.reached("before_commit")
            return answer

        answer = write(self, scope, worked, *more)
        fault.reached("after_commit")
        return answer

    def progressing(self: Context, done: int, total: int, phase: str) -> None:
        progress(self, done, total, phase)
        fault.reached("between_batches")

    leases.take = taking  # type: ignore[assignment]
    Service.read, Service.write = reading, writing  # type: ignore[method-assign, assignment]
    Context.progress = progressing  # type: ignore[method-assign]


def main(tenant: str, run: str, point: str, nth: str) -> None:
    """Carries the run out, up to the fault."""
    fault = Fault(point, int(nth))
    put_in(fault)
    with open_service(load()) as service:
        execute(service, Scope(tenant), run)
        fault.reached("before_ack")

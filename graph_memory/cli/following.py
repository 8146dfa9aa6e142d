"""Following a run on the command line: a bar on standard error while it is carried out, lines where that is no terminal."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from graph_memory.base.errors import Unavailable
from graph_memory.base.scope import Scope
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.broker import celery, publisher
from graph_memory.jobs.runs import Run
from graph_memory.local.parts import control
from graph_memory.model.run import Status
from graph_memory.store.addresses import broker_url
from graph_memory.store.service import Service
from tasks import execute

_POLL_SECONDS = 0.2
_LINE_EVERY_SECONDS = 10.0
# So long nobody takes up a run before it is asked whether there is anybody who could.
_SILENT_SECONDS = 5.0
_WORKERS_ANSWER_WITHIN = 1.5


def carry_out(service: Service, scope: Scope, run_id: str, here: bool = False) -> Run:
    """The run when it has ended: carried out by a worker, or in this process when asked or when no broker answers."""
    found = runs.get(service, scope, run_id)
    if found.is_finished:
        return found
    if here or not sent(service, scope, found):
        return follow(service, scope, found, in_this_process(service, scope, found))
    return follow(service, scope, found)


def sent(service: Service, scope: Scope, found: Run) -> bool:
    """Whether the run could be sent to a worker; if not it says so."""
    try:
        publisher(celery(lambda: service.settings), service.settings)(
            schedule.job(found.job), scope, found.id
        )
    except Unavailable as error:
        Console(stderr=True).print(error.message, style="yellow")
        return False
    return True


def in_this_process(service: Service, scope: Scope, found: Run) -> Future[Run]:
    """Carries out a run in a thread of this process."""
    pool = ThreadPoolExecutor(1)
    future = pool.submit(execute, service, scope, found.id)
    pool.shutdown(wait=False)
    return future


def follow(service: Service, scope: Scope, found: Run, working: Future[Run] | None = None) -> Run:
    """Shows a run's progress until it has ended, or until the try made here has.

    Raises Unavailable when it waits for a worker and there is none for its queue.
    """
    console = Console(stderr=True)
    show = _bar if console.is_terminal else _lines
    show(console, found, _states(service, scope, found, working))
    return runs.get(service, scope, found.id)


def _bar(console: Console, found: Run, states: Iterable[Run]) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(_doing(found), total=None)
        for state in states:
            bar.update(task, description=_doing(state), completed=state.done, total=state.total or None)


def _lines(console: Console, _: Run, states: Iterable[Run]) -> None:
    """One line now and then, for what keeps no screen."""
    begun = told = time.monotonic()
    for state in states:
        now = time.monotonic()
        if now - told >= _LINE_EVERY_SECONDS:
            told = now
            of = f" {state.done} of {state.total}" if state.total else ""
            console.print(f"  {now - begun:.0f} s  {_doing(state)}{of}", highlight=False, markup=False)


def _doing(state: Run) -> str:
    return state.phase or state.status.lower()


def _states(service: Service, scope: Scope, found: Run, working: Future[Run] | None) -> Iterator[Run]:
    asked_at = time.monotonic()
    while not found.is_finished:
        waits = working is None and found.status is Status.PENDING
        if waits and time.monotonic() - asked_at > _SILENT_SECONDS:
            _require_worker(service, found)
            asked_at = time.monotonic()
        if working is not None and working.done():
            working.result()
            yield runs.get(service, scope, found.id)
            return
        time.sleep(_POLL_SECONDS)
        found = runs.get(service, scope, found.id)
        yield found


def _require_worker(service: Service, found: Run) -> None:
    queue = schedule.job(found.job).queue.value
    workers = control(broker_url(service.settings)).inspect(timeout=_WORKERS_ANSWER_WITHIN).active_queues()
    if any(each["name"] == queue for served in (workers or {}).values() for each in served):
        return
    raise Unavailable(
        f"No worker takes jobs of the queue {queue}; run {found.id} waits in Neo4j until one does. Start one "
        f"(`graph-memory up`, or `celery -A tasks worker -Q {queue}`), or do it in this process with --here."
    )

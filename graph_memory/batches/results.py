"""Doing what the answers of a batch say, each once, and asking for them here where no provider takes batches."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from functools import partial
from typing import Any

from graph_memory.base.errors import Erased, IdempotencyMismatch, LeaseLost, NoAnswer, UserError
from graph_memory.batches.collection import UNREADABLE
from graph_memory.batches.handlers import Handler, Item
from graph_memory.batches.settings import BatchesSettings
from graph_memory.batches.worker import Desk, items_of
from graph_memory.model.batch import Batch
from graph_memory.models.chat import ask, use_of, why_unread
from graph_memory.models.json_answer import Unreadable
from graph_memory.models.prompt import Prompt
from graph_memory.store.queries import query

log = logging.getLogger(__name__)

NEXT = query("batches/next")
APPLIED = query("batches/applied")

# Times one call's time-out that a question may take with all its providers and pauses.
_PATIENCE = 2


def apply_kept(desk: Desk, batch: Batch) -> None:
    """Applies every answer that is kept. A fault of one stops no other; the first is raised when all had their turn."""
    chosen, position = desk.handler(), -1
    first: Exception | None = None
    while rows := desk.service.read(desk.scope, NEXT, id=desk.id, position=position):
        [item], position, text = items_of(rows), rows[0]["position"], rows[0]["answer"]
        first = _try(desk, item, partial(_read_and_apply, desk, batch, chosen, item, text)) or first
    if first is not None:
        raise first


def ask_now(desk: Desk, batch: Batch) -> None:
    """Asks every question that has no answer, a few side by side, and applies each answer as it comes.

    Raises NoAnswer when some questions got none, after all had their turn.
    """
    chosen = desk.handler()
    first: Exception | None = None
    with ThreadPoolExecutor(desk.service.settings[BatchesSettings].concurrency) as pool:
        for item, future in _asked(desk, pool, chosen, desk.unanswered()):
            first = _try(desk, item, partial(_take, desk, batch, chosen, item, future)) or first
    if first is not None:
        raise first


def _asked(
    desk: Desk, pool: ThreadPoolExecutor, chosen: Handler, items: Sequence[Item]
) -> Iterator[tuple[Item, Future[Any]]]:
    """Each question with its answer, in the order in which they come; no more once the batch was cancelled."""
    within = use_of(desk.service.settings, chosen.purpose).timeout * _PATIENCE
    size = desk.service.settings[BatchesSettings].concurrency
    for start in range(0, len(items), size):
        if not desk.batch().is_pending:
            return
        asked = {pool.submit(_ask, desk, chosen, item, within): item for item in items[start : start + size]}
        for future in as_completed(asked):
            yield asked[future], future


def _ask(desk: Desk, chosen: Handler, item: Item, within: float) -> Any:
    prompt: Prompt[Any] = chosen.prompt(desk.service, desk.scope, item)
    return ask(desk.service, desk.scope, prompt, within).answer


def _take(desk: Desk, batch: Batch, chosen: Handler, item: Item, future: Future[Any]) -> None:
    try:
        answer = future.result()
    except NoAnswer as failure:
        if not why_unread(failure):
            raise
        desk.unusable(item, UNREADABLE)
        return
    _apply(desk, batch, chosen, item, answer)


def _read_and_apply(desk: Desk, batch: Batch, chosen: Handler, item: Item, text: str) -> None:
    try:
        answer = chosen.prompt(desk.service, desk.scope, item).read(text)
    except Unreadable:
        desk.unusable(item, UNREADABLE)
        return
    _apply(desk, batch, chosen, item, answer)


def _apply(desk: Desk, batch: Batch, chosen: Handler, item: Item, answer: Any) -> None:
    """Applies and marks. What was applied before, and only not marked, is marked now."""
    try:
        chosen.apply(desk.service, desk.scope, item, answer, batch.run_id)
    except (IdempotencyMismatch, Erased):
        log.info("batch_item_was_applied", extra={"batch": desk.id, "item": item.custom_id})
    desk.note(APPLIED, item=item.custom_id, now=desk.service.clock())


def _try(desk: Desk, item: Item, work: Callable[[], None]) -> Exception | None:
    """What went wrong with one question, if it was neither its own fault nor the loss of the lease."""
    try:
        work()
    except LeaseLost:
        raise
    except UserError as error:
        desk.unusable(item, error.code, is_final=True)
    except Exception as error:  # noqa: BLE001 - it must not keep the others; it is raised when all had their turn
        log.warning(
            "batch_item_failed",
            extra={"batch": desk.id, "item": item.custom_id, "fault": type(error).__name__},
        )
        return error
    return None

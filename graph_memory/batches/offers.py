"""Offering questions: recorded first, then given to a provider, or asked here where none takes batches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from graph_memory.base.errors import Invalid, NoAnswer, NotFound
from graph_memory.base.ids import is_id, new_id
from graph_memory.batches import steps
from graph_memory.batches.handlers import Item, Reference, handler, item
from graph_memory.batches.settings import BatchesSettings
from graph_memory.ledger.changes import Call
from graph_memory.model.batch import Batch, Kind, Status
from graph_memory.models.chat import has_models
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction

OPEN = query("batches/open")


def offer(service: Service, call: Call, kind: Kind, references: Sequence[Reference]) -> Batch:
    """The batch of these questions: with a provider, or at its end where they were asked at once.

    The subject must be stored. Questions that were offered before are not asked again: when all were, the answer is
    the batch of the first. What providers do wrong is counted on the batch and tried again by the poll jobs.
    Raises NoAnswer when no language model is configured, Invalid for too many, for none, or for an unknown kind.
    """
    if not has_models(service):
        raise NoAnswer(handler(kind).purpose.value, {})
    batch = service.write(call.scope.for_writing(), lambda tx: record(service, tx, call, kind, references))
    return steps.advance(service, call.scope.for_writing(), batch.id) if batch.is_pending else batch


def record(
    service: Service, tx: Transaction, call: Call, kind: Kind, references: Sequence[Reference]
) -> Batch:
    """Stores a batch in a transaction of the caller, so that it commits with what it is about; the poll jobs send it."""
    handler(kind)
    most = service.settings[BatchesSettings].size
    if not 1 <= len(references) <= most:
        raise Invalid(f"A batch has 1 to {most} questions, not {len(references)}.", path="items")
    now, scope = service.clock(), tx.scope
    items = list(
        {each.custom_id: each for each in (item(scope, kind, found) for found in references)}.values()
    )
    batch = {
        "id": new_id(),
        "kind": kind.value,
        "caption": kind.value.lower(),
        "status": Status.SUBMITTED.value,
        "run_id": call.run_id,
        "created_at": now,
        "submitted_at": now,
        "moved_at": now,
    }
    rows = tx.run(OPEN, batch=batch, items=[_row(each, place) for place, each in enumerate(items)])
    if not rows:
        raise NotFound("Nothing is stored of this subject, so there is nothing to ask about.")
    return Batch.from_row(rows[0])


def _row(item: Item, position: int) -> Row:
    return {
        "id": item.custom_id,
        "position": position,
        "reference": json.dumps(dict(item.reference), sort_keys=True),
        "about": sorted(set(_ids(item.reference))),
    }


def _ids(value: Any) -> Iterator[str]:
    """Every id in a reference: what an erasure finds it by."""
    if isinstance(value, str):
        if is_id(value):
            yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _ids(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _ids(each)

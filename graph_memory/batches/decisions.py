"""What a person does with a batch: cancel it, or put it back in line."""

from __future__ import annotations

import logging
from collections.abc import Callable

from graph_memory.base.errors import IllegalMove, ProviderFault
from graph_memory.base.ids import check_id
from graph_memory.batches import records
from graph_memory.ledger.changes import Answer, Call, Writing, carry_out
from graph_memory.model.batch import ENDED, Batch, Status, into
from graph_memory.models.registry import providers_of
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

log = logging.getLogger(__name__)

LOAD = query("batches/get")
MOVE = query("batches/move")
AGAIN = query("batches/again")


def cancel(service: Service, call: Call, id: str) -> tuple[Batch, Answer]:
    """The batch, stopped: what was applied stays, what was not is asked no more. The provider is told.

    Raises NotFound, and IllegalMove for one that is at its end.
    """
    batch, answer = _decide(service, call, id, "cancelBatch", _cancel)
    provider = providers_of(service).batch_provider(batch.provider or "")
    if not answer.replayed and provider is not None and batch.provider_id is not None:
        try:
            provider.cancel(batch.provider_id)
        except ProviderFault as fault:
            log.warning("batch_not_cancelled_there", extra={"batch": id, "why": fault.kind})
    return batch, answer


def retry(service: Service, call: Call, id: str) -> tuple[Batch, Answer]:
    """The batch, back in line with every question that has no applied answer, those that were given up too.

    What the provider still has of it is looked at first. Raises NotFound, and IllegalMove for one that is not at an
    end, or completed.
    """
    return _decide(service, call, id, "retryBatch", _retry)


def _decide(
    service: Service, call: Call, id: str, operation: str, work: Callable[[Writing, str], Row]
) -> tuple[Batch, Answer]:
    scope = records.get(service, call.scope, check_id(id, "batch")).subject_name
    own = Call(call.scope.of(scope), call.actor, call.key, call.session_id, call.run_id)
    answer = carry_out(service, own, operation, id, lambda writing: work(writing, id))
    return records.get(service, own.scope, id), answer


def _cancel(writing: Writing, id: str) -> Row:
    _require(writing, id, into(Status.CANCELLED), "cancelled")
    writing.run(
        MOVE,
        id=id,
        allowed=into(Status.CANCELLED),
        status=Status.CANCELLED.value,
        reason=f"cancelled by {writing.call.actor}",
        has_ended=True,
        now=writing.now,
    )
    return {"id": id, "status": Status.CANCELLED.value}


def _retry(writing: Writing, id: str) -> Row:
    allowed = [each for each in into(Status.SUBMITTED) if Status(each) in ENDED]
    _require(writing, id, allowed, "put back in line")
    writing.run(
        AGAIN,
        id=id,
        allowed=allowed,
        status=Status.SUBMITTED.value,
        looks_back=True,
        revives=True,
        counts=0,
        now=writing.now,
    )
    return {"id": id, "status": Status.SUBMITTED.value}


def _require(writing: Writing, id: str, allowed: list[str], what: str) -> None:
    status = Batch.from_row(writing.run(LOAD, id=id)[0]).status
    if status.value not in allowed:
        raise IllegalMove(
            f"Batch {id} is {status} and cannot be {what}; only one that is {' or '.join(allowed)} can."
        )

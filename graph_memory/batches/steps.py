"""Taking one batch as far as it gets: sent, asked about, answered, applied, ended. It may be called as often as one likes."""

from __future__ import annotations

import logging
from datetime import timedelta

from graph_memory.base.errors import GraphMemoryError, IllegalMove, LeaseLost, ProviderFault
from graph_memory.base.scope import Scope
from graph_memory.batches import collection, dispatch, records, results
from graph_memory.batches.worker import Desk
from graph_memory.jobs import leases
from graph_memory.model.batch import Batch, Status
from graph_memory.models import wire
from graph_memory.models.prompt import BatchProvider, Progress
from graph_memory.models.registry import providers_of
from graph_memory.models.wire import Kind
from graph_memory.store.queries import query
from graph_memory.store.service import Service

# After its submission; then any batch has expired.
EXPIRES_AFTER = timedelta(hours=48)
log = logging.getLogger(__name__)

SEEN = query("batches/seen")
TALLY = query("batches/tally")
AGAIN = query("batches/again")

# Another try would end the same.
_FINAL = frozenset({Kind.REFUSED, Kind.GONE})


def advance(service: Service, scope: Scope, id: str) -> Batch:
    """The batch after one step, or as it is when another worker has it.

    Faults of providers and servers are counted on the batch, which fails after some. What is no such fault is a
    mistake in a program: it is counted too, and raised.
    """
    with leases.hold(service, scope, f"batch/{id}", id) as lease:
        if lease is None:
            return records.get(service, scope, id)
        desk = Desk(service, scope, lease, id)
        try:
            return _step(desk, desk.batch())
        except (LeaseLost, IllegalMove):
            # Somebody else, or a person who cancelled it, has moved it meanwhile.
            return records.get(service, scope, id)
        except GraphMemoryError as error:
            kind = error.kind if isinstance(error, ProviderFault) else error.code
            log.warning("batch_fault", extra={"batch": id, "why": kind})
            return desk.fault(f"{kind}: {error.message}", is_final=kind in _FINAL)
        except Exception as error:
            desk.fault(type(error).__name__)
            raise


def _step(desk: Desk, batch: Batch) -> Batch:
    if not batch.is_pending:
        return batch
    service = desk.service
    if service.clock() >= batch.submitted_at + EXPIRES_AFTER:
        hours = EXPIRES_AFTER / timedelta(hours=1)
        return desk.move(Status.EXPIRED, f"no end within {hours:g} hours")
    if batch.status is Status.SUBMITTED:
        batch = dispatch.send(desk, batch) if batch.provider_id is None else _look(desk, batch)
    if batch.status is Status.PROCESSING:
        return _process(desk, batch)
    return batch


def _look(desk: Desk, batch: Batch) -> Batch:
    """Asks the provider how it stands."""
    state = _provider(desk, batch).poll(batch.provider_id or "")
    if state.progress is Progress.ENDED:
        return desk.move(Status.PROCESSING)
    now, until = desk.service.clock(), state.expires_at or batch.expires_at
    if until is not None and now >= until:
        return desk.move(Status.EXPIRED, f"{batch.provider} did not end it in time")
    desk.note(SEEN, expires_at=state.expires_at, reason=None)
    return desk.batch()


def _process(desk: Desk, batch: Batch) -> Batch:
    if batch.provider_id is not None:
        collection.collect(desk, _provider(desk, batch), batch.provider_id)
    results.apply_kept(desk, batch)
    if batch.provider_id is None:
        results.ask_now(desk, batch)
    return _end(desk)


def _end(desk: Desk) -> Batch:
    """The end that the questions have come to."""
    [row] = desk.service.read(desk.scope, TALLY, id=desk.id)
    subject = desk.scope.subject_name
    batch = Batch.from_row({"batch": row["batch"], "subject_name": subject})
    told = f"{batch.applied} of {batch.items} questions were answered and applied"
    if row["unsent"] and batch.provider_id is not None:
        return _send_the_rest(desk)
    if row["waiting"] and batch.provider_id is None:
        return desk.fault(f"{told}; the others got no answer that could be read")
    if not row["waiting"]:
        return desk.move(Status.FAILED, told) if batch.failed else desk.move(Status.COMPLETED)
    faults = ", ".join(sorted(row["faults"]))
    ends = {collection.CANCELED: Status.CANCELLED, collection.EXPIRED: Status.EXPIRED}
    return desk.move(ends.get(faults, Status.FAILED), f"{told}; the others: {faults}")


def _send_the_rest(desk: Desk) -> Batch:
    """Back in line: not all could be sent at once, or an erasure made an answer void."""
    desk.note(
        AGAIN,
        allowed=[Status.PROCESSING.value],
        status=Status.SUBMITTED.value,
        looks_back=False,
        revives=False,
        counts=0,
        now=desk.service.clock(),
    )
    return desk.batch()


def _provider(desk: Desk, batch: Batch) -> BatchProvider:
    name = batch.provider or ""
    provider = providers_of(desk.service).batch_provider(name)
    if provider is None:
        raise wire.fault(name, Kind.NOT_ALLOWED, "it holds a batch of ours but is no longer configured")
    return provider

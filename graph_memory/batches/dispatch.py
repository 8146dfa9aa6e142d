"""Giving a batch to its provider, so that a crash at any moment neither loses it nor applies it twice.

That it is being sent is noted before, the provider's id after. When a worker died in between, the provider's list is
searched: a batch is ours when its results carry our custom ids. One that is still running cannot be told apart, so
it is waited for. What is sent a second time all the same costs money, but each question is applied once.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from graph_memory.base.errors import MissingExtra, ProviderFault, UserError
from graph_memory.batches import collection
from graph_memory.batches.handlers import Item
from graph_memory.batches.settings import BatchesSettings
from graph_memory.batches.worker import UNANSWERED, Desk, items_of
from graph_memory.model.batch import Batch, Status
from graph_memory.models.chat import use_of
from graph_memory.models.prompt import BatchProvider, BatchRequest, BatchState, Progress
from graph_memory.models.registry import providers_of
from graph_memory.models.wire import Kind
from graph_memory.store.queries import query
from graph_memory.store.service import Service

# A batch whose provider names no end of its own has expired then.
_PROVIDER_TAKES = timedelta(hours=24)
log = logging.getLogger(__name__)

CLAIM = query("batches/claim")
RELEASE = query("batches/release")
SENT = query("batches/sent")
MISSING = query("batches/missing")
KNOWN = query("system/batches_known")

# The provider's clock and ours may differ by so much.
_SKEW = timedelta(minutes=10)
# After these faults it is sure that the provider did not take the batch.
_NOT_TAKEN = frozenset({Kind.BUSY, Kind.REFUSED, Kind.NOT_ALLOWED})


def batch_provider(service: Service) -> BatchProvider | None:
    """Who takes batches; None when nobody does, or the settings want none."""
    channel = providers_of(service).batching() if service.settings[BatchesSettings].use_provider else None
    return None if channel is None else providers_of(service).batch_provider(channel.name)


def send(desk: Desk, batch: Batch) -> Batch:
    """The batch with its provider, or ready to be asked question by question when there is none.

    It stays as it is while it is not known whether the provider has it, and when the daily cap is reached.
    Raises ProviderFault.
    """
    provider = _provider_of(desk.service, batch)
    if provider is None:
        return desk.move(Status.PROCESSING)
    if batch.sending_at is not None and batch.provider is not None:
        found, is_open = _find_again(desk, batch, provider, batch.sending_at)
        if found is not None:
            return _taken(desk, provider, found.id, found.expires_at)
        if is_open:
            log.info("batch_awaits_the_list", extra={"batch": batch.id})
            return batch
    if batch.earlier_id is not None:
        _look_back(desk, batch, provider)
    use = use_of(desk.service.settings, desk.handler().purpose)
    if providers_of(desk.service).spending.is_capped(desk.service, desk.scope, provider.model(use)):
        log.info("batch_awaits_the_cap", extra={"batch": batch.id})
        return batch
    requests = _claimed(desk, provider)
    if requests is None:
        return desk.move(Status.PROCESSING)
    if not requests:
        desk.note(RELEASE)
        return desk.batch()
    try:
        id = provider.submit(requests)
    except MissingExtra:
        desk.note(RELEASE)
        return desk.move(Status.PROCESSING)
    except ProviderFault as fault:
        if fault.kind in _NOT_TAKEN:
            desk.note(RELEASE)
        raise
    return _taken(desk, provider, id, None)


def _provider_of(service: Service, batch: Batch) -> BatchProvider | None:
    """The provider that may have it already, else the one that takes batches now."""
    named = providers_of(service).batch_provider(batch.provider) if batch.provider is not None else None
    return named or batch_provider(service)


def _taken(desk: Desk, provider: BatchProvider, id: str, expires_at: datetime | None) -> Batch:
    now = desk.service.clock()
    desk.note(SENT, provider_id=id, expires_at=expires_at or now + _PROVIDER_TAKES, now=now)
    batch = desk.batch()
    if batch.status is Status.CANCELLED:
        provider.cancel(id)
    log.info("batch_sent", extra={"batch": desk.id, "provider": provider.name, "attempt": batch.attempts})
    return batch


def _claimed(desk: Desk, provider: BatchProvider) -> list[BatchRequest] | None:
    """The questions to send, noted as such; None when none is left. An erasure meanwhile takes out what it touched."""
    rows = desk.service.read(desk.scope, UNANSWERED, id=desk.id)
    seen = {row["id"]: row["erasures"] for row in rows}
    requests = _requests(desk, items_of(rows))
    if not requests:
        return None
    wanted = [{"id": each.custom_id, "erasures": seen[each.custom_id]} for each in requests]
    claimed = desk.note(CLAIM, rows=wanted, provider=provider.name, now=desk.service.clock())
    ids = {id for row in claimed for id in row["claimed"]}
    return [each for each in requests if each.custom_id in ids]


def _requests(desk: Desk, items: Sequence[Item]) -> list[BatchRequest]:
    """The questions as they are asked now, as many as one submission may hold; those that cannot be made end."""
    chosen = desk.handler()
    use = use_of(desk.service.settings, chosen.purpose)
    left = desk.service.settings[BatchesSettings].megabytes * 1_000_000
    requests: list[BatchRequest] = []
    for item in items:
        try:
            prompt = chosen.prompt(desk.service, desk.scope, item)
        except UserError as error:
            desk.unusable(item, error.code, is_final=True)
            continue
        left -= len((prompt.system + prompt.user + str(prompt.schema)).encode())
        if left < 0 and requests:
            break
        requests.append(BatchRequest(item.custom_id, prompt, use))
    return requests


def _find_again(
    desk: Desk, batch: Batch, provider: BatchProvider, sent_at: datetime
) -> tuple[BatchState | None, bool]:
    """The provider's batch that holds our questions, and whether one that still runs may be it."""
    states = [each for each in provider.recent(sent_at - _SKEW) if each.size == batch.sent]
    known = {row["id"] for row in desk.service.system(KNOWN, ids=[each.id for each in states])}
    ours = {row["id"] for row in desk.service.read(desk.scope, MISSING, id=desk.id)}
    is_open = False
    for state in states:
        if state.id in known or state.archived_at is not None:
            continue
        if state.progress is not Progress.ENDED:
            is_open = True
        elif next((id for id, _ in provider.results(state.id)), None) in ours:
            return state, False
    return None, is_open


def _look_back(desk: Desk, batch: Batch, provider: BatchProvider) -> None:
    """Takes what an earlier submission has answered since, so that it is not paid for again; never fails the work."""
    try:
        state = provider.poll(batch.earlier_id or "")
        if state.progress is not Progress.ENDED:
            provider.cancel(state.id)
        elif state.archived_at is None:
            collection.store(desk, provider, state.id)
    except ProviderFault as fault:
        log.info("batch_not_looked_back", extra={"batch": batch.id, "why": fault.kind})

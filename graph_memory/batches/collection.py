"""Fetching what a provider answered: matched by custom id, in whatever order, kept until it is applied."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from graph_memory.batches.worker import MOST_TRIES, Desk
from graph_memory.model.purpose import Purpose
from graph_memory.models.chat import use_of
from graph_memory.models.prompt import BatchProvider, End, Ending, Outcome, Said
from graph_memory.models.registry import providers_of
from graph_memory.models.spending import Calls
from graph_memory.store.queries import query
from graph_memory.store.service import Row

log = logging.getLogger(__name__)

STORE = query("batches/store")
MISSING = query("batches/missing")

# Why a question has no answer, as its item notes it, beside the provider's own words.
CANCELED, EXPIRED, ABSENT, UNREADABLE = "canceled", "expired", "missing", "unreadable"

_CHUNK = 100


def collect(desk: Desk, provider: BatchProvider, id: str) -> None:
    """Keeps every answer of an ended batch; questions it says nothing to are noted as missing.

    Raises ProviderFault when the results are gone or break off: what came before holds, and the next time goes on.
    """
    if not desk.service.read(desk.scope, MISSING, id=desk.id):
        return
    store(desk, provider, id)
    absent = [row["id"] for row in desk.service.read(desk.scope, MISSING, id=desk.id)]
    if absent:
        log.warning("batch_answers_missing", extra={"batch": desk.id, "questions": len(absent)})
        _keep(desk, [{"id": each, "answer": None, "fault": ABSENT, "is_final": False} for each in absent])


def store(desk: Desk, provider: BatchProvider, id: str) -> None:
    """Keeps the answers as they come. Ids that are not ours, or come again, count for nothing."""
    purpose = desk.handler().purpose
    outcomes = provider.results(id)
    while True:
        chunk, fault = _chunk(outcomes)
        first = dict(reversed(chunk))
        taken = set(_keep(desk, [_row(id, outcome) for id, outcome in first.items()])) if first else set()
        if len(taken) < len(chunk):
            log.info("batch_results_ignored", extra={"batch": desk.id, "results": len(chunk) - len(taken)})
        said = [outcome.said for id, outcome in first.items() if id in taken and outcome.said]
        failed = sum(outcome.said is None for id, outcome in first.items() if id in taken)
        _count(desk, provider, purpose, said, failed)
        if fault is not None:
            raise fault
        if not chunk:
            return


def _chunk(
    outcomes: Iterator[tuple[str, Outcome]],
) -> tuple[list[tuple[str, Outcome]], Exception | None]:
    """The next outcomes, and what broke them off."""
    found: list[tuple[str, Outcome]] = []
    try:
        for each in islice(outcomes, _CHUNK):
            found.append(each)
    except Exception as error:  # noqa: BLE001 - raised again once what came before it is kept
        return found, error
    return found, None


def _keep(desk: Desk, rows: Sequence[Row]) -> list[str]:
    kept = desk.note(STORE, rows=rows, tries=MOST_TRIES, now=desk.service.clock())
    return [id for row in kept for id in row["taken"]]


def _row(id: str, outcome: Outcome) -> Row:
    said = outcome.said
    if said is None:
        words = {End.CANCELED: CANCELED, End.EXPIRED: EXPIRED}
        fault = words.get(outcome.end, outcome.fault or str(outcome.end))
        return {"id": id, "answer": None, "fault": fault, "is_final": not outcome.is_worth_repeating}
    if said.ending is not Ending.DONE:
        is_declined = said.ending is Ending.DECLINED
        fault = "declined" if is_declined else UNREADABLE
        return {"id": id, "answer": None, "fault": fault, "is_final": is_declined}
    return {"id": id, "answer": said.text, "fault": None, "is_final": False}


def _count(desk: Desk, provider: BatchProvider, purpose: Purpose, said: Sequence[Said], failed: int) -> None:
    calls = [
        Calls(
            provider.name,
            model,
            purpose.value,
            calls=number,
            tokens_in=sum(each.tokens_in for each in said if each.model == model),
            tokens_out=sum(each.tokens_out for each in said if each.model == model),
            is_batch=True,
        )
        for model, number in Counter(each.model for each in said).items()
    ]
    if failed:
        model = provider.model(use_of(desk.service.settings, purpose))
        calls.append(Calls(provider.name, model, purpose.value, calls=failed, failures=failed, is_batch=True))
    if calls:
        providers_of(desk.service).spending.note(desk.service, desk.scope, calls)

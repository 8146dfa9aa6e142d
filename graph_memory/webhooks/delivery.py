"""The job that sends: each change after the last one that a webhook's receiver has taken, in order, at least once.

How far a webhook has come stands in Neo4j and moves when the receiver has answered, so nothing is lost with a process, and a
change comes twice when one dies between the two. A change is read when it is sent: what was erased before is not sent.
"""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import GraphMemoryError
from graph_memory.base.scope import Scope
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.jobs.ticks import Publish
from graph_memory.ledger.changes import opened
from graph_memory.model.run import Kind
from graph_memory.model.webhook import WebhookStatus
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service
from graph_memory.webhooks.channel import Channel, Refusal
from graph_memory.webhooks.destination import destination
from graph_memory.webhooks.settings import WebhooksSettings
from graph_memory.webhooks.signature import headers

log = logging.getLogger(__name__)

BEHIND = query("system/webhooks_behind")
DUE = query("webhooks/due")
CHANGES = query("webhooks/changes")
PASSED = query("webhooks/passed")
FAILED = query("webhooks/failed")

# Seconds after which a run ends, although there is more: the next one goes on.
_LONGEST_RUN = 60.0
_PAGE = 100
_AT_ONCE = 4
_MOST_DOUBLINGS = 30
# A number that is missing may be about to be seen, since changes are committed one after another; or was never there.
_SEEN_AFTER = timedelta(minutes=1)
_OPEN_END = FOREVER.isoformat()
# What tells what a memory says; only sent where the webhook asks for it.
_CONTENT = ("reason", "before", "after")
_TOLD = (
    "sequence",
    "operation",
    "targets",
    "sources",
    "classification",
    "confidence",
    "actor",
    "request_id",
    "run_id",
    "session_id",
)


@dataclass(frozen=True)
class _Sent:
    sent: int = 0
    failed: int = 0


def look(service: Service, publish: Publish) -> int:
    """Opens a run for every tenant that has something to send and no run under way, and sends it; says how many."""
    job, sent = schedule.job(schedule.DELIVER), 0
    for row in service.system(BEHIND, job=job.name, status=WebhookStatus.ACTIVE.value, now=service.clock()):
        scope = Scope(row["name"])
        try:
            publish(job, scope, runs.open_run(service, scope, job, Kind.PLANNED).id)
            sent += 1
        except GraphMemoryError as error:
            log.warning("webhooks_not_sent", extra={"tenant": scope.tenant, "code": error.code})
    return sent


def run(context: Context) -> Result:
    """The job: sends what there is for every webhook whose time has come; says how many were taken and how many failed."""
    rows = context.service.read(
        context.scope, DUE, status=WebhookStatus.ACTIVE.value, now=context.service.clock()
    )
    until = monotonic() + _LONGEST_RUN
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        done = list(pool.map(partial(_serve, context, until), [row["hook"] for row in rows]))
    return {"sent": sum(each.sent for each in done), "failed": sum(each.failed for each in done)}


def _serve(context: Context, until: float, hook: Row) -> _Sent:
    """Sends to one webhook until nothing is left, it fails, or the time is over."""
    sent, settings = 0, context.service.settings[WebhooksSettings]
    with Channel(destination(hook["url"]), settings) as channel:
        for row in _following(context, hook):
            if row["change"] is not None:
                refusal = _post(context, channel, hook, row)
                if refusal is not None:
                    _note_failure(context, hook, refusal)
                    return _Sent(sent, 1)
                sent += 1
            if (row["change"] is not None or row["is_last"]) and not _pass(context, hook, row):
                break
            if monotonic() > until:
                break
    return _Sent(sent)


def _following(context: Context, hook: Row) -> Iterator[Row]:
    """Each change of the account after those that were dealt with, in order; `change` is None where the webhook wants it not."""
    after = int(hook["after"])
    while True:
        rows = context.service.read(
            context.scope,
            CHANGES,
            after=after,
            first=_PAGE,
            whose=hook.get("subject_id"),
            operations=hook["operations"],
        )
        now, found = context.service.clock(), []
        for row in rows:
            if row["sequence"] != after + 1 and row["at"] > now - _SEEN_AFTER:
                break
            after = row["sequence"]
            found.append(row)
        for place, row in enumerate(found, 1):
            yield {**row, "is_last": place == len(found)}
        if len(found) < _PAGE:
            return


def _post(context: Context, channel: Channel, hook: Row, row: Row) -> Refusal | None:
    body = payload(hook, row)
    seconds = int(context.service.clock().timestamp())
    signed = headers(hook["secret"], row["change"]["id"], seconds, body)
    told = {"Content-Type": "application/json", "User-Agent": "graph-memory", **signed}
    return channel.post(body, told)


def payload(hook: Row, row: Row) -> bytes:
    """One change as it is sent."""
    change = opened(row["change"])
    names = (*_TOLD, *_CONTENT) if hook["with_content"] else _TOLD
    data = {_spelled(name): _outside(change.get(name)) for name in names}
    told = {
        "type": f"change.{change['operation'].lower()}",
        "timestamp": _outside(change["at"]),
        "data": {"subject": row["subject_name"], **data},
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _pass(context: Context, hook: Row, row: Row) -> bool:
    """Notes that a change is dealt with; false when the webhook is there no more."""
    was_sent = row["change"] is not None
    values = {"id": hook["id"], "sequence": row["sequence"], "was_sent": was_sent}
    return bool(context.write(lambda tx: tx.run(PASSED, **values, now=context.service.clock())))


def _note_failure(context: Context, hook: Row, refusal: Refusal) -> None:
    settings, now = context.service.settings[WebhooksSettings], context.service.clock()
    since = hook.get("failing_since") or now
    gives_up = refusal.is_final or now - since >= timedelta(seconds=settings.give_up)
    failures = int(hook["failures"]) + 1
    doubled = settings.pause * 2.0 ** min(failures - 1, _MOST_DOUBLINGS)
    pause = min(max(doubled * random.uniform(0.8, 1.0), refusal.retry_after or 0.0), settings.longest_pause)
    values = {
        "id": hook["id"],
        "status": (WebhookStatus.ASIDE if gives_up else WebhookStatus.ACTIVE).value,
        "failures": failures,
        "since": since,
        "error": refusal.told,
        "next_try_at": None if gives_up else now + timedelta(seconds=pause),
    }
    log.warning(
        "webhook_set_aside" if gives_up else "webhook_failed",
        extra={"webhook": hook["id"], "failures": failures, "reason": refusal.told},
    )
    context.write(lambda tx: tx.run(FAILED, **values))


def _outside(value: Any) -> Any:
    """A value as JSON spells it outside the store: an end that is open is null."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, dict):
        return {name: _outside(each) for name, each in value.items()}
    return None if value == _OPEN_END else value


def _spelled(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(each.capitalize() for each in rest)

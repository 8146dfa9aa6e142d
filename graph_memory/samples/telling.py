"""Telling the service which facts of the sample changed."""

from __future__ import annotations

from dataclasses import replace

from graph_memory import samples
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.memory.supersession import supersede
from graph_memory.store.service import Service


def tell(service: Service, call: Call) -> int:
    """Supersedes the facts of the sample that change; says how many. What the service has seen by itself is left as it is."""
    told = 0
    for change in samples.tour().supersessions:
        [old], [new] = (
            reading.of_source(service, call.scope, change.old),
            reading.of_source(service, call.scope, change.new),
        )
        known = reading.get_many(service, call.scope, [old, new])
        if len({each.chain_id for each in known if each}) > 1:
            key = f"{call.actor}:{change.old}:{change.new}"
            supersede(service, replace(call, key=key), old, new, reason=change.reason)
            told += 1
    return told

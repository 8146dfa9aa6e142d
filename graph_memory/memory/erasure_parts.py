"""Erasure in parts: what is more than one transaction may hold goes some at a time, each part for good."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from graph_memory.base.ids import new_id
from graph_memory.ledger.changes import Call, Writing, carry_out
from graph_memory.memory import erasing
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

FIND = query("forget/find")
EMPTY_SOME = query("forget/empty_some")
SOME = query("forget/some")
PARTS = query("forget/parts")
SIZES = query("forget/sizes")

# Memories, messages or changes of one transaction: what is more is erased in parts, since the database bounds what one may hold.
PART = 1000


@dataclass(frozen=True)
class Whose:
    """What is to go: all from one source, or everything of the subject."""

    source: str | None
    everything: bool


def erase_parts(service: Service, call: Call, whose: Whose) -> str:
    """Erases in parts until what is left is no larger than one; what the keys of the parts begin with.

    Nothing where the call's key was used: its answer is there, or its body is another.
    """
    scope, digest = call.scope.for_writing(), hashlib.sha256((call.key or new_id()).encode()).hexdigest()
    prefix = f"part/{digest}/"
    is_claimed, before = _parts(service.read(scope, PARTS, **_keys(call, prefix)))
    if is_claimed:
        return prefix
    number = len(before)
    while step := _step(service.read(scope, SIZES, **vars(whose))[0]):
        number += 1
        part, body = replace(call, key=f"{prefix}{number}"), [number, whose.source, whose.everything]
        carry_out(service, part, "forget", body, partial(step, whose=whose))
    return prefix


def done_in_parts(writing: Writing, call: Call, prefix: str) -> list[Row]:
    """What the parts came to whose keys begin so."""
    return _parts(writing.run(PARTS, **_keys(call, prefix)))[1]


def summed(parts: Sequence[Row], whole_subject: bool) -> Row:
    """What all parts come to. The last one of a whole subject counts every change and request."""
    last = parts[-1]
    once = ("at", "changes", "requests") if whole_subject else ("at",)
    return {name: last[name] if name in once else sum(part[name] for part in parts) for name in last}


def _keys(call: Call, prefix: str) -> Row:
    return {"wall": call.scope.subject if call.scope.is_bound else "*", "key": call.key, "prefix": prefix}


def _parts(rows: Sequence[Row]) -> tuple[bool, list[Row]]:
    return rows[0]["is_claimed"], [json.loads(answer) for answer in rows[0]["answers"]]


def _step(left: Row) -> Callable[..., Row] | None:
    """What is done next, where more is left than one transaction may hold."""
    steps = {"memories": _erase_some, "messages": _redact_some, "changes": _empty_some}
    return next((step for name, step in steps.items() if left[name] > PART), None)


def _erase_some(writing: Writing, whose: Whose) -> Row:
    some = [row["id"] for row in writing.run(SOME, most=PART, **vars(whose))]
    rows = writing.run(FIND, ids=some, source=None, everything=False)
    return erasing.erase(writing, [row["id"] for row in rows], whole_subject=False)


def _redact_some(writing: Writing, whose: Whose) -> Row:  # noqa: ARG001 - as every step is asked
    return erasing.redact_some(writing, PART)


def _empty_some(writing: Writing, whose: Whose) -> Row:  # noqa: ARG001 - as every step is asked
    writing.run(EMPTY_SOME, now=writing.now, most=PART)
    return erasing.counted(writing)

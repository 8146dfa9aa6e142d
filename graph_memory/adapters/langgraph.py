"""LangGraph: its store of items for long-term memory. Needs the extra `langgraph`.

An item is a memory: a namespace is a subject, the key is a tag, and what the value says is the memory's text, so that it is found
by meaning and screened like all texts. An item that is put again takes the place of the older one, which stays in history.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graph_memory.base.errors import Invalid, MissingExtra
from graph_memory.client import Client
from graph_memory.client.answers import Memory

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
    )
except ImportError as error:
    raise MissingExtra("LangGraph's store", "langgraph") from error

# Labels of a namespace hold no period.
_BETWEEN = "."
_TAG = "langgraph"
_FORM = "langgraph_value"
# Characters of one text of a memory's metadata at most, with room to spare.
_PIECE = 900
_PAGE = 100


class GraphMemoryStore(BaseStore):
    """Items as memories of an account: the client's key must not be bound to a subject.

    `text_field` names the field of a value that is its text; the first text that it holds, when none is named. The rest
    of the value is kept beside it. `index` and `ttl` have no effect: every item is found, and forgetting is the service's.
    """

    supports_ttl = False

    def __init__(self, client: Client, text_field: str | None = None) -> None:
        self._client = client
        self._field = text_field

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return [self._carry_out(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _carry_out(self, op: Op) -> Result:
        match op:
            case GetOp():
                found = self._memory(op.namespace, op.key)
                return _item(found) if found else None
            case PutOp():
                return self._put(op)
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
        raise Invalid(
            f"{type(op).__name__} is not an operation of a store; there are GetOp, PutOp, SearchOp and ListNamespacesOp."
        )

    def _memory(self, namespace: tuple[str, ...], key: str) -> Memory | None:
        page = self._client.memories(tag=_tag(key), subject=_BETWEEN.join(namespace), first=1)
        return next(iter(page), None)

    def _put(self, op: PutOp) -> None:
        held = self._memory(op.namespace, op.key)
        if op.value is None:
            if held:
                self._client.retract([held.id], reason="Deleted by LangGraph.")
            return
        text, form = self._told(op)
        if held is None:
            self._add(op, text, form)
        elif held.text == text:
            self._client.revise(held.id, metadata=form)
        else:
            self._client.supersede(held.id, text, tags=[_TAG, _tag(op.key)], metadata=form)

    def _add(self, op: PutOp, text: str, form: dict[str, Any]) -> None:
        subject, tags = _BETWEEN.join(op.namespace), [_TAG, _tag(op.key)]
        added = self._client.add(text, tags=tags, metadata=form, subject=subject)
        if added.outcome == "DUPLICATE":
            # Another key says the same; a statement stands once, so this one tells its key too.
            told = f"{text} ({op.key})"
            self._client.add(told, tags=tags, metadata={**form, "langgraph_suffix": True}, subject=subject)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        found = self._ranked(op) if op.query else ((each, None) for each in self._all(op.namespace_prefix))
        wanted = [
            SearchItem(**vars_of, score=score)
            for memory, score in found
            if _is_under(memory, op.namespace_prefix)
            for vars_of in [_fields(memory)]
            if _passes(vars_of["value"], op.filter)
        ]
        return wanted[op.offset : op.offset + op.limit]

    def _ranked(self, op: SearchOp) -> Iterator[tuple[Memory, float | None]]:
        """The nearest in the namespace itself, then the nearest in those below it."""
        first, seen = min(op.offset + op.limit + (_PAGE if op.filter else 0), 50), set()
        for subject in (_BETWEEN.join(op.namespace_prefix) or None, None):
            for hit in self._client.search(op.query, first=first, subject=subject):
                if _TAG in hit.memory.tags and hit.memory.id not in seen:
                    seen.add(hit.memory.id)
                    yield hit.memory, hit.score

    def _all(self, prefix: tuple[str, ...]) -> Iterator[Memory]:
        """Every item of the account that lies under a namespace, newest first."""
        after = None
        while True:
            page = self._client.memories(tag=_TAG, first=_PAGE, after=after)
            yield from (each for each in page if _is_under(each, prefix))
            if not page.has_next_page:
                return
            after = page.end_cursor

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        found = {_namespace(each)[: op.max_depth] for each in self._all(())}
        conditions = op.match_conditions or ()
        kept = sorted(each for each in found if all(_matches(each, one) for one in conditions))
        return kept[op.offset : op.offset + op.limit]

    def _told(self, op: PutOp) -> tuple[str, dict[str, Any]]:
        """The text of a value, and the rest of it in the form in which metadata can hold it."""
        value = dict(op.value or {})
        texts = [name for name, each in value.items() if isinstance(each, str) and each.strip()]
        field = self._field if self._field in texts else next(iter(texts), None)
        text = value.pop(field) if field else json.dumps(value, sort_keys=True, ensure_ascii=False)
        rest = json.dumps([_BETWEEN.join(op.namespace), op.key, field, value], ensure_ascii=False)
        pieces = [rest[at : at + _PIECE] for at in range(0, len(rest), _PIECE)]
        return text, {f"{_FORM}_{place}": piece for place, piece in enumerate(pieces)}


def _form(memory: Memory) -> tuple[str, str, str | None, dict[str, Any]]:
    pieces = [
        memory.metadata[f"{_FORM}_{place}"]
        for place in range(len(memory.metadata))
        if f"{_FORM}_{place}" in memory.metadata
    ]
    namespace, key, field, value = json.loads("".join(pieces))
    return namespace, key, field, value


def _namespace(memory: Memory) -> tuple[str, ...]:
    return tuple(_form(memory)[0].split(_BETWEEN))


def _fields(memory: Memory) -> dict[str, Any]:
    namespace, key, field, value = _form(memory)
    text = memory.text.removesuffix(f" ({key})") if memory.metadata.get("langgraph_suffix") else memory.text
    return {
        "namespace": tuple(namespace.split(_BETWEEN)),
        "key": key,
        "value": {field: text, **value} if field else value,
        "created_at": memory.created_at,
        "updated_at": memory.recorded_from,
    }


def _item(memory: Memory) -> Item:
    return Item(**_fields(memory))


def _tag(key: str) -> str:
    return f"key:{key}"


def _is_under(memory: Memory, prefix: tuple[str, ...]) -> bool:
    return _TAG in memory.tags and _namespace(memory)[: len(prefix)] == prefix


def _passes(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    return all(_holds(value.get(name), each) for name, each in (wanted or {}).items())


def _holds(found: Any, wanted: Any) -> bool:
    """Whether a field is what a filter asks for: a value, or comparisons such as `{"$gt": 3}`."""
    if not isinstance(wanted, Mapping) or not any(name.startswith("$") for name in wanted):
        return bool(found == wanted)
    return all(_compare(name, found, each) for name, each in wanted.items())


def _compare(name: str, found: Any, wanted: Any) -> bool:
    match name:
        case "$eq":
            return bool(found == wanted)
        case "$ne":
            return bool(found != wanted)
        case "$gt":
            return found is not None and bool(found > wanted)
        case "$gte":
            return found is not None and bool(found >= wanted)
        case "$lt":
            return found is not None and bool(found < wanted)
        case "$lte":
            return found is not None and bool(found <= wanted)
    raise Invalid(f"{name} is not a comparison of a filter; there are $eq, $ne, $gt, $gte, $lt and $lte.")


def _matches(namespace: tuple[str, ...], condition: Any) -> bool:
    path = tuple(condition.path)
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return len(part) == len(path) and all(
        each in ("*", found) for each, found in zip(path, part, strict=True)
    )

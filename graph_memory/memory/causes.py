"""Why something came about, what came of it, and what falls if it turns out to be wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graph_memory.base.errors import Invalid
from graph_memory.base.ids import check_id
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.language.texts import clean
from graph_memory.ledger.changes import Answer, Call, Decision, Writing, carry_out
from graph_memory.memory.properties import for_ledger
from graph_memory.memory.reading import Link
from graph_memory.memory.states import Edit, load, moved, rewrite
from graph_memory.memory.traversal import MOST_MEMORIES, Direction, Neighbour, View, between, view_of, walk
from graph_memory.model.change import Operation
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import Memory, Status
from graph_memory.store.service import Row, Service

MAX_DEPTH = 10
_MAX_REASON = 1000

_CAUSES = frozenset({LinkKind.CAUSES})
# Read from what was made to what it was made of: if the source falls, so does the product.
_PRODUCTS = frozenset({LinkKind.DERIVED_FROM, LinkKind.CONSOLIDATES})


@dataclass(frozen=True)
class Cause:
    """A memory on the way along CAUSES. `is_last`: a root cause, or a last consequence; a circle has none."""

    memory: Memory
    depth: int
    links: tuple[Link, ...]
    is_last: bool


@dataclass(frozen=True)
class Causes:
    """All that was found, nearest first; `truncated` when there was more than was read."""

    items: list[Cause]
    truncated: bool

    @property
    def last(self) -> list[Cause]:
        """The root causes, or the last consequences."""
        return [item for item in self.items if item.is_last]


@dataclass(frozen=True)
class Impact:
    """What rests on a memory, nearest first: products made of it, and what it is said to have caused."""

    items: list[Neighbour]
    truncated: bool


@dataclass(frozen=True)
class Quarantined:
    """What was taken out of answers: the memory in doubt and what rests on it. `truncated`: more rests on it."""

    archived: tuple[str, ...]
    truncated: bool


def causes(service: Service, scope: Scope, id: str, depth: int = MAX_DEPTH, moment: Moment = NOW) -> Causes:
    """What led to this, up to 10 hops back. What has ended still counts as a cause, unless `as_of` asks what held then."""
    return _chain(service, scope, id, Direction.IN, depth, moment)


def consequences(
    service: Service, scope: Scope, id: str, depth: int = MAX_DEPTH, moment: Moment = NOW
) -> Causes:
    """What this led to, up to 10 hops on."""
    return _chain(service, scope, id, Direction.OUT, depth, moment)


def impact(service: Service, scope: Scope, id: str, depth: int = MAX_DEPTH, moment: Moment = NOW) -> Impact:
    """If this is wrong, what else falls: what was derived from it or consolidates it, and what it caused."""
    found = walk(service, scope, [check_id(id)], _resting(service, moment), *_sizes(depth))
    return Impact(found.items, found.truncated)


def quarantine(service: Service, call: Call, id: str, reason: str) -> tuple[Quarantined, Answer]:
    """Archives a memory in doubt and all that rests on it, as one change: undoing that change brings all back.

    Nothing is retracted: whether it was wrong is decided afterwards.
    """
    why = clean(reason, _MAX_REASON, "reason")

    def work(writing: Writing) -> Row:
        # Under the subject's lock nobody adds to what rests on it between this reading and the writing.
        found = impact(service, writing.scope, id)
        rows = load(writing, [id, *(item.memory.id for item in found.items)])
        return {"archived": _archive(writing, rows, why), "truncated": found.truncated}

    answer = carry_out(service, call, "quarantine", [check_id(id), why], work)
    return Quarantined(tuple(answer.value["archived"]), answer.value["truncated"]), answer


def _archive(writing: Writing, rows: dict[str, Row], reason: str) -> list[str]:
    ids = [id for id, row in rows.items() if row["status"] == Status.ACTIVE]
    values = moved(Status.ARCHIVED, archived_at=writing.now, archive_reason=reason)
    before = rewrite(writing, rows, [Edit(id, values) for id in ids])
    decision = Decision(
        Operation.ARCHIVE,
        ids,
        reason=reason,
        classification="QUARANTINE",
        before={id: for_ledger(before[id]) for id in ids},
        after={id: for_ledger(values) for id in ids},
    )
    if ids:
        writing.decide(decision, touched=ids)
    return ids


def _chain(
    service: Service, scope: Scope, id: str, direction: Direction, depth: int, moment: Moment
) -> Causes:
    view = _lasting(view_of(service, _CAUSES, direction, moment), moment)
    hops, most = _sizes(depth)
    # One hop more tells which of the farthest have nothing beyond them.
    found = walk(service, scope, [check_id(id)], view, hops + 1, most)
    edges, is_cut = between(service, scope, [id, *(item.memory.id for item in found.items)], view)
    goes_on = {link.to_id if direction is Direction.IN else link.from_id for link in edges}
    items = [
        Cause(item.memory, item.depth, item.links, item.memory.id not in goes_on)
        for item in found.items
        if item.depth <= hops
    ]
    return Causes(items, found.truncated or is_cut or len(items) < len(found.items))


def _resting(service: Service, moment: Moment) -> View:
    view = view_of(service, _PRODUCTS | _CAUSES, Direction.BOTH, moment)
    return _lasting(replace(view, out=_CAUSES, into=_PRODUCTS), moment)


def _lasting(view: View, moment: Moment) -> View:
    """Without a given `as_of`, what has ended counts too: it was the cause of what followed."""
    return view if moment.as_of is not None else replace(view, as_of=None)


def _sizes(depth: int) -> tuple[int, int]:
    if depth < 1:
        raise Invalid(f"depth is {depth}; it must be at least 1.", path="depth")
    return min(depth, MAX_DEPTH), MOST_MEMORIES

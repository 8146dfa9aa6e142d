"""The ledger: every decision, in its order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Annotated, Any

import strawberry
from strawberry.scalars import JSON

from graph_memory.api.arguments import First, Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.global_ids import to_global, uuid_of
from graph_memory.api.loaders import View
from graph_memory.api.node import Node
from graph_memory.api.paging import DEFAULT, MOST, Counted, PageInfo, place, size
from graph_memory.api.scalars import Uuid
from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.ledger import changes
from graph_memory.memory import lookup
from graph_memory.model.change import Operation
from graph_memory.store.service import Row

_LARGEST = 2**31 - 1
_OPEN_END = FOREVER.isoformat()


@strawberry.type(description="One decision, written in the transaction of its effect.")
class Change(Node):
    uuid: Uuid = strawberry.field(description="Its id as the store knows it.")
    sequence: int = strawberry.field(
        description="Its place in the tenant's ledger, counting up without a gap; for a key that is bound to a "
        "subject, among that subject's changes."
    )
    operation: Operation = strawberry.field(description="What it did.")
    targets: list[Uuid] = strawberry.field(description="The memories that it made or changed.")
    sources: list[Uuid] = strawberry.field(description="The memories or messages that it was made from.")
    classification: str | None = strawberry.field(description="How the judge called it.")
    confidence: float | None = strawberry.field(description="How sure the judge was, 0 to 1.")
    reason: str = strawberry.field(description="Why; may be empty.")
    actor: str = strawberry.field(description="Who decided.")
    before: JSON | None = strawberry.field(
        description="What changed of each memory, as it was before; null when it is no longer kept."
    )
    after: JSON | None = strawberry.field(
        description="What changed of each memory, as it is after; null when it is no longer kept."
    )
    undone_by: Uuid | None = strawberry.field(description="The request that took it back.")
    at: datetime = strawberry.field(description="When it was recorded.")
    request_id: Uuid = strawberry.field(description="The request that carried it.")
    run_id: Uuid | None = strawberry.field(description="The run that made it, for the work of a job.")
    session_id: str | None = strawberry.field(description="The caller's session.")


@strawberry.type(description="A change and its place in the ledger.")
class ChangeEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Change = strawberry.field(description="The change.")


@strawberry.type(
    description="A page of the ledger, oldest first; newest first where the last ones are asked for."
)
class ChangeConnection(Counted):
    edges: list[ChangeEdge] = strawberry.field(description="The changes with their cursors.")
    nodes: list[Change] = strawberry.field(description="The changes alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type
class ChangeQuery:
    @reads(
        "The changes after a place in the ledger, oldest first, or with `last` the newest first; keep the end cursor to ask "
        "for what is new."
    )
    async def changes(
        self,
        info: Info,
        after: Annotated[
            str | None,
            strawberry.argument(
                description="A cursor, which is a sequence number; from the start when missing."
            ),
        ] = None,
        first: First = DEFAULT,
        last: Annotated[
            int | None,
            strawberry.argument(
                description="Only so many of the last ones, the newest first: 1 to 100. The end cursor is the newest one's."
            ),
        ] = None,
        subject: Subject = None,
        operations: Annotated[
            list[Operation] | None,
            strawberry.argument(description="Only what did one of these; at most 12."),
        ] = None,
        target: Annotated[
            strawberry.ID | None,
            strawberry.argument(
                description="Only what made or changed this memory: its id or uuid. One that was erased has no changes."
            ),
        ] = None,
    ) -> ChangeConnection | None:
        context, scope = info.context, info.context.scope(subject)
        wanted, start = _part(first, last, after)
        asked = (
            sorted(set(operations or ())),
            None if target is None else uuid_of("Memory", target, "target"),
        )
        counting = partial(changes.count, context.service, scope, *asked)
        if start is None:
            newest = await context.call(changes.latest, context.service, scope, wanted, *asked)
            return _connection(scope, newest, counting, newest[:1], has_next=False)
        rows = await context.call(changes.changes, context.service, scope, start, wanted + 1, *asked)
        found = rows[:wanted]
        return _connection(scope, found, counting, found[-1:], has_next=len(rows) > wanted)


async def load_change(info: Info, view: View, uuid: str) -> Change | None:
    """The change, or None when it is missing or someone else's."""
    row = await info.context.call(lookup.change, info.context.service, view.scope, uuid)
    return None if row is None else change_of(view.scope, row)


def sequence(after: str | None) -> int:
    """The number that a cursor holds; 0 without one. Invalid when it holds none."""
    if after is None:
        return 0
    if not (after.isascii() and after.isdigit() and int(after) <= _LARGEST):
        raise Invalid("This cursor was not made by us; it is the sequence number of a change.", path="after")
    return int(after)


def _part(first: int | None, last: int | None, after: str | None) -> tuple[int, int | None]:
    """How many changes are wanted, and after which place; None where the last ones are."""
    if last is None:
        return size(first), sequence(place(after))
    if after is not None:
        raise Invalid("Give after or last, not both.", path="last")
    if not 1 <= last <= MOST:
        raise Invalid(f"last is {last}; it must lie between 1 and {MOST}.", path="last")
    return last, None


def _connection(
    scope: Scope, rows: list[Row], counting: Callable[[], int], ends: list[Row], *, has_next: bool
) -> ChangeConnection:
    """`ends` holds the change after which to go on, if there is any."""
    edges = [ChangeEdge(cursor=str(changes.number(scope, row)), node=change_of(scope, row)) for row in rows]
    return ChangeConnection(
        counting=counting,
        edges=edges,
        nodes=[edge.node for edge in edges],
        page_info=PageInfo(
            has_next_page=has_next, end_cursor=str(changes.number(scope, ends[0])) if ends else None
        ),
    )


def change_of(scope: Scope, row: Row) -> Change:
    """A row of the ledger as the schema's type."""
    return Change(
        id=strawberry.ID(to_global("Change", row["id"])),
        uuid=Uuid(row["id"]),
        sequence=changes.number(scope, row),
        operation=Operation(row["operation"]),
        targets=row["targets"],
        sources=row["sources"],
        classification=row.get("classification"),
        confidence=row.get("confidence"),
        reason=row["reason"],
        actor=row["actor"],
        before=_state(row["before"]),
        after=_state(row["after"]),
        undone_by=row.get("undone_by"),
        at=row["at"],
        request_id=row["request_id"],
        run_id=row.get("run_id"),
        session_id=row.get("session_id"),
    )


def _state(state: Any) -> JSON | None:
    return None if state is None else JSON(_open_ended(state))


def _open_ended(state: Any) -> Any:
    """A state of the ledger with open ends as null, as everywhere outside the store."""
    if isinstance(state, dict):
        return {name: _open_ended(value) for name, value in state.items()}
    return None if state == _OPEN_END else state

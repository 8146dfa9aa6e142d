"""Browsing memories by any stored field, in several orders."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any

import strawberry
from graphql import GraphQLError
from strawberry.scalars import JSON

from graph_memory.api.arguments import After, AsOf, First, KnownAt, MinTrust, Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.memory_types import Memory, memory_of
from graph_memory.api.paging import DEFAULT, PageInfo, place, size
from graph_memory.api.scalars import read_time
from graph_memory.base.errors import Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.base.scope import Scope
from graph_memory.memory import browsing

_CAPITAL = re.compile(r"(?<=[a-z])([A-Z])")

# Compared by these, the value is no time though the field is one.
_NO_TIME = (browsing.Operator.EXISTS, browsing.Operator.CONTAINS)


@strawberry.input(description="One field compared with a value.")
class ConditionInput:
    field: str = strawberry.field(
        description="A field of Memory as it is spelled there, `sourceKind`, `sourceRef`, `sourceAuthor`, "
        "`archivedAt`, `archiveReason`, `quarantinedBy`, `mentionCount`, `tags`, `labels`, `entity` (an id or any name), "
        "`subject`, or `metadata.` and a key."
    )
    operator: browsing.Operator = strawberry.field(
        default=browsing.Operator.EQ, description="How it is compared."
    )
    value: JSON = strawberry.field(
        description="With what: a text, number, boolean or DateTime; for IN a list of them."
    )


Where = Annotated[
    list[ConditionInput] | None,
    strawberry.argument(description="What each must meet: all of these conditions, at most 20."),
]


@strawberry.type(description="A page of memories.")
class BrowseResult:
    nodes: list[Memory] = strawberry.field(description="The memories.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type
class BrowseQuery:
    @reads(
        "The memories that meet every condition, page by page; summaries of communities only by their kind, `summary`."
    )
    async def browse(
        self,
        info: Info,
        where: Where = None,
        sort: Annotated[
            browsing.SortField, strawberry.argument(description="What they are sorted by.")
        ] = browsing.SortField.CREATED_AT,
        descending: Annotated[
            bool, strawberry.argument(description="Whether the highest come first.")
        ] = True,
        first: First = DEFAULT,
        after: After = None,
        include_past: Annotated[
            bool, strawberry.argument(description="Whether memories that are retired at the moment come too.")
        ] = False,
        min_trust: MinTrust = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> BrowseResult | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        page = await context.call(
            browsing.browse_by,
            context.service,
            view.scope,
            conditions_of(view.scope, where),
            browsing.Sort(sort, descending),
            size(first),
            place(after),
            view.moment,
            include_past,
            min_trust,
        )
        return BrowseResult(
            nodes=[memory_of(item, view) for item in page.items],
            page_info=PageInfo(has_next_page=page.next is not None, end_cursor=page.next),
        )


def conditions_of(scope: Scope, given: list[ConditionInput] | None) -> list[browsing.Condition]:
    """The conditions as the domain takes them; all that is wrong with any of them is told at once."""
    faults = Gathered()
    read = [faults.of(_condition, each, f"where[{place}].value") for place, each in enumerate(given or ())]
    faults.of(browsing.check, scope, read)
    faults.refuse()
    return read


def _condition(given: ConditionInput, path: str) -> browsing.Condition:
    field = given.field if given.field.startswith("metadata.") else _CAPITAL.sub(r"_\1", given.field).lower()
    operator = given.operator
    is_time = browsing.FIELDS.get(field) is datetime and operator not in _NO_TIME
    return browsing.Condition(field, operator, _time(given.value, path) if is_time else given.value)


def _time(value: Any, path: str) -> Any:
    try:
        return [read_time(each) for each in value] if isinstance(value, list) else read_time(value)
    except GraphQLError as error:
        raise Invalid(error.message, path=path) from None

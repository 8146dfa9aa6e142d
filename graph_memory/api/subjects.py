"""Whose memories there are: the subjects of an account, page by page."""

from __future__ import annotations

from datetime import datetime
from functools import partial

import strawberry

from graph_memory.api.arguments import After, First
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.api.global_ids import to_global
from graph_memory.api.loaders import View
from graph_memory.api.mirror import mirror
from graph_memory.api.node import Node
from graph_memory.api.paging import DEFAULT, Counted, PageInfo, place, size
from graph_memory.store import subjects


@strawberry.type(description="Somebody whose memories are kept apart from all others of the account.")
class Subject(Node):
    name: str = strawberry.field(
        description="The name under which the account knows them, as the argument `subject` takes it."
    )
    memories: int = strawberry.field(description="How many of their memories hold now.")
    created_at: datetime = strawberry.field(description="When something was first stored of them.")
    last_active_on: str | None = strawberry.field(
        description="The last date, in their time zone, on which something of theirs was written or recalled, as 2026-03-15."
    )


@strawberry.type(description="A subject and its place in the order.")
class SubjectEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Subject = strawberry.field(description="The subject.")


@strawberry.type(description="A page of subjects, by name.")
class SubjectConnection(Counted):
    edges: list[SubjectEdge] = strawberry.field(description="The subjects with their cursors.")
    nodes: list[Subject] = strawberry.field(description="The subjects alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type
class SubjectQuery:
    @reads("The subjects of the account, by name; a key that is bound to one sees that one.")
    async def subjects(
        self, info: Info, first: First = DEFAULT, after: After = None
    ) -> SubjectConnection | None:
        context = info.context
        page = await context.call(
            subjects.page, context.service, context.asker.scope, size(first), place(after)
        )
        edges = [SubjectEdge(cursor=subjects.cursor_of(each), node=_subject(each)) for each in page.items]
        return SubjectConnection(
            counting=partial(subjects.count, context.service, context.asker.scope),
            edges=edges,
            nodes=[edge.node for edge in edges],
            page_info=PageInfo(has_next_page=page.has_next, end_cursor=edges[-1].cursor if edges else None),
        )


async def load_subject(info: Info, view: View, token: str) -> Subject | None:
    """The subject with this token, or None."""
    found = await info.context.loaders.subjects.load((view, token))
    return _subject(found) if found else None


def _subject(given: subjects.Subject) -> Subject:
    return mirror(Subject, given, id=strawberry.ID(to_global(Subject.__name__, given.id)))

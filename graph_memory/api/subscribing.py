"""What can be followed: the changes of a ledger, and a run of a job."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

import strawberry

from graph_memory.api.arguments import Subject
from graph_memory.api.changes import Change, change_of, sequence
from graph_memory.api.context import Info
from graph_memory.api.fields import follows
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.jobs import Job, is_shown_to, job_of
from graph_memory.api.paging import place
from graph_memory.base.errors import NotFound
from graph_memory.model.change import Operation


@strawberry.type
class ChangeSubscription:
    @follows(
        "Every change after a place in the ledger, oldest first, and then each as it is made. Keep the `sequence` of the "
        "last one and go on `after` it when the connection is lost: none is missed and none comes twice."
    )
    async def changes(
        self,
        info: Info,
        after: Annotated[
            str | None,
            strawberry.argument(
                description='A sequence number; "0" from the start. Only what is made from now on when missing.'
            ),
        ] = None,
        subject: Subject = None,
        operations: Annotated[
            list[Operation] | None,
            strawberry.argument(description="Only what did one of these; at most 12."),
        ] = None,
    ) -> AsyncIterator[Change]:
        scope = info.context.scope(subject)
        start = None if after is None else sequence(place(after))
        async for row in info.context.open.feeds.changes(scope, start, operations or ()):
            yield change_of(scope, row)


@strawberry.type
class JobSubscription:
    @follows("A run of a job: as it stands, then whenever it stands otherwise, until it has ended.")
    async def run(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The run's id, or its uuid.")],
    ) -> AsyncIterator[Job]:
        scope, uuid = info.context.asker.scope, uuid_of("Job", id)
        async for run in info.context.open.feeds.run(scope, uuid):
            if not is_shown_to(scope, run):
                raise NotFound(f"There is no run {uuid}, or it belongs to someone else.")
            yield job_of(run)

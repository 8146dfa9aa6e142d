"""Reviews: what a judge wanted and was not done by itself, and what a person says to it."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated

import strawberry

from graph_memory.api.arguments import After, ChangeInput, First, Subject, check_reason_and_key
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, nested, reads, writes
from graph_memory.api.global_ids import to_global, uuid_of
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Memory, load_memory
from graph_memory.api.mirror import mirror
from graph_memory.api.node import Node
from graph_memory.api.paging import DEFAULT, Counted, PageInfo, place, size
from graph_memory.api.scalars import Uuid
from graph_memory.base.errors import NotFound
from graph_memory.base.gathered import Gathered
from graph_memory.curation import review_records, reviews
from graph_memory.model import review as model
from graph_memory.model.verdict import Action
from graph_memory.store.api_keys import Right


@strawberry.type(description="A proposal for a new memory and a known one, with both side by side.")
class Review(Node):
    view: strawberry.Private[View]
    given: strawberry.Private[model.Review]
    uuid: Uuid = strawberry.field(description="Its id as the store knows it.")
    status: model.ReviewStatus = strawberry.field(description="How it stands.")
    action: Action = strawberry.field(description="What the judge wanted.")
    confidence: float = strawberry.field(description="How sure the judge was, 0 to 1.")
    reason: str = strawberry.field(description="Why the judge wanted it.")
    hindrance: str = strawberry.field(description="Why it was not done by itself.")
    provider: str = strawberry.field(description="Which judge it was.")
    text: str | None = strawberry.field(
        description="The text that the judge proposed: of a MERGE, or of the new memory of a SUPERSEDE."
    )
    created_at: datetime = strawberry.field(description="When it was opened.")
    expires_at: datetime = strawberry.field(description="When it expires if nobody decides.")
    decided_at: datetime | None = strawberry.field(description="When it was decided, or expired.")
    decided_by: str | None = strawberry.field(description="Who decided.")
    decided_action: Action | None = strawberry.field(description="What was done.")
    note: str = strawberry.field(description="What the person said to it, or why it was closed by itself.")

    is_held: bool = strawberry.field(
        description="Whether the question is if the new memory is to be believed at all; it waits in the archive."
    )

    @nested("The new memory, as it is now.")
    async def memory(self, info: Info) -> Memory | None:
        return await load_memory(info, self.view, self.given.memory_id)

    @nested("The known memory, as it is now; null where the new one is held by itself.")
    async def target(self, info: Info) -> Memory | None:
        if self.is_held:
            return None
        return await load_memory(info, self.view, self.given.target_id)


@strawberry.type(description="A review and its place in the queue.")
class ReviewEdge:
    cursor: str = strawberry.field(description="Give it as `after` to go on from here.")
    node: Review = strawberry.field(description="The review.")


@strawberry.type(description="A page of reviews, oldest first.")
class ReviewConnection(Counted):
    edges: list[ReviewEdge] = strawberry.field(description="The reviews with their cursors.")
    nodes: list[Review] = strawberry.field(description="The reviews alone.")
    page_info: PageInfo = strawberry.field(description="Where the page ends, and whether there is more.")


@strawberry.type(description="How people decided what one judge proposed of one kind.")
class ReviewAgreement:
    provider: str = strawberry.field(description="The judge.")
    action: Action = strawberry.field(description="What it proposed.")
    approved: int = strawberry.field(description="How often that was done.")
    rejected: int = strawberry.field(description="How often it was refused.")
    edited: int = strawberry.field(description="How often something else was done.")
    expired: int = strawberry.field(description="How often nobody decided.")
    rate: float | None = strawberry.field(description="Share approved of all decided; null before any.")


@strawberry.input(description="Which review is approved; with an action or a text, what is done instead.")
class ApproveReviewInput(ChangeInput):
    id: strawberry.ID = strawberry.field(description="The review: its id or uuid.")
    action: Action | None = strawberry.field(
        default=None, description="Do this instead of what was proposed."
    )
    text: str | None = strawberry.field(
        default=None, description="The text of a MERGE, or of the new memory of a SUPERSEDE, instead."
    )


@strawberry.input(description="Which review is refused.")
class RejectReviewInput(ChangeInput):
    id: strawberry.ID = strawberry.field(description="The review: its id or uuid.")


@strawberry.type(description="The answer of approveReview.")
class ApproveReviewPayload(Payload):
    review: Review | None = strawberry.field(default=None, description="The review as it stands now.")


@strawberry.type(description="The answer of rejectReview.")
class RejectReviewPayload(Payload):
    review: Review | None = strawberry.field(default=None, description="The review as it stands now.")


@strawberry.type
class ReviewQuery:
    @reads("Reviews, the oldest first: those that wait, or those of another status, or all.")
    async def reviews(
        self,
        info: Info,
        first: First = DEFAULT,
        after: After = None,
        status: Annotated[
            model.ReviewStatus | None, strawberry.argument(description="Only of this status; null for all.")
        ] = model.ReviewStatus.PENDING,
        subject: Subject = None,
    ) -> ReviewConnection | None:
        context, scope = info.context, info.context.scope(subject)
        page = await context.call(
            review_records.page, context.service, scope, size(first), place(after), status
        )
        view = View(scope)
        nodes = [_review(view, each) for each in page.items]
        edges = [ReviewEdge(cursor=at, node=node) for at, node in zip(page.cursors, nodes, strict=True)]
        end = page.cursors[-1] if page.cursors else None
        return ReviewConnection(
            counting=partial(review_records.count, context.service, scope, status),
            edges=edges,
            nodes=nodes,
            page_info=PageInfo(has_next_page=page.has_next, end_cursor=end),
        )

    @reads("How far people agree with each judge, over the reviews that are still kept.")
    async def review_agreement(self, info: Info, subject: Subject = None) -> list[ReviewAgreement] | None:
        context, scope = info.context, info.context.scope(subject)
        return [
            mirror(ReviewAgreement, each)
            for each in await context.call(review_records.agreement, context.service, scope)
        ]


@strawberry.type
class ReviewMutation:
    @writes(
        "Does what a judge proposed, or something else instead, once; lets in what is held. A key with the right to admin stands "
        "for the new memory; to another one what nobody has confirmed takes the place of nothing that is trusted more.",
        ApproveReviewPayload,
        renames={"revision.text": "text"},
    )
    async def approve_review(
        self,
        info: Info,
        input: Annotated[ApproveReviewInput, strawberry.argument(description="What is approved.")],
    ) -> ApproveReviewPayload | None:
        faults = Gathered()
        id = faults.of(uuid_of, "Review", input.id)
        if input.action is not None:
            faults.of(reviews.check_text, input.action, input.text)
        check_reason_and_key(faults, input)
        faults.refuse()
        call = await info.context.change_call(input, review_records.scope_of, id)
        review, answer = await info.context.call(
            reviews.approve,
            info.context.service,
            call,
            id,
            input.action,
            input.text,
            input.reason,
            may_vouch=Right.ADMIN in info.context.asker.rights,
        )
        view = View(call.scope.for_writing())
        return ApproveReviewPayload(review=_review(view, review), replayed=answer.replayed)

    @writes(
        "Refuses what a judge proposed: both memories stay. What is held is retracted.",
        RejectReviewPayload,
    )
    async def reject_review(
        self,
        info: Info,
        input: Annotated[RejectReviewInput, strawberry.argument(description="What is refused.")],
    ) -> RejectReviewPayload | None:
        faults = Gathered()
        id = faults.of(uuid_of, "Review", input.id)
        check_reason_and_key(faults, input)
        faults.refuse()
        call = await info.context.change_call(input, review_records.scope_of, id)
        review, answer = await info.context.call(reviews.reject, info.context.service, call, id, input.reason)
        view = View(call.scope.for_writing())
        return RejectReviewPayload(review=_review(view, review), replayed=answer.replayed)


async def load_review(info: Info, view: View, uuid: str) -> Review | None:
    """The review, or None when it is missing or someone else's."""
    try:
        found = await info.context.call(review_records.get, info.context.service, view.scope, uuid)
    except NotFound:
        return None
    return _review(view, found)


def _review(view: View, given: model.Review) -> Review:
    return mirror(
        Review,
        given,
        id=strawberry.ID(to_global("Review", given.id)),
        view=View(view.scope),
        given=given,
        uuid=Uuid(given.id),
    )

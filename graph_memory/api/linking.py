"""Links between memories: making, ending and counting them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated

import strawberry

from graph_memory.api.arguments import (
    KEY,
    OWNER,
    AsOf,
    ChangeInput,
    KnownAt,
    Subject,
    check_reason_and_key,
)
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, reads, writes
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.loaders import View
from graph_memory.api.memory_link_types import MemoryLink, link_of
from graph_memory.api.scalars import Uuid
from graph_memory.base.errors import Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import is_id
from graph_memory.base.moments import NOW
from graph_memory.ledger.changes import Answer, Call, check_key
from graph_memory.memory import links
from graph_memory.model.link_kinds import LinkKind
from graph_memory.store import subjects

MOST = 500


@strawberry.input(description="A link to make, read from `fromId` to `toId`.")
class LinkInput:
    from_id: strawberry.ID = strawberry.field(description="Where it starts: a memory's id or uuid.")
    to_id: strawberry.ID = strawberry.field(description="Where it leads: a memory's id or uuid.")
    kind: LinkKind = strawberry.field(description="What it says.")
    confidence: float = strawberry.field(default=1.0, description="How sure you are, 0 to 1.")
    strength: float = strawberry.field(
        default=1.0, description="How much the one has to do with the other, 0 to 1."
    )
    reason: str = strawberry.field(default="", description="Why; it stands on the link and in the ledger.")


@strawberry.input(description="A link to make, for whom, and under which key.")
class LinkMemoriesInput(LinkInput):
    subject: str | None = strawberry.field(default=None, description=OWNER)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.input(description="Links to make, all or none, between memories of one subject.")
class LinkManyInput:
    links: list[LinkInput] = strawberry.field(description=f"The links, 1 to {MOST}.")
    subject: str | None = strawberry.field(default=None, description=OWNER)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.input(description="Which link to end: by its uuid, or by its ends and kind.")
class UnlinkMemoriesInput(ChangeInput):
    link: Uuid | None = strawberry.field(default=None, description="The link's uuid.")
    from_id: strawberry.ID | None = strawberry.field(default=None, description="Or where it starts,")
    to_id: strawberry.ID | None = strawberry.field(default=None, description="where it leads,")
    kind: LinkKind | None = strawberry.field(default=None, description="and what it says.")


@strawberry.type(description="What became of one wanted link.")
class MadeLink:
    link: MemoryLink | None = strawberry.field(
        description="The link that holds; null when it has been ended since."
    )
    outcome: links.LinkOutcome = strawberry.field(description="Whether it is new.")


@strawberry.type(description="The answer of linkMemories.")
class LinkMemoriesPayload(Payload):
    link: MemoryLink | None = strawberry.field(default=None, description="The link that holds.")
    outcome: links.LinkOutcome | None = strawberry.field(default=None, description="Whether it is new.")


@strawberry.type(description="The answer of linkMany.")
class LinkManyPayload(Payload):
    results: list[MadeLink] = strawberry.field(
        default_factory=list, description="What became of each link, in their order."
    )


@strawberry.type(description="The answer of unlinkMemories.")
class UnlinkMemoriesPayload(Payload):
    link: Uuid | None = strawberry.field(
        default=None, description="The uuid of the link that was ended; it stays readable by `knownAt`."
    )


@strawberry.type(description="How many links of one kind there are.")
class KindCount:
    kind: LinkKind = strawberry.field(description="The kind.")
    count: int = strawberry.field(description="How many.")


@strawberry.type(description="How many links there are, by kind and direction.")
class LinkStatistics:
    total: int = strawberry.field(description="All of them, each once.")
    total_inbound: int = strawberry.field(description="Those that lead to the memory, or to any.")
    total_outbound: int = strawberry.field(description="Those that start at the memory, or at any.")
    by_type: list[KindCount] = strawberry.field(description="Both directions.")
    inbound_by_type: list[KindCount] = strawberry.field(description="Those that lead to it.")
    outbound_by_type: list[KindCount] = strawberry.field(description="Those that start at it.")


_ONE = {"links[0]": "", "id": "fromId"}


@strawberry.type
class LinkQuery:
    @reads(
        "How many links one memory has, or all of them; null when the memory is missing.",
        missing_is_null=True,
    )
    async def link_statistics(
        self,
        info: Info,
        id: Annotated[
            strawberry.ID | None,
            strawberry.argument(description="A memory's id or uuid; missing: all of the scope."),
        ] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        subject: Subject = None,
    ) -> LinkStatistics | None:
        context, view = info.context, info.context.view(subject, as_of, known_at)
        named = None if id is None else uuid_of("Memory", id)
        found = await context.call(links.statistics, context.service, view.scope, named, view.moment)
        return LinkStatistics(
            total=found.total,
            total_inbound=found.total_inbound,
            total_outbound=found.total_outbound,
            by_type=_counts(found.by_type),
            inbound_by_type=_counts(found.inbound_by_type),
            outbound_by_type=_counts(found.outbound_by_type),
        )


@strawberry.type
class LinkMutation:
    @writes(
        "Links one memory to another. A link that is there already stays as it is.", LinkMemoriesPayload, _ONE
    )
    async def link_memories(
        self,
        info: Info,
        input: Annotated[LinkMemoriesInput, strawberry.argument(description="The link.")],
    ) -> LinkMemoriesPayload | None:
        [made], answer = await _link(info, [input], input.subject, input.idempotency_key)
        return LinkMemoriesPayload(link=made.link, outcome=made.outcome, replayed=answer.replayed)

    @writes(
        "Makes many links in one transaction, all or none.",
        LinkManyPayload,
        renames={"id": "links"},
    )
    async def link_many(
        self, info: Info, input: Annotated[LinkManyInput, strawberry.argument(description="The links.")]
    ) -> LinkManyPayload | None:
        made, answer = await _link(info, input.links, input.subject, input.idempotency_key)
        return LinkManyPayload(results=made, replayed=answer.replayed)

    @writes(
        "Ends a link that was made by hand or judged. It stays readable by `knownAt`.",
        UnlinkMemoriesPayload,
        renames={"id": "fromId"},
    )
    async def unlink_memories(
        self,
        info: Info,
        input: Annotated[UnlinkMemoriesInput, strawberry.argument(description="The link.")],
    ) -> UnlinkMemoriesPayload | None:
        context, faults = info.context, Gathered()
        which = faults.of(_which, input)
        check_reason_and_key(faults, input)
        faults.refuse()
        if isinstance(which, str):
            call = await context.change_call(input, subjects.of_link, which)
        else:
            call = await context.change_call(input, subjects.of_memory, which[0])
        id, answer = await context.call(links.unlink, context.service, call, which, input.reason)
        return UnlinkMemoriesPayload(link=Uuid(id), replayed=answer.replayed)


async def _link(
    info: Info, given: Sequence[LinkInput], subject: str | None, key: str | None
) -> tuple[list[MadeLink], Answer]:
    context, wanted = info.context, _all_wanted(given, key)
    owner = ChangeInput(subject=subject, idempotency_key=key)
    call = await context.change_call(owner, subjects.of_memory, wanted[0].from_id)
    made, answer = await context.call(links.link_many, context.service, call, wanted)
    found = await asyncio.gather(
        *(_made(info, call, each.from_id, linked) for each, linked in zip(wanted, made, strict=True))
    )
    return list(found), answer


async def _made(info: Info, call: Call, from_id: str, linked: links.Linked) -> MadeLink:
    view = View(call.scope.for_writing(), NOW)
    near = await info.context.loaders.links.load((view, from_id))
    found = next((link for link in near if link.id == linked.id), None)
    return MadeLink(link=None if found is None else link_of(found, view), outcome=linked.outcome)


def _all_wanted(given: Sequence[LinkInput], key: str | None) -> list[links.Wanted]:
    """Inputs as the domain's links; all that is wrong with any of them or with the key is told at once."""
    faults = Gathered()
    faults.of(_check_number, given)
    wanted = [_wanted(faults, each, f"links[{place}]") for place, each in enumerate(given[:MOST])]
    faults.of(check_key, key)
    faults.refuse()
    return wanted


def _check_number(given: Sequence[LinkInput]) -> None:
    if not 1 <= len(given) <= MOST:
        raise Invalid(f"{len(given)} links were given; 1 to {MOST} are made at once.", path="links")


def _wanted(faults: Gathered, given: LinkInput, path: str) -> links.Wanted:
    wanted = links.Wanted(
        faults.of(uuid_of, "Memory", given.from_id, f"{path}.from_id"),
        faults.of(uuid_of, "Memory", given.to_id, f"{path}.to_id"),
        given.kind,
        given.confidence,
        given.strength,
        given.reason,
    )
    faults.of(links.check if wanted.from_id and wanted.to_id else links.check_told, wanted, path)
    return wanted


def _which(input: UnlinkMemoriesInput) -> str | tuple[str, str, str]:
    ends = (input.from_id, input.to_id, input.kind)
    if input.link is not None and ends == (None, None, None):
        if not is_id(input.link):
            raise Invalid(
                f"{input.link[:60]!r} is not the uuid of a link; each link has one in the field `uuid`.",
                path="link",
            )
        return input.link
    if input.link is None and input.from_id and input.to_id and input.kind:
        faults = Gathered()
        start = faults.of(uuid_of, "Memory", input.from_id, "from_id")
        end = faults.of(uuid_of, "Memory", input.to_id, "to_id")
        faults.refuse()
        return start, end, input.kind
    raise Invalid("Give either link, or fromId, toId and kind.", path="link")


def _counts(found: Mapping[str, int]) -> list[KindCount]:
    return [KindCount(kind=LinkKind(kind), count=count) for kind, count in found.items()]

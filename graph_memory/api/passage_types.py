"""What was said, where memories were taken from."""

from __future__ import annotations

from datetime import datetime

import strawberry

# Whole, since it imports this one.
from graph_memory.api import memory_types
from graph_memory.api.arguments import First
from graph_memory.api.context import Info
from graph_memory.api.fields import nested
from graph_memory.api.loaders import View
from graph_memory.api.paging import FEW, few
from graph_memory.api.references import MemoryRef
from graph_memory.api.scalars import Uuid
from graph_memory.recall import passages


@strawberry.type(description="What somebody said at one time, as it was said.")
class Passage:
    view: strawberry.Private[View]
    memory_ids: strawberry.Private[tuple[str, ...]]
    uuid: Uuid = strawberry.field(description="The id of the message.")
    text: str = strawberry.field(description="What was said.")
    speaker: str = strawberry.field(description="Who said it.")
    at: datetime = strawberry.field(description="When it was said.")
    role: str | None = strawberry.field(description="user, assistant or tool; null for a person.")
    ref: str | None = strawberry.field(description="Your own name for it.")
    session: str | None = strawberry.field(description="Your name for its session.")
    segment_uuid: Uuid = strawberry.field(description="The stretch of conversation that it stands in.")
    position: int = strawberry.field(description="Its place there, from 0.")

    @nested("The memories that were taken from it.")
    async def memories(self, info: Info, first: First = FEW) -> list[MemoryRef]:
        return await memory_types.some_of(info, self.view, few(self.memory_ids, first))


def passage_of(found: passages.Passage, view: View) -> Passage:
    """A passage of the domain as the schema shows it."""
    return Passage(
        view=view,
        memory_ids=found.memory_ids,
        uuid=Uuid(found.id),
        text=found.text,
        speaker=found.speaker,
        at=found.at,
        role=found.role,
        ref=found.ref,
        session=found.session,
        segment_uuid=Uuid(found.segment_id),
        position=found.position,
    )

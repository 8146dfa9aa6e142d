"""Who is asking, and what answers."""

from __future__ import annotations

import strawberry

from graph_memory import __version__
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.store import api_keys


@strawberry.type(description="Who is asking: the API key that was sent.")
class Viewer:
    tenant: str = strawberry.field(description="The account that the key belongs to.")
    subject: str | None = strawberry.field(
        description="The subject that the key is bound to; null when to none."
    )
    actor: str = strawberry.field(description="The name under which it stands in the ledger.")
    rights: list[api_keys.Right] = strawberry.field(description="What it may do.")


@strawberry.type
class ViewerQuery:
    @reads("Who is asking.")
    async def viewer(self, info: Info) -> Viewer:
        asker = info.context.asker
        return Viewer(
            tenant=asker.scope.tenant_name,
            subject=asker.scope.subject_name,
            actor=asker.actor,
            rights=[each for each in api_keys.Right if each in asker.rights],
        )

    @reads("The version of the service.")
    async def version(self) -> str:
        return __version__

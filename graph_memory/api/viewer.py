"""Who is asking, and what answers."""

from __future__ import annotations

from enum import Enum

import strawberry

from graph_memory import __version__
from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.store import api_keys


@strawberry.enum(description="What a key may do. All include READ, ADMIN includes all.")
class Right(Enum):
    READ = strawberry.enum_value("read", description="Read memories.")
    WRITE = strawberry.enum_value("write", description="Keep and change memories.")
    ERASE = strawberry.enum_value("erase", description="Erase memories for ever.")
    ADMIN = strawberry.enum_value("admin", description="Run jobs and see what only operators see.")


@strawberry.type(description="Who is asking: the API key that was sent.")
class Viewer:
    tenant: str = strawberry.field(description="The account that the key belongs to.")
    subject: str | None = strawberry.field(
        description="The subject that the key is bound to; null when to none."
    )
    actor: str = strawberry.field(description="The name under which it stands in the ledger.")
    rights: list[Right] = strawberry.field(description="What it may do.")


@strawberry.type
class ViewerQuery:
    @reads("Who is asking.")
    async def viewer(self, info: Info) -> Viewer:
        asker = info.context.asker
        return Viewer(
            tenant=asker.scope.tenant_name,
            subject=asker.scope.subject_name,
            actor=asker.actor,
            rights=[Right[each.name] for each in api_keys.Right if each in asker.rights],
        )

    @reads("The version of the service.")
    async def version(self) -> str:
        return __version__

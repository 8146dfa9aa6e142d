"""API keys over GraphQL: made, listed and ended by an admin of the account; short-lived ones for pages."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, reads, writes
from graph_memory.base.errors import Forbidden
from graph_memory.store import api_keys
from graph_memory.store.api_keys import Right


@strawberry.type(description="A key as people see it: everything but its secret.")
class ApiKey:
    prefix: str = strawberry.field(
        description="The eight characters after gm_: its name in the ledger and for revokeApiKey."
    )
    name: str = strawberry.field(description="What it is for.")
    subject: str | None = strawberry.field(description="The subject that it is bound to; null when to none.")
    rights: list[Right] = strawberry.field(description="What it may do.")
    created_at: datetime = strawberry.field(description="When it was made.")
    expires_at: datetime | None = strawberry.field(
        description="When it ends by itself; null when it does not."
    )
    revoked_at: datetime | None = strawberry.field(description="When it was ended; null while it was not.")
    last_used_at: datetime | None = strawberry.field(description="When it was last used, to the hour.")


@strawberry.input(description="What the new key may do, for whom and for how long.")
class CreateApiKeyInput:
    name: str = strawberry.field(default="", description="What it is for.")
    subject: str | None = strawberry.field(
        default=None, description="Bind it to this subject; missing: to none."
    )
    rights: list[Right] = strawberry.field(
        default_factory=lambda: [Right.READ],
        description="What it may do. All include READ, ADMIN includes all.",
    )
    minutes: int | None = strawberry.field(
        default=None, description="It ends by itself after so many; missing: when it is revoked."
    )


@strawberry.input(description="Which key.")
class RevokeApiKeyInput:
    prefix: str = strawberry.field(description="The eight characters after gm_.")


@strawberry.type(description="The answer of createApiKey.")
class CreateApiKeyPayload(Payload):
    api_key: ApiKey | None = strawberry.field(default=None, description="The new key.")
    secret: str | None = strawberry.field(
        default=None, description="What is sent as `Authorization: Bearer`. It is shown this once."
    )


@strawberry.type(description="The answer of revokeApiKey.")
class RevokeApiKeyPayload(Payload):
    api_key: ApiKey | None = strawberry.field(
        default=None, description="The key, which is refused within five seconds."
    )


@strawberry.type
class ApiKeyQuery:
    @reads(
        "The account's API keys, oldest first, revoked ones too. It needs the right ADMIN, and a key that is bound to no "
        "subject.",
        right=Right.ADMIN,
    )
    async def api_keys(self, info: Info) -> list[ApiKey] | None:
        context = info.context
        found = await context.call(api_keys.all_keys, context.service, _tenant(info))
        return [_shown(each) for each in found]


@strawberry.type
class ApiKeyMutation:
    @writes(
        "Makes an API key of the account; the same again makes another. It needs the right ADMIN, and a key that is bound to no "
        "subject.",
        CreateApiKeyPayload,
        right=Right.ADMIN,
    )
    async def create_api_key(
        self,
        info: Info,
        input: Annotated[CreateApiKeyInput, strawberry.argument(description="What it may do.")],
    ) -> CreateApiKeyPayload | None:
        context = info.context
        key, secret = await context.call(
            api_keys.create,
            context.service,
            _tenant(info),
            input.subject,
            name=input.name,
            also=input.rights,
            minutes=input.minutes,
        )
        return CreateApiKeyPayload(api_key=_shown(key), secret=secret)

    @writes(
        "Ends an API key of the account, for good. It needs the right ADMIN, and a key that is bound to no subject.",
        RevokeApiKeyPayload,
        right=Right.ADMIN,
    )
    async def revoke_api_key(
        self, info: Info, input: Annotated[RevokeApiKeyInput, strawberry.argument(description="Which key.")]
    ) -> RevokeApiKeyPayload | None:
        context = info.context
        ended = await context.call(api_keys.revoke, context.service, input.prefix, _tenant(info))
        return RevokeApiKeyPayload(api_key=_shown(ended))


def _tenant(info: Info) -> str:
    """The account whose keys these are. Whoever is bound to one subject must not make a key for another."""
    scope = info.context.asker.scope
    if scope.is_bound:
        raise Forbidden("Keys are looked after with a key that is bound to no subject.")
    return scope.tenant_name


def _shown(key: api_keys.ApiKey) -> ApiKey:
    return ApiKey(
        prefix=key.prefix,
        name=key.name,
        subject=key.subject_name,
        rights=list(key.scopes),
        created_at=key.created_at,
        expires_at=key.expires_at,
        revoked_at=key.revoked_at,
        last_used_at=key.last_used_at,
    )

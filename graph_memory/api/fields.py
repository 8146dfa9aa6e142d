"""How root fields are declared: each names the right it needs, so that none can be without one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from functools import wraps
from types import MappingProxyType
from typing import Any

import strawberry
from strawberry.extensions import FieldExtension

from graph_memory.api.as_written import name_as_written
from graph_memory.api.faults import AT_THE_TOP, UserError, user_error
from graph_memory.base.errors import NotFound
from graph_memory.base.errors import UserError as Fault
from graph_memory.store.api_keys import Right

Next = Callable[..., Awaitable[Any]]
Resolver = Callable[..., Any]

# The policy of what hangs on a thing: whoever was answered the thing sees this of it, through the thing's own view.
OF_ITS_ROOT = {"policy": "of its root"}


@strawberry.interface(description="What every mutation answers beside the thing it made or changed.")
class Payload:
    errors: list[UserError] = strawberry.field(
        default_factory=list, description="What the user can mend; empty when it was carried out."
    )
    replayed: bool = strawberry.field(
        default=False,
        description="Whether this is the answer of an earlier request with the same idempotency key.",
    )


class Needs(FieldExtension):
    """Refuses askers without the right."""

    def __init__(self, right: Right) -> None:
        self.right = right

    async def resolve_async(self, next_: Next, source: Any, info: strawberry.Info, **kwargs: Any) -> Any:
        info.context.require(self.right)
        return await next_(source, info, **kwargs)


class MissingIsNull(FieldExtension):
    """Answers null where the domain says that there is no such thing."""

    async def resolve_async(self, next_: Next, source: Any, info: strawberry.Info, **kwargs: Any) -> Any:
        try:
            return await next_(source, info, **kwargs)
        except NotFound:
            return None


class FaultsAreData(FieldExtension):
    """Answers a payload with errors where the user can mend the fault."""

    def __init__(self, payload: type[Payload]) -> None:
        self.payload = payload

    async def resolve_async(self, next_: Next, source: Any, info: strawberry.Info, **kwargs: Any) -> Any:
        try:
            return await next_(source, info, **kwargs)
        except AT_THE_TOP:
            raise
        except Fault as fault:
            info.context.codes.append(fault.code)
            return self.payload(errors=[user_error(each) for each in fault.each])


class NamesAsWritten(FieldExtension):
    """Has errors name values as the caller wrote them; `renames` say where the domain calls one otherwise."""

    def __init__(self, renames: Mapping[str, str]) -> None:
        self.renames = renames

    async def resolve_async(self, next_: Next, source: Any, info: strawberry.Info, **kwargs: Any) -> Any:
        try:
            return await next_(source, info, **kwargs)
        except Fault as fault:
            asked = info._raw_info
            name_as_written(fault, asked.parent_type.fields[asked.field_name].args, self.renames)
            raise


def reads(
    description: str,
    *,
    renames: Mapping[str, str] = MappingProxyType({}),
    missing_is_null: bool = False,
    right: Right = Right.READ,
    deprecated: str | None = None,
) -> Callable[[Resolver], Any]:
    """A field of Query. With `missing_is_null` a NotFound answers null instead of an error; `deprecated` says what to ask."""
    missing: list[FieldExtension] = [MissingIsNull()] if missing_is_null else []
    extensions = [Needs(right), NamesAsWritten(renames), *missing]
    made: Any = strawberry.field(
        description=description, extensions=extensions, deprecation_reason=deprecated
    )
    return made  # type: ignore[no-any-return]


def follows(description: str) -> Callable[[Resolver], Any]:
    """A field of Subscription: an async generator."""

    def made(resolver: Resolver) -> Any:
        @wraps(resolver)
        async def following(*args: Any, info: strawberry.Info, **kwargs: Any) -> AsyncIterator[Any]:
            context = info.context
            context.require(Right.READ)
            with context.open.feeds.places.place(context.asker.actor):
                async with aclosing(resolver(*args, info=info, **kwargs)) as events:
                    async for event in events:
                        # A key that was revoked meanwhile sees nothing more.
                        await context.authenticate()
                        yield event

        following.right = Right.READ  # type: ignore[attr-defined]
        return strawberry.subscription(following, description=description)

    return made


def writes(
    description: str,
    payload: type[Payload],
    renames: Mapping[str, str] = MappingProxyType({}),
    right: Right = Right.WRITE,
) -> Callable[[Resolver], Any]:
    """A field of Mutation. What the user can mend becomes the payload's errors."""
    extensions: list[FieldExtension] = [Needs(right), NamesAsWritten(renames), FaultsAreData(payload)]
    made: Any = strawberry.mutation(description=description, extensions=extensions)
    return made  # type: ignore[no-any-return]


def nested(description: str, name: str | None = None) -> Callable[[Resolver], Any]:
    """A field of a thing that some root has answered; the root's right covers it."""
    made: Any = strawberry.field(description=description, name=name, metadata=OF_ITS_ROOT)
    return made  # type: ignore[no-any-return]

"""What one request carries: who asks, where to, and the loaders that live as long as it does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import ParamSpec, TypeAlias, TypeVar

import strawberry

from graph_memory.api.arguments import ChangeInput
from graph_memory.api.crossing import Crossing
from graph_memory.api.feeds import Feeds
from graph_memory.api.loaders import Loaders, View
from graph_memory.base.errors import Forbidden, Unauthenticated
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.base.sections import Sections
from graph_memory.jobs.ticks import Publish
from graph_memory.ledger.changes import Call
from graph_memory.recall.access import Accesses
from graph_memory.store.api_keys import Identity, Keyring, Right
from graph_memory.store.service import Service
from graph_memory.upkeep.passage_vectors import Arrivals

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Open:
    """What the process holds open for all requests."""

    service: Service
    keyring: Keyring
    crossing: Crossing
    publish: Publish
    accesses: Accesses
    feeds: Feeds
    arrivals: Arrivals


@dataclass
class Context:
    """One request. `cost` and `operation` become known on the way."""

    open: Open
    presented_key: str | None
    request_id: str
    # Over a stream only subscriptions are answered.
    is_stream: bool = False
    # What a websocket's client said of itself when it connected.
    connection_params: dict[str, object] = field(default_factory=dict)
    identity: Identity | None = None
    cost: int | None = None
    operation: str | None = None
    # The root field that is asked for.
    root_field: str | None = None
    codes: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.loaders = Loaders(self.open.service, self.open.crossing)

    @property
    def service(self) -> Service:
        return self.open.service

    @property
    def settings(self) -> Sections:
        return self.open.service.settings

    async def authenticate(self) -> Identity:
        """Who asks, from the key that was sent; Unauthenticated without a valid one."""
        self.identity = await self.call(self.open.keyring.resolve, self.presented_key)
        return self.identity

    @property
    def asker(self) -> Identity:
        if self.identity is None:
            raise Unauthenticated
        return self.identity

    def require(self, right: Right) -> None:
        """Forbidden when the key lacks this right."""
        if right not in self.asker.rights:
            raise Forbidden(
                f"This key lacks the right to {right.value}; `graph-memory keys create` with `--scope {right.value}` "
                "makes one that has it."
            )

    def scope(self, subject: str | None) -> Scope:
        """The key's scope, narrowed to a subject when one is named."""
        return self.asker.scope.of(subject)

    def view(
        self, subject: str | None, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> View:
        """Whose memories are read, and at which moment."""
        moment = Moment(as_of, known_at) if as_of or known_at else NOW
        return View(self.scope(subject), moment)

    def write_call(self, subject: str | None, key: str | None, session_id: str | None = None) -> Call:
        """Who writes, for whom, and under which idempotency key."""
        return Call(self.scope(subject), self.asker.actor, key=key, session_id=session_id)

    async def change_call(
        self, given: ChangeInput, whose: Callable[[Service, Scope, T], Scope], named: T
    ) -> Call:
        """As `write_call`, for the subject of the thing that is named when none is."""
        scope = await self.call(whose, self.service, self.scope(given.subject), named)
        return Call(scope, self.asker.actor, key=given.idempotency_key)

    async def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a domain function answers, carried out in a thread."""
        return await self.open.crossing.call(function, *args, **kwargs)


Info: TypeAlias = strawberry.Info[Context, None]

"""`Client`, which blocks, and `AsyncClient`, which awaits: the same methods, carried out over HTTP."""

from __future__ import annotations

import asyncio
import os
import re
import time
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing
from functools import wraps
from typing import Concatenate, ParamSpec, Self, TypeVar

import httpx2

from graph_memory.base.errors import Invalid, Unavailable
from graph_memory.client import methods
from graph_memory.client.answers import Change
from graph_memory.client.exchange import Asker, Lost, Post, Reply, Steps
from graph_memory.client.subscriptions import ACCEPT, SILENCE, Following

P = ParamSpec("P")
T = TypeVar("T")

_OF_ENVIRONMENT = "GRAPH_MEMORY_API_KEY"
# The service answers within its own time, 30 seconds by default; a client waits a little longer.
TIMEOUT = 35.0
# Why there was no answer, in words for people.
_LOST: Mapping[type[httpx2.TransportError], str] = {
    httpx2.ConnectError: "no connection came about",
    httpx2.ConnectTimeout: "no connection came about in time",
    httpx2.PoolTimeout: "too many requests wait for a connection",
    httpx2.TimeoutException: "no answer came in time",
    httpx2.UnsupportedProtocol: "it is not an address of the web",
}
_STREAM = httpx2.Timeout(TIMEOUT, read=SILENCE)

Method = Callable[Concatenate[Asker, P], Steps[T]]


def _blocking(method: Method[P, T]) -> Callable[Concatenate[Client, P], T]:
    @wraps(method)
    def call(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._carry_out(method(self._asker, *args, **kwargs))

    return call


def _awaiting(method: Method[P, T]) -> Callable[Concatenate[AsyncClient, P], Awaitable[T]]:
    @wraps(method)
    async def call(self: AsyncClient, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._carry_out(method(self._asker, *args, **kwargs))

    return call


class Client:
    """A caller with a key. Safe to share between threads; its connections are closed by `close`, by `with`, or with it.

    Without `key` it is the one that GRAPH_MEMORY_API_KEY holds.
    `subject` is whose memories are meant when a call does not say. A request that meets an overloaded or restarting
    service is sent again up to `retries` times.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        subject: str | None = None,
        retries: int = 4,
        timeout: float = TIMEOUT,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self._asker, self._key = Asker(_address(url), subject, retries), _key(key)
        self._http = httpx2.Client(headers=_headers(self._key), timeout=timeout, transport=transport)
        # A client that nobody closed closes its connections when it goes.
        self._end = weakref.finalize(self, self._http.close)

    remember = _blocking(methods.remember)
    add = _blocking(methods.add)
    add_messages = _blocking(methods.add_messages)
    close_session = _blocking(methods.close_session)
    sessions = _blocking(methods.sessions)
    segments = _blocking(methods.segments)
    messages = _blocking(methods.messages)
    search = _blocking(methods.search)
    passages = _blocking(methods.passages)
    ask = _blocking(methods.ask)
    surface = _blocking(methods.surface)
    pack = _blocking(methods.pack)
    memory = _blocking(methods.memory)
    memories = _blocking(methods.memories)
    attributes = _blocking(methods.attributes)
    history = _blocking(methods.history)
    why_retired = _blocking(methods.why_retired)
    neighbours = _blocking(methods.neighbours)
    subgraph = _blocking(methods.subgraph)
    supersede = _blocking(methods.supersede)
    revise = _blocking(methods.revise)
    retract = _blocking(methods.retract)
    link = _blocking(methods.link)
    forget = _blocking(methods.forget)
    undo = _blocking(methods.undo)
    communities = _blocking(methods.communities)
    community = _blocking(methods.community)
    reviews = _blocking(methods.reviews)
    approve_review = _blocking(methods.approve_review)
    reject_review = _blocking(methods.reject_review)
    change_page = _blocking(methods.change_page)
    consolidate = _blocking(methods.consolidate)
    consolidation_plan = _blocking(methods.consolidation_plan)
    promote_consolidation = _blocking(methods.promote_consolidation)
    revert_consolidation = _blocking(methods.revert_consolidation)
    job = _blocking(methods.job)
    tiers = _blocking(methods.tiers)
    subjects = _blocking(methods.subjects)
    webhooks = _blocking(methods.webhooks)
    add_webhook = _blocking(methods.add_webhook)
    resume_webhook = _blocking(methods.resume_webhook)
    remove_webhook = _blocking(methods.remove_webhook)
    viewer = _blocking(methods.viewer)

    def changes(
        self, after: int | str | None = None, *, follow: bool = False, subject: str | None = None
    ) -> Iterator[Change]:
        """Every decision after a sequence number, oldest first; with `follow` it goes on and gives each as it is made.

        A connection that is lost is taken up after the last change that was given out: none is missed, none comes twice.
        """
        if follow:
            yield from self._follow(Following(self._asker, after, subject))
            return
        while (page := self.change_page(after=after, subject=subject)).nodes:
            yield from page
            after = page.end_cursor
            if not page.has_next_page:
                return

    @property
    def subject(self) -> str | None:
        """Whose memories are meant when a call does not say."""
        return self._asker.subject

    def as_async(self) -> AsyncClient:
        """An AsyncClient with the same address, key and subject."""
        return AsyncClient(
            self._asker.address, self._key, subject=self._asker.subject, retries=self._asker.retries
        )

    def close(self) -> None:
        """Closes its connections."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._asker.address!r}, subject={self._asker.subject!r})"

    def _carry_out(self, steps: Steps[T]) -> T:
        came: Reply | Lost | None = None
        try:
            while True:
                step, came = steps.send(came), None
                if isinstance(step, Post):
                    came = self._post(step)
                else:
                    time.sleep(step.seconds)
        except StopIteration as done:
            value: T = done.value
            return value

    def _follow(self, following: Following) -> Iterator[Change]:
        while True:
            try:
                with self._http.stream(
                    "POST", self._asker.address, content=following.body(), headers=ACCEPT, timeout=_STREAM
                ) as response:
                    if _is_stream(response):
                        for line in response.iter_lines():
                            yield from following.changes(line)
                    else:
                        response.read()
                        following.refused(_reply(response))
            except httpx2.TransportError as error:
                following.lost(_lost(error))
            except Unavailable as error:
                following.failed(error)
            time.sleep(following.pause)

    def _post(self, post: Post) -> Reply | Lost:
        try:
            return _reply(self._http.post(self._asker.address, content=post.body))
        except httpx2.TransportError as error:
            return _lost(error)


class AsyncClient:
    """As Client, to be awaited: `async with AsyncClient(...) as memory`, `await memory.search(...)`."""

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        subject: str | None = None,
        retries: int = 4,
        timeout: float = TIMEOUT,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._asker = Asker(_address(url), subject, retries)
        self._http = httpx2.AsyncClient(headers=_headers(_key(key)), timeout=timeout, transport=transport)

    remember = _awaiting(methods.remember)
    add = _awaiting(methods.add)
    add_messages = _awaiting(methods.add_messages)
    close_session = _awaiting(methods.close_session)
    sessions = _awaiting(methods.sessions)
    segments = _awaiting(methods.segments)
    messages = _awaiting(methods.messages)
    search = _awaiting(methods.search)
    passages = _awaiting(methods.passages)
    ask = _awaiting(methods.ask)
    surface = _awaiting(methods.surface)
    pack = _awaiting(methods.pack)
    memory = _awaiting(methods.memory)
    memories = _awaiting(methods.memories)
    attributes = _awaiting(methods.attributes)
    history = _awaiting(methods.history)
    why_retired = _awaiting(methods.why_retired)
    neighbours = _awaiting(methods.neighbours)
    subgraph = _awaiting(methods.subgraph)
    supersede = _awaiting(methods.supersede)
    revise = _awaiting(methods.revise)
    retract = _awaiting(methods.retract)
    link = _awaiting(methods.link)
    forget = _awaiting(methods.forget)
    undo = _awaiting(methods.undo)
    communities = _awaiting(methods.communities)
    community = _awaiting(methods.community)
    reviews = _awaiting(methods.reviews)
    approve_review = _awaiting(methods.approve_review)
    reject_review = _awaiting(methods.reject_review)
    change_page = _awaiting(methods.change_page)
    consolidate = _awaiting(methods.consolidate)
    consolidation_plan = _awaiting(methods.consolidation_plan)
    promote_consolidation = _awaiting(methods.promote_consolidation)
    revert_consolidation = _awaiting(methods.revert_consolidation)
    job = _awaiting(methods.job)
    tiers = _awaiting(methods.tiers)
    subjects = _awaiting(methods.subjects)
    webhooks = _awaiting(methods.webhooks)
    add_webhook = _awaiting(methods.add_webhook)
    resume_webhook = _awaiting(methods.resume_webhook)
    remove_webhook = _awaiting(methods.remove_webhook)
    viewer = _awaiting(methods.viewer)

    async def changes(
        self, after: int | str | None = None, *, follow: bool = False, subject: str | None = None
    ) -> AsyncIterator[Change]:
        """As `Client.changes`, for `async for`."""
        if follow:
            async with aclosing(self._follow(Following(self._asker, after, subject))) as followed:
                async for each in followed:
                    yield each
            return
        while (page := await self.change_page(after=after, subject=subject)).nodes:
            for each in page:
                yield each
            after = page.end_cursor
            if not page.has_next_page:
                return

    @property
    def subject(self) -> str | None:
        """Whose memories are meant when a call does not say."""
        return self._asker.subject

    async def close(self) -> None:
        """Closes its connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._asker.address!r}, subject={self._asker.subject!r})"

    async def _carry_out(self, steps: Steps[T]) -> T:
        came: Reply | Lost | None = None
        try:
            while True:
                step, came = steps.send(came), None
                if isinstance(step, Post):
                    came = await self._post(step)
                else:
                    await asyncio.sleep(step.seconds)
        except StopIteration as done:
            value: T = done.value
            return value

    async def _follow(self, following: Following) -> AsyncGenerator[Change, None]:
        while True:
            try:
                async with self._http.stream(
                    "POST", self._asker.address, content=following.body(), headers=ACCEPT, timeout=_STREAM
                ) as response:
                    if _is_stream(response):
                        async for line in response.aiter_lines():
                            for each in following.changes(line):
                                yield each
                    else:
                        await response.aread()
                        following.refused(_reply(response))
            except httpx2.TransportError as error:
                following.lost(_lost(error))
            except Unavailable as error:
                following.failed(error)
            await asyncio.sleep(following.pause)

    async def _post(self, post: Post) -> Reply | Lost:
        try:
            return _reply(await self._http.post(self._asker.address, content=post.body))
        except httpx2.TransportError as error:
            return _lost(error)


def _address(url: str) -> str:
    """`http://127.0.0.1:8420` or the whole address of GraphQL."""
    if not url.startswith(("http://", "https://")):
        raise Invalid(
            f"url is {url!r}; it begins with http:// or https://, as in http://127.0.0.1:8420.", path="url"
        )
    return url if url.rstrip("/").endswith("/graphql") else f"{url.rstrip('/')}/graphql"


def _key(given: str | None) -> str:
    """The key that was given, else that of the environment."""
    key = os.environ.get(_OF_ENVIRONMENT) if given is None else given
    if key is None:
        raise Invalid(
            f"key is missing: name it, as in Client(url, key), or set {_OF_ENVIRONMENT}; `graph-memory keys create` makes one.",
            path="key",
        )
    # What was read from a file ends with a line's end.
    key = key.strip()
    if not key or not key.isascii() or not key.isprintable():
        raise Invalid("key is empty or not an API key; `graph-memory keys create` makes one.", path="key")
    return key


def _headers(key: str) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {key}",
        "Content-Type": "application/json",
        "User-Agent": "graph-memory",
    }


def _is_stream(response: httpx2.Response) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/event-stream")


def _reply(response: httpx2.Response) -> Reply:
    return Reply(response.status_code, response.content, response.headers.get("Retry-After"))


def _lost(error: httpx2.TransportError) -> Lost:
    """A connection that never came about has carried nothing."""
    never = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)
    what = next(
        (words for kind, words in _LOST.items() if isinstance(error, kind)), "the connection broke off"
    )
    why = re.sub(r"^\[Errno -?\d+\] ", "", str(error))
    return Lost(f"{what}: {why}" if why else what, not isinstance(error, never))

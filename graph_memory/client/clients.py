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
from graph_memory.client.answers.of_changes import Change
from graph_memory.client.exchange import Asker, Lost, Post, Reply, Steps
from graph_memory.client.methods import (
    administering,
    deciding,
    finding,
    grouping,
    looking,
    running,
    talking,
    writing,
)
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
        self._asker, self._key, self._timeout = Asker(_address(url), subject, retries), _key(key), timeout
        self._http = httpx2.Client(headers=_headers(self._key), timeout=timeout, transport=transport)
        # A client that nobody closed closes its connections when it goes.
        self._end = weakref.finalize(self, self._http.close)

    remember = _blocking(writing.remember)
    add = _blocking(writing.add)
    add_messages = _blocking(talking.add_messages)
    close_session = _blocking(talking.close_session)
    retry_messages = _blocking(talking.retry_messages)
    sessions = _blocking(talking.sessions)
    segments = _blocking(talking.segments)
    messages = _blocking(talking.messages)
    search = _blocking(finding.search)
    passages = _blocking(finding.passages)
    ask = _blocking(finding.ask)
    surface = _blocking(finding.surface)
    pack = _blocking(finding.pack)
    memory = _blocking(looking.memory)
    memories = _blocking(looking.memories)
    attributes = _blocking(looking.attributes)
    history = _blocking(looking.history)
    why_retired = _blocking(looking.why_retired)
    neighbours = _blocking(looking.neighbours)
    subgraph = _blocking(looking.subgraph)
    supersede = _blocking(writing.supersede)
    revise = _blocking(writing.revise)
    retract = _blocking(writing.retract)
    link = _blocking(writing.link)
    forget = _blocking(writing.forget)
    undo = _blocking(writing.undo)
    communities = _blocking(grouping.communities)
    community = _blocking(grouping.community)
    reviews = _blocking(deciding.reviews)
    approve_review = _blocking(deciding.approve_review)
    reject_review = _blocking(deciding.reject_review)
    change_page = _blocking(administering.change_page)
    consolidate = _blocking(running.consolidate)
    consolidation_plan = _blocking(running.consolidation_plan)
    promote_consolidation = _blocking(running.promote_consolidation)
    revert_consolidation = _blocking(running.revert_consolidation)
    job = _blocking(running.job)
    tiers = _blocking(administering.tiers)
    subjects = _blocking(administering.subjects)
    webhooks = _blocking(administering.webhooks)
    add_webhook = _blocking(administering.add_webhook)
    resume_webhook = _blocking(administering.resume_webhook)
    remove_webhook = _blocking(administering.remove_webhook)
    viewer = _blocking(administering.viewer)

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
        """An AsyncClient with the same address, key, subject, retries and timeout."""
        return AsyncClient(
            self._asker.address,
            self._key,
            subject=self._asker.subject,
            retries=self._asker.retries,
            timeout=self._timeout,
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

    remember = _awaiting(writing.remember)
    add = _awaiting(writing.add)
    add_messages = _awaiting(talking.add_messages)
    close_session = _awaiting(talking.close_session)
    retry_messages = _awaiting(talking.retry_messages)
    sessions = _awaiting(talking.sessions)
    segments = _awaiting(talking.segments)
    messages = _awaiting(talking.messages)
    search = _awaiting(finding.search)
    passages = _awaiting(finding.passages)
    ask = _awaiting(finding.ask)
    surface = _awaiting(finding.surface)
    pack = _awaiting(finding.pack)
    memory = _awaiting(looking.memory)
    memories = _awaiting(looking.memories)
    attributes = _awaiting(looking.attributes)
    history = _awaiting(looking.history)
    why_retired = _awaiting(looking.why_retired)
    neighbours = _awaiting(looking.neighbours)
    subgraph = _awaiting(looking.subgraph)
    supersede = _awaiting(writing.supersede)
    revise = _awaiting(writing.revise)
    retract = _awaiting(writing.retract)
    link = _awaiting(writing.link)
    forget = _awaiting(writing.forget)
    undo = _awaiting(writing.undo)
    communities = _awaiting(grouping.communities)
    community = _awaiting(grouping.community)
    reviews = _awaiting(deciding.reviews)
    approve_review = _awaiting(deciding.approve_review)
    reject_review = _awaiting(deciding.reject_review)
    change_page = _awaiting(administering.change_page)
    consolidate = _awaiting(running.consolidate)
    consolidation_plan = _awaiting(running.consolidation_plan)
    promote_consolidation = _awaiting(running.promote_consolidation)
    revert_consolidation = _awaiting(running.revert_consolidation)
    job = _awaiting(running.job)
    tiers = _awaiting(administering.tiers)
    subjects = _awaiting(administering.subjects)
    webhooks = _awaiting(administering.webhooks)
    add_webhook = _awaiting(administering.add_webhook)
    resume_webhook = _awaiting(administering.resume_webhook)
    remove_webhook = _awaiting(administering.remove_webhook)
    viewer = _awaiting(administering.viewer)

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

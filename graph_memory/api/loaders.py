"""Loaders: what a list's rows ask for one by one is read in one statement. One set for each request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from strawberry.dataloader import DataLoader

from graph_memory.api.crossing import Crossing
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.memory import community_reading as communities
from graph_memory.memory import reading
from graph_memory.memory.attribute_reading import Attribute, Claim, attributes_of, claims_of
from graph_memory.memory.entity_reading import Relation, memories_of, relations_of
from graph_memory.memory.histories import histories
from graph_memory.memory.lookup import entities
from graph_memory.memory.sharing import Shared, shared_of
from graph_memory.model.memory import Memory
from graph_memory.recall.passages import Passage, passages_of
from graph_memory.scoring.facts import explain
from graph_memory.scoring.scores import Explained
from graph_memory.store import subjects
from graph_memory.store.service import Row, Service

T = TypeVar("T")
V = TypeVar("V")


@dataclass(frozen=True)
class View:
    """Whose memories, and at which moment. Part of every key, so that nothing crosses a wall or a time."""

    scope: Scope
    moment: Moment = NOW


@dataclass(frozen=True)
class Pages:
    """A page of what hangs on something: how many, and after which cursor."""

    view: View
    first: int
    after: str | None


Key = tuple[View, str]

# Of one kind and direction: no `first` is larger.
_MOST_LINKS = 100


class Loaders:
    """Memories and what hangs on them by memory id, and entities and communities by their own."""

    def __init__(self, service: Service, crossing: Crossing) -> None:
        self._service = service
        self._crossing = crossing
        self.memories: DataLoader[Key, Memory | None] = DataLoader(self._memories)
        self.entities: DataLoader[Key, list[Row]] = DataLoader(self._entities)
        self.links: DataLoader[Key, list[reading.Link]] = DataLoader(self._links)
        self.passages: DataLoader[Key, list[Passage]] = DataLoader(self._passages)
        self.shared: DataLoader[Key, list[Shared]] = DataLoader(self._shared)
        self.scores: DataLoader[Key, Explained | None] = DataLoader(self._scores)
        self.histories: DataLoader[Key, list[reading.State]] = DataLoader(self._histories)
        self.entities_by_id: DataLoader[Key, Row | None] = DataLoader(self._entities_by_id)
        self.relations: DataLoader[Key, list[Relation]] = DataLoader(self._relations)
        self.entity_memories: DataLoader[tuple[Pages, str], list[tuple[str, str]]] = DataLoader(
            self._entity_memories
        )

        self.attributes: DataLoader[tuple[Pages, str], list[Attribute]] = DataLoader(self._attributes)
        self.claims: DataLoader[Key, Claim | None] = DataLoader(self._claims)

        self.subjects: DataLoader[Key, subjects.Subject | None] = DataLoader(self._subjects)
        self.subject_names: DataLoader[Key, str | None] = DataLoader(self._subject_names)
        self.communities: DataLoader[Key, communities.Community | None] = DataLoader(self._communities)
        self.community_of: DataLoader[Key, str | None] = DataLoader(self._community_of)
        self.community_lineage: DataLoader[Key, list[communities.Event]] = DataLoader(self._lineage)
        self.community_summaries: DataLoader[Key, communities.CommunitySummary | None] = DataLoader(
            self._summaries
        )
        self.community_members: DataLoader[tuple[Pages, str], list[tuple[str, str]]] = DataLoader(
            self._community_members
        )

    async def _scores(self, keys: list[Key]) -> Sequence[Explained | None]:
        return await self._by_view(keys, self._timeless(explain), None)

    async def _memories(self, keys: list[Key]) -> Sequence[Memory | None]:
        def fetch(view: View, ids: list[str]) -> dict[str, Memory | None]:
            found = reading.get_many(self._service, view.scope, ids, view.moment)
            return dict(zip(ids, found, strict=True))

        return await self._by_view(keys, fetch, None)

    async def _entities(self, keys: list[Key]) -> Sequence[list[Row]]:
        return await self._by_view(keys, self._fetch(reading.entities_of), [])

    async def _links(self, keys: list[Key]) -> Sequence[list[reading.Link]]:
        return await self._by_view(keys, self._fetch(partial(reading.links_of, most=_MOST_LINKS)), [])

    async def _passages(self, keys: list[Key]) -> Sequence[list[Passage]]:
        return await self._by_view(keys, self._timeless(passages_of), [])

    async def _shared(self, keys: list[Key]) -> Sequence[list[Shared]]:
        return await self._by_view(keys, self._fetch(shared_of), [])

    async def _histories(self, keys: list[Key]) -> Sequence[list[reading.State]]:
        return await self._by_view(keys, self._timeless(histories), [])

    async def _entities_by_id(self, keys: list[Key]) -> Sequence[Row | None]:
        return await self._by_view(keys, self._timeless(entities), None)

    async def _relations(self, keys: list[Key]) -> Sequence[list[Relation]]:
        return await self._by_view(keys, self._fetch(relations_of), [])

    async def _entity_memories(self, keys: list[tuple[Pages, str]]) -> Sequence[list[tuple[str, str]]]:
        def fetch(pages: Pages, ids: list[str]) -> dict[str, list[tuple[str, str]]]:
            view = pages.view
            return memories_of(self._service, view.scope, ids, pages.first, pages.after, view.moment)

        return await self._by_view(keys, fetch, [])

    async def _attributes(self, keys: list[tuple[Pages, str]]) -> Sequence[list[Attribute]]:
        def fetch(pages: Pages, ids: list[str]) -> dict[str, list[Attribute]]:
            return attributes_of(self._service, pages.view.scope, ids, pages.first, pages.view.moment)

        return await self._by_view(keys, fetch, [])

    async def _claims(self, keys: list[Key]) -> Sequence[Claim | None]:
        return await self._by_view(keys, self._fetch(claims_of), None)

    async def _subjects(self, keys: list[Key]) -> Sequence[subjects.Subject | None]:
        return await self._by_view(keys, self._timeless(subjects.by_ids), None)

    async def _subject_names(self, keys: list[Key]) -> Sequence[str | None]:
        return await self._by_view(keys, self._timeless(subjects.names_of), None)

    async def _communities(self, keys: list[Key]) -> Sequence[communities.Community | None]:
        return await self._by_view(keys, self._timeless(communities.by_id), None)

    async def _community_of(self, keys: list[Key]) -> Sequence[str | None]:
        return await self._by_view(keys, self._timeless(communities.of_memories), None)

    async def _lineage(self, keys: list[Key]) -> Sequence[list[communities.Event]]:
        return await self._by_view(keys, self._timeless(communities.lineage_of), [])

    async def _summaries(self, keys: list[Key]) -> Sequence[communities.CommunitySummary | None]:
        return await self._by_view(keys, self._timeless(communities.summaries_of), None)

    async def _community_members(self, keys: list[tuple[Pages, str]]) -> Sequence[list[tuple[str, str]]]:
        def fetch(pages: Pages, ids: list[str]) -> dict[str, list[tuple[str, str]]]:
            return communities.members_of(self._service, pages.view.scope, ids, pages.first, pages.after)

        return await self._by_view(keys, fetch, [])

    def _timeless(self, function: Callable[..., dict[str, T]]) -> Callable[[View, list[str]], dict[str, T]]:
        return lambda view, ids: function(self._service, view.scope, ids)

    def _fetch(self, function: Callable[..., dict[str, T]]) -> Callable[[View, list[str]], dict[str, T]]:
        return lambda view, ids: function(self._service, view.scope, ids, view.moment)

    async def _by_view(
        self, keys: Sequence[tuple[V, str]], fetch: Callable[[V, list[str]], Any], missing: T
    ) -> list[T]:
        views: dict[V, list[str]] = {}
        for view, id in keys:
            views.setdefault(view, []).append(id)
        answers = await asyncio.gather(
            *(self._crossing.call(fetch, view, ids) for view, ids in views.items())
        )
        found = dict(zip(views, answers, strict=True))
        return [found[view].get(id, missing) for view, id in keys]

"""The model of the store's vectors, a change of it that is under way, and how much waits for a vector."""

from __future__ import annotations

import strawberry

from graph_memory.api.context import Info
from graph_memory.api.fields import reads
from graph_memory.base.scope import Scope
from graph_memory.models import spaces
from graph_memory.store.service import Service
from graph_memory.upkeep import embedding_fill


@strawberry.type(description="A model that turns text into vectors.")
class EmbeddingModel:
    name: str = strawberry.field(description="The name that is recorded with every vector.")
    provider: str = strawberry.field(description="What runs it: onnx, sentence-transformers or openai.")
    dimension: int = strawberry.field(description="Numbers in each vector.")


@strawberry.type(description="How the vectors of the store stand.")
class EmbedderStanding:
    model: EmbeddingModel | None = strawberry.field(
        description="The model of the store's vectors; null before anything was embedded."
    )
    next: EmbeddingModel | None = strawberry.field(
        description="The model that a change under way leads to; null when there is none."
    )
    stage: spaces.Stage | None = strawberry.field(
        description="How far that change is; null when there is none."
    )
    waiting: int | None = strawberry.field(
        description="States of the tenant's memories without a vector, found by words alone meanwhile; null for a key "
        "that is bound to a subject."
    )


@strawberry.type
class EmbedderQuery:
    @reads("The model of the store's vectors, and how many memories wait for theirs.")
    async def embedder(self, info: Info) -> EmbedderStanding | None:
        return await info.context.call(_standing, info.context.service, info.context.asker.scope)


def _standing(service: Service, scope: Scope) -> EmbedderStanding:
    space = spaces.read(service.system)
    return EmbedderStanding(
        model=_model(space.model) if space else None,
        next=_model(space.next) if space and space.next else None,
        stage=space.stage if space else None,
        waiting=None if scope.is_bound else embedding_fill.waiting(service, scope),
    )


def _model(given: spaces.Model) -> EmbeddingModel:
    return EmbeddingModel(name=given.model, provider=given.provider, dimension=given.dimension)

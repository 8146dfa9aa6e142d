"""The schema: one class for each subject, joined."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime
from typing import Any

import strawberry
from graphql import GraphQLError, build_schema, lexicographic_sort_schema, print_schema
from strawberry.scalars import JSON
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext
from strawberry.types.execution import PreExecutionError

from graph_memory.api.batches import BatchMutation, BatchQuery
from graph_memory.api.browsing import BrowseQuery
from graph_memory.api.changes import ChangeQuery
from graph_memory.api.changing import ChangeMutation
from graph_memory.api.communities import CommunityQuery
from graph_memory.api.comparing import ComparingQuery
from graph_memory.api.consolidating import ConsolidationMutation, ConsolidationQuery
from graph_memory.api.conversations import ConversationMutation, ConversationQuery
from graph_memory.api.embedder import EmbedderQuery
from graph_memory.api.entities import EntityMutation, EntityQuery
from graph_memory.api.forgetting import ForgetMutation, ForgetQuery
from graph_memory.api.guards import guards
from graph_memory.api.importing import ImportMutation
from graph_memory.api.jobs import JobMutation, JobQuery
from graph_memory.api.keys import ApiKeyMutation, ApiKeyQuery
from graph_memory.api.lifecycle import LifecycleMutation, LifecycleQuery
from graph_memory.api.linking import LinkMutation, LinkQuery
from graph_memory.api.memories import MemoryQuery
from graph_memory.api.nodes import NodeQuery
from graph_memory.api.packs import PackQuery
from graph_memory.api.providers import ProviderQuery
from graph_memory.api.quarantine import HubQuery, SourceMutation
from graph_memory.api.reasoning import ReasoningQuery
from graph_memory.api.remember import RememberMutation, RememberQuery
from graph_memory.api.remembering import MemoryMutation
from graph_memory.api.reviews import ReviewMutation, ReviewQuery
from graph_memory.api.scalars import DATE_TIME, JSON_VALUE, UUID, Uuid
from graph_memory.api.scoring import ScoringQuery
from graph_memory.api.search import SearchQuery
from graph_memory.api.sessions import SessionQuery
from graph_memory.api.subjects import SubjectQuery
from graph_memory.api.subscribing import ChangeSubscription, JobSubscription
from graph_memory.api.surfacing import SurfaceQuery
from graph_memory.api.traversal import QuarantineMutation, TraversalQuery
from graph_memory.api.trust import TrustMutation
from graph_memory.api.trusted import KnownDocuments
from graph_memory.api.undoing import UndoMutation
from graph_memory.api.viewer import ViewerQuery
from graph_memory.api.webhooks import WebhookMutation, WebhookQuery
from graph_memory.base.settings import ApiSettings


@strawberry.type(
    description="What can be read. `asOf`: what held then, `knownAt`: what was believed then; missing: now."
)
class Query(
    NodeQuery,
    MemoryQuery,
    BrowseQuery,
    SearchQuery,
    ReasoningQuery,
    SurfaceQuery,
    PackQuery,
    HubQuery,
    RememberQuery,
    ScoringQuery,
    LinkQuery,
    TraversalQuery,
    ComparingQuery,
    ChangeQuery,
    ForgetQuery,
    ReviewQuery,
    EntityQuery,
    CommunityQuery,
    ConversationQuery,
    ConsolidationQuery,
    JobQuery,
    LifecycleQuery,
    BatchQuery,
    ProviderQuery,
    EmbedderQuery,
    WebhookQuery,
    ApiKeyQuery,
    SubjectQuery,
    SessionQuery,
    ViewerQuery,
):
    pass


@strawberry.type(description="What can be changed. What a user can mend is told in the payload's `errors`.")
class Mutation(
    MemoryMutation,
    RememberMutation,
    ReviewMutation,
    ChangeMutation,
    TrustMutation,
    LinkMutation,
    QuarantineMutation,
    SourceMutation,
    EntityMutation,
    UndoMutation,
    ForgetMutation,
    ImportMutation,
    ConversationMutation,
    ConsolidationMutation,
    JobMutation,
    LifecycleMutation,
    BatchMutation,
    WebhookMutation,
    ApiKeyMutation,
):
    pass


@strawberry.type(
    description="What can be followed as it happens, over a websocket (graphql-transport-ws) or server-sent events."
)
class Subscription(ChangeSubscription, JobSubscription):
    pass


class Schema(strawberry.Schema):
    """The schema without strawberry's own log of errors, which would quote what users wrote."""

    def process_errors(self, errors: list[Any], execution_context: ExecutionContext | None = None) -> None:
        """Errors are logged where they are told, by id and place."""

    async def stream(self, *args: Any, **kwargs: Any) -> Any:
        """As strawberry's, where a guard's refusal would break the stream off without a word."""
        return _with_refusals(await super().stream(*args, **kwargs))


async def _with_refusals(results: Any) -> AsyncGenerator[Any, None]:
    async with aclosing(results):
        try:
            async for result in results:
                yield result
        except GraphQLError as refused:
            yield PreExecutionError(data=None, errors=[refused])


def make_schema(limits: ApiSettings | None = None, known: KnownDocuments | None = None) -> Schema:
    """The schema with its guards; `known` are the documents that may be named."""
    limits = limits or ApiSettings()
    config = StrawberryConfig(
        scalar_map={datetime: DATE_TIME, Uuid: UUID, JSON: JSON_VALUE},
        disable_field_suggestions=not limits.introspection,
    )
    extensions = guards(limits, known or KnownDocuments(limits))
    return Schema(
        query=Query, mutation=Mutation, subscription=Subscription, config=config, extensions=extensions
    )


def sdl() -> str:
    """The schema as it is written out in `graphql/schema.graphql`, sorted so that differences are stable."""
    return print_schema(lexicographic_sort_schema(build_schema(make_schema().as_str()))) + "\n"

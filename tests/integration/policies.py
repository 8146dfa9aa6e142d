"""The policy of each argument that can carry a text or an id. What is not in these tables fails the build.

An argument by which somebody could reach what is not theirs is tried by `test_api_matrix` with what another account holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from graphql import (
    GraphQLArgument,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLSchema,
    get_named_type,
    is_scalar_type,
)


class Policy(StrEnum):
    """What an argument may lead to."""

    # Names a thing: what is someone else's is answered as what is missing.
    THING = "thing"
    # Names a subject: a bound key is refused any other.
    WALL = "wall"
    # A place in a list: of another's list it shows nothing of theirs.
    CURSOR = "cursor"
    # Is compared with what the asker's own account holds, or stored there.
    TEXT = "text"


# By the argument's name.
POLICIES = {
    **dict.fromkeys(("subject",), Policy.WALL),
    **dict.fromkeys(("after",), Policy.CURSOR),
    **dict.fromkeys(
        ("id", "ids", "from", "to", "target", "job", "segment", "byId", "keepId", "otherId", "memoryIds", "fromId", "toId",
         "link", "contextIds", "prefix"),
        Policy.THING,
    ),
    **dict.fromkeys(
        ("agentId", "aliases", "author", "caption", "discriminator", "field", "files", "heading", "idempotencyKey", "keep",
         "keywords", "kind", "message", "metadata", "name", "queries", "query", "question", "reason", "ref", "role", "session",
         "sessionId", "since", "sourceRef", "speaker", "tag", "tags", "text", "texts", "timeZone", "type", "url", "value"),
        Policy.TEXT,
    ),
}  # fmt: skip

# What a thing is, where the name of the field or argument does not say: a memory.
OTHER_THINGS = {
    "Query.tierTransitions.job": "job",
    "Query.entity.id": "entity",
    "Query.community.id": "community",
    "Query.messages.segment": "segment",
    "Query.consolidationPlan.id": "plan",
    "Query.job.id": "job",
    "Subscription.run.id": "job",
    "ApproveReviewInput.id": "review",
    "RejectReviewInput.id": "review",
    "UnlinkMemoriesInput.link": "link",
    "MergeEntitiesInput.keepId": "entity",
    "MergeEntitiesInput.otherId": "entity",
    "SplitEntityInput.id": "entity",
    "RenameEntityInput.id": "entity",
    "DeleteEntityInput.id": "entity",
    "RevertRunInput.id": "job",
    "SettleQuarantineInput.id": "job",
    "PromoteConsolidationInput.id": "plan",
    "RevertConsolidationInput.id": "plan",
    "BatchInput.id": "batch",
    "WebhookInput.id": "webhook",
    "RevokeApiKeyInput.prefix": "prefix",
}


def arguments(schema: GraphQLSchema) -> Iterator[tuple[str, str, GraphQLArgument | GraphQLInputField]]:
    """Every argument and field of an input that carries text: whose it is, its name, itself."""
    for kind in schema.type_map.values():
        if isinstance(kind, GraphQLObjectType) and not kind.name.startswith("__"):
            for name, field in kind.fields.items():
                yield from (
                    (f"{kind.name}.{name}", argument, each)
                    for argument, each in field.args.items()
                    if carries_text(each)
                )
        if isinstance(kind, GraphQLInputObjectType):
            yield from ((kind.name, name, each) for name, each in kind.fields.items() if carries_text(each))


def carries_text(given: GraphQLArgument | GraphQLInputField) -> bool:
    """Whether anybody can write into it what they like: numbers, times, booleans and enums lead nowhere."""
    kind = get_named_type(given.type)
    return is_scalar_type(kind) and kind.name not in ("Int", "Float", "Boolean", "DateTime")

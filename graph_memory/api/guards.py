"""What a request must pass before it is carried out: its length, its shape, its cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from graphql import GraphQLError
from strawberry.extensions import (
    DisableIntrospection,
    MaxTokensLimiter,
    SchemaExtension,
)
from strawberry.types.graphql import OperationType

from graph_memory.api import cost, shape
from graph_memory.api.documents import Documents
from graph_memory.api.faults import INVALID_DOCUMENT, TOO_COMPLEX, TOO_COSTLY
from graph_memory.api.input_faults import InputFaults
from graph_memory.api.paging import MOST, out_of_range
from graph_memory.api.trusted import KnownDocuments
from graph_memory.base.errors import Invalid
from graph_memory.base.settings import ApiSettings

# Length of a query document at most, in characters and in tokens.
MOST_CHARACTERS = 65_536
MOST_TOKENS = 4000
# Bytes that documents which are kept parsed may take, at a guess.
_CACHE = 16_000_000


class DocumentGuard(SchemaExtension):
    """Refuses documents that are too long before they are parsed, and those of a bad shape before they are validated.

    A document that has passed once is known, and goes straight to what depends on the request.
    """

    documents: Documents
    known: KnownDocuments

    def on_parse(self) -> Iterator[None]:
        context = self.execution_context
        length = len(context.query or "")
        if length > MOST_CHARACTERS:
            told = f"The query has {length} characters; at most {MOST_CHARACTERS} are allowed."
            raise GraphQLError(told, extensions={"code": TOO_COMPLEX})
        self.known.check(context.query or "", context._provided_operation_name)
        context.graphql_document = self.documents.get(context.query or "")
        if context.graphql_document is not None:
            context.pre_execution_errors = []
        yield

    def on_validate(self) -> Iterator[None]:
        context = self.execution_context
        assert context.graphql_document is not None
        is_known = context.pre_execution_errors is not None
        if not is_known:
            shape.check(context.graphql_document)
        shape.check_choice(context.graphql_document, context._provided_operation_name)
        yield
        if not is_known and not context.pre_execution_errors:
            self.documents.keep(context.query or "", context.graphql_document)


class StreamGuard(SchemaExtension):
    """Refuses what is no subscription over a stream, which has no time limit, and a subscription without one."""

    def on_execute(self) -> Iterator[None]:
        context = self.execution_context
        is_subscription = context.operation_type is OperationType.SUBSCRIPTION
        if context.context.is_stream and not is_subscription:
            told = "This connection is for subscriptions; send queries and mutations by POST, accepting application/json."
            raise GraphQLError(told, extensions={"code": INVALID_DOCUMENT})
        if is_subscription and not context.context.is_stream:
            told = (
                "A subscription needs a stream: send it with `Accept: text/event-stream`, or over a websocket "
                "that speaks graphql-transport-ws."
            )
            raise GraphQLError(told, extensions={"code": INVALID_DOCUMENT})
        yield


class TextGuard(SchemaExtension):
    """Refuses variables that hold text which is no text: half of a surrogate pair cannot be stored."""

    def on_execute(self) -> Iterator[None]:
        try:
            json.dumps(self.execution_context.variables, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            told = "A variable holds half of a surrogate pair, so it is not valid Unicode."
            raise GraphQLError(told, extensions={"code": Invalid.code}) from None
        yield


class CostGuard(SchemaExtension):
    """Refuses operations that ask for too much, and notes what each costs."""

    limits: ApiSettings

    def on_execute(self) -> Iterator[None]:
        context = self.execution_context
        assert context.graphql_document is not None
        schema, document = context.schema._schema, context.graphql_document
        asked = (schema, document, context.operation_name, context.variables or {})
        found = cost.weight_of(*asked)
        context.context.cost = found.total
        context.context.operation = context.operation_name
        context.context.root_field = shape.root_field(context.graphql_document, context.operation_name)
        if found.total > self.limits.max_cost:
            # Whoever wants more of one page than there is on any is helped by its limit and not by that of the whole.
            if (first := cost.largest_page(*asked)) > MOST:
                raise GraphQLError(
                    out_of_range(first), extensions={"code": Invalid.code, "argument": "first"}
                )
            most = (
                f" Most of them come of `{found.field}`, whose `first` is {found.first}: ask for fewer there."
                if found.field
                else ""
            )
            raise GraphQLError(
                f"The query may ask for {found.total} objects, at most {self.limits.max_cost} are allowed.{most}",
                extensions={"code": TOO_COSTLY, "requested": found.total, "limit": self.limits.max_cost},
            )
        yield


def guards(limits: ApiSettings, known: KnownDocuments) -> list[Callable[[], SchemaExtension]]:
    """The schema's extensions, in their order."""
    documents = Documents(_CACHE)
    closed: list[Callable[[], SchemaExtension]] = [] if limits.introspection else [DisableIntrospection]
    return [
        *closed,
        lambda: MaxTokensLimiter(max_token_count=MOST_TOKENS),
        type("Documented", (DocumentGuard,), {"documents": documents, "known": known}),
        StreamGuard,
        TextGuard,
        type("Costed", (CostGuard,), {"limits": limits}),
        InputFaults,
    ]

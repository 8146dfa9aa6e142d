"""Whether a request is answered by a stream of events, or once in JSON.

Some clients accept both with every request; what they mean is then told by the operation.
"""

from __future__ import annotations

from graphql import GraphQLError, OperationType, get_operation_ast, parse

from graph_memory.api.guards import MOST_CHARACTERS, MOST_TOKENS

_ANY = ("*/*", "application/*")
_JSON = ("/json", "+json")


def is_answered_once(accept: str, text: str | None, operation: str | None) -> bool:
    """Whether a request that accepts a stream is answered in JSON all the same."""
    return takes_json(accept) and not is_subscription(text, operation)


def takes_json(accept: str) -> bool:
    """Whether an Accept header names JSON, by itself or with all other types."""
    kinds = (part.partition(";")[0].strip().lower() for part in accept.split(","))
    return any(kind in _ANY or kind.endswith(_JSON) for kind in kinds)


def is_subscription(text: str | None, operation: str | None) -> bool:
    """Whether this operation of a document is a subscription; what cannot be read is none."""
    if not text or len(text) > MOST_CHARACTERS:
        return False
    try:
        document = parse(text, no_location=True, max_tokens=MOST_TOKENS)
    except (GraphQLError, RecursionError):
        return False
    chosen = get_operation_ast(document, operation)
    return chosen is not None and chosen.operation is OperationType.SUBSCRIPTION

"""When a request is answered by a stream."""

from __future__ import annotations

import pytest

from graph_memory.api.streams import is_subscription, takes_json


@pytest.mark.parametrize(
    ("accept", "takes"),
    [
        ("text/event-stream", False),
        ("text/event-stream;q=1, multipart/mixed", False),
        ("", False),
        ("text/event-stream, Application/JSON; charset=utf-8", True),
        ("application/graphql-response+json, text/event-stream", True),
        ("text/event-stream, */*;q=0.1", True),
    ],
)
def test_json_is_taken_where_it_is_named(accept: str, takes: bool) -> None:
    assert takes_json(accept) is takes


@pytest.mark.parametrize(
    ("text", "operation", "follows"),
    [
        ("subscription {changes {sequence}}", None, True),
        ("fragment f on Change {sequence} subscription s {changes {...f}}", None, True),
        ("query q {version} subscription s {changes {sequence}}", "s", True),
        ("query q {version} subscription s {changes {sequence}}", "q", False),
        ("query q {version} subscription s {changes {sequence}}", None, False),
        ('{search(query: "my subscription") {note}}', None, False),
        ("subscription {", None, False),
        ("subscription " + "{a" * 1900, None, False),
        (None, None, False),
    ],
)
def test_a_subscription_is_told_by_the_operation_that_is_meant(
    text: str | None, operation: str | None, follows: bool
) -> None:
    assert is_subscription(text, operation) is follows
